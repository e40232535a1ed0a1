// How queries and subjects are laid out for the 16-bit kernels. No CUDA in here.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/device.h"
#include "cuda/kernels/scores16.h"

namespace alnus::cuda {

// Queries one after the other in chains, each beginning with a new lane block, so that no lane waits for a
// longer query beside it. Packing::two_queries lays two chains of about equal length side by side.
struct Chains {
  std::vector<LaneBlock> blocks;
  std::vector<Bin> bins;  // one pair of chains each (one chain with Packing::two_subjects)
};

// Query rows that the kernel goes through: those of the chains and what pads them.
std::uint64_t padded_rows(const Chains& chains, Packing packing, Shape shape);

// Passes of all bins together.
std::uint32_t passes_of(const Chains& chains, Shape shape);

// `lengths` of the queries of a tile, in decreasing order, whose residues lie one after the other. Up to
// `bins` bins. Queries without residues are in none. What pads a query to whole lane blocks is behind it, or
// before it for Goal::ends.
Chains make_chains(std::span<const std::uint32_t> lengths, Packing packing, Shape shape, std::uint32_t bins,
                   Goal goal = Goal::local);

// The same with Packing::two_queries and the queries in their order: bins of whole passes, as few of them
// padding as bins of up to `most_passes` allow (or of what the longest query takes).
Chains pack_chains(std::span<const std::uint32_t> lengths, Shape shape, std::uint32_t most_passes, Goal goal);

// Columns of a subject that any local alignment of positive score spans at most (0: no bound): gaps in the
// query cost more than all of `best_score`, the most that the query scores with anything.
std::uint64_t longest_span(std::uint64_t query_length, std::int64_t best_score, std::int32_t open,
                           std::int32_t extend);

// Subjects of a slab, in order of decreasing length.
struct Subjects {
  std::span<const std::uint32_t> lengths;
  std::span<const std::uint64_t> places;  // of quads, in packed residues
};

// The strips of the `wanted` subjects that are longer than `above`, and of as many more as fill a quad, for
// `lanes` lanes each. Subjects longer than two `span`s (if that is not 0) are cut in windows. The column of a
// strip counts from wanted.begin.
struct Strips {
  std::vector<Strip> strips;  // in order of decreasing length
  std::uint32_t end;          // the first subject that is in none
};
Strips make_strips(const Subjects& subjects, RangeOf<std::uint32_t> wanted, std::uint32_t above, int lanes,
                   std::uint64_t span);

}  // namespace alnus::cuda

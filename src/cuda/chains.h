// How queries and subjects are laid out for the 16-bit kernels. A lane block is the query rows (residues) of
// one lane, which is a thread. A bin has one chain of lane blocks or two, and is computed in passes of
// Shape::lanes lane blocks. A quad is four subjects side by side, and a strip is the subjects that a warp
// takes at a time. Makes no calls of CUDA.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/device.h"
#include "cuda/kernels/scores16.h"

namespace alnus::cuda {

// Queries in chains: the queries of a chain follow each other. Each query begins with a new lane block, so
// that no query is padded to the length of a longer query beside it. Packing::two_queries lays two chains of
// about equal length side by side.
struct Chains {
  std::vector<LaneBlock> blocks;
  std::vector<Bin> bins;  // a pair of chains each (with Packing::two_subjects one chain)
};

// Returns the number of query rows that the kernel computes: those of all chains, padded to whole passes.
std::uint64_t padded_rows(const Chains& chains, Packing packing, Shape shape);

// The number of passes of all bins together.
std::uint32_t passes_of(const Chains& chains, Shape shape);

// Lays out a tile's queries in up to `bins` bins. `lengths`: of the queries in residues, decreasing; their
// residues lie one after the other. Queries without residues are in no bin. A query is padded to whole lane
// blocks behind its last row, or with Goal::ends (modes global and semiglobal) before its first row.
Chains make_chains(std::span<const std::uint32_t> lengths, Packing packing, Shape shape, std::uint32_t bins,
                   Goal goal = Goal::local);

// Like make_chains() with Packing::two_queries, but a bin has queries that follow each other in `lengths`.
// The number of passes of a bin is what its first query takes, or the number from there to `most_passes` with
// the least padding.
Chains pack_chains(std::span<const std::uint32_t> lengths, Shape shape, std::uint32_t most_passes, Goal goal);

// The most columns of a subject that a local alignment of positive score can span; 0: there is no bound,
// because `extend` is 0. `best_score` is the most that the query can score: in a longer alignment, gaps in
// the query would cost more than that.
std::uint64_t longest_span(std::uint64_t query_length, std::int64_t best_score, std::int32_t open,
                           std::int32_t extend);

// The subjects of a slab (what is in device memory together), in order of decreasing length.
struct Subjects {
  std::span<const std::uint32_t> lengths;
  std::span<const std::uint64_t> places;  // of each quad: index of its first column in the packed residues
};

// What make_strips() returns.
struct Strips {
  std::vector<Strip> strips;  // in order of decreasing length
  std::uint32_t end;          // the first subject that is in no strip
};
// Makes strips of the `wanted` subjects that are longer than `above` residues, and of as many more as fill
// the last quad, with `lanes` lanes for each subject. If `span` is not 0, subjects longer than 2 * span
// columns are cut in pieces of 2 * span columns, the windows, which overlap by one span. Strip::column counts
// from wanted.begin.
Strips make_strips(const Subjects& subjects, RangeOf<std::uint32_t> wanted, std::uint32_t above, int lanes,
                   std::uint64_t span);

}  // namespace alnus::cuda

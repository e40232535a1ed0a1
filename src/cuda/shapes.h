// Chooses the version of the 16-bit kernel that finishes a job soonest, by the measurements in tuning.h.
// Makes no calls of CUDA.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "alnus/scoring.h"
#include "cuda/chains.h"

namespace alnus::cuda {

// A version of the 16-bit kernel (scores16) that --method forces.
struct Version {
  Packing packing;
  std::optional<Shape> shape{};  // for all subjects; without one, shapes are chosen for each tile
  bool coarse = false;           // only with a shape: Goal::coarse where the sink has a limit()
};
// The names of all versions: "two-queries", "two-subjects-8x24", "two-subjects-8x24-coarse" and so on, for
// each shape in tuning.h.
std::vector<std::string> version_names();
// The version of this name; empty if no version has the name.
std::optional<Version> version_of(const std::string& name);

// What the choice of a packing and a shape depends on.
struct QueryKind {
  std::span<const std::uint32_t> lengths;  // of the queries in residues, decreasing
  std::uint32_t letters;                   // of the profile, with the pad
  std::size_t shared_bytes;                // of shared memory that a thread block can have
};

// Returns Packing::two_queries unless Packing::two_subjects is faster for these queries with their padding.
// The three choose_ functions throw Error(device) if the shared memory has no room for the profile of any
// shape.
Packing choose_packing(const QueryKind& queries);
// The shape of kNarrow (tuning.h) that scores these queries soonest.
Shape choose_narrow(Packing packing, const QueryKind& queries);
// The shape of kWide (tuning.h) that scores these queries soonest, with strips of up to `columns` columns.
Shape choose_wide(Packing packing, const QueryKind& queries, double columns);
// True if the coarse versions are expected to find the `wanted` best of `columns` subjects for each row
// sooner, in a tile of `cells` cells: if they save more time than it takes to score the pairs again, exactly,
// that their bounds leave open.
bool coarse_pays(const Scoring& scoring, double cells, std::uint32_t columns, std::uint32_t wanted);
// Subjects of more residues than the returned number are wide, which means that they are scored by a shape of
// kWide. `cells`: of the tile.
std::uint32_t wide_above(double cells, std::uint32_t longest_query);

// How many of the longest subjects score_passes (kernels/long_scores.h) should score, so that all are ready
// soonest: scores16 goes through a subject pass after pass with one warp, score_passes with a warp for each
// pass. `lengths`: of the subjects in residues, decreasing; `residues`: their sum. In 16 bits, subjects
// longer than `longest_window` residues are cut in windows, which are overlapping pieces of that length
// (make_strips()); 0: no subject is cut.
std::uint32_t count_long_subjects(Packing packing, const QueryKind& queries,
                                  std::span<const std::uint32_t> lengths, std::uint64_t residues,
                                  std::uint64_t longest_window);

// The chains in the number of bins that costs least, for a launch in which `blocks` thread blocks take the
// bins with `batches` batches of strips. With more bins the items of work (a bin with a batch each) are
// smaller, so that the blocks end together, but more rows are padding.
Chains balanced_chains(std::span<const std::uint32_t> lengths, Packing packing, Shape shape,
                       std::uint32_t batches, std::uint32_t blocks, Goal goal = Goal::local);
// Like balanced_chains() with Packing::two_queries, but a bin has queries that follow each other
// (pack_chains()).
Chains packed_chains(std::span<const std::uint32_t> lengths, Shape shape, std::uint32_t batches,
                     std::uint32_t blocks, Goal goal);

}  // namespace alnus::cuda

// Which version of the 16-bit kernel does the work soonest, by the measurements of tuning.h. No CUDA in here.
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

// A version of the 16-bit kernel that is forced by name, as far as it is.
struct Version {
  Packing packing;
  std::optional<Shape> shape{};  // for all subjects
  bool coarse = false;           // where the sink wants the best of each row
};
// "two-queries", "two-subjects-8x24", "two-subjects-8x24-coarse", ... of all shapes that there are.
std::vector<std::string> version_names();
// Nothing for a name that is none.
std::optional<Version> version_of(const std::string& name);

// What the choice depends on.
struct QueryKind {
  std::span<const std::uint32_t> lengths;  // decreasing
  std::uint32_t letters;                   // with the pad
  std::size_t shared_bytes;                // that a block of threads can have
};

// Two queries share a register, unless the one would have to wait for the other for too long.
Packing choose_packing(const QueryKind& queries);
Shape choose_narrow(Packing packing, const QueryKind& queries);
// For strips up to `columns`.
Shape choose_wide(Packing packing, const QueryKind& queries, double columns);
// Whether the coarse versions find the `wanted` best of so many columns for each row sooner, in a tile of
// `cells`: whether they save more than it takes to score those again that their bounds leave open.
bool coarse_pays(const Scoring& scoring, double cells, std::uint32_t columns, std::uint32_t wanted);
// Subjects longer than this are wide.
std::uint32_t wide_above(double cells, std::uint32_t longest_query);

// How many of the subjects (the longest of them) are ready sooner if teams of warps do them in 32 bits, after
// the others: in 16 bits a warp goes through a subject pass after pass. `lengths` are decreasing, `residues`
// together; longer subjects than `longest_window` are cut in such windows there (0: none are).
std::uint32_t count_for_teams(Packing packing, const QueryKind& queries,
                              std::span<const std::uint32_t> lengths, std::uint64_t residues,
                              std::uint64_t longest_window);

// More bins are shorter, so that the blocks end together, and fit each other worse: for `batches` of strips
// on so many blocks.
Chains balanced_chains(std::span<const std::uint32_t> lengths, Packing packing, Shape shape,
                       std::uint32_t batches, std::uint32_t blocks, Goal goal = Goal::local);
// The same with the queries in their order, as pack_chains() has them.
Chains packed_chains(std::span<const std::uint32_t> lengths, Shape shape, std::uint32_t batches,
                     std::uint32_t blocks, Goal goal);

}  // namespace alnus::cuda

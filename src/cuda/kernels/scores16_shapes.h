// The versions of the 16-bit kernel. scores16.cu compiles these and no others; tuning.h says how fast they
// are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>

namespace alnus::cuda {

// The two alignments that share a register.
enum class Packing : std::uint8_t {
  two_queries,   // of two queries with the same subject
  two_subjects,  // of two subjects with the same query
};

// What is looked for in the dynamic programming matrix of a pair.
enum class Goal : std::uint8_t {
  local,   // the best cell
  coarse,  // the best cell of every fourth row and of each lane's last row: too low by coarse_slack() at most
  ends,    // the best cell in which Scores16::free_ends lets an alignment end: modes global and semiglobal
};

// `lanes` threads share a subject, and each of them keeps `rows` rows of the query in registers.
struct Shape {
  int lanes, rows;
  bool operator==(const Shape&) const = default;
};

// Lanes for each subject in the shapes that take subjects by quads, without a list of strips.
inline constexpr int kNarrowLanes = 8;

struct PackedShape {
  Packing packing;
  Shape shape;
  bool operator==(const PackedShape&) const = default;
};
inline constexpr PackedShape kShapes[] = {
    {Packing::two_queries, {8, 32}},   {Packing::two_queries, {16, 32}},  {Packing::two_queries, {32, 32}},
    {Packing::two_subjects, {8, 12}},  {Packing::two_subjects, {8, 18}},  {Packing::two_subjects, {8, 24}},
    {Packing::two_subjects, {8, 30}},  {Packing::two_subjects, {8, 32}},  {Packing::two_subjects, {16, 9}},
    {Packing::two_subjects, {16, 16}}, {Packing::two_subjects, {32, 16}},
};
inline constexpr std::size_t kShapeCount = std::size(kShapes);

// The shape of the traced versions, which are for two queries.
inline constexpr Shape kTracedShape{kNarrowLanes, 32};

constexpr bool has_shape(const PackedShape& wanted) {
  for (const PackedShape& shape : kShapes)
    if (shape == wanted) return true;
  return false;
}

// True if this version is compiled. Goal::ends is for two queries only, and Goal::coarse is not traced.
constexpr bool has_version(const PackedShape& wanted, Goal goal, bool traced) {
  if (traced) return wanted == PackedShape{Packing::two_queries, kTracedShape} && goal != Goal::coarse;
  return has_shape(wanted) && (goal != Goal::ends || wanted.packing == Packing::two_queries);
}

// Each version of Goal::ends is compiled twice. One is for subjects of up to this many residues: it looks at
// the stop word (kernels/stop.cuh) between passes only, which then take 30 ms at most. The other one looks
// inside a pass, too, and is 5% slower: that is the cost of a loop that may end by what it reads
// (docs/cuda-kernels.md).
inline constexpr std::uint32_t kColumnsWithoutLooks = 1 << 16;

}  // namespace alnus::cuda

// Which versions of the 16-bit kernel there are. scores16.cu compiles these and no others; tuning.h says how
// fast they are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>

namespace alnus::cuda {

// Which two alignments share a register.
enum class Packing : std::uint8_t {
  two_queries,   // of the same subject
  two_subjects,  // with the same query
};

// What is looked for in the matrix of a pair.
enum class Goal : std::uint8_t {
  local,   // the best cell
  coarse,  // the best cell of every fourth row: too low by coarse_slack() at most
  ends,  // the best of the cells where Scores16::free_ends let an alignment end: modes global and semiglobal
};

// `lanes` threads share a subject, and each of them keeps `rows` rows of the query in registers.
struct Shape {
  int lanes, rows;
  bool operator==(const Shape&) const = default;
};

// Lanes of the shapes that take subjects by quads, without strips.
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

// Goal::ends is for two queries only, and Goal::coarse is not traced.
constexpr bool has_version(const PackedShape& wanted, Goal goal, bool traced) {
  if (traced) return wanted == PackedShape{Packing::two_queries, kTracedShape} && goal != Goal::coarse;
  return has_shape(wanted) && (goal != Goal::ends || wanted.packing == Packing::two_queries);
}

// Each version of Goal::ends is there twice: for subjects of up to so many residues it looks at the stop word
// (kernels/stop.cuh) between passes only, which come every 30 ms then; the other one looks in a pass, too. A
// loop that may end by what it reads is 5% slower there (docs/cuda-kernels.md).
inline constexpr std::uint32_t kColumnsWithoutLooks = 1 << 16;

}  // namespace alnus::cuda

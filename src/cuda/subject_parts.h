// Divides the subjects of a slab into parts, each for one launch of the 16-bit kernel (docs/cuda-kernels.md,
// "Subjects"). In wide parts, which have the longest subjects, in general more threads share a subject than
// in narrow parts.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/sorted_sequences.h"
#include "cuda/chains.h"
#include "cuda/cuda_sequences.h"
#include "cuda/kernels/scores16.h"
#include "cuda/occupancy.h"
#include "cuda/shapes.h"

namespace alnus::cuda {

// The subjects that one launch of scores16 scores.
struct Part {
  Scores16Kernel kernel;
  Shape shape;
  SlabRange subjects;
  std::uint32_t stream;         // parts with the same number run one after the other, others side by side
  std::vector<Strip> strips{};  // empty: the quads of `subjects`
  std::uint32_t strip_count = 0;
  Chains chains{};
  int blocks = 0;                  // thread blocks of the launch
  std::uint32_t spread_items = 0;  // first items, which are spread over the multiprocessors (Spread::items)
  // The uint2 that each thread block needs for the rows between its passes; 0: every bin has one pass.
  std::uint64_t boundary_entries = 0;

  std::uint64_t all_boundary_entries() const { return boundary_entries * static_cast<unsigned>(blocks); }
};

// A slab has at most kMostParts parts, and Part::stream is below kPartStreams.
inline constexpr std::size_t kMostParts = 3, kPartStreams = 3;
struct Parts {
  std::vector<Part> all;           // in the order in which they are to be launched
  std::uint32_t narrow_begin = 0;  // the first subject that is in no wide part
};

// The queries of a tile, and the way in which scores16 scores them.
struct PartsProblem {
  QueryKind queries;
  Packing packing;
  std::optional<Shape> shape;  // the forced shape, if any
  Goal goal, wide_goal;        // of the narrow parts, and of the wide ones
  std::uint32_t extend;
  std::uint64_t span;  // overlap of windows in columns (make_strips()); 0: no subject is cut
  double cells;        // of the tile
};

class PartMaker {
 public:
  // `bytes_of_rows`: device memory for the rows that the passes of all parts hand to each other.
  PartMaker(int multiprocessors, std::uint64_t bytes_of_rows)
      : multiprocessors_(multiprocessors), bytes_of_rows_(bytes_of_rows), occupancy_(multiprocessors) {}

  // Divides these subjects of the slab, of which there must be one or more. In general there are a wide part,
  // a narrow part and a part of the shortest subjects. If the rows between their passes need more than
  // `bytes_of_rows`, there are two wide parts and a narrow one, with fewer thread blocks; each part has at
  // least one thread block, even if that needs more memory. `sequences`: the set of which the slab is a
  // piece. Strip::column counts from `first_column` of the slab.
  Parts make(const PartsProblem& problem, const SortedSequences& sequences, const Slab& slab,
             SlabRange subjects, std::uint32_t first_column);

 private:
  // What is divided, and for which problem.
  struct Input {
    const PartsProblem& problem;
    const SortedSequences& sequences;
    const Slab& slab;
    std::uint32_t first_column;

    double residues(SlabRange subjects) const {
      return static_cast<double>(
          sequences.residues({slab.range.begin + subjects.begin, slab.range.begin + subjects.end}));
    }
    // Residues of the first of these subjects, which is the longest; 0 if there is none.
    std::uint32_t longest(SlabRange subjects) const {
      return subjects.size() == 0 ? 0 : slab.subjects.lengths[subjects.begin];
    }
    // The columns that a warp goes through at a time: a subject's, or those of a window.
    std::uint64_t columns(std::uint32_t length) const {
      return problem.span > 0 ? std::min<std::uint64_t>(length, 2 * problem.span) : length;
    }
  };

  bool lacks_memory(const std::vector<Part>& parts) const;
  bool lacks_memory_for_narrow(const Input& input, std::uint32_t longest);
  std::uint32_t longest_narrow(const Input& input, std::uint32_t longest);
  static std::uint32_t begin_of_last(const Input& input, SlabRange subjects);
  static std::uint32_t best_cut(const Input& input, SlabRange wide);
  Part wide_part(const Input& input, SlabRange subjects, std::uint32_t narrow_up_to, std::uint32_t stream);
  Part narrow_part(const Input& input, SlabRange subjects, std::uint32_t stream);
  void choose_blocks(Part& part, const Input& input, std::uint32_t longest);
  void fit(std::vector<Part>& parts, const Input& input) const;

  const int multiprocessors_;
  const std::uint64_t bytes_of_rows_;
  Occupancy<Scores16Kernel> occupancy_;
};

}  // namespace alnus::cuda

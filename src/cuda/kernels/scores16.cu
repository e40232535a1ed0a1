#include <string>
#include <utility>

#include "alnus/error.h"
#include "cuda/kernels/launch.h"
#include "cuda/kernels/scores16.cuh"

namespace alnus::cuda {
namespace {

using Kernel = void (*)(Scores16);

// What the choice of a version depends on, besides shape and goal.
struct Wanted {
  std::uint32_t extend;
  bool looks;  // true if the version looks at the stop word inside a pass
};

template <PackedShape of, Goal goal, bool traced, bool looks>
Kernel choose_extend(const Wanted& wanted) {
  if constexpr (goal == Goal::ends && !traced)
    return scores16<of.packing, of.shape.lanes, of.shape.rows, goal, false, traced, looks>;
  else
    return wanted.extend == 1
               ? scores16<of.packing, of.shape.lanes, of.shape.rows, goal, true, traced, looks>
               : scores16<of.packing, of.shape.lanes, of.shape.rows, goal, false, traced, looks>;
}

template <PackedShape of, Goal goal, bool traced = false>
Kernel choose_looks(const Wanted& wanted) {
  if constexpr (goal == Goal::ends)
    if (!wanted.looks) return choose_extend<of, goal, traced, false>(wanted);
  return choose_extend<of, goal, traced, true>(wanted);
}

template <PackedShape of>
Kernel choose(Goal goal, const Wanted& wanted) {
  switch (goal) {
    case Goal::local:
      return choose_looks<of, Goal::local>(wanted);
    case Goal::coarse:
      return choose_looks<of, Goal::coarse>(wanted);
    case Goal::ends:
      if constexpr (has_version(of, Goal::ends, false)) return choose_looks<of, Goal::ends>(wanted);
  }
  return nullptr;
}

Kernel choose_traced(Goal goal, const Wanted& wanted) {
  constexpr PackedShape kOf{Packing::two_queries, kTracedShape};
  return goal == Goal::ends ? choose_looks<kOf, Goal::ends, true>(wanted)
                            : choose_looks<kOf, Goal::local, true>(wanted);
}

// Chooses a version of the shape; compiles all shapes of kShapes.
template <std::size_t... number>
Kernel choose_of_table(const PackedShape& shape, Goal goal, const Wanted& wanted,
                       std::index_sequence<number...>) {
  Kernel found = nullptr;
  ((kShapes[number] == shape ? void(found = choose<kShapes[number]>(goal, wanted)) : void()), ...);
  return found;
}

Kernel find(const PackedShape& shape, Goal goal, const Wanted& wanted, bool traced) {
  if (!has_version(shape, goal, traced)) {
    constexpr const char* kGoals[] = {"local", "coarse", "ends"};
    throw Error(ErrorKind::device,
                std::string("There is no version of the 16-bit kernel for ") +
                    (shape.packing == Packing::two_queries ? "two queries" : "two subjects") + ", " +
                    std::to_string(shape.shape.lanes) + " lanes x " + std::to_string(shape.shape.rows) +
                    " rows, goal " + kGoals[static_cast<std::size_t>(goal)] + (traced ? ", traced." : "."));
  }
  if (traced) return choose_traced(goal, wanted);
  return choose_of_table(shape, goal, wanted, std::make_index_sequence<kShapeCount>());
}

}  // namespace

Scores16Kernel::Scores16Kernel(Packing packing, Shape shape, Goal goal, std::uint32_t extend,
                               std::uint32_t longest, bool traced)
    : packing_(packing),
      shape_(shape),
      kernel_(find({packing, shape}, goal, {extend, longest > kColumnsWithoutLooks}, traced)) {}

std::size_t Scores16Kernel::shared_bytes(Shape shape, std::uint32_t letters) {
  return sizeof(uint4) * letters * static_cast<unsigned>((shape.rows + 3) / 4 * shape.lanes);
}

cudaError_t Scores16Kernel::allow_shared(std::uint32_t letters) const {
  return cudaFuncSetAttribute(kernel_, cudaFuncAttributeMaxDynamicSharedMemorySize,
                              static_cast<int>(shared_bytes(shape_, letters)));
}

cudaError_t Scores16Kernel::occupancy(std::uint32_t letters, int* blocks) const {
  const cudaError_t status = allow_shared(letters);
  if (status != cudaSuccess) return status;
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, kernel_, kWarps * kWarpThreads,
                                                       shared_bytes(shape_, letters));
}

std::uint64_t Scores16Kernel::boundary_entries(std::uint32_t longest) const {
  return std::uint64_t{kWarps} * (kWarpThreads / shape_.lanes) * (longest + 2 * shape_.lanes);
}

cudaError_t Scores16Kernel::launch(const Scores16& work, int blocks, cudaStream_t stream) const {
  const cudaError_t status = allow_shared(work.letters);
  if (status != cudaSuccess) return status;
  return launch_kernel(kernel_, blocks, kWarps * kWarpThreads, shared_bytes(shape_, work.letters), stream,
                       work);
}

}  // namespace alnus::cuda

#include <string>
#include <utility>

#include "alnus/error.h"
#include "cuda/kernels/launch.h"
#include "cuda/kernels/scores16.cuh"

namespace alnus::cuda {
namespace {

using Kernel = void (*)(Scores16);

template <PackedShape of, Goal goal, bool traced = false>
Kernel choose_extend(std::uint32_t extend) {
  if constexpr (goal == Goal::ends && !traced)
    return scores16<of.packing, of.shape.lanes, of.shape.rows, goal, false, traced>;
  else
    return extend == 1 ? scores16<of.packing, of.shape.lanes, of.shape.rows, goal, true, traced>
                       : scores16<of.packing, of.shape.lanes, of.shape.rows, goal, false, traced>;
}

template <PackedShape of>
Kernel choose(Goal goal, std::uint32_t extend) {
  switch (goal) {
    case Goal::local:
      return choose_extend<of, Goal::local>(extend);
    case Goal::coarse:
      return choose_extend<of, Goal::coarse>(extend);
    case Goal::ends:
      if constexpr (has_version(of, Goal::ends, false)) return choose_extend<of, Goal::ends>(extend);
  }
  return nullptr;
}

Kernel choose_traced(Goal goal, std::uint32_t extend) {
  constexpr PackedShape kOf{Packing::two_queries, kTracedShape};
  return goal == Goal::ends ? choose_extend<kOf, Goal::ends, true>(extend)
                            : choose_extend<kOf, Goal::local, true>(extend);
}

// Compiles all shapes of the table.
template <std::size_t... number>
Kernel choose_of_table(const PackedShape& wanted, Goal goal, std::uint32_t extend,
                       std::index_sequence<number...>) {
  Kernel found = nullptr;
  ((kShapes[number] == wanted ? void(found = choose<kShapes[number]>(goal, extend)) : void()), ...);
  return found;
}

Kernel find(const PackedShape& wanted, Goal goal, std::uint32_t extend, bool traced) {
  if (!has_version(wanted, goal, traced)) {
    constexpr const char* kGoals[] = {"local", "coarse", "ends"};
    throw Error(ErrorKind::device,
                std::string("There is no version of the 16-bit kernel for ") +
                    (wanted.packing == Packing::two_queries ? "two queries" : "two subjects") + ", " +
                    std::to_string(wanted.shape.lanes) + " lanes x " + std::to_string(wanted.shape.rows) +
                    " rows, goal " + kGoals[static_cast<std::size_t>(goal)] + (traced ? ", traced." : "."));
  }
  if (traced) return choose_traced(goal, extend);
  return choose_of_table(wanted, goal, extend, std::make_index_sequence<kShapeCount>());
}

}  // namespace

Scores16Kernel::Scores16Kernel(Packing packing, Shape shape, Goal goal, std::uint32_t extend, bool traced)
    : packing_(packing), shape_(shape), kernel_(find({packing, shape}, goal, extend, traced)) {}

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

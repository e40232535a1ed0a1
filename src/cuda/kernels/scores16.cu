#include "cuda/kernels/launch.h"
#include "cuda/kernels/scores16.cuh"

namespace alnus::cuda {
namespace {

using Kernel = void (*)(Scores16);

template <Packing packing, int lanes, int rows, Goal goal, bool traced = false>
Kernel choose_extend(std::uint32_t extend) {
  return extend == 1 ? scores16<packing, lanes, rows, goal, true, traced>
                     : scores16<packing, lanes, rows, goal, false, traced>;
}

template <Packing packing, int lanes, int rows>
Kernel choose(Goal goal, std::uint32_t extend) {
  switch (goal) {
    case Goal::local:
      return choose_extend<packing, lanes, rows, Goal::local>(extend);
    case Goal::coarse:
      return choose_extend<packing, lanes, rows, Goal::coarse>(extend);
    case Goal::ends:
      if constexpr (packing == Packing::two_queries) return scores16<packing, lanes, rows, Goal::ends, false>;
  }
  return nullptr;
}

template <int lanes>
Kernel choose_traced(Goal goal, std::uint32_t extend) {
  using enum Packing;
  return goal == Goal::ends ? choose_extend<two_queries, lanes, kTraceRows, Goal::ends, true>(extend)
                            : choose_extend<two_queries, lanes, kTraceRows, Goal::local, true>(extend);
}

// The shapes that there are; cuda/tuning.h chooses among them.
Kernel find(Packing packing, Shape shape, Goal goal, std::uint32_t extend, bool traced) {
  using enum Packing;
  if (traced) {
    if (shape.lanes == 8) return choose_traced<8>(goal, extend);
  } else if (packing == two_queries) {
    if (shape == Shape{8, 32}) return choose<two_queries, 8, 32>(goal, extend);
    if (shape == Shape{16, 32}) return choose<two_queries, 16, 32>(goal, extend);
    if (shape == Shape{32, 32}) return choose<two_queries, 32, 32>(goal, extend);
  } else {
    if (shape == Shape{8, 12}) return choose<two_subjects, 8, 12>(goal, extend);
    if (shape == Shape{8, 18}) return choose<two_subjects, 8, 18>(goal, extend);
    if (shape == Shape{8, 24}) return choose<two_subjects, 8, 24>(goal, extend);
    if (shape == Shape{8, 30}) return choose<two_subjects, 8, 30>(goal, extend);
    if (shape == Shape{8, 32}) return choose<two_subjects, 8, 32>(goal, extend);
    if (shape == Shape{16, 9}) return choose<two_subjects, 16, 9>(goal, extend);
    if (shape == Shape{16, 16}) return choose<two_subjects, 16, 16>(goal, extend);
    if (shape == Shape{32, 16}) return choose<two_subjects, 32, 16>(goal, extend);
  }
  return nullptr;
}

}  // namespace

Scores16Kernel::Scores16Kernel(Packing packing, Shape shape, Goal goal, std::uint32_t extend, bool traced)
    : packing_(packing), shape_(shape), kernel_(find(packing, shape, goal, extend, traced)) {}

std::size_t Scores16Kernel::shared_bytes(Shape shape, std::uint32_t letters) {
  return sizeof(uint4) * letters * static_cast<unsigned>((shape.rows + 3) / 4 * shape.lanes);
}

cudaError_t Scores16Kernel::residency(std::uint32_t letters, int* blocks) const {
  const auto bytes = static_cast<int>(shared_bytes(shape_, letters));
  cudaError_t status = cudaFuncSetAttribute(kernel_, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  if (status == cudaSuccess)
    status = cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, kernel_, kWarps * kWarpThreads, bytes);
  return status;
}

std::uint64_t Scores16Kernel::boundary_entries(std::uint32_t longest) const {
  return std::uint64_t{kWarps} * (kWarpThreads / shape_.lanes) * (longest + 2 * shape_.lanes);
}

cudaError_t Scores16Kernel::launch(const Scores16& work, int blocks, cudaStream_t stream) const {
  return launch_kernel(kernel_, blocks, kWarps * kWarpThreads, shared_bytes(shape_, work.letters), stream,
                       work);
}

}  // namespace alnus::cuda

#include "cuda/kernels/local16.cuh"

namespace alnus::cuda {
namespace {

template <Packing packing, int lanes, int rows, bool coarse>
auto choose_extend(std::uint32_t extend) -> void (*)(Local16) {
  return extend == 1 ? local16<packing, lanes, rows, coarse, true>
                     : local16<packing, lanes, rows, coarse, false>;
}

template <Packing packing, int lanes, int rows>
auto choose(bool coarse, std::uint32_t extend) -> void (*)(Local16) {
  return coarse ? choose_extend<packing, lanes, rows, true>(extend)
                : choose_extend<packing, lanes, rows, false>(extend);
}

// The shapes that there are; cuda/tuning.h chooses among them.
auto find(Packing packing, Shape shape, bool coarse, std::uint32_t extend) -> void (*)(Local16) {
  using enum Packing;
  if (packing == two_queries) {
    if (shape == Shape{8, 32}) return choose<two_queries, 8, 32>(coarse, extend);
    if (shape == Shape{16, 32}) return choose<two_queries, 16, 32>(coarse, extend);
    if (shape == Shape{32, 32}) return choose<two_queries, 32, 32>(coarse, extend);
  } else {
    if (shape == Shape{8, 12}) return choose<two_subjects, 8, 12>(coarse, extend);
    if (shape == Shape{8, 18}) return choose<two_subjects, 8, 18>(coarse, extend);
    if (shape == Shape{8, 24}) return choose<two_subjects, 8, 24>(coarse, extend);
    if (shape == Shape{8, 30}) return choose<two_subjects, 8, 30>(coarse, extend);
    if (shape == Shape{8, 32}) return choose<two_subjects, 8, 32>(coarse, extend);
    if (shape == Shape{16, 9}) return choose<two_subjects, 16, 9>(coarse, extend);
    if (shape == Shape{16, 16}) return choose<two_subjects, 16, 16>(coarse, extend);
    if (shape == Shape{32, 16}) return choose<two_subjects, 32, 16>(coarse, extend);
  }
  return nullptr;
}

}  // namespace

Local16Kernel::Local16Kernel(Packing packing, Shape shape, bool coarse, std::uint32_t extend)
    : packing_(packing), shape_(shape), kernel_(find(packing, shape, coarse, extend)) {}

std::size_t Local16Kernel::shared_bytes(Shape shape, std::uint32_t letters) {
  return sizeof(uint4) * letters * static_cast<unsigned>((shape.rows + 3) / 4 * shape.lanes);
}

cudaError_t Local16Kernel::residency(std::uint32_t letters, int* blocks) const {
  const auto bytes = static_cast<int>(shared_bytes(shape_, letters));
  cudaError_t status = cudaFuncSetAttribute(kernel_, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  if (status == cudaSuccess)
    status = cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, kernel_, kWarps * kWarpThreads, bytes);
  return status;
}

std::uint64_t Local16Kernel::boundary_entries(std::uint32_t longest) const {
  return std::uint64_t{kWarps} * (kWarpThreads / shape_.lanes) * (longest + 2 * shape_.lanes);
}

cudaError_t Local16Kernel::launch(const Local16& work, int blocks, cudaStream_t stream) const {
  kernel_<<<blocks, kWarps * kWarpThreads, shared_bytes(shape_, work.letters), stream>>>(work);
  return cudaGetLastError();
}

}  // namespace alnus::cuda

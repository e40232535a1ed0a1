// Launches of kernels without nvcc's kernel<<<...>>>, so that any C++ compiler takes the sources of the
// kernels (tests/cuda_emulation).
#pragma once

#include <cstddef>
#include <cuda_runtime_api.h>
#include <type_traits>

namespace alnus::cuda {

template <class... Parameters>
cudaError_t launch_kernel(void (*kernel)(Parameters...), unsigned blocks, unsigned threads,
                          std::size_t shared_bytes, cudaStream_t stream,
                          std::type_identity_t<Parameters>... arguments) {
  void* pointers[] = {&arguments...};
  return cudaLaunchKernel(kernel, dim3(blocks), dim3(threads), pointers, shared_bytes, stream);
}

}  // namespace alnus::cuda

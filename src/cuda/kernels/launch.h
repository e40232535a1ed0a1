// Launches kernels without nvcc's kernel<<<...>>>, so that any C++ compiler can compile the sources of the
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

// Loads the code of kernels. Otherwise the first launch of a kernel loads its code.
template <class... Kernels>
cudaError_t load_kernels(Kernels*... kernels) {
  cudaFuncAttributes attributes;
  cudaError_t status = cudaSuccess;
  ((status = status == cudaSuccess
                 ? cudaFuncGetAttributes(&attributes, reinterpret_cast<const void*>(kernels))
                 : status),
   ...);
  return status;
}

}  // namespace alnus::cuda

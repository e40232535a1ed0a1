// Arrays in device memory for tests that launch kernels.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cuda_runtime_api.h>
#include <stdexcept>
#include <vector>

namespace alnus::test {

inline void require(cudaError_t status) {
  if (status != cudaSuccess) throw std::runtime_error(cudaGetErrorString(status));
}

// An array in device memory that has the given values, or `count` elements of which every byte is 0xa5.
template <class T>
class OnDevice {
 public:
  explicit OnDevice(std::size_t count) : count_(count) {
    require(cudaMalloc(reinterpret_cast<void**>(&data_), std::max<std::size_t>(count, 1) * sizeof(T)));
    require(cudaMemset(data_, 0xa5, count * sizeof(T)));
  }
  explicit OnDevice(const std::vector<T>& values) : OnDevice(values.size()) {
    require(cudaMemcpy(data_, values.data(), count_ * sizeof(T), cudaMemcpyHostToDevice));
  }
  ~OnDevice() { cudaFree(data_); }
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;

  T* data() const { return data_; }
  std::vector<T> read() const {
    std::vector<T> values(count_);
    require(cudaMemcpy(values.data(), data_, count_ * sizeof(T), cudaMemcpyDeviceToHost));
    return values;
  }

 private:
  T* data_ = nullptr;
  std::size_t count_;
};

}  // namespace alnus::test

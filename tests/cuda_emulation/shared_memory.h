// The shared memory of blocks that take turns. Variables that the kernels declare __shared__ all lie in one
// section of the program (CMakeLists.txt), where each block in its turn has its own values.
#pragma once

#include <cstddef>
#include <cuda_runtime_api.h>
#include <vector>

namespace cuda_emulation {

class SharedMemory {
 public:
  explicit SharedMemory(std::size_t dynamic_bytes);

  class InPlace {
   public:
    explicit InPlace(SharedMemory& memory);
    InPlace(const InPlace&) = delete;
    InPlace& operator=(const InPlace&) = delete;
    ~InPlace();

   private:
    SharedMemory& memory_;
  };

 private:
  std::vector<unsigned char> variables_;
  std::vector<uint4> dynamic_;
};

}  // namespace cuda_emulation

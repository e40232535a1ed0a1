// The shared memory of blocks that take turns. All __shared__ variables of the kernels lie in one section of
// the program (CMakeLists.txt). While a block runs, its values are there; InPlace puts them there and takes
// them back.
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

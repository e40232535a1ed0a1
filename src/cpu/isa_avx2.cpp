#include "cpu/isa.h"
#include "cpu/vector_avx2.h"

namespace alnus::cpu {

const KernelSet kernels_avx2 = kernel_set<avx2::I8, 4, 4, avx2::I16, avx2::I32>("avx2");

}  // namespace alnus::cpu

#include "cpu/isa.h"
#include "cpu/vector_avx512.h"

namespace alnus::cpu {

const KernelSet kernels_avx512 = kernel_set<avx512::I8, 8, 2, avx512::I16, avx512::I32>("avx512");

}  // namespace alnus::cpu

#include "cpu/isa.h"
#include "cpu/vector_sse41.h"

namespace alnus::cpu {

const KernelSet kernels_sse41 = kernel_set<sse41::I8, 4, 4, sse41::I16, sse41::I32>("sse41");

}  // namespace alnus::cpu

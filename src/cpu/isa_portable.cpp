#include "cpu/isa.h"
#include "cpu/vector_portable.h"

namespace alnus::cpu {

const KernelSet kernels_portable = kernel_set<portable::I8, 4, 2, portable::I16, portable::I32>("portable");

}  // namespace alnus::cpu

#include "cpu/isa.h"
#include "cpu/vector_avx2.h"
#include "cpu/vector_avx512.h"

namespace alnus::cpu {
namespace avx512 {

// Vectors of 32 lanes, for half_differences. The type is distinct from avx2::I8: otherwise the linker could
// use kernels that are compiled here, for AVX-512, in place of those of isa_avx2.cpp.
struct Half8 : avx2::I8, Gathered8<32> {};

// Vectors for processors that run maxima on as many ports as compares, as AMD's Zen 4 does: there a maximum
// by a compare and a masked move (I8::max_by_compare) would only be slower.
struct Plain8 : I8 {
  static ALNUS_INLINE Vec max_by_compare(Vec a, Vec b) { return max(a, b); }
};

constexpr KernelSet kernels() {
  KernelSet k = kernel_set<I8, 8, 2, I16, I32>("avx512");
  k.plain_local8 = local8_kernel<Plain8, 8, 4>();
  k.half_differences = differences_kernel<Half8>();
  return k;
}

}  // namespace avx512

const KernelSet kernels_avx512 = avx512::kernels();

}  // namespace alnus::cpu

#include "cpu/isa.h"
#include "cpu/vector_avx2.h"
#include "cpu/vector_avx512.h"

namespace alnus::cpu {
namespace avx512 {

// A type of this instruction set's own: what is compiled here must not be taken for AVX2's.
struct Half8 : avx2::I8, Gathered8<32> {};

// This type is for processors that run a maximum on as many ports as a compare, as AMD's Zen 4 does.
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

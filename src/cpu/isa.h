// Puts the kernels of one instruction set together, for the isa_*.cpp that is compiled for it.
#pragma once

#include "cpu/differences.h"
#include "cpu/gapless.h"
#include "cpu/interseq.h"
#include "cpu/local8.h"
#include "cpu/striped.h"
#include "cpu/subsequence.h"
#include "cpu/tiny.h"
#include "cpu/tiny_identities.h"

namespace alnus::cpu {

template <class V>
constexpr WideKernels wide_kernels() {
  WideKernels k;
  k.lanes = V::lanes;
  k.trace_bytes = V::trace_bytes;
  // 32-bit lanes hold values from -2^30 on, so that sub_saturating() does not wrap: it takes off up to 2^30.
  k.lowest = sizeof(typename V::Elem) == 2 ? -32768 : -(1LL << 30);
  k.highest = sizeof(typename V::Elem) == 2 ? 32767 : 1LL << 30;
  k.longest = sizeof(typename V::Elem) == 2 ? 32000 : 2000000000LL;
  k.interseq = Interseq<V, kWideColumns>::run;
  k.interseq_workspace = Interseq<V, kWideColumns>::workspace_bytes;
  k.striped = Striped<V>::run;
  k.striped_segment = Striped<V>::segment;
  k.striped_state = Striped<V>::state_bytes;
  k.striped_workspace = Striped<V>::workspace_bytes;
  return k;
}

template <class I8, int kColumns, int kRows>
constexpr Local8Kernel local8_kernel() {
  using Kernel = Local8<I8, kColumns, kRows>;
  return {I8::lanes, kColumns, kColumns - 1, Kernel::run, Kernel::workspace_bytes};
}

template <class I8>
constexpr LaneKernel differences_kernel() {
  using Kernel = Differences<I8, kWideColumns>;
  return {I8::lanes, I8::trace_bytes, Kernel::run, Kernel::workspace_bytes, Kernel::run_window};
}

template <class V, class Kernel>
constexpr TinyKernel tiny_kernel() {
  constexpr bool kNarrow = sizeof(typename V::Elem) == 1;
  return {V::lanes, kNarrow ? -128 : -32768, kNarrow ? 127 : 32767, Kernel::run, Kernel::workspace_bytes};
}

template <class V>
constexpr GaplessKernel gapless_kernel() {
  return {sizeof(typename V::Elem), Gapless<V>::kMost, Gapless<V>::run};
}

template <class I8, int kColumns, int kRows, class I16, class I32>
constexpr KernelSet kernel_set(const char* isa) {
  KernelSet k;
  k.isa = isa;
  k.local8 = local8_kernel<I8, kColumns, kRows>();
  k.differences = differences_kernel<I8>();
  k.tiny8 = tiny_kernel<I8, Tiny<I8>>();
  k.tiny16 = tiny_kernel<I16, Tiny<I16>>();
  k.identities = tiny_kernel<I16, TinyIdentities<I16>>();
  k.gapless8 = gapless_kernel<I8>();
  k.gapless16 = gapless_kernel<I16>();
  using Subsequences = Subsequence<I8>;
  k.subsequence = {Subsequences::kLanes, Subsequences::run, Subsequences::workspace_bytes};
  k.wide16 = wide_kernels<I16>();
  k.wide32 = wide_kernels<I32>();
  return k;
}

}  // namespace alnus::cpu

// Tests of an emulated GPU compute less than those of a real one.
#pragma once

#include "support/sizes.h"

namespace alnus::test {

#ifdef ALNUS_CUDA_EMULATION
constexpr bool kEmulated = true;
#else
constexpr bool kEmulated = false;
#endif

// True if a test shall compute a sample of its pairs: on an emulated GPU, except in the full tests.
inline bool takes_a_sample() { return kEmulated && !full_tests(); }

}  // namespace alnus::test

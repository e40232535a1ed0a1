// The tests of this folder compare a backend with align_reference(): the backend that they are linked with.
#pragma once

#include "support/device_check.h"

namespace alnus::test {

// Returns all ways in which the backend computes. Defined in tests/<backend>/implementations.cpp.
Implementations implementations();

inline testing::AssertionResult equals_reference(const Workload& workload, const Scoring& scoring) {
  return equals_reference(implementations(), workload, scoring);
}

}  // namespace alnus::test

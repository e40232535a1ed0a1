// Every instruction set of this machine with every method, on one thread.
#pragma once

#include "cpu/cpu_device.h"
#include "support/device_check.h"

namespace alnus::test {

inline Implementations cpu_implementations() {
  Implementations all;
  for (const std::string& isa : cpu::supported_isas()) {
    for (const std::string& method : cpu::methods()) {
      all.push_back({isa + " " + method, [isa, method](std::uint64_t memory_bytes) {
                       return cpu::make_cpu_device({1, isa, method, memory_bytes});
                     }});
    }
  }
  return all;
}

inline testing::AssertionResult equals_reference_on_cpu(const Workload& workload, const Scoring& scoring) {
  return equals_reference(cpu_implementations(), workload, scoring);
}

}  // namespace alnus::test

// The implementations of the CPU: every instruction set of this machine with every method, on one thread.
#include "device/implementations.h"

#include "cpu/cpu_device.h"
#include "cpu/isa_choice.h"

namespace alnus::test {

namespace {

// Returns a copy of the first set of kernels that has two forms of the 8-bit kernel, with the plain form in
// place of the usual one. Null if no set has two forms.
const cpu::KernelSet* with_plain_local8() {
  for (const cpu::KernelSet* kernels : cpu::supported_kernels()) {
    if (kernels->plain_local8.lanes == 0) continue;
    static cpu::KernelSet plain;
    plain = *kernels;
    plain.local8 = plain.plain_local8;
    return &plain;
  }
  return nullptr;
}

}  // namespace

Implementations implementations() {
  Implementations all;
  for (const std::string& isa : cpu::supported_isas()) {
    for (const std::string& method : cpu::methods()) {
      all.push_back({isa + " " + method, [isa, method](std::uint64_t memory_bytes) {
                       return cpu::make_cpu_device({1, isa, method, memory_bytes});
                     }});
    }
  }
  if (const cpu::KernelSet* const plain = with_plain_local8()) {
    for (const std::string method : {"auto", "snapshots"}) {
      all.push_back({"plain 8 bits " + method, [plain, method](std::uint64_t memory_bytes) {
                       return cpu::make_cpu_device({1, "auto", method, memory_bytes}, {plain});
                     }});
    }
  }
  return all;
}

}  // namespace alnus::test

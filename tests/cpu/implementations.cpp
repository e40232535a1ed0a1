// Every instruction set of this machine with every method, on one thread.
#include "device/implementations.h"

#include "cpu/cpu_device.h"

namespace alnus::test {

Implementations implementations() {
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

}  // namespace alnus::test

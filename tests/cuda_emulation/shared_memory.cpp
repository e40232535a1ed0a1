#include "shared_memory.h"

#include <cstdint>
#include <functional>
#include <span>

#include "lanes.h"

// The linker defines these symbols: the begin and the end of the section.
extern unsigned char variables_begin[] asm("__start_shared_memory");
extern unsigned char variables_end[] asm("__stop_shared_memory");

namespace cuda_emulation {
namespace {

std::span<unsigned char> dynamic_in_place;

std::span<unsigned char> variables() { return {variables_begin, variables_end}; }
// The 32-bit addresses at which variables and dynamic shared memory begin.
constexpr std::uint32_t kVariablesAt = 1 << 10, kDynamicAt = 1 << 20;

bool is_in(std::span<const unsigned char> memory, const unsigned char* address) {
  return std::less_equal()(memory.data(), address) && std::less()(address, memory.data() + memory.size());
}

// Copies through `volatile`, which AddressSanitizer does not replace by its memcpy: that one would refuse the
// bytes that AddressSanitizer puts between variables.
__attribute__((no_sanitize("address"))) void copy(volatile unsigned char* to,
                                                  const volatile unsigned char* from, std::size_t bytes) {
  std::size_t done = 0;
  for (; done + sizeof(std::uint64_t) <= bytes; done += sizeof(std::uint64_t))
    *reinterpret_cast<volatile std::uint64_t*>(to + done) =
        *reinterpret_cast<const volatile std::uint64_t*>(from + done);
  for (; done < bytes; ++done) to[done] = from[done];
}

}  // namespace

SharedMemory::SharedMemory(std::size_t dynamic_bytes)
    : variables_(static_cast<std::size_t>(variables_end - variables_begin), kFresh),
      dynamic_((dynamic_bytes + sizeof(uint4) - 1) / sizeof(uint4)) {
  constexpr unsigned kWord = kFresh * 0x1010101u;
  for (uint4& four : dynamic_) four = {kWord, kWord, kWord, kWord};
}

SharedMemory::InPlace::InPlace(SharedMemory& memory) : memory_(memory) {
  copy(variables_begin, memory.variables_.data(), memory.variables_.size());
  dynamic_in_place = {reinterpret_cast<unsigned char*>(memory.dynamic_.data()),
                      memory.dynamic_.size() * sizeof(uint4)};
}
SharedMemory::InPlace::~InPlace() {
  copy(memory_.variables_.data(), variables_begin, memory_.variables_.size());
}

void* dynamic_shared_memory() { return dynamic_in_place.data(); }

std::uint32_t shared_address(const void* address) {
  const auto* const byte = static_cast<const unsigned char*>(address);
  if (is_in(dynamic_in_place, byte))
    return kDynamicAt + static_cast<std::uint32_t>(byte - dynamic_in_place.data());
  if (is_in(variables(), byte)) return kVariablesAt + static_cast<std::uint32_t>(byte - variables().data());
  fail("an address is not in shared memory");
}
void* at_shared_address(std::size_t address) {
  const bool dynamic = address >= kDynamicAt;
  const std::span<unsigned char> memory = dynamic ? dynamic_in_place : variables();
  const std::size_t offset = address - (dynamic ? kDynamicAt : kVariablesAt);
  if (offset >= memory.size()) fail("an address is beyond shared memory");
  return memory.data() + offset;
}

}  // namespace cuda_emulation

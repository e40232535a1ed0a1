// More letters than a sequence may have, for functions that must refuse them before they read any.
#pragma once

#include <new>
#include <span>
#include <string_view>
#include <sys/mman.h>

#include "alnus/sequence_set.h"

namespace alnus::test {

// The letters take no memory. Reading one ends the process.
class UnreadLetters {
 public:
  UnreadLetters()
      : begin_(::mmap(nullptr, kSize, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) {
    if (begin_ == MAP_FAILED) throw std::bad_alloc();
  }
  ~UnreadLetters() { ::munmap(begin_, kSize); }
  UnreadLetters(const UnreadLetters&) = delete;
  UnreadLetters& operator=(const UnreadLetters&) = delete;

  std::string_view letters() const { return {static_cast<const char*>(begin_), kSize}; }
  std::span<const Residue> residues() const { return {static_cast<const Residue*>(begin_), kSize}; }

 private:
  static constexpr std::size_t kSize = kLongestSequence + 1;
  void* begin_;
};

}  // namespace alnus::test

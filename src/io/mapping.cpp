#include "io/mapping.h"

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <sys/mman.h>
#include <system_error>
#include <unistd.h>

#include "alnus/database.h"

namespace alnus {
namespace io {

// The mappings are in a list that only grows, so that a signal handler can walk it at any moment. A mapping
// that ends leaves its entry for a later mapping. `begin` is 0 while the other fields change.
struct Mapping::Entry {
  std::atomic<bool> taken{true};
  std::atomic<std::uintptr_t> begin{0};
  std::atomic<std::size_t> size{0};
  std::atomic<bool> lost{false};
  Entry* next = nullptr;

  static std::atomic<Entry*> first;
  static Entry* take();
  // If the address lies in this mapping, puts zeros in place of the pages from the address to the mapping's
  // end, and returns true.
  bool replace(std::uintptr_t address) noexcept;
};

std::atomic<Mapping::Entry*> Mapping::Entry::first{nullptr};

Mapping::Entry* Mapping::Entry::take() {
  for (Entry* entry = first; entry != nullptr; entry = entry->next) {
    bool taken = false;
    if (entry->taken.compare_exchange_strong(taken, true)) return entry;
  }
  auto* entry = new Entry;
  entry->next = first;
  while (!first.compare_exchange_weak(entry->next, entry)) {
  }
  return entry;
}

namespace {
// Computed at the start of the program, before a handler runs.
const auto page_bytes = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
}  // namespace

bool Mapping::Entry::replace(std::uintptr_t address) noexcept {
  const std::uintptr_t from = begin, end = from + size;
  if (from == 0 || address < from || address >= end || begin != from) return false;
  const std::uintptr_t page = address / page_bytes * page_bytes;
  lost = true;
  return ::mmap(reinterpret_cast<void*>(page), end - page, PROT_READ,  // NOLINT(performance-no-int-to-ptr)
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED;
}

Mapping::Mapping(int fd, std::size_t size) : entry_(Entry::take()), size_(size) {
  void* data = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, fd, 0);
  if (data == MAP_FAILED) {
    const int error = errno;
    entry_->taken = false;
    throw std::system_error(error, std::generic_category());
  }
  entry_->lost = false;
  entry_->size = size;
  entry_->begin = reinterpret_cast<std::uintptr_t>(data);
}

Mapping::~Mapping() {
  auto* data = const_cast<unsigned char*>(this->data());
  entry_->begin = 0;
  ::munmap(data, size_);
  entry_->taken = false;
}

const unsigned char* Mapping::data() const {
  return reinterpret_cast<const unsigned char*>(entry_->begin.load());  // NOLINT(performance-no-int-to-ptr)
}

bool Mapping::has_lost_pages() const { return entry_->lost; }

}  // namespace io

bool zero_lost_pages(const void* address) noexcept {
  const int before = errno;
  bool found = false;
  for (io::Mapping::Entry* entry = io::Mapping::Entry::first; entry != nullptr && !found; entry = entry->next)
    found = entry->replace(reinterpret_cast<std::uintptr_t>(address));
  errno = before;
  return found;
}

}  // namespace alnus

// The bytes of a database file whose header is right.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "core/stop_flag.h"
#include "io/database_format.h"

namespace alnus::io {

// Mapped, or read into memory, where no other program can change them.
class DatabaseFile {
 public:
  // Checks magic, version, byte order, sizes and the header's checksum: after this, every section lies where
  // its size says, inside of the file. Throws Error(database), Interrupted.
  explicit DatabaseFile(const std::string& path, bool in_memory = false,
                        const StopFlag& stop = StopFlag::never());

  const std::string& path() const { return path_; }
  const unsigned char* data() const { return bytes_.get(); }
  std::uint64_t size() const { return size_; }
  const format::Header& header() const { return *reinterpret_cast<const format::Header*>(data()); }
  AlphabetKind alphabet() const { return static_cast<AlphabetKind>(header().alphabet); }
  template <typename Item>
  std::span<const Item> section(format::SectionId id) const {
    const format::Section& section = header().section(id);
    return {reinterpret_cast<const Item*>(data() + section.offset), section.bytes / sizeof(Item)};
  }

  // Throws Error(database) that says what is damaged, and what to do.
  [[noreturn]] void damaged(const std::string& what) const;

 private:
  void check_header() const;

  const std::string path_;
  std::shared_ptr<const unsigned char> bytes_;
  std::size_t size_ = 0;
};

}  // namespace alnus::io

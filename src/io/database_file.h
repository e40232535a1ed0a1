// The bytes of a database file, whose header has been checked.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "core/stop_flag.h"
#include "io/database_format.h"
#include "io/mapping.h"

namespace alnus::io {

// Reads the header of a database file and checks magic, version, byte order, sizes and the header's checksum.
// Every section then lies inside the file, at the place that the sizes give. Throws Error(database).
format::Header read_header(const std::string& path);

// A database file. Its residues and sequence headers are mapped. The file's header and all indexes (20 bytes
// for each sequence) are in memory, so that no program that writes to the file can lead a reader outside of
// it. With `in_memory` the whole file is in memory.
class DatabaseFile {
 public:
  // Checks the header as read_header() does. Throws Error(database) and Interrupted.
  explicit DatabaseFile(const std::string& path, bool in_memory = false,
                        const StopFlag& stop = StopFlag::never());

  const std::string& path() const { return path_; }
  // All bytes of the file, mapped or in memory.
  const unsigned char* data() const { return mapping_ ? mapping_->data() : memory_.get(); }
  const format::Header& header() const { return header_; }
  AlphabetKind alphabet() const { return static_cast<AlphabetKind>(header().alphabet); }
  // The contents of a section, mapped or in memory.
  template <typename Item>
  std::span<const Item> section(format::SectionId id) const {
    const auto* begin = sections_[static_cast<std::uint32_t>(id) - 1];
    return {reinterpret_cast<const Item*>(begin), header().section(id).bytes / sizeof(Item)};
  }

  // A number that changes when the file's size or modification time changes, so that callers know that what
  // they checked before may no longer be true. The number of a file in memory never changes. Throws
  // Error(database) if bytes of the file are gone.
  std::uint64_t version() const;

  // Throws Error(database), which says what is damaged and what to do, or that another program changed the
  // file while it was open.
  [[noreturn]] void damaged(const std::string& what) const;

 private:
  class OpenFile {
   public:
    explicit OpenFile(
        const std::string& path);  // a regular file that is not empty, or throws Error(database)
    ~OpenFile();
    OpenFile(const OpenFile&) = delete;
    OpenFile& operator=(const OpenFile&) = delete;
    std::size_t size() const { return size_; }
    int fd() const { return fd_; }
    void read(std::uint64_t offset, unsigned char* to, std::size_t bytes, const StopFlag& stop) const;
    // Reads and checks the header.
    format::Header header() const;

   private:
    const std::string path_;
    const int fd_;
    std::size_t size_ = 0;
  };
  friend format::Header read_header(const std::string& path);

  using Bytes = std::unique_ptr<unsigned char[]>;

  const std::string path_;
  const OpenFile file_;
  Bytes memory_;                                 // the whole file, if it is in memory
  std::optional<Mapping> mapping_;               // the whole file, if it is mapped
  std::array<Bytes, format::kSections> copies_;  // sections that a mapped file has in memory
  std::array<const unsigned char*, format::kSections> sections_{};
  format::Header header_{};
  std::uint64_t opened_version_ = 0;
};

}  // namespace alnus::io

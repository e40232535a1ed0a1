// Writes the sections of a .alnus file side by side, from records in their final order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/stop_flag.h"
#include "io/atomic_file.h"
#include "io/database_format.h"

namespace alnus::io {

// Takes records, which must add up to `totals`, and come longest first. Keeps one block (1 MiB) for each
// section in memory. Throws what AtomicFile throws, and Interrupted when `stop` is requested. The caller
// commits the file.
class DatabaseWriter {
 public:
  DatabaseWriter(AtomicFile& file, const format::Totals& totals, const StopFlag& stop = StopFlag::never());

  // A record consists of its header and its residues, each in one or several pieces, and then end_record().
  void append_header(std::string_view piece);
  void append_residues(std::span<const Residue> piece);
  void end_record(FileOrdinal ordinal);

  DatabaseInfo finish();  // writes the blocks' checksums and the header

 private:
  // Writes the bytes of one section block by block, and computes each block's checksum.
  class SectionWriter {
   public:
    SectionWriter(AtomicFile& file, const format::Section& section, const StopFlag& stop);
    void append(const void* data, std::size_t bytes);
    std::uint64_t appended() const { return written_ + block_.size(); }
    void flush();
    const std::vector<std::uint64_t>& sums() const { return sums_; }

   private:
    AtomicFile& file_;
    const StopFlag& stop_;
    std::uint64_t offset_;
    std::uint64_t written_ = 0;
    std::vector<unsigned char> block_;
    std::vector<std::uint64_t> sums_;
  };
  void append_offsets();

  AtomicFile& file_;
  format::Header header_;
  SectionWriter residues_, offsets_, headers_, header_offsets_, file_order_;
};

}  // namespace alnus::io

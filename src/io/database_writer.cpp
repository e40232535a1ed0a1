#include "io/database_writer.h"

#include <algorithm>
#include <xxhash.h>

#include "core/pieces.h"

namespace alnus::io {

using format::SectionId;

DatabaseWriter::SectionWriter::SectionWriter(AtomicFile& file, const format::Section& section,
                                             const StopFlag& stop)
    : file_(file), stop_(stop), offset_(section.offset) {
  block_.reserve(std::min<std::uint64_t>(section.bytes, format::kBlockBytes));
}

void DatabaseWriter::SectionWriter::append(const void* data, std::size_t bytes) {
  const auto* from = static_cast<const unsigned char*>(data);
  while (bytes > 0) {
    const std::size_t piece = std::min(bytes, format::kBlockBytes - block_.size());
    block_.insert(block_.end(), from, from + piece);
    from += piece;
    bytes -= piece;
    if (block_.size() == format::kBlockBytes) flush();
  }
}

void DatabaseWriter::SectionWriter::flush() {
  if (block_.empty()) return;
  throw_if_requested(stop_);
  sums_.push_back(XXH3_64bits(block_.data(), block_.size()));
  file_.write_at(offset_ + written_, block_.data(), block_.size());
  written_ += block_.size();
  block_.clear();
}

DatabaseWriter::DatabaseWriter(AtomicFile& file, const format::Totals& totals, const StopFlag& stop)
    : file_(file),
      header_(format::make_header(totals)),
      residues_(file, header_.section(SectionId::residues), stop),
      offsets_(file, header_.section(SectionId::offsets), stop),
      headers_(file, header_.section(SectionId::headers), stop),
      header_offsets_(file, header_.section(SectionId::header_offsets), stop),
      file_order_(file, header_.section(SectionId::file_order), stop) {
  append_offsets();
}

void DatabaseWriter::append_offsets() {
  const std::uint64_t residues = residues_.appended(), header_bytes = headers_.appended();
  offsets_.append(&residues, sizeof(residues));
  header_offsets_.append(&header_bytes, sizeof(header_bytes));
}

void DatabaseWriter::append_header(std::string_view piece) { headers_.append(piece.data(), piece.size()); }

void DatabaseWriter::append_residues(std::span<const Residue> piece) {
  residues_.append(piece.data(), piece.size());
}

void DatabaseWriter::end_record(FileOrdinal ordinal) {
  file_order_.append(&ordinal, sizeof(ordinal));
  append_offsets();
}

DatabaseInfo DatabaseWriter::finish() {
  std::vector<std::uint64_t> sums;
  for (SectionWriter* section : {&residues_, &offsets_, &headers_, &header_offsets_, &file_order_}) {
    section->flush();
    sums.insert(sums.end(), section->sums().begin(), section->sums().end());
  }
  file_.write_at(header_.section(SectionId::block_sums).offset, sums.data(), sums.size() * sizeof(sums[0]));
  header_.digest = format::digest(sums.data(), sums.size(), static_cast<AlphabetKind>(header_.alphabet));
  header_.checksum = format::header_checksum(header_);
  file_.write_at(0, &header_, sizeof(header_));
  return format::describe(header_);
}

}  // namespace alnus::io

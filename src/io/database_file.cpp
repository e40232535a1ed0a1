#include "io/database_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

#include "alnus/error.h"
#include "core/pieces.h"
#include "io/open_file.h"

namespace alnus::io {
namespace {

using format::Header;
using format::SectionId;

constexpr const char* kRepair = "Restore it from a copy, or build it again with alnus makedb.";

[[noreturn]] void fail(const std::string& path, int error) {
  throw Error(ErrorKind::database,
              fmt::format("Cannot read the database {}: {}.", path, std::generic_category().message(error)));
}

[[noreturn]] void refuse(const std::string& path, const std::string& reason) {
  throw Error(ErrorKind::database, fmt::format("{} {}", path, reason));
}

std::uint64_t size_and_time(const struct stat& status) {
  constexpr std::uint64_t kNanoseconds = 1'000'000'000;
  const auto time = static_cast<std::uint64_t>(status.st_mtim.tv_sec) * kNanoseconds +
                    static_cast<std::uint64_t>(status.st_mtim.tv_nsec);
  // The size is multiplied by an odd number, so that a small change of the size and one of the time do not
  // cancel out.
  return time + static_cast<std::uint64_t>(status.st_size) * 0x9e3779b97f4a7c15;
}

[[noreturn]] void refuse_damaged(const std::string& path, const std::string& what) {
  refuse(path, fmt::format("is damaged: {}. {}", what, kRepair));
}

}  // namespace

DatabaseFile::OpenFile::OpenFile(const std::string& path)
    : path_(path), fd_(open_file(path, O_RDONLY | O_NONBLOCK)) {  // opening a pipe does not wait
  struct stat status {};
  if (fd_ < 0) fail(path, errno);
  try {
    if (::fstat(fd_, &status) != 0) fail(path, errno);
    if (S_ISDIR(status.st_mode)) fail(path, EISDIR);
    if (!S_ISREG(status.st_mode)) refuse(path, "is no regular file, so it cannot be mapped as a database.");
    if (status.st_size == 0) refuse(path, "is no alnus database: the file is empty.");
  } catch (...) {
    ::close(fd_);
    throw;
  }
  size_ = static_cast<std::size_t>(status.st_size);
}

DatabaseFile::OpenFile::~OpenFile() { ::close(fd_); }

void DatabaseFile::OpenFile::read(std::uint64_t offset, unsigned char* to, std::size_t bytes,
                                  const StopFlag& stop) const {
  constexpr std::uint64_t kPiece = 16 << 20;
  in_pieces(bytes, kPiece, stop, [&](std::uint64_t begin, std::uint64_t end) {
    const BytesRead read = read_at(fd_, offset + begin, to + begin, end - begin);
    if (read.error != 0) fail(path_, read.error);
    if (read.bytes < end - begin)
      refuse(path_, fmt::format("became shorter while it was read: {} of {} bytes are left.",
                                offset + begin + read.bytes, size_));
  });
}

format::Header DatabaseFile::OpenFile::header() const {
  Header header{};
  read(0, reinterpret_cast<unsigned char*>(&header), std::min(size_, sizeof(Header)), StopFlag::never());
  const std::size_t magic_bytes = std::min<std::uint64_t>(size_, format::kMagic.size());
  if (std::memcmp(&header, format::kMagic.data(), magic_bytes) != 0) {
    refuse(path_, "is no alnus database. Build one from FASTA files with alnus makedb.");
  }
  if (size_ < sizeof(Header)) {
    refuse(path_,
           fmt::format("is truncated: an alnus database begins with {} bytes of header, and the file has "
                       "{} {}. {}",
                       sizeof(Header), size_, size_ == 1 ? "byte" : "bytes", kRepair));
  }
  if (header.byte_order != format::kByteOrder) {
    if (header.byte_order != __builtin_bswap32(format::kByteOrder))
      refuse_damaged(path_, "its header was changed");
    refuse(path_, "has the other byte order: alnus databases are little-endian, and so must be the machine.");
  }
  if (header.version != format::kVersion) {
    refuse(path_,
           fmt::format("has version {} of the database format, and this program reads version {} only. Use "
                       "a newer alnus, or build the database again with this one.",
                       header.version, format::kVersion));
  }
  if (header.checksum != format::header_checksum(header)) {
    refuse_damaged(path_, "its header does not have the checksum that is noted there");
  }
  if (header.file_bytes != size_) {
    refuse(path_, fmt::format("is {}: {} bytes were written, and the file has {}. {}",
                              header.file_bytes > size_ ? "truncated" : "longer than it was written",
                              header.file_bytes, size_, kRepair));
  }

  format::Totals totals;
  totals.alphabet = static_cast<AlphabetKind>(header.alphabet);
  totals.sequences = header.sequences;
  totals.residues = header.residues;
  totals.header_bytes = header.section(SectionId::headers).bytes;
  totals.longest = header.longest;
  totals.shortest = header.shortest;
  totals.unknown_bytes = header.unknown_bytes;
  if (header.alphabet > static_cast<std::uint32_t>(AlphabetKind::dna) ||
      totals.sequences > format::kMostSequences || totals.residues > format::kMostBytes ||
      totals.header_bytes > format::kMostBytes) {
    refuse_damaged(path_, "its header holds impossible values");
  }
  Header expected = format::make_header(totals);
  expected.digest = header.digest;
  expected.checksum = header.checksum;
  if (std::memcmp(&expected, &header, sizeof(Header)) != 0)
    refuse_damaged(path_, "its header contradicts itself");
  return header;
}

format::Header read_header(const std::string& path) { return DatabaseFile::OpenFile(path).header(); }

DatabaseFile::DatabaseFile(const std::string& path, bool in_memory, const StopFlag& stop)
    : path_(path), file_(path) {
  opened_version_ = version();
  header_ = file_.header();
  if (in_memory) {
    memory_ = std::make_unique_for_overwrite<unsigned char[]>(file_.size());
    file_.read(0, memory_.get(), file_.size(), stop);
  } else {
    try {
      mapping_.emplace(file_.fd(), file_.size());
    } catch (const std::system_error& error) {
      fail(path, error.code().value());
    }
  }
  for (const format::Section& section : header_.sections) {
    const std::size_t number = static_cast<std::size_t>(section.id) - 1;
    sections_[number] = data() + section.offset;
    if (in_memory || section.id == SectionId::residues || section.id == SectionId::headers) continue;
    copies_[number] = std::make_unique_for_overwrite<unsigned char[]>(section.bytes);
    file_.read(section.offset, copies_[number].get(), section.bytes, stop);
    sections_[number] = copies_[number].get();
  }
}

std::uint64_t DatabaseFile::version() const {
  if (memory_) return opened_version_;
  struct stat status {};
  if (::fstat(file_.fd(), &status) != 0) fail(path_, errno);
  if (static_cast<std::size_t>(status.st_size) < file_.size())
    refuse(path_, fmt::format("became shorter while it was used: {} of {} bytes are left. {}", status.st_size,
                              file_.size(), kRepair));
  if (mapping_ && mapping_->has_lost_pages())
    refuse(path_,
           "could not be read while it was used: another program shortened it for a while, or its disk "
           "fails. Check it with alnus dbinfo --verify, and run this again.");
  return size_and_time(status);
}

void DatabaseFile::damaged(const std::string& what) const {
  if (version() != opened_version_)
    refuse(path_,
           fmt::format("was changed while it was used: {}. Run this again when no program writes to it; "
                       "alnus makedb leaves the old file to those who use it.",
                       what));
  refuse_damaged(path_, what);
}

}  // namespace alnus::io

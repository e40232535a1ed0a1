#include "io/database_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

#include "alnus/error.h"
#include "core/pieces.h"

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

class OpenFile {
 public:
  explicit OpenFile(const std::string& path) : fd_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
  ~OpenFile() {
    if (fd_ >= 0) ::close(fd_);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  int fd() const { return fd_; }

 private:
  int fd_;
};

std::shared_ptr<const unsigned char> map(const std::string& path, int fd, std::size_t size) {
  void* data = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, fd, 0);
  if (data == MAP_FAILED) fail(path, errno);
  return {static_cast<const unsigned char*>(data),
          [size](const unsigned char* mapped) { ::munmap(const_cast<unsigned char*>(mapped), size); }};
}

std::shared_ptr<const unsigned char> read(const std::string& path, int fd, std::size_t size,
                                          const StopFlag& stop) {
  constexpr std::uint64_t kPiece = 16 << 20;
  const std::shared_ptr<unsigned char[]> bytes(new unsigned char[size]);
  in_pieces(size, kPiece, stop, [&](std::uint64_t begin, std::uint64_t end) {
    while (begin < end) {
      const ssize_t count = ::pread(fd, bytes.get() + begin, end - begin, static_cast<off_t>(begin));
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) fail(path, errno);
      if (count == 0)
        refuse(path, fmt::format("became shorter while it was read: {} of {} bytes are left.", begin, size));
      begin += static_cast<std::uint64_t>(count);
    }
  });
  return {bytes, bytes.get()};
}

}  // namespace

DatabaseFile::DatabaseFile(const std::string& path, bool in_memory, const StopFlag& stop) : path_(path) {
  const OpenFile file(path);
  struct stat status {};
  if (file.fd() < 0 || ::fstat(file.fd(), &status) != 0) fail(path, errno);
  if (S_ISDIR(status.st_mode)) fail(path, EISDIR);
  if (!S_ISREG(status.st_mode)) refuse(path, "is no regular file, so it cannot be mapped as a database.");
  if (status.st_size == 0) refuse(path, "is no alnus database: the file is empty.");
  size_ = static_cast<std::size_t>(status.st_size);
  bytes_ = in_memory ? read(path, file.fd(), size_, stop) : map(path, file.fd(), size_);
  check_header();
}

void DatabaseFile::damaged(const std::string& what) const {
  refuse(path_, fmt::format("is damaged: {}. {}", what, kRepair));
}

void DatabaseFile::check_header() const {
  const std::size_t magic_bytes = std::min<std::uint64_t>(size(), format::kMagic.size());
  if (std::memcmp(data(), format::kMagic.data(), magic_bytes) != 0) {
    refuse(path_, "is no alnus database. Build one from FASTA files with alnus makedb.");
  }
  if (size() < sizeof(Header)) {
    refuse(path_,
           fmt::format("is truncated: an alnus database begins with {} bytes of header, and the file has "
                       "{} bytes. {}",
                       sizeof(Header), size(), kRepair));
  }
  const Header& header = this->header();
  if (header.byte_order != format::kByteOrder) {
    if (header.byte_order != __builtin_bswap32(format::kByteOrder)) damaged("its header was changed");
    refuse(path_, "has the other byte order: alnus databases are little-endian, and so must be the machine.");
  }
  if (header.version != format::kVersion) {
    refuse(path_,
           fmt::format("has version {} of the database format, and this program reads version {} only. Use "
                       "a newer alnus, or build the database again with this one.",
                       header.version, format::kVersion));
  }
  if (header.checksum != format::header_checksum(header)) {
    damaged("its header does not have the checksum that is noted there");
  }
  if (header.file_bytes != size()) {
    refuse(path_, fmt::format("is {}: {} bytes were written, and the file has {}. {}",
                              header.file_bytes > size() ? "truncated" : "longer than it was written",
                              header.file_bytes, size(), kRepair));
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
    damaged("its header holds impossible values");
  }
  Header expected = format::make_header(totals);
  expected.digest = header.digest;
  expected.checksum = header.checksum;
  if (std::memcmp(&expected, &header, sizeof(Header)) != 0) damaged("its header contradicts itself");
}

}  // namespace alnus::io

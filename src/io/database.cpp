#include "io/database.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <functional>
#include <memory>
#include <sys/mman.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <vector>
#include <xxhash.h>

#include "alnus/error.h"
#include "io/database_format.h"

namespace alnus::io {
namespace {

using format::Header;
using format::Section;
using format::SectionId;

constexpr const char* kRepair = "Restore it from a copy, or build it again with alnus makedb.";

[[noreturn]] void refuse(const std::string& path, const std::string& reason) {
  throw Error(ErrorKind::database, fmt::format("{} {}", path, reason));
}
[[noreturn]] void damaged(const std::string& path, const std::string& what) {
  refuse(path, fmt::format("is damaged: {}. {}", what, kRepair));
}

class File {
 public:
  explicit File(const std::string& path) : fd_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
  ~File() {
    if (fd_ >= 0) ::close(fd_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  int fd() const { return fd_; }

 private:
  int fd_;
};

// The whole file, read-only, for as long as any sequence set looks at it.
class Mapping {
 public:
  explicit Mapping(const std::string& path) {
    const auto fail = [&](int error) {
      throw Error(ErrorKind::database, fmt::format("Cannot read the database {}: {}.", path,
                                                   std::generic_category().message(error)));
    };
    const File file(path);
    struct stat status {};
    if (file.fd() < 0 || ::fstat(file.fd(), &status) != 0) fail(errno);
    if (S_ISDIR(status.st_mode)) fail(EISDIR);
    if (!S_ISREG(status.st_mode)) refuse(path, "is no regular file, so it cannot be mapped as a database.");
    if (status.st_size == 0) refuse(path, "is no alnus database: the file is empty.");
    size_ = static_cast<std::size_t>(status.st_size);
    void* data = ::mmap(nullptr, size_, PROT_READ, MAP_SHARED, file.fd(), 0);
    if (data == MAP_FAILED) fail(errno);
    data_ = static_cast<const unsigned char*>(data);
  }
  ~Mapping() {
    if (data_ != nullptr) ::munmap(const_cast<unsigned char*>(data_), size_);
  }
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;

  const unsigned char* data() const { return data_; }
  std::uint64_t size() const { return size_; }
  const Header& header() const { return *reinterpret_cast<const Header*>(data_); }
  template <typename Item>
  std::span<const Item> section(SectionId id) const {
    const Section& section = header().section(id);
    return {reinterpret_cast<const Item*>(data_ + section.offset), section.bytes / sizeof(Item)};
  }

 private:
  const unsigned char* data_ = nullptr;
  std::size_t size_ = 0;
};

// After this, every section lies where its size says, inside of the file.
void check_header(const std::string& path, const Mapping& map) {
  const std::size_t magic_bytes = std::min<std::uint64_t>(map.size(), format::kMagic.size());
  if (std::memcmp(map.data(), format::kMagic.data(), magic_bytes) != 0) {
    refuse(path, "is no alnus database. Build one from FASTA files with alnus makedb.");
  }
  if (map.size() < sizeof(Header)) {
    refuse(path,
           fmt::format("is truncated: an alnus database begins with {} bytes of header, and the file has "
                       "{} bytes. {}",
                       sizeof(Header), map.size(), kRepair));
  }
  const Header& header = map.header();
  if (header.byte_order != format::kByteOrder) {
    if (header.byte_order != __builtin_bswap32(format::kByteOrder)) damaged(path, "its header was changed");
    refuse(path, "has the other byte order: alnus databases are little-endian, and so must be the machine.");
  }
  if (header.version != format::kVersion) {
    refuse(path,
           fmt::format("has version {} of the database format, and this program reads version {} only. Use "
                       "a newer alnus, or build the database again with this one.",
                       header.version, format::kVersion));
  }
  if (header.checksum != format::header_checksum(header)) {
    damaged(path, "its header does not have the checksum that is noted there");
  }
  if (header.file_bytes != map.size()) {
    refuse(path, fmt::format("is {}: {} bytes were written, and the file has {}. {}",
                             header.file_bytes > map.size() ? "truncated" : "longer than it was written",
                             header.file_bytes, map.size(), kRepair));
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
    damaged(path, "its header holds impossible values");
  }
  Header expected = format::make_header(totals);
  expected.digest = header.digest;
  expected.checksum = header.checksum;
  if (std::memcmp(&expected, &header, sizeof(Header)) != 0) damaged(path, "its header contradicts itself");
}

// Offsets begin at 0, never decrease, and end with the section that they divide.
void check_offsets(const std::string& path, const Mapping& map, SectionId id, SectionId divided) {
  const auto offsets = map.section<std::uint64_t>(id);
  const std::string_view name = format::kSectionNames[static_cast<std::size_t>(id) - 1];
  if (offsets.front() != 0 || offsets.back() != map.header().section(divided).bytes) {
    damaged(path, fmt::format("its {} do not span what they divide", name));
  }
  const auto wrong = std::adjacent_find(offsets.begin(), offsets.end(), std::greater<>());
  if (wrong != offsets.end()) {
    const auto entry = static_cast<std::uint64_t>(wrong - offsets.begin());
    damaged(path, fmt::format("entry {} of its {}, at byte {}, is larger than the next", entry, name,
                              map.header().section(id).offset + entry * sizeof(std::uint64_t)));
  }
}

// Lengths decrease from the header's longest to its shortest.
void check_lengths(const std::string& path, const Mapping& map) {
  const Header& header = map.header();
  const auto offsets = map.section<std::uint64_t>(SectionId::offsets);
  const std::size_t count = offsets.size() - 1;
  const std::uint64_t longest = count == 0 ? 0 : offsets[1];
  const std::uint64_t shortest = count == 0 ? 0 : offsets[count] - offsets[count - 1];
  if (longest != header.longest || shortest != header.shortest || longest > format::kLongestSequence) {
    damaged(path, "the longest or shortest length in its header is wrong");
  }
  std::uint64_t previous = longest;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t length = offsets[i + 1] - offsets[i];
    if (length > previous) damaged(path, fmt::format("sequence {} is longer than the one before it", i));
    previous = length;
  }
}

void check_file_order(const std::string& path, const Mapping& map) {
  const auto order = map.section<SequenceSet::Index>(SectionId::file_order);
  const auto wrong = std::find_if(order.begin(), order.end(), [&](auto i) { return i >= order.size(); });
  if (wrong != order.end()) {
    damaged(path, fmt::format("entry {} of its file order is out of range", wrong - order.begin()));
  }
}

void check_indexes(const std::string& path, const Mapping& map) {
  check_offsets(path, map, SectionId::offsets, SectionId::residues);
  check_offsets(path, map, SectionId::header_offsets, SectionId::headers);
  check_lengths(path, map);
  check_file_order(path, map);
}

void check_blocks(const std::string& path, const Mapping& map) {
  const Header& header = map.header();
  const auto sums = map.section<std::uint64_t>(SectionId::block_sums);
  if (format::digest(sums.data(), sums.size(), static_cast<AlphabetKind>(header.alphabet)) != header.digest) {
    const Section& section = header.section(SectionId::block_sums);
    damaged(path, fmt::format("its table of block checksums (bytes {} to {}) does not have the digest in the "
                              "header",
                              section.offset, section.offset + section.bytes - 1));
  }
  std::size_t sum = 0;
  for (std::size_t i = 0; i < format::kDataSections; ++i) {
    const Section& section = header.sections[i];
    for (std::uint64_t begin = 0, block = 0; begin < section.bytes; begin += format::kBlockBytes, ++block) {
      const std::uint64_t bytes = std::min<std::uint64_t>(format::kBlockBytes, section.bytes - begin);
      const std::uint64_t first = section.offset + begin;
      if (XXH3_64bits(map.data() + first, bytes) != sums[sum++]) {
        damaged(path, fmt::format("the checksum of block {} of its {} (bytes {} to {} of the file) is wrong",
                                  block, format::kSectionNames[i], first, first + bytes - 1));
      }
    }
  }
}

// The bytes between the sections.
void check_padding(const std::string& path, const Mapping& map) {
  std::uint64_t end = sizeof(Header);
  for (const Section& section : map.header().sections) {
    const unsigned char* last = map.data() + section.offset;
    const unsigned char* wrong =
        std::find_if(map.data() + end, last, [](unsigned char byte) { return byte != 0; });
    if (wrong != last)
      damaged(path, fmt::format("byte {} lies between sections and is not zero", wrong - map.data()));
    end = section.offset + section.bytes;
  }
}

void check_residues(const std::string& path, const Mapping& map) {
  const int letters = Alphabet::of(static_cast<AlphabetKind>(map.header().alphabet)).size();
  std::array<bool, 256> valid{};
  for (int byte = 0; byte < 256; ++byte) {
    valid[byte] = (byte & kCodeMask) < letters && (byte & ~(kCodeMask | kLowerCase)) == 0;
  }
  const auto residues = map.section<Residue>(SectionId::residues);
  const auto wrong = std::find_if(residues.begin(), residues.end(), [&](Residue r) { return !valid[r]; });
  if (wrong != residues.end()) {
    damaged(path, fmt::format("byte {} holds {}, which is no residue",
                              map.header().section(SectionId::residues).offset + (wrong - residues.begin()),
                              *wrong));
  }
}

void check_permutation(const std::string& path, const Mapping& map) {
  const auto order = map.section<SequenceSet::Index>(SectionId::file_order);
  std::vector<bool> seen(order.size());
  for (const SequenceSet::Index i : order) {
    if (seen[i]) damaged(path, fmt::format("two of its sequences claim place {} of the input", i));
    seen[i] = true;
  }
}

}  // namespace

bool is_database(const std::string& path) {
  struct stat status {};
  if (path == "-" || ::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return false;
  const File file(path);
  std::array<char, format::kMagic.size()> begin{};
  return file.fd() >= 0 && ::pread(file.fd(), begin.data(), begin.size(), 0) == ssize_t{begin.size()} &&
         begin == format::kMagic;
}

SequenceSet open_database(const std::string& path) {
  const auto map = std::make_shared<const Mapping>(path);
  check_header(path, *map);
  check_indexes(path, *map);
  const SequenceSet::Arrays arrays{
      map->section<Residue>(SectionId::residues), map->section<std::uint64_t>(SectionId::offsets),
      map->section<char>(SectionId::headers), map->section<std::uint64_t>(SectionId::header_offsets),
      map->section<SequenceSet::Index>(SectionId::file_order)};
  return SequenceSet(static_cast<AlphabetKind>(map->header().alphabet), arrays, map, path);
}

DatabaseInfo database_info(const std::string& path) {
  const Mapping map(path);
  check_header(path, map);
  return format::describe(map.header());
}

void verify_database(const std::string& path) {
  const Mapping map(path);
  check_header(path, map);
  check_blocks(path, map);
  check_padding(path, map);
  check_indexes(path, map);
  check_residues(path, map);
  check_permutation(path, map);
}

}  // namespace alnus::io

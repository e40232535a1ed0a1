// The format of a .alnus file as structures; docs/database-format.md describes it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

#include "alnus/alphabet.h"
#include "alnus/database.h"

namespace alnus::io::format {

inline constexpr std::array<char, 8> kMagic = {'\x89', 'A', 'L', 'N', 'U', 'S', '\r', '\n'};
inline constexpr std::uint32_t kVersion = 1;
inline constexpr std::uint32_t kByteOrder = 0x01020304;
inline constexpr std::uint64_t kAlignment = 4096;  // every section begins at a multiple of it
inline constexpr std::uint32_t kBlockBytes = 1U << 20;
// Residues of the longest sequence: coordinates are signed 32-bit numbers.
inline constexpr std::uint64_t kLongestSequence = 0x7fffffff;
inline constexpr std::uint64_t kMostSequences = 0xffffffff;
// Most bytes of residues, and of headers: it keeps sums of sizes far from overflow.
inline constexpr std::uint64_t kMostBytes = 1ULL << 56;

enum class SectionId : std::uint32_t {
  residues = 1,
  offsets = 2,
  headers = 3,
  header_offsets = 4,
  file_order = 5,
  block_sums = 6
};
inline constexpr std::size_t kSections = 6;
// All sections but block_sums, which has the checksums of the blocks of these.
inline constexpr std::size_t kDataSections = 5;
inline constexpr std::array<std::string_view, kSections> kSectionNames = {
    "residues", "sequence offsets", "headers", "header offsets", "file order", "block checksums"};

struct Section {
  SectionId id;
  std::uint32_t reserved;
  std::uint64_t offset;  // from the beginning of the file
  std::uint64_t bytes;
  std::uint64_t blocks() const { return (bytes + kBlockBytes - 1) / kBlockBytes; }
};

struct Header {
  std::array<char, 8> magic;
  std::uint32_t version;
  std::uint32_t byte_order;
  std::uint32_t header_bytes;
  std::uint32_t alphabet;
  std::uint64_t sequences, residues, longest, shortest, unknown_bytes;
  std::uint64_t file_bytes;
  std::uint32_t block_bytes;
  std::uint32_t section_count;
  std::array<std::uint8_t, 16> digest;  // XXH3-128 of section block_sums, big-endian; seed: the alphabet
  std::array<Section, kSections> sections;
  std::array<std::uint8_t, kAlignment - 248> reserved;
  std::uint64_t checksum;  // XXH3-64 of all bytes before it

  const Section& section(SectionId id) const { return sections[static_cast<std::uint32_t>(id) - 1]; }
};
static_assert(sizeof(Header) == kAlignment && offsetof(Header, sections) == 96 &&
              offsetof(Header, checksum) == kAlignment - 8 && std::is_trivially_copyable_v<Header>);

// What a header says about the sequences. The sizes and places of the sections follow from it.
struct Totals {
  AlphabetKind alphabet = AlphabetKind::protein;
  std::uint64_t sequences = 0, residues = 0, header_bytes = 0;
  std::uint64_t longest = 0, shortest = 0, unknown_bytes = 0;
};

// The header of a file with these totals, complete except for digest and checksum.
Header make_header(const Totals& totals);
std::uint64_t header_checksum(const Header& header);
std::array<std::uint8_t, 16> digest(const std::uint64_t* block_sums, std::size_t count,
                                    AlphabetKind alphabet);
DatabaseInfo describe(const Header& header);

}  // namespace alnus::io::format

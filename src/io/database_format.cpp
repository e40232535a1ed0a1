#include "io/database_format.h"

#include <cstring>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <xxhash.h>

namespace alnus::io::format {

Header make_header(const Totals& totals) {
  Header header{};
  header.magic = kMagic;
  header.version = kVersion;
  header.byte_order = kByteOrder;
  header.header_bytes = sizeof(Header);
  header.alphabet = static_cast<std::uint32_t>(totals.alphabet);
  header.sequences = totals.sequences;
  header.residues = totals.residues;
  header.longest = totals.longest;
  header.shortest = totals.shortest;
  header.unknown_bytes = totals.unknown_bytes;
  header.block_bytes = kBlockBytes;
  header.section_count = kSections;

  const std::uint64_t offset_bytes = (totals.sequences + 1) * sizeof(std::uint64_t);
  const std::array<std::uint64_t, kDataSections> sizes = {totals.residues, offset_bytes, totals.header_bytes,
                                                          offset_bytes,
                                                          totals.sequences * sizeof(SequenceSet::Index)};
  std::uint64_t end = sizeof(Header), blocks = 0;
  for (std::size_t i = 0; i < kSections; ++i) {
    Section& section = header.sections[i];
    section.id = static_cast<SectionId>(i + 1);
    section.offset = (end + kAlignment - 1) / kAlignment * kAlignment;
    section.bytes = i < kDataSections ? sizes[i] : blocks * sizeof(std::uint64_t);
    blocks += section.blocks();
    end = section.offset + section.bytes;
  }
  header.file_bytes = end;
  return header;
}

std::uint64_t header_checksum(const Header& header) {
  return XXH3_64bits(&header, offsetof(Header, checksum));
}

std::array<std::uint8_t, 16> digest(const std::uint64_t* block_sums, std::size_t count,
                                    AlphabetKind alphabet) {
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(&canonical, XXH3_128bits_withSeed(block_sums, count * sizeof(*block_sums),
                                                             static_cast<XXH64_hash_t>(alphabet)));
  std::array<std::uint8_t, 16> bytes;
  static_assert(sizeof(canonical.digest) == bytes.size());
  std::memcpy(bytes.data(), canonical.digest, bytes.size());
  return bytes;
}

DatabaseInfo describe(const Header& header) {
  DatabaseInfo info;
  info.format_version = header.version;
  info.alphabet = static_cast<AlphabetKind>(header.alphabet);
  info.sequences = header.sequences;
  info.residues = header.residues;
  info.longest = header.longest;
  info.shortest = header.shortest;
  info.unknown_bytes = header.unknown_bytes;
  info.file_bytes = header.file_bytes;
  info.digest = fmt::format("{:02x}", fmt::join(header.digest, ""));
  return info;
}

}  // namespace alnus::io::format

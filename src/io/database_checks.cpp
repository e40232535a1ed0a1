#include "io/database_checks.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <fmt/format.h>
#include <functional>
#include <span>
#include <string_view>
#include <vector>
#include <xxhash.h>

#include "core/pieces.h"
#include "io/database.h"
#include "io/database_format.h"

namespace alnus::io {
namespace {

using format::Header;
using format::Section;
using format::SectionId;

constexpr std::uint64_t kEntries = 1 << 20;  // entries of an index between two looks at the stop flag

// Checks that offsets begin at 0, never decrease, and end at the end of the section that they divide.
void check_offsets(const DatabaseFile& file, SectionId id, SectionId divided, const StopFlag& stop) {
  const auto offsets = file.section<std::uint64_t>(id);
  const std::string_view name = format::kSectionNames[static_cast<std::size_t>(id) - 1];
  if (offsets.front() != 0 || offsets.back() != file.header().section(divided).bytes)
    file.damaged(fmt::format("its {} do not span what they divide", name));
  in_pieces(offsets.size() - 1, kEntries, stop, [&](std::uint64_t begin, std::uint64_t end) {
    const auto part = offsets.subspan(begin, end - begin + 1);
    const auto wrong = std::ranges::adjacent_find(part, std::greater<>());
    if (wrong == part.end()) return;
    const std::uint64_t entry = begin + static_cast<std::uint64_t>(wrong - part.begin());
    file.damaged(fmt::format("entry {} of its {}, at byte {}, is larger than the next", entry, name,
                             file.header().section(id).offset + entry * sizeof(std::uint64_t)));
  });
}

// Checks that lengths never increase, from the header's longest to its shortest.
void check_lengths(const DatabaseFile& file, const StopFlag& stop) {
  const Header& header = file.header();
  const auto offsets = file.section<std::uint64_t>(SectionId::offsets);
  const std::size_t count = offsets.size() - 1;
  const std::uint64_t longest = count == 0 ? 0 : offsets[1];
  const std::uint64_t shortest = count == 0 ? 0 : offsets[count] - offsets[count - 1];
  if (longest != header.longest || shortest != header.shortest || longest > format::kLongestSequence)
    file.damaged("the longest or shortest length in its header is wrong");
  std::uint64_t previous = longest;
  in_pieces(count, kEntries, stop, [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t i = begin; i < end; ++i) {
      const std::uint64_t length = offsets[i + 1] - offsets[i];
      if (length > previous) file.damaged(fmt::format("sequence {} is longer than the one before it", i));
      previous = length;
    }
  });
}

void check_file_order(const DatabaseFile& file, const StopFlag& stop) {
  const auto ordinals = file.section<FileOrdinal>(SectionId::file_order);
  in_pieces(ordinals.size(), kEntries, stop, [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t i = begin; i < end; ++i)
      if (static_cast<std::uint32_t>(ordinals[i]) >= ordinals.size())
        file.damaged(fmt::format("entry {} of its file order is out of range", i));
  });
}

// The first of `count` pieces, in their order, for which `is_right` is false; `count` if there is none. A
// thread holds a permit for one piece at a time.
std::size_t first_wrong(std::size_t count, ThreadPool& pool, const StopFlag& stop,
                        const std::function<bool(std::size_t)>& is_right) {
  std::atomic<std::size_t> first = count;
  pool.for_each(count, [&](std::size_t k) {
    if (k > first) return;
    const ThreadPool::Permit permit(pool, stop);
    throw_if_requested(stop);
    if (is_right(k)) return;
    for (std::size_t seen = first; k < seen && !first.compare_exchange_weak(seen, k);) {
    }
  });
  return first;
}

// A block of a section, and where it lies in the file.
struct Block {
  std::size_t section = 0;              // index in Header::sections
  std::uint64_t number = 0;             // in its section, from 0
  std::uint64_t offset = 0, bytes = 0;  // place in the file, and size
  SectionId id() const { return static_cast<SectionId>(section + 1); }
};

// The blocks of all data sections, in the order of their checksums.
class Blocks {
 public:
  explicit Blocks(const Header& header) : header_(header) {
    for (std::size_t i = 0; i < format::kDataSections; ++i) end_of_[i] = size() + header.sections[i].blocks();
  }
  std::uint64_t size() const { return *std::ranges::max_element(end_of_); }
  Block operator[](std::uint64_t k) const {
    const auto section = static_cast<std::size_t>(std::ranges::upper_bound(end_of_, k) - end_of_.begin());
    const Section& of = header_.sections[section];
    const std::uint64_t number = k - (end_of_[section] - of.blocks()), begin = number * format::kBlockBytes;
    return {section, number, of.offset + begin,
            std::min<std::uint64_t>(format::kBlockBytes, of.bytes - begin)};
  }

 private:
  const Header& header_;
  std::array<std::uint64_t, format::kDataSections> end_of_{};  // by section: number of blocks up to its end
};

void check_blocks(const DatabaseFile& file, ThreadPool& pool, const StopFlag& stop) {
  const Header& header = file.header();
  const auto sums = file.section<std::uint64_t>(SectionId::block_sums);
  if (format::digest(sums.data(), sums.size(), file.alphabet()) != header.digest) {
    const Section& section = header.section(SectionId::block_sums);
    file.damaged(
        fmt::format("its table of block checksums (bytes {} to {}) does not have the digest in the "
                    "header",
                    section.offset, section.offset + section.bytes - 1));
  }
  const Blocks blocks(header);
  const std::size_t wrong = first_wrong(blocks.size(), pool, stop, [&](std::size_t k) {
    const Block block = blocks[k];
    const auto bytes = file.section<unsigned char>(block.id());
    return XXH3_64bits(&bytes[block.number * format::kBlockBytes], block.bytes) == sums[k];
  });
  if (wrong == blocks.size()) return;
  const Block block = blocks[wrong];
  file.damaged(fmt::format("the checksum of block {} of its {} (bytes {} to {} of the file) is wrong",
                           block.number, format::kSectionNames[block.section], block.offset,
                           block.offset + block.bytes - 1));
}

// Checks that the bytes between the header and the sections, and between sections, are zero.
void check_padding(const DatabaseFile& file) {
  std::uint64_t end = sizeof(Header);
  for (const Section& section : file.header().sections) {
    const unsigned char* last = file.data() + section.offset;
    const unsigned char* wrong =
        std::find_if(file.data() + end, last, [](unsigned char byte) { return byte != 0; });
    if (wrong != last)
      file.damaged(fmt::format("byte {} lies between sections and is not zero", wrong - file.data()));
    end = section.offset + section.bytes;
  }
}

void check_residues(const DatabaseFile& file, ThreadPool& pool, const StopFlag& stop) {
  const int letters = Alphabet::of(file.alphabet()).size();
  std::array<bool, 256> valid{};
  for (int byte = 0; byte < 256; ++byte)
    valid[byte] = (byte & kCodeMask) < letters && (byte & ~(kCodeMask | kLowerCase)) == 0;
  const auto residues = file.section<Residue>(SectionId::residues);
  const auto is_valid = [&](Residue residue) { return valid[residue]; };
  const auto piece = [&](std::size_t k) {
    const std::uint64_t begin = k * std::uint64_t{format::kBlockBytes};
    return residues.subspan(begin, std::min<std::uint64_t>(format::kBlockBytes, residues.size() - begin));
  };
  const std::size_t pieces = file.header().section(SectionId::residues).blocks();
  const std::size_t wrong =
      first_wrong(pieces, pool, stop, [&](std::size_t k) { return std::ranges::all_of(piece(k), is_valid); });
  if (wrong == pieces) return;
  const std::uint64_t begin = file.header().section(SectionId::residues).offset;
  for (std::uint64_t i = wrong * std::uint64_t{format::kBlockBytes}; i < residues.size(); ++i)
    if (const Residue residue = residues[i]; !is_valid(residue))
      file.damaged(fmt::format("byte {} holds {}, which is no residue", begin + i, residue));
  file.damaged("its residues changed while they were checked");
}

void check_permutation(const DatabaseFile& file, const StopFlag& stop) {
  const auto ordinals = file.section<FileOrdinal>(SectionId::file_order);
  std::vector<bool> seen(ordinals.size());
  in_pieces(ordinals.size(), kEntries, stop, [&](std::uint64_t begin, std::uint64_t end) {
    for (const FileOrdinal ordinal : ordinals.subspan(begin, end - begin)) {
      const auto place = static_cast<std::uint32_t>(ordinal);
      if (seen[place]) file.damaged(fmt::format("two of its sequences claim place {} of the input", place));
      seen[place] = true;
    }
  });
}

}  // namespace

void check_indexes(const DatabaseFile& file, const StopFlag& stop) {
  check_offsets(file, SectionId::offsets, SectionId::residues, stop);
  check_offsets(file, SectionId::header_offsets, SectionId::headers, stop);
  check_lengths(file, stop);
  check_file_order(file, stop);
}

void verify_database(const DatabaseFile& file, ThreadPool& pool, const StopFlag& stop) {
  check_blocks(file, pool, stop);
  {
    const ThreadPool::Permit permit(pool, stop);
    check_padding(file);
    check_indexes(file, stop);
  }
  check_residues(file, pool, stop);
  const ThreadPool::Permit permit(pool, stop);
  check_permutation(file, stop);
}

}  // namespace alnus::io

#include "engine/ranks.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/pieces.h"

namespace alnus::engine {
namespace {

using Index = SequenceSet::Index;

Residue code(Residue residue) { return residue & kCodeMask; }

// What decides the rank of a sequence, close together in memory: these fields alone tell most sequences
// apart.
struct Key {
  std::size_t length;
  std::uint64_t prefix;  // the codes of its first residues, the first one highest
  Index number;          // index of a row, or number of rows + index of a column
};

std::uint64_t prefix_of(std::span<const Residue> residues) {
  constexpr std::size_t kResidues = sizeof(Key::prefix);
  std::uint64_t prefix = 0;
  for (std::size_t k = 0; k < kResidues; ++k)
    prefix = prefix << 8 | (k < residues.size() ? code(residues[k]) : 0U);
  return prefix;
}

// Compares two sequences of the same length: below 0 if the first comes first, 0 if they are equal. Long
// sequences may be equal to the end, so that a stop is looked for in between: throws Interrupted.
int compare(std::span<const Residue> a, std::span<const Residue> b, const StopFlag& stop) {
  constexpr std::size_t kPiece = 1 << 20;
  for (std::size_t begin = 0; begin < a.size(); begin += kPiece) {
    stop.throw_if_requested();
    const auto piece = a.subspan(begin, std::min(kPiece, a.size() - begin));
    const auto [in_a, in_b] = std::ranges::mismatch(piece, b.subspan(begin, piece.size()), {}, code, code);
    if (in_a != piece.end()) return code(*in_a) < code(*in_b) ? -1 : 1;
  }
  return 0;
}

}  // namespace

std::vector<Rank> ranks_of(const SequenceSet& rows, const SequenceSet* columns, const StopFlag& stop) {
  const auto residues = [&](Index k) {
    return k < rows.size() ? rows.residues(k) : columns->residues(k - rows.size());
  };
  const auto before = [&](const Key& a, const Key& b) {
    if (a.length != b.length) return a.length > b.length;
    if (a.prefix != b.prefix) return a.prefix < b.prefix;
    const int order = compare(residues(a.number), residues(b.number), stop);
    return order != 0 ? order < 0 : a.number < b.number;
  };
  constexpr std::uint64_t kPiece = 1 << 16;
  const std::size_t count = rows.size() + (columns == nullptr ? std::size_t{0} : columns->size());
  std::vector<Key> keys;
  keys.reserve(count);
  in_pieces(count, kPiece, stop, [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t k = begin; k < end; ++k) {
      const auto number = static_cast<Index>(k);
      keys.push_back({residues(number).size(), prefix_of(residues(number)), number});
    }
  });
  std::ranges::sort(keys, stoppable(before, stop));
  std::vector<Rank> ranks(keys.size());
  in_pieces(keys.size(), kPiece, stop, [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t rank = begin; rank < end; ++rank)
      ranks[keys[rank].number] = Rank{static_cast<std::uint32_t>(rank)};
  });
  return ranks;
}

}  // namespace alnus::engine

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

// Compares two sequences of the same length: less than 0 if the first comes first, 0 if they are the same.
// Long ones may be the same to the end, so a stop is seen meanwhile.
int compare(std::span<const Residue> a, std::span<const Residue> b, const StopFlag& stop) {
  constexpr std::size_t kPiece = 1 << 20;
  for (std::size_t begin = 0; begin < a.size(); begin += kPiece) {
    throw_if_requested(stop);
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
  const auto before = [&](Index a, Index b) {
    const auto of_a = residues(a), of_b = residues(b);
    if (of_a.size() != of_b.size()) return of_a.size() > of_b.size();
    const int order = compare(of_a, of_b, stop);
    return order != 0 ? order < 0 : a < b;
  };
  const std::vector<Index> order =
      sorted_numbers(columns == nullptr ? rows.size() : rows.size() + columns->size(), stop, before);
  constexpr std::uint64_t kPiece = 1 << 16;
  std::vector<Rank> ranks(order.size());
  in_pieces(order.size(), kPiece, stop, [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t rank = begin; rank < end; ++rank)
      ranks[order[rank]] = Rank{static_cast<std::uint32_t>(rank)};
  });
  return ranks;
}

}  // namespace alnus::engine

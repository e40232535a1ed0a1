#include "engine/blank_sequences.h"

#include <algorithm>
#include <span>

#include "alnus/alphabet.h"

namespace alnus::engine {
namespace {

using Index = SequenceSet::Index;

constexpr std::uint64_t kPiece = 1 << 20;  // residues between looks at the stop flag

// Returns the code of the unknown letter: X (proteins) or N (nucleotides).
Residue unknown_of(const SequenceSet& set) { return Alphabet::of(set.alphabet()).encode('X') & kCodeMask; }

std::vector<bool> blank_in(const SequenceSet& set, const StopFlag& stop) {
  const Residue unknown = unknown_of(set);
  std::vector<bool> blank(set.size());
  for (Index i = 0; i < set.size(); ++i) {
    const std::span<const Residue> residues = set.residues(i);
    bool is_blank = true;
    for (std::size_t begin = 0; begin < residues.size() && is_blank; begin += kPiece) {
      stop.throw_if_requested();
      const auto piece = residues.subspan(begin, std::min<std::size_t>(kPiece, residues.size() - begin));
      is_blank = std::ranges::all_of(piece, [&](Residue one) { return (one & kCodeMask) == unknown; });
    }
    blank[i] = is_blank;
  }
  return blank;
}

SomeOfSet some_of(const std::vector<bool>& chosen) {
  return {static_cast<std::uint32_t>(std::ranges::count(chosen, true)),
          static_cast<Index>(std::ranges::find(chosen, true) - chosen.begin())};
}

}  // namespace

BlankSequences::BlankSequences(const AllPairs& pairs, const StopFlag& stop)
    : rows_(blank_in(pairs.rows(), stop)) {
  if (!pairs.one_set()) columns_ = blank_in(pairs.columns(), stop);
  const std::vector<bool>& columns = pairs.one_set() ? rows_ : columns_;
  blank_columns_ = static_cast<std::uint32_t>(std::ranges::count(columns, true));
}

SomeOfSet blanks_of(const SequenceSet& set, const StopFlag& stop) { return some_of(blank_in(set, stop)); }

SomeOfSet all_unknown_of(const SequenceSet& set, const StopFlag& stop) {
  std::vector<bool> unknown = blank_in(set, stop);
  for (Index i = 0; i < set.size(); ++i)
    if (set.residues(i).empty()) unknown[i] = false;
  return some_of(unknown);
}

SomeOfSet half_unknown_of(const SequenceSet& set, const StopFlag& stop) {
  const Residue unknown = unknown_of(set);
  SomeOfSet found;
  for (Index i = 0; i < set.size(); ++i) {
    const std::span<const Residue> residues = set.residues(i);
    std::uint64_t count = 0;
    for (std::size_t begin = 0; begin < residues.size(); begin += kPiece) {
      stop.throw_if_requested();
      const auto piece = residues.subspan(begin, std::min<std::size_t>(kPiece, residues.size() - begin));
      count += static_cast<std::uint64_t>(
          std::ranges::count_if(piece, [&](Residue one) { return (one & kCodeMask) == unknown; }));
    }
    if (2 * count < residues.size() || count == residues.size()) continue;
    if (found.count++ == 0) found.first = i;
  }
  return found;
}

}  // namespace alnus::engine

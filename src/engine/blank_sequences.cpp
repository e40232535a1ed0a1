#include "engine/blank_sequences.h"

#include <algorithm>
#include <span>

#include "alnus/alphabet.h"
#include "core/pieces.h"

namespace alnus::engine {
namespace {

using Index = SequenceSet::Index;

std::vector<bool> blank_in(const SequenceSet& set, const StopFlag& stop) {
  constexpr std::uint64_t kPiece = 1 << 20;  // residues between looks at the flag
  const Residue unknown = Alphabet::of(set.alphabet()).encode('X') & kCodeMask;  // N for nucleotides
  std::vector<bool> blank(set.size());
  for (Index i = 0; i < set.size(); ++i) {
    const std::span<const Residue> residues = set.residues(i);
    bool is_blank = true;
    for (std::size_t begin = 0; begin < residues.size() && is_blank; begin += kPiece) {
      throw_if_requested(stop);
      const auto piece = residues.subspan(begin, std::min<std::size_t>(kPiece, residues.size() - begin));
      is_blank = std::ranges::all_of(piece, [&](Residue one) { return (one & kCodeMask) == unknown; });
    }
    blank[i] = is_blank;
  }
  return blank;
}

}  // namespace

BlankSequences::BlankSequences(const AllPairs& pairs, const StopFlag& stop)
    : rows_(blank_in(pairs.rows(), stop)) {
  if (!pairs.one_set()) columns_ = blank_in(pairs.columns(), stop);
  const std::vector<bool>& columns = pairs.one_set() ? rows_ : columns_;
  blank_columns_ = static_cast<std::uint32_t>(std::ranges::count(columns, true));
}

BlanksOfSet blanks_of(const SequenceSet& set, const StopFlag& stop) {
  const std::vector<bool> blank = blank_in(set, stop);
  BlanksOfSet found;
  found.count = static_cast<std::uint32_t>(std::ranges::count(blank, true));
  found.first = static_cast<Index>(std::ranges::find(blank, true) - blank.begin());
  for (Index i = found.first; i < set.size(); ++i)
    if (blank[i] && !set.residues(i).empty() && found.not_empty++ == 0) found.first_not_empty = i;
  return found;
}

}  // namespace alnus::engine

#include "engine/blank_sequences.h"

#include <algorithm>
#include <span>

#include "alnus/alphabet.h"
#include "core/pieces.h"

namespace alnus::engine {
namespace {

using Index = SequenceSet::Index;

constexpr std::uint64_t kPiece = 1 << 20;  // residues between looks at the stop flag

// Returns a function that tells whether a residue is the unknown letter: X (proteins) or N (nucleotides).
auto is_unknown_in(const SequenceSet& set) {
  const Residue unknown = Alphabet::of(set.alphabet()).encode('X') & kCodeMask;
  return [unknown](Residue one) { return (one & kCodeMask) == unknown; };
}

std::vector<bool> blank_in(const SequenceSet& set, const StopFlag& stop) {
  const auto is_unknown = is_unknown_in(set);
  std::vector<bool> blank(set.size());
  for (Index i = 0; i < set.size(); ++i) {
    const std::span<const Residue> residues = set.residues(i);
    bool is_blank = true;
    in_pieces(residues.size(), kPiece, stop, [&](std::uint64_t begin, std::uint64_t end) {
      is_blank = is_blank && std::ranges::all_of(residues.subspan(begin, end - begin), is_unknown);
    });
    blank[i] = is_blank;
  }
  return blank;
}

// Returns the blank sequences with so many letters or more.
SomeOfSet blanks_from(std::size_t shortest, const SequenceSet& set, const StopFlag& stop) {
  const std::vector<bool> blank = blank_in(set, stop);
  SomeOfSet found;
  for (Index i = 0; i < set.size(); ++i)
    if (blank[i] && set.length(i) >= shortest) found.add(i);
  return found;
}

}  // namespace

BlankSequences::BlankSequences(const AllPairs& pairs, const StopFlag& stop)
    : rows_(blank_in(pairs.rows(), stop)) {
  if (!pairs.one_set()) columns_ = blank_in(pairs.columns(), stop);
  const std::vector<bool>& columns = pairs.one_set() ? rows_ : columns_;
  blank_columns_ = static_cast<std::uint32_t>(std::ranges::count(columns, true));
}

SomeOfSet blanks_of(const SequenceSet& set, const StopFlag& stop) { return blanks_from(0, set, stop); }

SomeOfSet all_unknown_of(const SequenceSet& set, const StopFlag& stop) { return blanks_from(1, set, stop); }

SomeOfSet half_unknown_of(const SequenceSet& set, const StopFlag& stop) {
  const auto is_unknown = is_unknown_in(set);
  SomeOfSet found;
  for (Index i = 0; i < set.size(); ++i) {
    const std::span<const Residue> residues = set.residues(i);
    std::uint64_t count = 0;
    in_pieces(residues.size(), kPiece, stop, [&](std::uint64_t begin, std::uint64_t end) {
      const auto in_piece = std::ranges::count_if(residues.subspan(begin, end - begin), is_unknown);
      count += static_cast<std::uint64_t>(in_piece);
    });
    if (2 * count >= residues.size() && count < residues.size()) found.add(i);
  }
  return found;
}

}  // namespace alnus::engine

#include "core/strands.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <limits>
#include <memory>

#include "alnus/error.h"
#include "core/pieces.h"

namespace alnus {
namespace {

// The complements by code: A-T, C-G, R-Y, K-M, B-V, D-H; S, W and N are their own complements.
constexpr std::string_view kLetters = "ACGTRYKMSWBDHVN", kComplements = "TGCAYRMKSWVHDBN";

std::array<Residue, kMaxLetters> complements() {
  std::array<Residue, kMaxLetters> codes{};
  for (Residue code = 0; code < kMaxLetters; ++code) {
    const char letter = code < kLetters.size() ? kComplements[code] : 'N';
    codes[code] = static_cast<Residue>(kLetters.find(letter));
  }
  return codes;
}

const std::array<Residue, kMaxLetters> kComplementCodes = complements();

void append_reverse_complement(std::span<const Residue> nucleotides, const StopFlag& stop,
                               std::vector<Residue>& to) {
  constexpr std::uint64_t kPiece = 1 << 20;
  in_pieces(nucleotides.size(), kPiece, stop, [&](std::uint64_t begin, std::uint64_t end) {
    const auto piece = nucleotides.subspan(nucleotides.size() - end, end - begin);
    std::transform(piece.rbegin(), piece.rend(), std::back_inserter(to), complement);
  });
}

// The memory that a set of strands views.
struct Storage {
  std::vector<Residue> residues;
  std::vector<std::uint64_t> offsets{0};
  std::vector<std::uint64_t> header_offsets;  // all 0
};

SequenceSet stranded(const SequenceSet& given, Strands strands, const StopFlag& stop) {
  check_strands(strands, given.alphabet(), given.origin());
  if (strands == Strands::plus) return given;
  const std::uint64_t each = strands_of_each(strands);
  if (given.size() * each > std::numeric_limits<SequenceSet::Index>::max())
    throw Error(ErrorKind::input,
                fmt::format("{} has more than {} sequences to be aligned on both strands; "
                            "split it.",
                            given.origin(), std::numeric_limits<SequenceSet::Index>::max() / each));
  const auto storage = std::make_shared<Storage>();
  storage->residues.reserve(given.total_residues() * each);
  storage->offsets.reserve(given.size() * each + 1);
  for (SequenceSet::Index i = 0; i < given.size(); ++i) {
    throw_if_requested(stop);
    const std::span<const Residue> plus = given.residues(i);
    if (strands == Strands::both) {
      storage->residues.insert(storage->residues.end(), plus.begin(), plus.end());
      storage->offsets.push_back(storage->residues.size());
    }
    append_reverse_complement(plus, stop, storage->residues);
    storage->offsets.push_back(storage->residues.size());
  }
  storage->header_offsets.resize(storage->offsets.size());
  return SequenceSet(given.alphabet(), {storage->residues, storage->offsets, {}, storage->header_offsets, {}},
                     storage, given.origin());
}

}  // namespace

std::string_view to_string(Strand strand) { return word_of(strand); }

Strands default_search_strands(AlphabetKind alphabet) {
  return alphabet == AlphabetKind::dna ? Strands::both : Strands::plus;
}

void check_strands(Strands strands, AlphabetKind alphabet, std::string_view name) {
  if (strands == Strands::plus || alphabet == AlphabetKind::dna) return;
  throw Error(ErrorKind::input,
              fmt::format("{} read as proteins, which have one strand; {} is for nucleotides. "
                          "Add {} dna, or leave {} out.",
                          name.empty() ? "The sequences are" : fmt::format("{} is", name), option("strands"),
                          option("alphabet"), option("strands")));
}

Residue complement(Residue nucleotide) {
  return static_cast<Residue>(kComplementCodes[nucleotide & kCodeMask] | (nucleotide & kLowerCase));
}

std::vector<Residue> reverse_complement(std::span<const Residue> nucleotides) {
  std::vector<Residue> result;
  result.reserve(nucleotides.size());
  append_reverse_complement(nucleotides, StopFlag::never(), result);
  return result;
}

StrandedSet::StrandedSet(const SequenceSet& given, Strands strands, const StopFlag& stop)
    : strands_(strands), given_(given), set_(stranded(given, strands, stop)) {}

std::uint64_t StrandedSet::bytes(const SequenceSet& given, Strands strands) {
  if (strands == Strands::plus) return 0;
  constexpr std::uint64_t kOffsets = 2 * sizeof(std::uint64_t);
  return strands_of_each(strands) * (given.total_residues() + kOffsets * given.size());
}

SequenceSet reverse_complement(const SequenceSet& set, const StopFlag& stop) {
  return stranded(set, Strands::minus, stop);
}

}  // namespace alnus

#include "io/record_notes.h"

#include <algorithm>
#include <array>
#include <bitset>
#include <functional>
#include <utility>

namespace alnus::io {
namespace {

constexpr std::size_t kShortestGene = 50;
constexpr std::size_t kBeginning = 8;  // letters that decide if a record is looked at as a whole

// What a letter may be in a gene that was read as a protein: a base (A, C, G, T, U), one of IUPAC's codes of
// nucleotides (bases among them), or a letter with which genes begin (a base, N or X).
enum : std::uint8_t { kBase = 1, kCode = 2, kBegins = 4 };

std::array<std::uint8_t, kMaxLetters> roles() {
  std::array<std::uint8_t, kMaxLetters> roles{};
  const std::string_view letters = Alphabet::protein().letters();
  for (std::size_t code = 0; code < letters.size(); ++code) {
    const auto is_of = [&](std::string_view set) {
      return set.find(letters[code]) != std::string_view::npos;
    };
    roles[code] =
        static_cast<std::uint8_t>((is_of("ACGTU") ? kBase : 0) | (is_of("ACGTURYKMSWBDHVN") ? kCode : 0) |
                                  (is_of("ACGTUNX") ? kBegins : 0));
  }
  return roles;
}

constexpr std::size_t kNameCodes = std::size_t{kMaxLetters} * kMaxLetters * kMaxLetters;

std::size_t name_code(std::span<const Residue, 3> letters) {
  std::size_t code = 0;
  for (const Residue letter : letters) code = code * kMaxLetters + (letter & kCodeMask);
  return code;
}

std::bitset<kNameCodes> amino_acid_names() {
  constexpr std::string_view kNames =
      "AlaArgAsnAspCysGlnGluGlyHisIleLeuLysMetPheProSerThrTrpTyrValAsxGlxXaaSecPylTer";
  std::bitset<kNameCodes> names;
  for (std::size_t at = 0; at < kNames.size(); at += 3) {
    std::array<Residue, 3> letters{};
    for (std::size_t i = 0; i < letters.size(); ++i) letters[i] = Alphabet::protein().encode(kNames[at + i]);
    names.set(name_code(letters));
  }
  return names;
}

}  // namespace

void NotedRecords::add(std::uint64_t record, std::string_view record_id) {
  if (count++ > 0 && number <= record) return;  // a set in memory may have another order than its file
  number = record;
  id = record_id;
}

bool look_like_nucleotides(std::span<const Residue> protein_residues) {
  static const std::array<std::uint8_t, kMaxLetters> kRoles = roles();
  if (protein_residues.size() < kShortestGene) return false;
  std::size_t begins = 0;
  for (const Residue residue : protein_residues.first<kBeginning>())
    begins += (kRoles[residue & kCodeMask] & kBegins) != 0 ? 1 : 0;
  if (4 * begins < 3 * kBeginning) return false;
  std::array<std::size_t, kMaxLetters> counts{};
  for (const Residue residue : protein_residues) ++counts[residue & kCodeMask];
  const auto count = [&](char letter) { return counts[Alphabet::protein().encode(letter)]; };
  std::size_t codes = 0;
  for (std::size_t code = 0; code < counts.size(); ++code)
    if ((kRoles[code] & kCode) != 0) codes += counts[code];
  const std::array<std::size_t, 4> bases = {count('A'), count('C'), count('G'), count('T') + count('U')};
  const std::size_t known = protein_residues.size() - count('N');
  return known >= kShortestGene && 10 * codes >= 9 * protein_residues.size() &&
         4 * (bases[0] + bases[1] + bases[2] + bases[3]) >= 3 * known &&
         50 * *std::ranges::min_element(bases) >= known;
}

bool look_like_three_letter_code(std::span<const Residue> protein_residues) {
  constexpr std::size_t kShortest = 30, kFewestNames = 3;
  static const std::bitset<kNameCodes> kNames = amino_acid_names();
  if (protein_residues.size() < kShortest || protein_residues.size() % 3 != 0) return false;
  std::bitset<kNameCodes> seen;
  for (; !protein_residues.empty(); protein_residues = protein_residues.subspan(3)) {
    const std::size_t name = name_code(protein_residues.first<3>());
    if (!kNames[name]) return false;
    seen.set(name);
  }
  return seen.count() >= kFewestNames;
}

bool RepeatedIds::add(std::string_view id) {
  if (is_full() || id.empty()) return false;
  ++records_;
  if (2 * used_ >= slots_.size()) grow();
  const std::uint64_t hash = std::hash<std::string_view>()(id) | 1;
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = (hash >> 20) & mask;
  for (; slots_[at] != 0; at = (at + 1) & mask)
    if (slots_[at] == hash) return true;
  slots_[at] = hash;
  ++used_;
  return false;
}

void RepeatedIds::grow() {
  constexpr std::size_t kSmallest = 1024;
  const std::vector<std::uint64_t> old =
      std::exchange(slots_, std::vector<std::uint64_t>(std::max(4 * slots_.size(), kSmallest)));
  const std::size_t mask = slots_.size() - 1;
  for (const std::uint64_t hash : old) {
    if (hash == 0) continue;
    std::size_t at = (hash >> 20) & mask;
    while (slots_[at] != 0) at = (at + 1) & mask;
    slots_[at] = hash;
  }
}

RecordNotes notes_of(const SequenceSet& sequences) {
  RecordNotes notes;
  const bool is_protein = sequences.alphabet() == AlphabetKind::protein;
  RepeatedIds ids;
  for (SequenceSet::Index i = 0; i < sequences.size(); ++i) {
    const SequenceView sequence = sequences[i];
    const std::uint64_t number = static_cast<std::uint64_t>(sequences.file_ordinal(i)) + 1;
    if (sequence.residues.empty()) notes.empty.add(number, sequence.id());
    if (is_protein && look_like_nucleotides(sequence.residues)) notes.nucleotides.add(number, sequence.id());
    if (is_protein && look_like_three_letter_code(sequence.residues))
      notes.three_letter.add(number, sequence.id());
    if (ids.add(sequence.id())) notes.repeated.add(number, sequence.id());
  }
  return notes;
}

}  // namespace alnus::io

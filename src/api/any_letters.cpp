#include "api/any_letters.h"

#include <algorithm>
#include <fmt/format.h>

#include "alnus/error.h"
#include "alnus/text.h"
#include "engine/blank_sequences.h"

namespace alnus::api {
namespace {

// True if the letter of a query scores with every letter of a subject, but a stop, what a match scores.
bool fits_every_letter(Residue any, const SubstitutionMatrix& matrix, const Alphabet& alphabet) {
  return std::ranges::all_of(alphabet.letters(), [&](char letter) {
    return letter == '*' || matrix.value(any, alphabet.encode(letter)) == matrix.highest();
  });
}

}  // namespace

void warn_of_any_letters(const SequenceSet& queries, const Scoring& scoring, session::Call& call) {
  const Alphabet& alphabet = Alphabet::of(scoring.matrix.alphabet());
  const char letter = alphabet.kind() == AlphabetKind::dna ? 'N' : 'X';
  const Residue any = alphabet.encode(letter);
  if (!fits_every_letter(any, scoring.matrix, alphabet)) return;
  engine::SomeOfSet found;
  for (SequenceSet::Index query = 0; query < queries.size(); ++query) {
    call.stop().throw_if_requested();
    const auto residues = queries.residues(query);
    const auto count =
        std::ranges::count_if(residues, [&](Residue residue) { return (residue & kCodeMask) == any; });
    if (2 * static_cast<std::size_t>(count) > residues.size()) found.add(query);
  }
  if (found.count == 0) return;
  call.warn(fmt::format(
      "More than half of the letters of {}{} are {}, which fits every letter, so that most of the places may "
      "be chance. If {} made these {}, for example in a database file, search with the sequences as they "
      "were before.",
      found.count == 1 ? "" : format_count(found.count, "query", "queries") + ", of which the first is ",
      queries[found.first].id(), letter, option("mask"), letter));
}

}  // namespace alnus::api

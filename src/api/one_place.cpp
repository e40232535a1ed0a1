#include "api/one_place.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fmt/format.h>
#include <string_view>

#include "alnus/text.h"
#include "core/aligned_pairs.h"
#include "session/database_state.h"

namespace alnus::api {
namespace {

using Index = SequenceSet::Index;

constexpr double kFactorOfDna = 50, kFactorOfProteins = 20;

// True if an alignment may leave out both ends of the long sequence at no cost, so that the short one may lie
// anywhere in it. `in_subject`: the long sequence is the subject; else it is the query.
bool lies_anywhere(const Scoring& scoring, bool in_subject) {
  if (scoring.mode == Mode::local) return true;
  return in_subject ? scoring.free_ends.subject_begin && scoring.free_ends.subject_end
                    : scoring.free_ends.query_begin && scoring.free_ends.query_end;
}

// The short sequences of a set: `count` sequences have at least one residue and at most a given number.
// `longest`: the most residues that one of these has. `nonempty`: all sequences of the set that have
// residues.
struct ShortSequences {
  std::uint64_t count = 0, longest = 0, nonempty = 0;

  bool are_most() const { return count > 0 && 2 * count >= nonempty; }
};

ShortSequences short_sequences(const SequenceSet& set, double longest) {
  ShortSequences found;
  for (Index i = 0; i < set.size(); ++i) {
    const std::uint64_t length = set.length(i);
    if (length == 0) continue;
    ++found.nonempty;
    if (static_cast<double>(length) > longest) continue;
    ++found.count;
    found.longest = std::max(found.longest, length);
  }
  return found;
}

// The short sequences of `shorter`, if at least half of its nonempty sequences are at least `factor` times
// shorter than the sequences of `longer` are on average (length_by_residue()); otherwise none.
ShortSequences far_shorter(const Database& shorter, const Database& longer, double factor) {
  const SequenceSet& set = shorter.sequences();
  if (!short_sequences(set, static_cast<double>(longer.sequences().longest()) / factor).are_most()) return {};
  const ShortSequences found = short_sequences(set, longer.state()->length_by_residue() / factor);
  return found.are_most() ? found : ShortSequences{};
}

}  // namespace

void tell_one_place(const Database& queries, const Database& subjects, const Scoring& scoring,
                    OtherPlaces others, session::Call& call) {
  const bool is_dna = subjects.alphabet() == AlphabetKind::dna;
  const auto tell = [&](const Database& shorter, const Database& longer, const char* one, const char* other) {
    const ShortSequences found = far_shorter(shorter, longer, is_dna ? kFactorOfDna : kFactorOfProteins);
    if (found.count == 0 || subjects.state()->told_of_one_place.test_and_set()) return;
    call.warn(fmt::format(
        "Each pair has one alignment, the best one: where a {0} fits a {1} at several places, one of them is "
        "listed. {2} of {3} {4} {5} or shorter, and those of {6} about {7} long. To see the other places, "
        "{8}.",
        one, other, format_count(found.count, "sequence", "sequences"), shorter.name(),
        found.count == 1 ? "is" : "are", format_count(found.longest, "letter", "letters"), longer.name(),
        format_count(static_cast<std::uint64_t>(std::llround(longer.state()->length_by_residue())), "letter",
                     "letters"),
        others == OtherPlaces::by_option && has_further_alignments(scoring)
            ? fmt::format("choose a larger {}", option("max_hsps"))
            : fmt::format("cut the {} into overlapping pieces, each a record",
                          one == std::string_view("query") ? "subjects" : "queries")));
  };
  if (lies_anywhere(scoring, true)) tell(queries, subjects, "query", "subject");
  if (is_dna && lies_anywhere(scoring, false)) tell(subjects, queries, "subject", "query");
}

}  // namespace alnus::api

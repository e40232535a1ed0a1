#include "api/one_place.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fmt/format.h>

#include "alnus/text.h"
#include "api/call.h"
#include "api/database_state.h"

namespace alnus::api {
namespace {

using Index = SequenceSet::Index;

// True if a query may be aligned with any part of a subject.
bool lies_anywhere(const Scoring& scoring) {
  if (scoring.mode == Mode::local) return true;
  return scoring.free_ends.subject_begin && scoring.free_ends.subject_end;
}

// The queries that have `longest` residues or fewer, but some.
struct ShortQueries {
  std::uint64_t count = 0, longest = 0, nonempty = 0;
};

ShortQueries short_queries(const SequenceSet& queries, double longest) {
  ShortQueries found;
  for (Index i = 0; i < queries.size(); ++i) {
    const std::uint64_t length = queries.length(i);
    if (length == 0) continue;
    ++found.nonempty;
    if (static_cast<double>(length) > longest) continue;
    ++found.count;
    found.longest = std::max(found.longest, length);
  }
  return found;
}

}  // namespace

void tell_one_place(const Database& queries, const Database& subjects, const Scoring& scoring, Call& call) {
  if (!lies_anywhere(scoring)) return;
  const bool is_dna = subjects.alphabet() == AlphabetKind::dna;
  const double factor = is_dna ? 50 : 20;
  const SequenceSet& rows = queries.sequences();
  const auto is_most = [&](const ShortQueries& found) {
    return found.count > 0 && 2 * found.count >= found.nonempty;
  };
  if (!is_most(short_queries(rows, static_cast<double>(subjects.sequences().longest()) / factor))) return;
  const double length = subjects.state()->length_by_residue();
  const ShortQueries found = short_queries(rows, length / factor);
  if (!is_most(found) || !subjects.state()->to_be_told_of_one_place()) return;
  call.warn(fmt::format(
      "Each pair has one alignment, the best one: where a query fits a subject at several places, one of "
      "them is listed. {} of {} {} {} or shorter, and those of {} about {} long. To see the other places, "
      "cut the subjects into overlapping pieces, each a record.",
      format_count(found.count, "sequence", "sequences"), queries.name(), found.count == 1 ? "is" : "are",
      format_count(found.longest, "letter", "letters"), subjects.name(),
      format_count(static_cast<std::uint64_t>(std::llround(length)), "letter", "letters")));
}

}  // namespace alnus::api

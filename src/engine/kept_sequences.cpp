#include "engine/kept_sequences.h"

#include "engine/adjusted_scores.h"

namespace alnus::engine {

std::uint64_t KeptSequences::most_bytes(const SequenceSet& queries, IndexRange of_queries,
                                        const SequenceSet& subjects, IndexRange of_subjects) {
  // A subject may be kept twice: masked and unmasked.
  const auto copies = [](const SequenceSet& set, IndexRange range) {
    if (range.size() == 0) return std::uint64_t{0};
    const std::span<const std::uint64_t> offsets = set.arrays().offsets;
    return offsets[range.end] - offsets[range.begin];
  };
  constexpr std::uint64_t kPlaces = 3 * sizeof(void*);
  return kPlaces * (std::uint64_t{queries.size()} + subjects.size()) + of_queries.size() * sizeof(Query) +
         copies(queries, of_queries) + 2 * of_subjects.size() * sizeof(PreparedSequence) +
         2 * copies(subjects, of_subjects);
}

KeptSequences::KeptSequences(const SequenceSet& queries, const SequenceSet& subjects, const Scoring& scoring,
                             const ResolvedStatistics& options, const StopFlag& stop)
    : query_set_(queries),
      subject_set_(subjects),
      preparer_(scoring, options),
      stop_(stop),
      queries_(queries.size()),
      subjects_(subjects.size()),
      unmasked_(subjects.size()) {}

const KeptSequences::Query& KeptSequences::query_with_terms(Index query) const {
  return queries_.of(query, [&] {
    PreparedSequence sequence =
        preparer_.prepared(query_set_.residues(query), preparer_.masks_queries(), stop_);
    const stats::MatrixAdjuster::ScaleTerms terms = preparer_.adjuster()->scale_terms(sequence.frequencies);
    return Query{std::move(sequence), terms};
  });
}

const PreparedSequence& KeptSequences::subject(Index subject) const {
  return subjects_.of(subject, [&] {
    return preparer_.prepared(subject_set_.residues(subject), preparer_.masks_subjects(), stop_);
  });
}

const PreparedSequence& KeptSequences::unmasked(Index subject) const {
  return unmasked_.of(subject,
                      [&] { return preparer_.prepared(subject_set_.residues(subject), false, stop_); });
}

bool KeptSequences::may_be_hit(const IndexPair& pair, std::int32_t score, const stats::ScoreJudge& judge,
                               double limit) const {
  const Query& query = query_with_terms(pair.query);
  const PreparedSequence& masked = subject(pair.subject);
  const PreparedSequence& taken =
      must_unmask(query.sequence, masked, score) ? unmasked(pair.subject) : masked;
  const double scale = stats::MatrixAdjuster::predicted_scale(query.terms, taken.frequencies);
  return evalue_may_pass(judge, scale * score, subject_set_.length(pair.subject), predicted_evalue(limit));
}

}  // namespace alnus::engine

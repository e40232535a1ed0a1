#include "api/nearest_records.h"

#include <utility>

#include "alnus/identity.h"
#include "alnus/scoring.h"
#include "api/search_call.h"
#include "session/file_check.h"

namespace alnus::api {
namespace {

double percent(std::int64_t part, std::int64_t whole) {
  return whole > 0 ? 100.0 * static_cast<double>(part) / static_cast<double>(whole) : 0;
}

double percent(const Fraction& fraction) { return percent(fraction.numerator, fraction.denominator); }

NearestRecord nearest_of(const Row& row, const SequenceSet& queries, const SequenceSet& database) {
  const std::size_t length = queries.length(row.query), record_length = database.length(row.subject);
  const auto identity = [&](Denominator denominator) {
    return percent(identity_of(*row.counts, length, record_length, denominator));
  };
  NearestRecord nearest;
  nearest.record = {0, row.subject};
  nearest.strand = row.strand;
  nearest.evalue = row.significance.evalue.value_or(0);
  nearest.bits = row.significance.bits.value_or(0);
  nearest.identity = identity(Denominator::alignment);
  nearest.identity_shorter = identity(Denominator::shorter);
  nearest.coverage = percent(row.query_end - row.query_begin, static_cast<std::int64_t>(length));
  nearest.record_coverage =
      percent(row.subject_end - row.subject_begin, static_cast<std::int64_t>(record_length));
  nearest.begin = row.query_begin;
  nearest.end = row.query_end;
  nearest.record_begin = row.subject_begin;
  nearest.record_end = row.subject_end;
  nearest.cigar.assign(row.cigar.begin(), row.cigar.end());
  return nearest;
}

}  // namespace

NearestSummary find_nearest(const Database& queries, const Database& database, const NearestOptions& options,
                            session::Call& call,
                            const std::function<void(SequenceSet::Index query, NearestRecord&&)>& take) {
  SearchOptions wanted;
  wanted.max_target_seqs = 1;
  wanted.evalue = options.evalue;
  wanted.strands = options.strands;
  wanted.statistics.residues = options.space.residues;
  wanted.statistics.sequences = options.space.sequences;
  const Scoring scoring = make_scoring({.alphabet = queries.alphabet()});
  session::Verifications files({queries, database}, call);
  // The default scorings have published statistics, so that nothing is calibrated.
  const engine::SearchOptions resolved_options = resolved(queries, database, scoring, wanted, false, call);
  const SearchSummary summary =
      search(call, queries, database, scoring, resolved_options, files, [&](const SearchBatch& batch) {
        for (std::size_t i = 0; i < batch.rows.size(); ++i) {
          const Row row = batch.rows.row(i);
          take(row.query, nearest_of(row, queries.sequences(), database.sequences()));
        }
      });
  return {summary.cells, summary.statistics};
}

}  // namespace alnus::api

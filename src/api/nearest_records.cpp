#include "api/nearest_records.h"

#include <utility>
#include <vector>

#include "alnus/identity.h"
#include "alnus/scoring.h"
#include "api/statistics.h"
#include "core/strands.h"
#include "engine/align_driver.h"
#include "engine/progress.h"
#include "session/database_state.h"
#include "session/session_core.h"

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

engine::FirstHits::Search search_of(const Database& queries, const NearestOptions& options,
                                    session::Call& call) {
  engine::FirstHits::Search search;
  search.scoring = make_scoring({.alphabet = queries.alphabet()});
  // The default scorings have published statistics, so that nothing is calibrated.
  search.statistics = resolve_statistics({}, search.scoring, options.space,
                                         {.strands = options.strands, .needed = true}, call);
  search.evalue = options.evalue;
  search.columns_are_queries = options.columns_are_queries;
  return search;
}

}  // namespace

NearestRecords::NearestRecords(const Database& queries, const Database& database,
                               const NearestOptions& options, session::Call& call)
    : queries_(queries),
      database_(database),
      strands_(options.strands),
      call_(call),
      hits_(search_of(queries, options, call)) {}

std::string NearestRecords::statistics() const { return describe(hits_.search().statistics); }

void NearestRecords::align(const std::function<void(SequenceSet::Index query, NearestRecord&&)>& take) {
  const std::vector<IndexPair> pairs = hits_.pairs();
  engine::RowOptions options;
  options.fields.significance = true;
  options.fields.strands = strands_;
  options.statistics = hits_.search().statistics;
  options.memory_bytes = call_.session().options().memory_bytes;
  call_.reserve(engine::align_bytes(options) + StrandedSet::bytes(queries_.sequences(), strands_));
  const engine::ExtraWork again(call_.state().progress);  // the pairs were scored before
  engine::align_pairs(queries_.state()->sorted(call_.stop()), database_.state()->sorted(call_.stop()), pairs,
                      hits_.search().scoring, options, call_.state(), [&](const Columns& rows) {
                        for (std::size_t i = 0; i < rows.size(); ++i) {
                          const Row row = rows.row(i);
                          take(row.query, nearest_of(row, queries_.sequences(), database_.sequences()));
                        }
                      });
}

}  // namespace alnus::api

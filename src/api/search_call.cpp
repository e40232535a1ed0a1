// Session::search.
#include "api/search_call.h"

#include <stop_token>

#include "alnus/error.h"
#include "api/any_letters.h"
#include "api/inputs.h"
#include "api/low_complexity.h"
#include "api/one_place.h"
#include "api/options.h"
#include "api/row_filter.h"
#include "api/statistics.h"
#include "core/strands.h"
#include "engine/search_counts.h"
#include "jobs/collect.h"
#include "jobs/search_outputs.h"
#include "session/call.h"
#include "session/database_state.h"
#include "stats/evalue.h"

namespace alnus {

SearchSummary& SearchSummary::operator+=(const SearchSummary& other) {
  queries += other.queries;
  cells += other.cells;
  pairs += other.pairs;
  hits += other.hits;
  cut_ties += other.cut_ties;
  without_hits += other.without_hits;
  for (const std::string& id : other.cut_tie_ids) engine::add_id(id, cut_tie_ids);
  for (const std::string& id : other.without_hits_ids) engine::add_id(id, without_hits_ids);
  limit.max_target_seqs = other.limit.max_target_seqs;
  limit.full_queries += other.limit.full_queries;
  for (const std::string& id : other.limit.full_query_ids) engine::add_id(id, limit.full_query_ids);
  left_out += other.left_out;
  fallbacks += other.fallbacks;
  method = other.method;
  statistics = other.statistics;
  has_parameters = other.has_parameters;
  fallback = other.fallback;
  seconds += other.seconds;
  return *this;
}

namespace api {

engine::SearchOptions resolved(const Database& queries, const Database& database, const Scoring& scoring,
                               const SearchOptions& options, bool calibrate, session::Call& call) {
  check_numbers(options);
  check_sequences(queries, database, scoring, call);
  check_hsps(options.max_hsps, options.min_score.has_value(), options.detail, scoring);
  check_filter(options.filter, options.detail);
  engine::SearchOptions wanted;
  wanted.asked = options;
  wanted.asked.evalue = options.evalue.value_or(kDefaultEvalue);
  wanted.asked.strands = strands_of_search(options, scoring, queries);
  wanted.asked.identity_ranges = each_once(options.identity_ranges);
  if (options.min_score) wanted.min_score = scaled_min_score(*options.min_score, scoring.scale);
  wanted.memory_bytes = call.session().options().memory_bytes;
  wanted.statistics =
      resolve_statistics(options.statistics, scoring, stats::search_space_of(database.sequences()),
                         {.strands = wanted.strands(),
                          .wanted = wants_statistics(options),
                          .filter = judged_limit(options),
                          .has_all_scores = true,
                          .calibrate = calibrate},
                         call);
  check_filter(options, wanted.statistics.method);
  if (calibrate) {
    warn_of_filter(options.filter, scoring, call);
    warn_of_any_letters(queries.sequences(), scoring, call);
    if (options.max_hsps == 1) tell_one_place(queries, database, scoring, OtherPlaces::by_option, call);
    warn_of_low_complexity(options.statistics, wanted.statistics, queries.sequences(), call);
  }
  return wanted;
}

SearchSummary search(session::Call& call, const Database& queries, const Database& database,
                     const Scoring& scoring, const engine::SearchOptions& options,
                     session::Verifications& files, const SearchSink& sink) {
  const double before = call.seconds();
  const auto rows = std::make_shared<const SortedSequences>(queries.sequences(), call.stop());
  const auto& sorted = database.state()->sorted(call.stop());
  call.choose_devices({*rows,
                       *sorted,
                       {scoring, Detail::score},
                       TileShape::rectangle,
                       cells_of(queries, database, options.strands())});
  call.reserve(engine::search_bytes(queries.sequences(), database.sequences(), options));
  const std::string statistics = describe(options.statistics);
  SearchSummary summary =
      engine::search(queries.sequences(), sorted, scoring, options, call.state(), [&](SearchBatch& batch) {
        files.require();
        batch.statistics = statistics;
        call.on_caller([&] { sink(batch); });
      });
  files.require();
  summary.method = options.statistics.method;
  summary.statistics = statistics;
  summary.has_parameters = options.statistics.parameters.has_value();
  summary.fallback = options.statistics.by_parameters();
  summary.seconds = call.seconds() - before;
  return summary;
}

}  // namespace api

SearchSummary Session::search(const Database& queries, const Database& database, const Scoring& scoring,
                              const SearchOptions& options, const SearchSink& sink, const RunControl& run) {
  session::SessionCore& core = state_->core;
  session::Call call(core, run);
  api::check_numbers(options);
  const bool known = stats::published_parameters(scoring) || scoring.mode != Mode::local;
  const bool brief = known && options.identity_ranges.empty() && options.max_hsps == 1 &&
                     !options.filter.needs_alignments() &&
                     options.statistics.method != StatisticsMethod::zvalue && session::is_checked(database) &&
                     session::is_checked(queries) &&
                     core.devices().is_brief(
                         api::cells_of(queries, database, api::strands_of_search(options, scoring, queries)));
  SearchSummary summary;
  call.run(brief ? session::Call::Length::brief : session::Call::Length::full, [&] {
    session::Verifications files({queries, database}, call);
    const engine::SearchOptions wanted = api::resolved(queries, database, scoring, options, true, call);
    summary = api::search(call, queries, database, scoring, wanted, files, sink);
  });
  summary.seconds = call.seconds();
  return summary;
}

SearchResult Session::search(const Database& queries, const Database& database, const Scoring& scoring,
                             const SearchOptions& options, const RunControl& run) {
  SearchResult result;
  jobs::SearchCollector collector;
  result.summary = search(
      queries, database, scoring, options, [&](const SearchBatch& batch) { collector.add(batch); }, run);
  result.hits = collector.finish();
  return result;
}

SearchSummary Session::search(const Database& queries, const Database& database, const Scoring& scoring,
                              const SearchOptions& options, const SearchFiles& files, const RunControl& run) {
  session::check_call(state_->core);
  StopFlag stop;
  const std::stop_callback on_stop(run.stop, [&stop] { stop.request(); });
  jobs::SearchWriters writers({files, scoring, queries, database, state_->core.threads(), stop});
  SearchSummary summary = search(
      queries, database, scoring, jobs::with_needs(options, files),
      [&](const SearchBatch& batch) { writers.write(batch); }, run);
  writers.finish(summary);
  return summary;
}

}  // namespace alnus

// Session::search.
#include "engine/search.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <utility>

#include "alnus/error.h"
#include "alnus/session.h"
#include "api/call.h"
#include "api/collect.h"
#include "api/database_state.h"
#include "api/file_check.h"
#include "api/inputs.h"
#include "api/low_complexity.h"
#include "api/options.h"
#include "api/session_core.h"
#include "api/statistics.h"
#include "core/strands.h"
#include "stats/evalue.h"

namespace alnus {
namespace {

using api::Call;

engine::SearchOptions engine_options(const SearchOptions& options, const Scoring& scoring,
                                     const Database& queries, std::uint64_t memory_bytes) {
  engine::SearchOptions result;
  result.detail = options.detail;
  result.cigars = options.cigars;
  result.max_target_seqs = options.max_target_seqs;
  result.evalue = options.evalue.value_or(kDefaultEvalue);
  if (options.min_score) result.min_score = api::scaled_min_score(*options.min_score, scoring.scale);
  result.memory_bytes = memory_bytes;
  result.strands = api::strands_of_search(options, scoring, queries);
  result.identity_ranges = api::each_once(options.identity_ranges);
  result.significance = options.significance;
  result.query_statistics = options.query_statistics;
  result.histogram = options.score_histogram;
  return result;
}

}  // namespace

SearchSummary& SearchSummary::operator+=(const SearchSummary& other) {
  queries += other.queries;
  cells += other.cells;
  pairs += other.pairs;
  hits += other.hits;
  cut_ties += other.cut_ties;
  left_out += other.left_out;
  fallbacks += other.fallbacks;
  method = other.method;
  statistics = other.statistics;
  has_parameters = other.has_parameters;
  fallback = other.fallback;
  seconds += other.seconds;
  return *this;
}

SearchSummary Session::search(const Database& queries, const Database& database, const Scoring& scoring,
                              const SearchOptions& options, const SearchSink& sink, const RunControl& run) {
  api::SessionCore& core = state_->core;
  Call call(core, run);
  const auto start = std::chrono::steady_clock::now();
  api::check(options);
  api::check_sequences(queries, database, scoring, call);
  const std::uint64_t memory = core.options().memory_bytes;
  engine::SearchOptions wanted = engine_options(options, scoring, queries, memory);
  Database::State& columns = *database.state();
  const std::uint64_t cells = queries.sequences().total_residues() * database.sequences().total_residues() *
                              strands_of_each(wanted.strands);
  const bool known = stats::published_parameters(scoring) || scoring.mode != Mode::local;
  const bool brief = known && wanted.identity_ranges.empty() &&
                     options.statistics.method != StatisticsMethod::zvalue && api::is_checked(database) &&
                     api::is_checked(queries) && core.devices().is_brief(cells);

  SearchSummary summary;
  call.run(brief ? Call::Length::brief : Call::Length::full, [&] {
    api::Verifications files({queries, database}, call);
    wanted.statistics = api::resolve_statistics(
        options.statistics, scoring, stats::search_space_of(database.sequences()),
        {.strands = wanted.strands, .wanted = api::wants_statistics(options), .has_all_scores = true}, call);
    api::check_filter(options);
    api::warn_of_low_complexity(options.statistics, wanted.statistics, queries.sequences(), call);
    const auto rows = std::make_shared<const SortedSequences>(queries.sequences(), call.stop());
    const Problem problem{scoring, Detail::score};
    const auto& sorted = columns.sorted(call.stop());
    call.choose_devices({*rows, *sorted, problem, TileShape::rectangle, cells});
    call.reserve(engine::search_bytes(queries.sequences(), database.sequences(), wanted));
    summary =
        engine::search(queries.sequences(), sorted, scoring, wanted, call.state(), [&](SearchBatch& batch) {
          files.require();
          batch.statistics = api::describe(wanted.statistics);
          call.on_caller([&] { sink(batch); });
        });
    files.require();
  });
  summary.method = wanted.statistics.method;
  summary.statistics = api::describe(wanted.statistics);
  summary.has_parameters = wanted.statistics.parameters.has_value();
  summary.fallback = wanted.statistics.by_parameters();
  summary.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return summary;
}

SearchResult Session::search(const Database& queries, const Database& database, const Scoring& scoring,
                             const SearchOptions& options, const RunControl& run) {
  SearchResult result;
  api::SearchCollector collector;
  result.summary = search(
      queries, database, scoring, options, [&](const SearchBatch& batch) { collector.add(batch); }, run);
  result.hits = collector.finish();
  return result;
}

}  // namespace alnus

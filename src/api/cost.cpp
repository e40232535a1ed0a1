// Session::cost_of_*: what calls would cost.
#include <algorithm>

#include "alnus/session.h"
#include "api/inputs.h"
#include "api/options.h"
#include "api/pair_run.h"
#include "api/row_filter.h"
#include "api/search_call.h"
#include "api/statistics.h"
#include "core/sorted_sequences.h"
#include "core/strands.h"
#include "engine/align_list.h"
#include "engine/calibrate_driver.h"
#include "io/writer.h"
#include "jobs/pair_outputs.h"
#include "session/call.h"
#include "session/session_core.h"

namespace alnus {

using session::Call, session::in_call;

namespace {

// The time of a pair's identity range by one denominator, as a multiple of the time that scoring the pair
// takes.
constexpr double kIdentityRangePasses = 6;

// The seconds that the simulation takes which finds the statistics of a scoring. Estimated for kSide by kSide
// pairs of sequences with the usual length, and multiplied by the simulation's cells over the cells of these
// pairs.
double calibration_seconds(Call& call, const Scoring& scoring) {
  constexpr SequenceSet::Index kSide = 128;
  const CalibrationOptions usual;
  SequenceSetBuilder builder(scoring.matrix.alphabet(), "random sequences");
  const std::vector<Residue> residues(usual.length, 0);
  for (SequenceSet::Index i = 0; i < kSide; ++i) builder.add({}, residues);
  const SortedSequences random(builder.finish());
  const std::uint64_t cells = std::uint64_t{kSide} * kSide * usual.length * usual.length;
  const session::Work square{random, random, {scoring, Detail::score}, TileShape::rectangle, cells};
  return call.session().devices().forecast(square).seconds *
         static_cast<double>(engine::expected_cells(usual)) / static_cast<double>(cells);
}

// `ranges`: how many identity ranges are computed, of all pairs together.
Cost cost(Call& call, const SequenceSet& queries, const SequenceSet& subjects, TileShape shape,
          const Problem& problem, std::uint64_t ranges, std::uint64_t pairs, std::uint64_t cells,
          const engine::ResolvedStatistics& statistics) {
  const SortedSequences rows(queries), columns(subjects);
  session::Work work{rows, columns, problem, shape, pairs == 0 ? 0 : cells};
  work.score_passes = kIdentityRangePasses * static_cast<double>(ranges) /
                      static_cast<double>(std::max<std::uint64_t>(1, pairs));
  const session::Forecast forecast = call.session().devices().forecast(work);
  const double first = statistics.needs_calibration ? calibration_seconds(call, problem.scoring) : 0;
  return {queries.size(), subjects.size(), pairs, cells, first + forecast.seconds, forecast.devices, 0, 0, {},
          first};
}

// The most rows of so many pairs; where all alignments of pairs are wanted, about how many they may be.
std::uint64_t most_rows(std::uint64_t pairs, std::uint32_t max_hsps) {
  const std::uint64_t of_pair = max_hsps == kAllHsps ? engine::expected_rows(max_hsps) : max_hsps;
  return pairs > UINT64_MAX / of_pair ? UINT64_MAX : pairs * of_pair;
}

// The most pairs that the rows from `first` on can list: top_k for each row, or UINT64_MAX (no limit) if
// top_k is 0.
std::uint64_t most_rows(const engine::AllPairs& pairs, SequenceSet::Index first, std::uint32_t top_k) {
  const IndexRange rows = pairs.block().rows;
  return top_k == 0 ? UINT64_MAX : std::uint64_t{rows.end - std::max(first, rows.begin)} * top_k;
}

}  // namespace

Cost Session::cost_of_search(const Database& queries, const Database& database, const Scoring& scoring,
                             const SearchOptions& options) {
  return in_call(state_->core, {}, Call::Length::brief, [&](Call& call) {
    const engine::SearchOptions resolved = api::resolved(queries, database, scoring, options, false, call);
    const SequenceSet &rows = queries.sequences(), &columns = database.sequences();
    const std::uint64_t hits =
        std::uint64_t{rows.size()} * std::min<std::uint64_t>(options.max_target_seqs, columns.size());
    const std::uint64_t pairs = std::uint64_t{rows.size()} * columns.size();
    const std::uint64_t cells = api::cells_of(queries, database, resolved.strands());
    const double cells_of_pair =
        static_cast<double>(cells) / static_cast<double>(std::max<std::uint64_t>(1, pairs));
    const auto of_shuffles = static_cast<std::uint64_t>(
        cells_of_pair * static_cast<double>(hits * api::shuffled(options.statistics)));
    Cost result = cost(call, rows, columns, TileShape::rectangle, {scoring, Detail::score},
                       hits * api::each_once(options.identity_ranges).size(), pairs, cells + of_shuffles,
                       resolved.statistics);
    result.rows = most_rows(hits, options.max_hsps);
    result.any_rows = options.max_hsps == kAllHsps;
    result.any_alignments = options.filter.needs_alignments();
    return result;
  });
}

Cost Session::cost_of_align(const Database& queries, const Database& subjects,
                            std::span<const IndexPair> pairs, bool all, const Scoring& scoring,
                            const AlignOptions& options) {
  return in_call(state_->core, {}, Call::Length::brief, [&](Call& call) {
    api::check_numbers(options);
    api::check_sequences(queries, subjects, scoring, call);
    api::check_hsps(options.max_hsps, options.min_score.has_value(), options.detail, scoring);
    api::check_filter(options.filter, options.detail);
    const engine::ResolvedStatistics statistics =
        api::resolve_statistics(options, subjects.sequences(), scoring, false, call);
    const SequenceSet &rows = queries.sequences(), &columns = subjects.sequences();
    const std::uint64_t count = all ? std::uint64_t{rows.size()} * columns.size() : pairs.size();
    const std::uint64_t cells =
        strands_of_each(api::checked_strands(options.strands, scoring, queries)) *
        (all ? rows.total_residues() * columns.total_residues() : api::cells_of(queries, subjects, pairs));
    const std::uint64_t shuffles = options.significance ? api::shuffled(options.statistics) : 0;
    Cost result = cost(call, rows, columns, all ? TileShape::rectangle : TileShape::list,
                       {scoring, options.detail}, count * api::each_once(options.identity_ranges).size(),
                       count, cells * (1 + shuffles), statistics);
    result.rows = most_rows(count, options.max_hsps);
    result.any_rows = options.max_hsps == kAllHsps;
    return result;
  });
}

Cost Session::cost_of_all_pairs(const PairInputs& inputs, const Scoring& scoring,
                                const AllPairsOptions& options, const PairFiles& files) {
  return in_call(state_->core, {}, Call::Length::brief, [&](Call& call) {
    if (!files.rows.empty()) io::check_format(files.format, files.rows, options.detail, scoring);
    api::PairRun run(inputs, scoring, options, api::wishes_of(files, options), call);
    const jobs::PairJob job = run.job(files, run.pairs());
    jobs::check(job, call);
    run.resolve(false, call);
    const engine::AllPairs& pairs = run.pairs();
    const SequenceSet::Index first = inputs.added ? inputs.set.size() : 0;
    const std::uint64_t count = pairs.pairs_from(first);
    const std::uint64_t shuffles = run.wants_evalues() ? api::shuffled(options.statistics) : 0;
    const std::uint64_t most = std::min(count, most_rows(pairs, first, options.top_k));
    Cost result = cost(
        call, pairs.rows(), pairs.columns(), TileShape::rectangle,
        {scoring, run.options().detail_of_every_pair()}, most * run.options().fields.identity_ranges.size(),
        count, pairs.cells_from(first) * strands_of_each(run.options().fields.strands) * (1 + shuffles),
        run.options().statistics);
    if (run.options().listed) result.rows = most;
    if (jobs::needs_of(job).sparse) result.edges = most;
    jobs::for_each_wanted(files, [&](const jobs::PairOutputKind& kind) {
      if (kind.bytes) result.matrix_bytes += kind.bytes(job);
    });
    return result;
  });
}

}  // namespace alnus

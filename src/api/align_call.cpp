// Session::align, align_all, z_values and identity_range.
#include <algorithm>
#include <fmt/format.h>
#include <vector>

#include "alnus/session.h"
#include "api/any_letters.h"
#include "api/inputs.h"
#include "api/low_complexity.h"
#include "api/one_place.h"
#include "api/options.h"
#include "api/row_filter.h"
#include "api/statistics.h"
#include "core/refuse_input.h"
#include "core/strands.h"
#include "engine/align_driver.h"
#include "engine/identity_range.h"
#include "engine/z_values.h"
#include "jobs/collect.h"
#include "session/call.h"
#include "session/database_state.h"
#include "session/file_check.h"
#include "session/session_core.h"

namespace alnus {
namespace {

// Aligns these pairs; if `pairs` is null, every query with every subject.
AlignSummary align_with(session::SessionCore& core, const Database& queries, const Database& subjects,
                        const std::span<const IndexPair>* pairs, const Scoring& scoring,
                        const AlignOptions& options, const RowSink& sink, const RunControl& run) {
  session::Call call(core, run);
  api::check_numbers(options);
  api::check_sequences(queries, subjects, scoring, call);
  api::check_hsps(options.max_hsps, options.min_score.has_value(), options.detail, scoring);
  api::check_filter(options.filter, options.detail);
  const Strands strands = api::checked_strands(options.strands, scoring, queries);
  const std::uint64_t count = pairs ? pairs->size() : std::uint64_t{queries.size()} * subjects.size();
  const std::uint64_t cells = pairs ? strands_of_each(strands) * api::cells_of(queries, subjects, *pairs)
                                    : api::cells_of(queries, subjects, strands);
  const bool brief = session::is_checked(queries) && session::is_checked(subjects) && !options.significance &&
                     options.identity_ranges.empty() && options.max_hsps == 1 && !options.evalue &&
                     core.devices().is_brief(cells * 4);
  AlignSummary summary{.pairs = count, .cells = cells, .statistics = {}};
  call.run(brief ? session::Call::Length::brief : session::Call::Length::full, [&] {
    session::Verifications files({queries, subjects}, call);
    engine::RowOptions wanted;
    wanted.fields = {
        options.detail, options.cigars,      options.significance, api::each_once(options.identity_ranges),
        strands,        options.max_hsps > 1};
    wanted.max_hsps = options.max_hsps;
    if (options.min_score) wanted.min_score = api::scaled_min_score(*options.min_score, scoring.scale);
    wanted.evalue = options.evalue;
    wanted.limits = engine::given_limits(options);
    wanted.filter = options.filter;
    wanted.memory_bytes = core.options().memory_bytes;
    wanted.statistics = api::resolve_statistics(options, subjects.sequences(), scoring, true, call);
    api::warn_of_filter(options.filter, scoring, call);
    api::warn_of_any_letters(queries.sequences(), scoring, call);
    if (options.max_hsps == 1)
      api::tell_one_place(queries, subjects, scoring, api::OtherPlaces::by_option, call);
    api::warn_of_low_complexity(options.statistics, wanted.statistics, queries.sequences(), call);
    summary.statistics = api::describe(wanted.statistics);
    const auto rows = queries.state()->sorted(call.stop());
    const auto columns = subjects.state()->sorted(call.stop());
    const Problem problem{scoring, options.detail};
    call.choose_devices({*rows, *columns, problem, pairs ? TileShape::list : TileShape::rectangle, cells});
    call.reserve(engine::align_bytes(wanted) + StrandedSet::bytes(queries.sequences(), strands));
    const auto emit = [&](const Columns& batch) {
      files.require();
      if (scoring.mode == Mode::local)
        summary.empty += static_cast<std::uint64_t>(std::ranges::count(batch.score, 0));
      call.on_caller([&] { sink(batch, summary.statistics); });
    };
    summary.left_out = pairs ? engine::align_pairs(rows, columns, *pairs, scoring, wanted, call.state(), emit)
                             : engine::align_all(rows, columns, scoring, wanted, call.state(), emit);
    files.require();
  });
  summary.seconds = call.seconds();
  return summary;
}

}  // namespace

AlignSummary Session::align(const Database& queries, const Database& subjects,
                            std::span<const IndexPair> pairs, const Scoring& scoring,
                            const AlignOptions& options, const RowSink& sink, const RunControl& run) {
  return align_with(state_->core, queries, subjects, &pairs, scoring, options, sink, run);
}

AlignSummary Session::align_all(const Database& queries, const Database& subjects, const Scoring& scoring,
                                const AlignOptions& options, const RowSink& sink, const RunControl& run) {
  return align_with(state_->core, queries, subjects, nullptr, scoring, options, sink, run);
}

Columns Session::align(const Database& queries, const Database& subjects, std::span<const IndexPair> pairs,
                       const Scoring& scoring, const AlignOptions& options, const RunControl& run) {
  jobs::ColumnCollector collector;
  align(
      queries, subjects, pairs, scoring, options,
      [&](const Columns& rows, const std::string&) { collector.add(rows); }, run);
  return collector.finish();
}

std::vector<ZValue> Session::z_values(const Database& queries, const Database& subjects,
                                      std::span<const IndexPair> pairs, std::span<const std::int32_t> scores,
                                      const Scoring& scoring, const ShuffleOptions& options,
                                      const RunControl& run) {
  if (!scores.empty() && scores.size() != pairs.size())
    refuse_input(fmt::format("There are {} scores for {} pairs.", scores.size(), pairs.size()));
  session::SessionCore& core = state_->core;
  session::Call call(core, run);
  api::check_sequences(queries, subjects, scoring, call);
  std::vector<ZValue> values;
  call.run(session::Call::Length::full, [&] {
    session::Verifications files({queries, subjects}, call);
    const std::uint64_t memory = core.options().memory_bytes;
    const auto rows = queries.state()->sorted(call.stop());
    const auto columns = subjects.state()->sorted(call.stop());
    const Problem problem{scoring, Detail::score};
    const std::uint64_t shuffles =
        std::uint64_t{options.shuffles} * (options.sides == ShuffleOptions::Sides::both ? 2 : 1);
    call.choose_devices(
        {*rows, *columns, problem, TileShape::rectangle, api::cells_of(queries, subjects, pairs) * shuffles});
    engine::RowOptions first;
    first.fields.detail = Detail::score;
    first.memory_bytes = memory;
    call.reserve(engine::shuffle_bytes(memory) + engine::align_bytes(first));
    std::vector<std::int32_t> computed;
    if (scores.empty())
      engine::align_pairs(rows, columns, pairs, scoring, first, call.state(), [&](const Columns& batch) {
        computed.insert(computed.end(), batch.score.begin(), batch.score.end());
      });
    values = engine::z_values(queries.sequences(), subjects.sequences(), pairs,
                              scores.empty() ? std::span<const std::int32_t>(computed) : scores, scoring,
                              options, memory, call.state());
    files.require();
  });
  return values;
}

std::vector<IdentityRange> Session::identity_range(const Database& queries, const Database& subjects,
                                                   std::span<const IndexPair> pairs, const Scoring& scoring,
                                                   Denominator denominator, const RunControl& run) {
  AlignOptions options;
  options.detail = Detail::score;
  options.identity_ranges = {denominator};
  const Columns rows = align(queries, subjects, pairs, scoring, options, run);
  const std::span<const IdentityRange> ranges = rows.identity_range[static_cast<std::size_t>(denominator)];
  return {ranges.begin(), ranges.end()};
}

}  // namespace alnus

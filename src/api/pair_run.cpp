#include "api/pair_run.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

#include "alnus/error.h"
#include "alnus/matrix_table.h"
#include "alnus/text.h"
#include "api/inputs.h"
#include "api/low_complexity.h"
#include "api/one_place.h"
#include "api/options.h"
#include "api/pair_cost.h"
#include "api/pair_filter.h"
#include "api/relations.h"
#include "api/statistics.h"
#include "core/file_order.h"
#include "core/pair_value.h"
#include "core/refuse_input.h"
#include "core/sorted_sequences.h"
#include "core/strands.h"
#include "engine/mirrored.h"
#include "engine/sparse_values.h"
#include "jobs/relation_parameters.h"
#include "session/database_state.h"
#include "session/session_core.h"

namespace alnus::api {
namespace {

// The sequences of the pair matrix's rows, in file order.
Database rows_of(const PairInputs& inputs, const StopFlag& stop) {
  return inputs.added ? session::extended(inputs.set, *inputs.added, stop)
                      : session::in_file_order(inputs.set, stop);
}

// Throws Error(input) for options that contradict each other or the inputs, whatever the statistics are.
void check_options(const PairInputs& inputs, const AllPairsOptions& options, const PairWishes& wishes) {
  const bool square = wishes.files && wishes.files->square;
  if (inputs.against && options.self && !square)  // a square gets the message of check_matrices()
    refuse_input(
        fmt::format("{} pairs a sequence with itself; with {} there are two sets. Leave one of them out.",
                    option("self"), option("against")));
  PairFilter filter = options.filter;
  if (filter.min_length == 0u) filter.min_length.reset();  // every alignment has so many columns
  check_numbers(filter);
  if (options.top_k > 0 && inputs.added)
    refuse_input(
        fmt::format("With {} new sequences may change the rows of all others, so that {} cannot extend them. "
                    "Leave one of them out.",
                    option("top_k"), option("add")));
  std::string_view every_pair = "matrix_out";  // an output that holds every pair
  if (wishes.files)
    jobs::for_each_wanted(*wishes.files, [&](const jobs::PairOutputKind& kind) {
      if (kind.holds_every_pair) every_pair = kind.option;
    });
  if (options.top_k > 0 && (!wishes.needs.values.empty() || square))
    refuse_input(
        fmt::format("{} keeps some pairs of each sequence, and {} has a value of every pair. Write {} "
                    "FILE.npz, which is a sparse matrix, or rows.",
                    option("top_k"), option(square ? "square" : every_pair), option("edges")));
  const bool checkpoint = wishes.files && !wishes.files->checkpoint.empty();
  if (inputs.added && (!checkpoint || inputs.against || options.block))
    refuse_input(fmt::format("{} extends a finished run of one set: {} DIR names the directory of that run.",
                             option("add"), option("checkpoint")));
  if (!inputs.added) return;
  jobs::for_each_wanted(*wishes.files, [&](const jobs::PairOutputKind& kind) {
    if (!kind.never_extended.empty())
      refuse_input(
          fmt::format("{} cannot extend {}, {}.", option("add"), option(kind.option), kind.never_extended));
  });
}

}  // namespace

std::optional<double> threshold_of(const std::optional<double>& chosen, const AllPairsOptions& options) {
  if (chosen || options.top_k == 0) return chosen;
  constexpr double kAll = std::numeric_limits<double>::infinity();
  return is_distance(options.value.value_or(MatrixValue{}).kind) ? kAll : -kAll;
}

MatrixValue nearest_by(const AllPairsOptions& options, const PairWishes& wishes) {
  return options.value.value_or(wishes.threshold ? MatrixValue{} : MatrixValue{PairValue::score});
}

PairWishes wishes_of(const PairFiles& files, const AllPairsOptions& options) {
  const jobs::PairNeeds needs = jobs::needs_of(files, options.value.value_or(MatrixValue{}).kind);
  return {needs, needs.sparse ? threshold_of(files.edge_threshold, options) : std::nullopt, &files};
}

bool with_self(const PairInputs& inputs, const AllPairsOptions& options, const PairWishes& wishes) {
  const PairFiles* files = wishes.files;
  return options.self || (files && (files->square || (has_diagonal(*files) && !inputs.against)));
}

PairRun::PairRun(const PairInputs& inputs, const Scoring& scoring, const AllPairsOptions& options,
                 const PairWishes& wishes, session::Call& call)
    : inputs_(inputs),
      scoring_(scoring),
      chosen_(options),
      listed_(wishes.needs.rows),
      rows_(rows_of(inputs, call.stop())),
      columns_(inputs.against ? session::in_file_order(*inputs.against, call.stop()) : rows_),
      pairs_(rows_.sequences(), inputs.against ? &columns_.sequences() : nullptr,
             with_self(inputs, options, wishes), options.block, rows_of_one_set(options)) {
  check_options(inputs, options, wishes);
  check_relations(options, wishes);
  check_alphabets(inputs.set, other(), call);
  check_alphabet(scoring, rows_);
  check_alphabet(scoring, columns_);
  options_.memory_bytes = call.session().options().memory_bytes;
  options_.shortcuts = call.session().options().shortcuts;
  options_.listed = listed_;
  const Denominator denominator = options.value.value_or(MatrixValue{}).denominator;
  for (const PairValue value : wishes.needs.values) options_.values.push_back({value, denominator});
  options_.filter = options.filter;
  if (options.filter.min_score)
    options_.min_score = scaled_min_score(*options.filter.min_score, scoring.scale);
  if (wishes.threshold) options_.cutoff = {options.value.value_or(MatrixValue{}), *wishes.threshold};
  if (options.top_k > 0) options_.nearest = {nearest_by(options, wishes), options.top_k};
  if (listed_) options_.fields.identity_ranges = each_once(options.identity_ranges);
  options_.fields.cigars = listed_ && (options.cigars || wishes.needs.cigars);
  options_.fields.strands = checked_strands(options.strands, scoring, inputs.set);
  const bool aligned = ((listed_ || options_.cutoff) && options.filter.needs_alignments()) ||
                       !std::ranges::all_of(wishes.needs.values, is_of_scores) ||
                       (options_.cutoff && !is_of_scores(options_.cutoff->value.kind));
  options_.fields.detail = aligned ? Detail::alignment : listed_ ? options.detail : Detail::score;
  for (const Relation& relation : options.relations) options_.relations.push_back({relation});
  options_.first_hits = wishes.first_hits;
  if (options.relations.empty()) warn_of_filters(scoring, options, wishes, call);
  warn_of_blanks(pairs_, options_, scoring.mode, call);
}

bool PairRun::wants_evalues() const { return chosen_.filter.evalue || (listed_ && chosen_.significance); }

void PairRun::resolve(bool calibrate, session::Call& call) {
  if (!options_.relations.empty()) {
    if (inputs_.added) check_relations_extend(chosen_.relations);
    return resolve_relations(scoring_, pairs_, chosen_.statistics, options_, call);
  }
  engine::ResolvedStatistics& statistics = options_.statistics;
  statistics = resolve_statistics(chosen_.statistics, scoring_, stats::search_space_of(columns_.sequences()),
                                  {.strands = options_.fields.strands,
                                   .wanted = wants_evalues(),
                                   .needed = chosen_.filter.evalue.has_value(),
                                   .calibrate = calibrate},
                                  call);
  const bool to_be_calibrated = !calibrate && scoring_.mode == Mode::local && !statistics.parameters;
  if (chosen_.filter.evalue && statistics.method == StatisticsMethod::zvalue)
    refuse_input(fmt::format(
        "With {} zvalue only the pairs that are listed are judged, so {} cannot choose them; {} can.",
        option("statistics"), option("evalue"), option("min_score")));
  if (chosen_.filter.evalue && !statistics.by_parameters_now() && !to_be_calibrated)
    refuse_input(fmt::format("There are no E-values, so {} cannot filter; {} can.", option("evalue"),
                             option("min_score")));
  if (statistics.method == StatisticsMethod::zvalue && !engine::symmetric(scoring_))
    refuse_input(fmt::format(
        "{} zvalue of all pairs needs a scoring by which a pair scores the same if query and subject change "
        "places. This one has a matrix that is not symmetric, or ends that are free in one of them alone.",
        option("statistics")));
  const bool fixed_space = chosen_.statistics.residues || chosen_.statistics.cells;
  if (inputs_.added && wants_evalues() && statistics.method != StatisticsMethod::none && !fixed_space)
    refuse_input(
        fmt::format("{0} cannot extend what has E-values, which depend on all sequences: choose {1} 6 or 10 "
                    "with columns other than evalue and bitscore, and leave {2} out; or fix the search "
                    "space by {3}.",
                    option("add"), option("outfmt"), option("evalue"), option("dbsize")));
  if (!wants_evalues()) statistics.method = StatisticsMethod::none;
  options_.fields.significance = listed_ && statistics.method != StatisticsMethod::none;
  if (calibrate && listed_ && inputs_.against)
    tell_one_place(rows_, columns_, scoring_, OtherPlaces::in_pieces, call);
  if (calibrate) warn_of_low_complexity(chosen_.statistics, statistics, rows_.sequences(), call);
}

jobs::PairJob PairRun::job(const PairFiles& files, const engine::AllPairs& pairs) const {
  const MatrixValue usual = options_.nearest ? options_.nearest->value : MatrixValue{};
  const MatrixValue value = jobs::value_of(chosen_.relations).value_or(chosen_.value.value_or(usual));
  return {files, scoring_, pairs, value, options_.nearest.has_value(), rows_, columns_, chosen_.relations};
}

const Database& PairRun::other() const {
  return inputs_.against ? *inputs_.against : inputs_.added ? *inputs_.added : inputs_.set;
}

void prepare(PairRun& run, bool has_checkpoint, session::Call& call) {
  const engine::AllPairs& pairs = run.pairs();
  const auto& rows = run.rows().state()->sorted(call.stop());
  const auto& columns = run.columns().state()->sorted(call.stop());
  const Problem problem{run.scoring(), run.options().detail_of_every_pair()};
  const std::uint64_t cells = pairs.cells_from(0) * strands_of_each(run.options().fields.strands);
  call.choose_devices({*rows, *columns, problem, TileShape::rectangle, cells});
  double gcups = 0;
  if (has_checkpoint) {
    gcups = call.session().devices().nominal_gcups();
    run.options().cost = expected_cost(run.options(), gcups, call.session().threads().threads());
  } else {
    const std::span<Device* const> devices = call.state().devices;
    // A device on standby (DeviceInfo::standby) counts only if it is the only one: it computes
    // only what the other devices cannot.
    for (const Device* device : devices)
      if (!device->info().standby || devices.size() == 1) gcups += device->info().gcups;
  }
  run.options().stripe_cells = engine::stripe_cells(gcups);
}

void count_filtered(PairRun& run, AllPairsSummary& summary) {
  if (run.options().listed) summary.filtered = run.pairs().pairs_from(0) - summary.listed - summary.empty;
}

void compute(PairRun& run, const engine::StripeState& state, session::Verifications& files,
             AllPairsSummary& summary, session::Call& call, const engine::EmitStripe& take) {
  const engine::AllPairs& pairs = run.pairs();
  call.reserve(engine::all_pairs_bytes(run.options()));
  engine::all_pairs(pairs, run.scoring(), run.options(), state, call.state(),
                    [&](const engine::Stripe& stripe, const engine::StripeState& after) {
                      files.require();
                      summary.listed += stripe.listed.size();
                      summary.empty += stripe.empty;
                      summary.edges += stripe.sparse.size();
                      take(stripe, after);
                    });
  files.require();
  summary.pairs = pairs.pairs_from(state.next_row);
  summary.cells = pairs.cells_from(state.next_row) * strands_of_each(run.options().fields.strands);
  count_filtered(run, summary);
}

void compute_whole(const PairInputs& inputs, const Scoring& scoring, const AllPairsOptions& options,
                   const PairWishes& wishes, AllPairsSummary& summary, session::Call& call,
                   const std::function<void(PairRun& run, const engine::Stripe& stripe)>& take) {
  PairRun run(inputs, scoring, options, wishes, call);
  session::Verifications files({inputs.set, run.other()}, call);
  run.resolve(true, call);
  summary.statistics = describe(run.options().statistics);
  summary.first_row = run.pairs().block().rows.begin;
  prepare(run, false, call);
  run.options().small_stripes = true;
  compute(run, {summary.first_row}, files, summary, call,
          [&](const engine::Stripe& stripe, const engine::StripeState&) { take(run, stripe); });
}

AllPairsSummary summarize(session::Call& call, const std::function<void(AllPairsSummary&)>& work) {
  AllPairsSummary summary;
  call.run(session::Call::Length::full, [&] { work(summary); });
  summary.seconds = call.seconds();
  return summary;
}

}  // namespace alnus::api

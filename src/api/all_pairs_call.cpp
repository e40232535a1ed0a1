// Session::all_pairs.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <optional>

#include "alnus/error.h"
#include "alnus/session.h"
#include "alnus/text.h"
#include "api/pair_run.h"
#include "api/statistics.h"
#include "core/file_order.h"
#include "core/refuse_input.h"
#include "engine/all_pairs_driver.h"
#include "engine/sparse_values.h"
#include "io/ledger.h"
#include "jobs/checkpoint.h"
#include "jobs/edge_companion.h"
#include "jobs/matrix_output.h"
#include "jobs/pair_outputs.h"
#include "jobs/row_writer.h"
#include "session/database_state.h"
#include "session/file_check.h"
#include "session/session_core.h"

namespace alnus {
namespace api {
namespace {

AllPairsSummary into_sink(session::SessionCore& core, const PairInputs& inputs, const Scoring& scoring,
                          const AllPairsOptions& options, const PairSink& sink, const RunControl& control) {
  session::Call call(core, control);
  const bool related = !options.relations.empty();
  if ((sink.values || (sink.sparse && !related)) && !options.value)
    refuse_input("Values of the pair matrix are wanted, but AllPairsOptions::value does not say which.");
  const bool has_cutoff = options.cutoff ? !std::isnan(*options.cutoff) : options.top_k > 0;
  if (sink.sparse && !has_cutoff && !related)
    refuse_input(
        "Sparse values are wanted, but AllPairsOptions::cutoff does not say which: it is no number.");
  PairWishes wishes;
  wishes.needs.rows = static_cast<bool>(sink.rows);
  wishes.needs.sparse = static_cast<bool>(sink.sparse);
  if (sink.values) wishes.needs.values.insert(options.value->kind);
  if (wishes.needs.sparse) wishes.threshold = threshold_of(options.cutoff, options);
  return summarize(call, [&](AllPairsSummary& summary) {
    compute_whole(inputs, scoring, options, wishes, summary, call,
                  [&](PairRun& run, const engine::Stripe& stripe) {
                    if (sink.rows && stripe.listed.size() > 0)
                      call.on_caller([&] { sink.rows(stripe.listed, summary.statistics); });
                    if (sink.values) call.on_caller([&] { sink.values(stripe.values.front()); });
                    if (!sink.sparse) return;
                    engine::emit_sparse(
                        stripe.sparse, run.options().memory_bytes, call.stop(),
                        [&](const SparseValues& batch) { call.on_caller([&] { sink.sparse(batch); }); });
                  });
  });
}

// Opens the checkpoint of the run; empty if none is wanted.
std::optional<jobs::Checkpoint> open_checkpoint(const jobs::PairJob& job, const PairInputs& inputs,
                                                PairRun& run, const StopFlag& stop) {
  if (job.files.checkpoint.empty()) return std::nullopt;
  const jobs::RunDescription description{
      job, run.options(), inputs.set.state()->masking.name(), io::digest_of({&run.pairs().rows(), 1}, stop),
      run.pairs().one_set() ? "none" : io::digest_of({&run.pairs().columns(), 1}, stop)};
  std::optional<jobs::KnownRows> known;
  if (inputs.added) {
    const SequenceSet set = in_file_order(inputs.set.sequences(), stop);
    known = jobs::KnownRows{set.size(), io::digest_of({&set, 1}, stop)};
  }
  return std::optional<jobs::Checkpoint>(std::in_place, description, known, run.options(), stop);
}

// Says how far an interrupted run is, and how to go on. `next_row`: the first row that is not on disk.
void tell_interruption(const engine::AllPairs& pairs, SequenceSet::Index next_row, session::Call& call) {
  const IndexRange rows = pairs.block().rows;
  if (next_row == rows.begin)
    return call.info("Interrupted: nothing is on disk yet, so that the same command begins the run anew.");
  const auto all = static_cast<double>(std::max<std::uint64_t>(1, pairs.pairs_from(rows.begin)));
  const double left = static_cast<double>(pairs.pairs_from(next_row)) / all;
  call.info(fmt::format(
      "Interrupted: {} of {} rows ({:.0f}% of the pairs) are on disk. Run the same again to go on "
      "from there.",
      format_count(next_row - rows.begin), format_count(rows.size()), std::floor(100 * (1 - left))));
}

// Says which rows are expected to take so long that much is lost when the run ends within one of them.
void tell_slow_rows(PairRun& run, SequenceSet::Index next_row, session::Call& call) {
  const engine::SomeOfSet slow = engine::slow_rows(run.pairs(), run.options(), next_row);
  if (slow.count == 0) return;
  const std::string name = in_quotes(run.rows().sequences()[slow.first].id());
  const std::string what = slow.count == 1 ? fmt::format("The row of {} is", name)
                                           : fmt::format("The rows of {} sequences, {} and others, are each",
                                                         format_count(slow.count), name);
  call.info(
      fmt::format("{} expected to take more than {:.0f} seconds. A run that ends within a row computes "
                  "that row again.",
                  what, engine::kMostRowSeconds));
}

}  // namespace

void all_pairs_into_files(const PairInputs& inputs, const Scoring& scoring, const AllPairsOptions& options,
                          const PairFiles& files, AllPairsSummary& summary, session::Call& call,
                          bool ends_call) {
  PairRun run(inputs, scoring, options, wishes_of(files, options), call);
  if (!files.rows.empty())
    jobs::check_row_output(files.format, files.rows, options.detail, scoring, run.rows(), run.columns(),
                           call.session().threads());
  jobs::PairJob job = run.job(files, run.pairs());
  job.companion = jobs::companion_of(job, run.options().fields.strands, options.statistics, call.stop());
  jobs::check(job, call);
  session::Verifications of_inputs({inputs.set, run.other()}, call);
  run.resolve(true, call);
  summary.statistics = describe(run.options().statistics);
  api::prepare(run, !files.checkpoint.empty(), call);
  if (!files.checkpoint.empty()) of_inputs.require();  // before digests of the sequences go into the ledger
  std::optional<jobs::Checkpoint> checkpoint = open_checkpoint(job, inputs, run, call.stop());
  const io::Ledger before = checkpoint ? checkpoint->ledger() : io::Ledger{};
  summary.listed = before.listed;
  summary.empty = before.empty;
  summary.edges = before.edges;
  if (before.finished) {
    summary.finished_before = true;
    count_filtered(run, summary);
    jobs::discard_values(job);
    return;
  }
  const SequenceSet::Index first = run.pairs().block().rows.begin;
  summary.first_row = std::max(before.next_row, first);
  if (checkpoint) tell_slow_rows(run, summary.first_row, call);
  try {
    jobs::PairWriters writers(job, summary.statistics, before, call);
    if (summary.first_row > first)
      call.info(fmt::format("Going on from row {} of {}.", format_count(summary.first_row),
                            format_count(run.pairs().rows().size())));
    engine::StripeState state{summary.first_row};
    if (before.next_row > first) state.left = before.left;  // else no stripe tells it
    compute(run, state, of_inputs, summary, call,
            [&](const engine::Stripe& stripe, const engine::StripeState& after) {
              writers.write(stripe);
              jobs::for_each_edges(job, stripe, run.options().memory_bytes, call.stop(),
                                   [&](const SparseValues& edges) { writers.write_edges(edges); });
              if (checkpoint) checkpoint->save(stripe, after, writers.sync());
            });
    if (ends_call) call.tell_end();
    const io::OutputStates finished = writers.finish();
    if (checkpoint) checkpoint->finish(finished);
    writers.discard_values();
  } catch (const Interrupted&) {
    if (checkpoint) tell_interruption(run.pairs(), checkpoint->ledger().next_row, call);
    throw;
  }
}

}  // namespace api

AllPairsSummary Session::all_pairs(const Database& set, const Scoring& scoring,
                                   const AllPairsOptions& options, const PairSink& sink,
                                   const RunControl& run) {
  return api::into_sink(state_->core, {set, {}, {}}, scoring, options, sink, run);
}

AllPairsSummary Session::all_pairs(const Database& set, const Database& against, const Scoring& scoring,
                                   const AllPairsOptions& options, const PairSink& sink,
                                   const RunControl& run) {
  return api::into_sink(state_->core, {set, against, {}}, scoring, options, sink, run);
}

AllPairsSummary Session::all_pairs(const PairInputs& inputs, const Scoring& scoring,
                                   const AllPairsOptions& options, const PairFiles& files,
                                   const RunControl& control) {
  session::Call call(state_->core, control);
  return api::summarize(call, [&](AllPairsSummary& summary) {
    api::all_pairs_into_files(inputs, scoring, options, files, summary, call, true);
    if (summary.finished_before)
      call.info(
          fmt::format("This run is finished, and its outputs are as it left them. Remove ledger.json from {} "
                      "to start anew.",
                      files.checkpoint));
  });
}

}  // namespace alnus

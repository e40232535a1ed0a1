// Session::all_pairs_part.
#include <fmt/format.h>

#include "alnus/error.h"
#include "alnus/session.h"
#include "api/pair_run.h"
#include "api/statistics.h"
#include "core/refuse_input.h"
#include "core/strands.h"
#include "jobs/edge_companion.h"
#include "jobs/part_calls.h"
#include "jobs/part_sequences.h"
#include "jobs/part_stripes.h"
#include "jobs/row_writer.h"
#include "session/database_state.h"
#include "session/file_check.h"
#include "session/session_core.h"

namespace alnus {
namespace api {
namespace {

void check_options(const PairInputs& inputs, const AllPairsOptions& options, const PairFiles& files) {
  const auto refuse = [](const std::string& what) {
    refuse_input(fmt::format(
        "A part of a job is computed in one go, and nothing is added to it: leave {} out.", what));
  };
  if (inputs.added) refuse(option("add"));
  if (!files.checkpoint.empty()) refuse(option("checkpoint"));
  if (options.block) refuse_input("AllPairsOptions::block is for calls without parts: a part has its own.");
}

jobs::Job job_of(const PairInputs& inputs, const jobs::PairJob& whole, const PairRun& run,
                 const engine::AllPairsOptions& options) {
  const engine::AllPairs& pairs = whole.pairs;
  jobs::Job job;
  job.kind = pairs.one_set() ? Plan::Job::all_pairs : Plan::Job::all_pairs_of_two;
  job.version = version();
  job.commit = commit();
  job.scoring = whole.scoring;
  job.rows = pairs.rows().size();
  job.columns = pairs.columns().size();
  job.rows_name = run.rows().name();
  job.columns_name = run.columns().name();
  job.pair_files = jobs::without_names(whole.files);
  job.fields = options.fields;  // before the digests: it says whether parts have letters
  job.rows_digest = digest_of(run.rows(), jobs::told_of(job, jobs::Side::rows));
  job.columns_digest =
      pairs.one_set() ? job.rows_digest : digest_of(run.columns(), jobs::told_of(job, jobs::Side::columns));
  job.self = pairs.self();
  job.value = whole.value;
  job.relations = whole.relations;
  job.companion = whole.companion;
  job.nearest = whole.nearest;
  const jobs::PairJob nameless = run.job(job.pair_files, pairs);
  job.run =
      describe(jobs::RunDescription{nameless, options, inputs.set.state()->masking.name(),
                                    run.rows().digest(), pairs.one_set() ? "none" : run.columns().digest()});
  return job;
}

void write_block(PairRun& run, const jobs::PairJob& job, const jobs::Told& told,
                 session::Verifications& of_inputs, AllPairsSummary& summary, io::PartFileWriter& out,
                 session::Call& call) {
  prepare(run, false, call);
  const IndexRange rows = run.pairs().block().rows;
  jobs::write_sequences(jobs::Side::rows, job.rows.sequences(), jobs::numbers_of(rows), told, out);
  compute(run, {rows.begin}, of_inputs, summary, call,
          [&](const engine::Stripe& stripe, const engine::StripeState&) {
            out.add(io::ChunkKind::stripe, jobs::packed(job, stripe).bytes());
            jobs::for_each_edges(job, stripe, run.options().memory_bytes, call.stop(),
                                 [&](const SparseValues& edges) {
                                   out.add(io::ChunkKind::edges, jobs::packed(job, edges).bytes());
                                 });
          });
}

}  // namespace
}  // namespace api

Plan plan_all_pairs(const PairInputs& inputs, const AllPairsOptions& options, const PairFiles& files,
                    std::size_t parts) {
  if (inputs.against) return plan_all_pairs(inputs.set, *inputs.against, parts);
  const bool self = api::with_self(inputs, options, api::wishes_of(files, options));
  return plan_all_pairs(inputs.set, self, parts, options.top_k > 0);
}

AllPairsSummary Session::all_pairs_part(const PairInputs& inputs, const Scoring& scoring,
                                        const AllPairsOptions& options, const PairFiles& files,
                                        const PartOfJob& part, const PartTarget& target,
                                        const RunControl& control) {
  using namespace api;
  jobs::check(part);
  check_options(inputs, options, files);
  session::Call call(state_->core, control);
  return summarize(call, [&](AllPairsSummary& summary) {
    jobs::check_part_name(target.path, inputs.set, inputs.against.value_or(inputs.set), files.other_inputs);
    if (!files.rows.empty())
      jobs::check_row_output(files.format, files.rows, options.detail, scoring, inputs.set,
                             inputs.against.value_or(inputs.set), call.session().threads());
    const PairWishes wishes = wishes_of(files, options);
    const Plan plan = plan_all_pairs(inputs, options, files, part.count);
    AllPairsOptions of_part = options;
    const std::vector<Block> blocks = plan.of(part).blocks;
    if (!blocks.empty()) of_part.block = blocks.front();
    PairRun run(inputs, scoring, of_part, wishes, call);
    const engine::AllPairs whole_matrix(run.rows().sequences(),
                                        inputs.against ? &run.columns().sequences() : nullptr,
                                        run.pairs().self(), {}, rows_of_one_set(options));
    jobs::PairJob whole = run.job(files, whole_matrix);
    whole.companion =
        jobs::companion_of(whole, run.options().fields.strands, options.statistics, call.stop());
    jobs::check(whole, call);
    session::Verifications of_inputs({inputs.set, run.other()}, call);
    run.resolve(true, call);
    summary.statistics = describe(run.options().statistics);
    of_inputs.require();  // before digests of the sequences go into the job
    jobs::Job job = job_of(inputs, whole, run, run.options());
    job.part = part;
    job.blocks = blocks;
    const jobs::Told told = jobs::told_of(job, jobs::Side::rows);
    io::PartFileWriter out(target);
    out.add(io::ChunkKind::job, job.to_json());
    if (inputs.against)
      jobs::write_sequences(jobs::Side::columns, run.columns().sequences(),
                            jobs::share_of(run.columns().size(), part), told, out);
    const jobs::PairJob of_block = run.job(files, run.pairs());
    if (!blocks.empty()) write_block(run, of_block, told, of_inputs, summary, out, call);
    call.tell_end();
    summary.seconds = call.seconds();
    out.add(io::ChunkKind::summary, jobs::to_json(summary));
    out.commit();
  });
}

}  // namespace alnus

// Session::search_part.
#include <mutex>
#include <utility>

#include "alnus/error.h"
#include "alnus/session.h"
#include "api/search_call.h"
#include "api/statistics.h"
#include "core/strands.h"
#include "jobs/part_calls.h"
#include "jobs/part_columns.h"
#include "jobs/part_sequences.h"
#include "jobs/row_writer.h"
#include "jobs/search_outputs.h"
#include "session/call.h"
#include "session/database_state.h"
#include "session/file_check.h"
#include "session/session_core.h"

namespace alnus {
namespace api {
namespace {

using Index = SequenceSet::Index;

// The rows of all blocks together; the blocks are in the order of their rows.
IndexRange rows_of(const std::vector<Block>& blocks) {
  if (blocks.empty()) return {};
  return {blocks.front().rows.begin, blocks.back().rows.end};
}

class SearchPartWriter {
 public:
  SearchPartWriter(const PartTarget& target, const Database& queries, const Database& database,
                   const SearchFiles& files, const jobs::Job& job)
      : database_(database.sequences()),
        letters_(job.shows_letters()),
        out_(target),
        named_(database.size()) {
    out_.add(io::ChunkKind::job, job.to_json());
    jobs::write_sequences(jobs::Side::rows, queries.sequences(), jobs::numbers_of(rows_of(job.blocks)),
                          {.names = true, .letters = letters_}, out_);
    // Parts store the lengths of all subjects, but all names only for SAM, whose head lists them.
    jobs::write_sequences(jobs::Side::columns, database_, jobs::share_of(database.size(), job.part),
                          {.names = files.format.kind == OutputFormat::Kind::sam}, out_);
  }

  void add(const jobs::PartHits& hits, const Block& offsets) {
    for (const Index subject : hits.batch.rows.subject) named_[subject + offsets.columns.begin] = true;
    out_.add(io::ChunkKind::hits, jobs::packed(hits, offsets).bytes());
  }

  void finish(const SearchSummary& summary) {
    std::vector<Index> subjects;
    for (Index i = 0; i < database_.size(); ++i)
      if (named_[i]) subjects.push_back(i);
    jobs::write_sequences(jobs::Side::columns, database_, subjects,
                          {.names = true, .letters = letters_, .qualities = false}, out_);
    out_.add(io::ChunkKind::summary, jobs::packed(summary).bytes());
    out_.commit();
  }

 private:
  const SequenceSet database_;
  const bool letters_;
  io::PartFileWriter out_;
  std::vector<bool> named_;  // by index: true if a hit has the subject
};

jobs::Job job_of(const Database& queries, const Database& database, const Scoring& scoring,
                 const engine::SearchOptions& options, const SearchFiles& files, const PartOfJob& part) {
  jobs::Job job;
  job.kind = Plan::Job::search;
  job.part = part;
  job.version = version();
  job.commit = commit();
  job.scoring = scoring;
  job.rows = queries.size();
  job.columns = database.size();
  job.rows_name = queries.name();
  job.columns_name = database.name();
  job.search_files = jobs::without_names(files);
  job.fields = options.rows().fields;
  job.rows_digest = digest_of(queries, jobs::told_of(job, jobs::Side::rows));
  job.columns_digest = digest_of(database, jobs::told_of(job, jobs::Side::columns));
  job.max_target_seqs = options.asked.max_target_seqs;
  job.max_hsps = options.asked.max_hsps;
  job.significance = options.asked.significance;
  job.chosen_by_score = options.statistics.method == StatisticsMethod::none ||
                        options.statistics.method == StatisticsMethod::zvalue;
  job.most_candidates = options.most_candidates();
  job.run = describe(jobs::SearchDescription{
      scoring, options, files, queries.state()->masking.name() + " and " + database.state()->masking.name(),
      queries.digest(), database.digest()});
  return job;
}

// Searches a block, and writes its hits to `out`. `options`: those of the whole job.
SearchSummary search_block(session::Call& call, const Database& queries, const Database& database,
                           const Block& block, const Scoring& scoring, engine::SearchOptions options,
                           session::Verifications& files, SearchPartWriter& out) {
  const Database of_rows = queries.part(block.rows.begin, block.rows.end);
  const bool whole = block.columns.size() == database.size();
  const Database of_columns = whole ? database : database.part(block.columns.begin, block.columns.end);
  std::mutex mutex;
  std::vector<jobs::PartHits::Candidates> candidates;
  if (!whole) {
    options.asked.significance = true;  // the merge orders hits of several parts by it
    options.piece = {database.state()->sorted(call.stop()), block.columns.begin,
                     [&](Strand strand, std::vector<engine::CandidateKey> keys) {
                       const std::scoped_lock lock(mutex);
                       candidates.push_back({strand, std::move(keys)});
                     }};
  }
  return search(call, of_rows, of_columns, scoring, options, files, [&](const SearchBatch& batch) {
    const std::scoped_lock lock(mutex);
    out.add({batch, block, std::exchange(candidates, {})}, block);
  });
}

}  // namespace
}  // namespace api

SearchSummary Session::search_part(const Database& queries, const Database& database, const Scoring& scoring,
                                   const SearchOptions& given, const SearchFiles& files,
                                   const PartOfJob& part, const PartTarget& target, const RunControl& run) {
  using namespace api;
  jobs::check(part);
  jobs::check_part_name(target.path, queries, database, files.other_inputs);
  if (!files.rows.empty())
    jobs::check_row_output(files.format, files.rows, given.detail, scoring, queries, database,
                           state_->core.threads());
  const SearchOptions options = jobs::with_needs(given, files);
  session::Call call(state_->core, run);
  SearchSummary summary;
  call.run(session::Call::Length::full, [&] {
    session::Verifications of_inputs({queries, database}, call);
    const engine::SearchOptions wanted = resolved(queries, database, scoring, options, true, call);
    const PlannedPart planned =
        plan_search(queries, database, part.count, needs_whole_queries(options)).of(part);
    of_inputs.require();  // before digests of the sequences go into the job
    jobs::Job job = job_of(queries, database, scoring, wanted, files, part);
    job.blocks = planned.blocks;
    summary.method = wanted.statistics.method;
    summary.statistics = describe(wanted.statistics);
    summary.has_parameters = wanted.statistics.parameters.has_value();
    summary.fallback = wanted.statistics.by_parameters();
    engine::Progress& progress = call.state().progress;
    const auto strands = static_cast<std::uint64_t>(strands_of_each(wanted.strands()));
    progress.expect(planned.cells * strands, planned.pairs * strands);
    const engine::PlannedProgress all_blocks(progress);
    SearchPartWriter out(target, queries, database, files, job);
    for (const Block& block : planned.blocks) {
      const SearchSummary of_block =
          search_block(call, queries, database, block, scoring, wanted, of_inputs, out);
      summary += of_block;
      jobs::add(of_block.histogram, summary.histogram);
    }
    call.tell_end();
    out.finish(summary);
  });
  return summary;
}

}  // namespace alnus

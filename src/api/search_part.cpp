// Session::search_part.
#include <algorithm>
#include <functional>
#include <mutex>
#include <optional>
#include <set>
#include <utility>

#include "alnus/error.h"
#include "alnus/session.h"
#include "api/call.h"
#include "api/database_state.h"
#include "api/low_complexity.h"
#include "api/one_place.h"
#include "api/part_calls.h"
#include "api/part_columns.h"
#include "api/part_sequences.h"
#include "api/row_writer.h"
#include "api/search.h"
#include "api/session_core.h"
#include "api/statistics.h"
#include "core/strands.h"

namespace alnus {
namespace api {
namespace {

using Index = SequenceSet::Index;

// Makes several calls look like one to the caller: one progress for all calls, and each message once.
class OneControl {
 public:
  OneControl(const RunControl& run, const SessionOptions& options)
      : run_(run), on_message_(run.on_message ? run.on_message : options.on_message) {}
  OneControl(const OneControl&) = delete;
  OneControl& operator=(const OneControl&) = delete;

  // Sets the work of all calls together.
  void expect(std::uint64_t cells, std::uint64_t pairs) {
    all_.cells_total = cells;
    all_.pairs_total = pairs;
  }

  // The control for the next call.
  RunControl next() {
    before_.cells_done += last_.cells_done;
    before_.pairs_done += last_.pairs_done;
    before_.seconds += last_.seconds;
    last_ = {};
    RunControl control;
    control.stop = run_.stop;
    control.on_message = [this](const Message& message) {
      if (on_message_ && told_.insert(message.marked).second) on_message_(message);
    };
    if (run_.on_progress) control.on_progress = [this](const Progress& progress) { tell(progress); };
    return control;
  }

 private:
  void tell(const Progress& progress) {
    last_ = progress;
    Progress all = all_;
    all.cells_done = std::min(all.cells_total, before_.cells_done + progress.cells_done);
    all.pairs_done = std::min(all.pairs_total, before_.pairs_done + progress.pairs_done);
    all.seconds = before_.seconds + progress.seconds;
    const double cells = static_cast<double>(std::max<std::uint64_t>(1, all.cells_total));
    const double done = static_cast<double>(before_.cells_done) +
                        progress.fraction * static_cast<double>(progress.cells_total);
    all.fraction = std::min(1.0, done / cells);
    if (all.fraction > 0) all.seconds_left = all.seconds * (1 - all.fraction) / all.fraction;
    run_.on_progress(all);
  }

  const RunControl& run_;
  const std::function<void(const Message&)> on_message_;
  std::set<std::string> told_;
  Progress all_, before_, last_;
};

// The rows of all blocks together; the blocks are in the order of their rows.
IndexRange rows_of(const std::vector<Block>& blocks) {
  if (blocks.empty()) return {};
  return {blocks.front().rows.begin, blocks.back().rows.end};
}

class SearchPartWriter {
 public:
  SearchPartWriter(const PartTarget& target, const Database& queries, const Database& database,
                   const SearchFiles& files, const Job& job)
      : database_(database.sequences()),
        letters_(files.format.needs_letters()),
        out_(target.path, place_of(target)),
        named_(database.size()) {
    out_.add(io::ChunkKind::job, job.to_json());
    write_sequences(Side::rows, queries.sequences(), numbers_of(rows_of(job.blocks)),
                    {.names = true, .letters = letters_}, out_);
    // Parts store the lengths of all subjects, but all names only for SAM, whose head lists them.
    write_sequences(Side::columns, database_, share_of(database.size(), job.part),
                    {.names = files.format.kind == OutputFormat::Kind::sam}, out_);
  }

  void add(const PartHits& hits, const Block& offsets) {
    for (const Index subject : hits.batch.rows.subject) named_[subject + offsets.columns.begin] = true;
    out_.add(io::ChunkKind::hits, packed(hits, offsets).bytes());
  }

  void finish(const SearchSummary& summary) {
    std::vector<Index> subjects;
    for (Index i = 0; i < database_.size(); ++i)
      if (named_[i]) subjects.push_back(i);
    write_sequences(Side::columns, database_, subjects,
                    {.names = true, .letters = letters_, .qualities = false}, out_);
    out_.add(io::ChunkKind::summary, packed(summary).bytes());
    out_.commit();
  }

 private:
  const SequenceSet database_;
  const bool letters_;
  io::PartFileWriter out_;
  std::vector<bool> named_;  // by index: true if a hit has the subject
};

Job job_of(const Database& queries, const Database& database, const Scoring& scoring,
           const engine::SearchOptions& options, const SearchFiles& files, const PartOfJob& part) {
  Job job;
  job.kind = Plan::Job::search;
  job.part = part;
  job.version = version();
  job.commit = commit();
  job.scoring = scoring;
  job.rows = queries.size();
  job.columns = database.size();
  job.rows_name = queries.name();
  job.columns_name = database.name();
  job.files.rows = files.rows;
  job.files.format = files.format;
  job.files.head = files.head;
  job.score_plot = !files.score_plot.empty();
  job.fields = {options.detail, options.cigars, options.significance, options.identity_ranges,
                options.strands};
  job.rows_digest = digest_of(queries, told_of(job, Side::rows));
  job.columns_digest = digest_of(database, told_of(job, Side::columns));
  job.max_target_seqs = options.max_target_seqs;
  job.significance = options.significance;
  job.chosen_by_score = options.statistics.method == StatisticsMethod::none ||
                        options.statistics.method == StatisticsMethod::zvalue;
  job.most_candidates = options.most_candidates();
  job.run =
      describe(SearchDescription{scoring, options, files.format, job.score_plot,
                                 queries.state()->masking.name() + " and " + database.state()->masking.name(),
                                 queries.digest(), database.digest()});
  return job;
}

// Searches a block, and writes its hits to `out`.
SearchSummary search_block(SessionCore& core, const Database& queries, const Database& database,
                           const Block& block, const Scoring& scoring, SearchOptions options,
                           SearchPartWriter& out, const RunControl& control) {
  const Database of_rows = queries.part(block.rows.begin, block.rows.end);
  const bool whole = block.columns.size() == database.size();
  const Database of_columns = whole ? database : database.part(block.columns.begin, block.columns.end);
  SearchWhole of{.space = search_space_of(database), .told = true};
  std::mutex mutex;
  std::vector<PartHits::Candidates> candidates;
  if (!whole) {
    options.significance = true;  // the merge orders hits of several parts by it
    of.piece = {database.state()->sorted(), block.columns.begin,
                [&](Strand strand, std::vector<engine::CandidateKey> keys) {
                  const std::scoped_lock lock(mutex);
                  candidates.push_back({strand, std::move(keys)});
                }};
  }
  return search(
      core, of_rows, of_columns, of, scoring, options,
      [&](const SearchBatch& batch) {
        const std::scoped_lock lock(mutex);
        out.add({batch, block, std::exchange(candidates, {})}, block);
      },
      control);
}

SearchSummary part_of(SessionCore& core, const Database& queries, const Database& database,
                      const Scoring& scoring, const SearchOptions& options, const SearchFiles& files,
                      const PartOfJob& part, const PartTarget& target, const RunControl& run) {
  check(part);
  check_part_name(target.path, queries, database, files.other_inputs);
  if (!files.rows.empty())
    check_row_output(files.format, files.rows, options.detail, scoring, queries, database, core.threads());
  SearchOptions wanted = options;
  wanted.score_histogram = options.score_histogram || !files.score_plot.empty();
  std::optional<Job> job;
  SearchSummary summary;
  PlannedPart planned;
  OneControl control(run, core.options());
  {
    const RunControl first = control.next();
    Call call(core, first);
    call.run(Call::Length::full, [&] {
      const engine::SearchOptions resolved_options = resolved(queries, database, scoring, wanted, true, call);
      planned = plan_search(queries, database, part.count, needs_whole_queries(wanted)).of(part);
      job = job_of(queries, database, scoring, resolved_options, files, part);
      job->blocks = planned.blocks;
      const engine::StatisticsOptions& statistics = resolved_options.statistics;
      tell_one_place(queries, database, scoring, call);
      warn_of_low_complexity(wanted.statistics, statistics, queries.sequences(), call);
      summary.method = statistics.method;
      summary.statistics = describe(statistics);
      summary.has_parameters = statistics.parameters.has_value();
      summary.fallback = statistics.by_parameters();
      control.expect(planned.cells * strands_of_each(resolved_options.strands),
                     planned.pairs * strands_of_each(resolved_options.strands));
    });
  }
  SearchPartWriter out(target, queries, database, files, *job);
  for (const Block& block : planned.blocks) {
    const SearchSummary of_block =
        search_block(core, queries, database, block, scoring, wanted, out, control.next());
    summary += of_block;
    add(of_block.histogram, summary.histogram);
  }
  out.finish(summary);
  return summary;
}

}  // namespace
}  // namespace api

SearchSummary Session::search_part(const Database& queries, const Database& database, const Scoring& scoring,
                                   const SearchOptions& options, const SearchFiles& files,
                                   const PartOfJob& part, const PartTarget& target, const RunControl& run) {
  return api::part_of(state_->core, queries, database, scoring, options, files, part, target, run);
}

}  // namespace alnus

// The HTML report as an output of a search and of all pairs.
#include <fmt/format.h>

#include "alnus/error.h"
#include "core/refuse_input.h"
#include "graph/average_linkage.h"
#include "io/html_report/heat_map.h"
#include "jobs/pair_outputs.h"
#include "jobs/run_report.h"
#include "jobs/search_outputs.h"
#include "session/session_core.h"

namespace alnus::jobs {
namespace {

class SearchReport : public SearchOutput {
 public:
  explicit SearchReport(const SearchOpening& opening)
      : threads_(opening.threads),
        file_(opening.threads, opening.files.report, io::FileState{}, opening.stop),
        report_({.job = ReportedJob::search,
                 .scoring = opening.scoring,
                 .queries = opening.queries,
                 .subjects = opening.database,
                 .format = opening.files.format,
                 .head = opening.files.head,
                 .most_bytes = opening.files.report_size,
                 .writes_rows = !opening.files.rows.empty(),
                 .has_plot = !opening.files.score_plot.empty(),
                 .digests = opening.digests}),
        stop_(opening.stop) {}

  void write(const SearchBatch& batch) override { report_.write(threads_, batch); }
  void finish(SearchSummary& summary) override {
    summary.report_leaves_out = report_.finish(summary, file_, stop_);
  }
  void commit() override { file_.commit(); }

 private:
  ThreadPool& threads_;
  io::OutputFile file_;
  RunReport report_;
  const StopFlag& stop_;
};

// True if the report has rows: if the run has, or if it has no other output.
bool shows_rows(const PairFiles& files) {
  return !files.rows.empty() ||
         (files.matrix.empty() && files.matrices.empty() && files.phylip.empty() && files.edges.empty());
}

// The value of the heat map, if the run computes a value of every pair.
std::optional<PairValue> mapped_value(const PairJob& job) {
  const std::set<PairValue> values = needs_of(job).values;
  if (values.empty()) return std::nullopt;
  return values.contains(job.value.kind) ? job.value.kind : *values.begin();
}

class PairReport : public PairOutput {
 public:
  explicit PairReport(const Opening& opening)
      : opening_(opening),
        file_(opening.call.session().threads(), opening.job.files.report, io::FileState{},
              opening.call.stop()),
        report_({.job = ReportedJob::all_pairs,
                 .scoring = opening.job.scoring,
                 .queries = opening.job.rows,
                 .subjects = opening.job.columns,
                 .format = opening.job.files.format,
                 .head = opening.job.files.head,
                 .most_bytes = opening.job.files.report_size,
                 .writes_rows = !opening.job.files.rows.empty(),
                 .has_rows = shows_rows(opening.job.files),
                 .has_matrix = mapped_value(opening.job).has_value(),
                 .one_set = opening.job.pairs.one_set(),
                 .digests = opening.job.digests}),
        mapped_(mapped_value(opening.job)) {
    const engine::AllPairs& pairs = opening.job.pairs;
    if (mapped_ && !pairs.rows().empty() && !pairs.columns().empty())
      map_.emplace(*mapped_, io::HeatMap::Shape{pairs.rows().size(), pairs.columns().size(), pairs.one_set(),
                                                pairs.self()});
  }

  void write(const engine::Stripe& stripe) override {
    report_.write(opening_.call.session().threads(), stripe.listed);
    if (map_) map_->add(values_of(opening_.job, stripe, *mapped_));
  }
  void sync() override {}
  void finish() override {
    if (map_) report_.page().matrix = finished_map();
    const std::string left_out = report_.finish(opening_.statistics, file_, opening_.call.stop());
    if (!left_out.empty()) opening_.call.info(left_out);
  }
  void commit() override { file_.commit(); }
  void tell(io::OutputStates&) const override {}

 private:
  io::ReportMatrix finished_map() {
    std::vector<std::uint32_t> order;
    if (map_->is_ordered()) {
      std::vector<float> distances = map_->distances();
      order = graph::average_linkage_order(opening_.job.pairs.rows().size(), distances, opening_.call.stop());
    }
    return map_->finish(order);
  }

  const Opening& opening_;
  io::OutputFile file_;
  RunReport report_;
  const std::optional<PairValue> mapped_;
  std::optional<io::HeatMap> map_;
};

void check_pair_report(const PairJob& job) {
  const PairFiles& files = job.files;
  if (files.report.empty()) return;
  RunReport::check(files.report, files.report_size);
  if (!files.checkpoint.empty())
    refuse_input(
        fmt::format("{} is laid out once all pairs are known, and {} cannot go on with it. Make it "
                    "from parts of the job, or leave one of the two out.",
                    option("report"), option("checkpoint")));
  if (!shows_rows(files) && needs_of(job).values.empty())
    refuse_input(fmt::format("{} shows rows and matrices, and there are only {}: add {} FILE or {} FILE.",
                             option("report"), option("edges"), option("output"), option("matrix_out")));
}

}  // namespace

SearchOutputKind search_report_output() {
  return {.option = "report",
          .path = &SearchFiles::report,
          .merged_path = &JobFiles::report,
          .need =
              [](SearchOptions& options) {
                if (options.detail == Detail::alignment) options.cigars = true;
                options.significance = true;
              },
          .check =
              [](const SearchOpening& opening) {
                RunReport::check(opening.files.report, opening.files.report_size);
              },
          .open = [](const SearchOpening& opening) -> std::unique_ptr<SearchOutput> {
            return std::make_unique<SearchReport>(opening);
          }};
}

PairOutputKind pair_report_output() {
  return {.option = "report",
          .path = &PairFiles::report,
          .merged_path = &JobFiles::report,
          .never_extended = "which shows all pairs",
          .need =
              [](const PairFiles& files, PairValue, PairNeeds& needs) {
                needs.rows |= shows_rows(files);
                needs.cigars |= shows_rows(files);
              },
          .check = check_pair_report,
          .paths = [](const PairJob& job) { return std::vector{job.files.report}; },
          .open = [](const Opening& opening) { return one_output<PairReport>(opening); }};
}

}  // namespace alnus::jobs

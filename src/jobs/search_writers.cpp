#include "jobs/search_writers.h"

#include <string>

#include "session/database_state.h"

namespace alnus::jobs {

SearchWriters::SearchWriters(const SearchFiles& files, const Scoring& scoring, const Database& queries,
                             const Database& database, ThreadPool& threads, const StopFlag& stop)
    : scoring_(scoring), queries_(queries), database_(database) {
  std::vector<std::string> inputs = queries.state()->files;
  inputs.insert(inputs.end(), database.state()->files.begin(), database.state()->files.end());
  inputs.insert(inputs.end(), files.other_inputs.begin(), files.other_inputs.end());
  const std::string outputs[] = {files.rows, files.score_plot};
  check_outputs(outputs, inputs);
  check_name(files.score_plot, Contents::picture);
  if (!files.rows.empty()) {
    check_row_output(files.format, files.rows, files.head.detail, scoring, queries, database, threads);
    row_file_.emplace(threads, files.rows, io::FileState{}, stop);
    rows_.emplace(*row_file_, files.format, scoring, queries, database, files.head);
  }
  if (!files.score_plot.empty()) plot_file_.emplace(threads, files.score_plot);
}

void SearchWriters::write(const SearchBatch& batch) {
  if (rows_) rows_->write(batch);
  if (plot_file_) scores_.insert(scores_.end(), batch.rows.score.begin(), batch.rows.score.end());
}

void SearchWriters::finish(const SearchSummary& summary) {
  if (rows_) {
    rows_->finish();
    row_file_->commit();
  }
  if (!plot_file_) return;
  plot_file_->write(score_plot_svg(summary.histogram, scores_, scoring_, queries_.size(), database_.size(),
                                   summary.statistics, summary.limit));
  plot_file_->commit();
}

}  // namespace alnus::jobs

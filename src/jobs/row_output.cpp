// Rows as an output of a search and of all pairs.
#include <filesystem>
#include <fmt/format.h>
#include <system_error>

#include "alnus/error.h"
#include "core/refuse_input.h"
#include "jobs/pair_outputs.h"
#include "jobs/row_writer.h"
#include "jobs/search_outputs.h"

namespace alnus::jobs {
namespace {

class RowOutput : public TextOutput {
 public:
  explicit RowOutput(const Opening& opening)
      : TextOutput(opening, opening.job.files.rows),
        statistics_(opening.statistics),
        grouping_(opening.job.nearest ? RowWriter::Grouping::by_query : RowWriter::Grouping::apart) {
    const PairJob& job = opening.job;
    if (file_) rows_.emplace(*file_, job.files.format, job.scoring, job.rows, job.columns, job.files.head);
  }

  void write(const engine::Stripe& stripe) override {
    if (rows_) rows_->write(stripe.listed, statistics_, grouping_);
  }
  void sync() override {
    if (rows_) rows_->flush();
    TextOutput::sync();
  }
  void finish() override {
    if (rows_) rows_->finish();
  }

 private:
  const std::string statistics_;
  const RowWriter::Grouping grouping_;
  std::optional<ReportRows> rows_;
};

class SearchRows : public SearchOutput {
 public:
  explicit SearchRows(const SearchOpening& opening)
      : file_(opening.threads, opening.files.rows, io::FileState{}, opening.stop),
        rows_(file_, opening.files.format, opening.scoring, opening.queries, opening.database,
              opening.files.head) {}

  void write(const SearchBatch& batch) override { rows_.write(batch); }
  void finish(SearchSummary&) override { rows_.finish(); }
  void commit() override { file_.commit(); }

 private:
  io::OutputFile file_;
  ReportRows rows_;
};

void check_search_rows(const SearchOpening& opening) {
  const SearchFiles& files = opening.files;
  check_row_output(files.format, files.rows, files.head.detail, opening.scoring, opening.queries,
                   opening.database, opening.threads);
}

void check_rows(const PairJob& job) {
  const PairFiles& files = job.files;
  if (files.checkpoint.empty() || files.rows.empty()) return;
  std::error_code error;
  const bool special =
      std::filesystem::exists(files.rows, error) && !std::filesystem::is_regular_file(files.rows, error);
  if (files.rows == "-" || special)
    refuse_input(fmt::format(
        "{} needs files, from which an interrupted run can go on: write the rows to a file by {}.",
        option("checkpoint"), option("output")));
  if (files.format.has_head())
    refuse_input(fmt::format("{} works only with {} 6, 10 or jsonl{}.", option("checkpoint"),
                             option("outfmt"),
                             files.format.header ? fmt::format(", without {}", option("header")) : ""));
}

}  // namespace

PairOutputKind row_output() {
  return {.option = "output",
          .path = &PairFiles::rows,
          .merged_path = &JobFiles::rows,
          .need = [](const PairFiles&, PairValue, PairNeeds& needs) { needs.rows = true; },
          .check = check_rows,
          .paths = [](const PairJob& job) { return std::vector{job.files.rows}; },
          .open = [](const Opening& opening) { return one_output<RowOutput>(opening); }};
}

SearchOutputKind search_row_output() {
  return {.option = "output",
          .path = &SearchFiles::rows,
          .merged_path = &JobFiles::rows,
          .check = check_search_rows,
          .open = [](const SearchOpening& opening) -> std::unique_ptr<SearchOutput> {
            return std::make_unique<SearchRows>(opening);
          }};
}

}  // namespace alnus::jobs

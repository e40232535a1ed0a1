// The HTML report of a run, made of columns of results.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "alnus/database.h"
#include "alnus/html_report.h"
#include "alnus/results.h"
#include "io/html_report/html_report.h"
#include "io/output_file.h"
#include "jobs/score_plot.h"

namespace alnus::jobs {

// The digests of what the sequences were computed from. Empty: those of the databases themselves. A merge has
// sequences without letters, and takes the digests from the parts.
struct InputDigests {
  std::string first, second;
};

// The facts about the program: its command line and version, if `head` has them.
void add_program(const ReportHead& head, io::ReportRun& run);

struct RunReportHead {
  ReportedJob job;
  const Scoring& scoring;
  const Database &queries, &subjects;
  const OutputFormat& format;
  const ReportHead& head;
  std::uint64_t most_bytes;
  bool writes_rows = true;  // the run has a table, whose columns the report names; else the standard ones
  bool has_rows = true;     // the report has a table
  bool has_matrix = false;  // the report has a heat map
  bool has_plot = true;     // scores of hits are kept, for the picture of all scores
  bool one_set = false;     // all pairs of one set: both databases are the same
  InputDigests digests{};
};

class RunReport {
 public:
  // Throws Error(input) for a name, a size or an output that cannot be.
  static void check(const std::string& path, std::uint64_t most_bytes);

  RunReport(const RunReportHead& head);

  // Both add rows, unless the report has no table.
  void write(ThreadPool& threads, const SearchBatch& batch);
  void write(ThreadPool& threads, const Columns& rows);
  // Both write the file once all rows are added, and return the sentence that tells what the bound left out;
  // empty if nothing. `statistics`: how scores are judged, in words.
  std::string finish(const SearchSummary& summary, io::OutputFile& out,
                     const StopFlag& stop = StopFlag::never());
  std::string finish(const std::string& statistics, io::OutputFile& out,
                     const StopFlag& stop = StopFlag::never());
  io::HtmlReport& page() { return page_; }

 private:
  const Scoring scoring_;
  io::HtmlReport page_;
  io::ReportTable* table_ = nullptr;  // null: the report has no rows
  std::optional<HitScores> scores_;   // of a search whose report may have the picture of all scores
};

}  // namespace alnus::jobs

// The HTML report of a run: one file that a browser shows by itself (docs/report-format.md).
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "alnus/report_section.h"
#include "core/stop_flag.h"
#include "core/thread_pool.h"
#include "io/html_report/table.h"
#include "io/output_file.h"
#include "io/score_plot.h"

namespace alnus::io {

struct ReportInput {
  std::string role, name;  // "Queries", and the file's name as it was given
  std::uint64_t records = 0, residues = 0;
  std::string digest;
};

inline constexpr std::string_view kCommandLineFact = "Command line";

// What the report says of the run. All texts may have any bytes.
struct ReportRun {
  std::string kind, title;                                   // "search"; "Search: query.fasta in db.fasta"
  std::vector<std::pair<std::string, std::string>> facts{};  // name and text
  std::vector<ReportInput> inputs{};
  std::vector<std::string> notes{};
  std::vector<std::string> columns{};  // of the program's table of the same run
  bool header = false;                 // that table has a line of column names
};

// The heat map: the value of the key `matrix` of the index as JSON, and the bytes of its blocks.
struct ReportMatrix {
  std::string json, cells, mean;  // without `mean`, the report has no such block
};

// Which sequences of a side the report knows: all, in their order, or those that stored rows name, in the
// order in which rows name them first.
enum class ReportListing : std::uint8_t { all, named };

class ReportDraft;

class HtmlReport {
 public:
  // `scoring` must live as long. `most_bytes`: the bound of --report-size. Memory: about four times as many
  // bytes for each table.
  HtmlReport(const Scoring& scoring, ReportSides sides, ReportListing queries, ReportListing subjects,
             std::uint64_t most_bytes);

  ReportTable& add_table(ReportTable::Form form);  // the reference stays valid

  ReportRun run;
  std::vector<ReportSection> sections;
  std::optional<ScorePlot> score_plot;
  std::optional<ReportMatrix> matrix;

  // How much of the first table the report shows. `sentence` is empty unless the bound left something out.
  struct Shown {
    std::uint64_t rows = 0, of = 0;
    std::string sentence;
  };
  // Writes the file. Blocks are compressed on all threads. Called once, after all rows were added. If a
  // report with one hit of each query, or with one row, is larger than the bound, it is written all the same.
  // Throws Interrupted.
  Shown write(ThreadPool& threads, OutputFile& out, const StopFlag& stop = StopFlag::never());

  const Scoring& scoring() const { return scoring_; }
  const ReportSides& sides() const { return sides_; }
  ReportListing listing_of_queries() const { return queries_; }
  ReportListing listing_of_subjects() const { return subjects_; }
  const std::deque<ReportTable>& tables() const { return tables_; }

 private:
  // The size of the index and of what is shown without scripts.
  std::uint64_t bytes_without_command_line(const ReportDraft& draft);

  const Scoring& scoring_;
  const ReportSides sides_;
  const ReportListing queries_, subjects_;
  const std::uint64_t most_bytes_;
  std::deque<ReportTable> tables_;
};

}  // namespace alnus::io

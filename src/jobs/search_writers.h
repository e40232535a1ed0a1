// The output files of a search.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "alnus/parts.h"
#include "core/thread_pool.h"
#include "io/output_file.h"
#include "jobs/row_writer.h"

namespace alnus::jobs {

class SearchWriters {
 public:
  // Opens all files. Throws Error(input) for files that would replace an input or each other, and what
  // ReportRows and OutputFile throw. `stop` must outlive the object; once it is requested, write() throws
  // Interrupted.
  SearchWriters(const SearchFiles& files, const Scoring& scoring, const Database& queries,
                const Database& database, ThreadPool& threads, const StopFlag& stop);

  void write(const SearchBatch& batch);
  void finish(const SearchSummary& summary);  // writes the ends of the files and gives them their names

 private:
  const Scoring scoring_;
  const Database queries_, database_;
  std::optional<io::OutputFile> row_file_, plot_file_;
  std::optional<ReportRows> rows_;
  std::vector<std::int32_t> scores_;  // of all hits, for SearchFiles::score_plot
};

}  // namespace alnus::jobs

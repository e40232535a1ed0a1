// The results of a run on their way to the output.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "cli/command.h"
#include "cli/common_options.h"

namespace alnus::cli {

// Opens the output at once, so that what is wrong with it is said before anything is computed. Without
// finish() no file is left behind.
class Report {
 public:
  // `subjects_name`: of the database, or of the second input.
  // `statistics`: as describe_statistics() has them.
  // `resume_at`: bytes of the file that are written already (io/output_file.h), of a table that has no head.
  Report(const CommonOptions& options, const Scoring& scoring, const SequenceSet& subjects,
         const std::string& subjects_name, const std::string& statistics, const Session& session,
         std::uint64_t resume_at = 0);

  void query(const SequenceView& query, std::span<const io::Hit> hits,
             const stats::QueryStatistics* statistics) {
    writer_->query(query, hits, statistics);
  }
  std::uint64_t sync() {
    writer_->flush();
    return out_.sync();
  }
  void finish();

 private:
  io::OutputFile out_;
  std::unique_ptr<io::Writer> writer_;
};

// The summary line: "500 queries, 20,000 subjects, ... cells in 3.92 s: 92.1 GCUPS".
std::string summarize(std::uint64_t queries, std::uint64_t subjects, std::uint64_t pairs, std::uint64_t cells,
                      double seconds);

// A text that is the whole result of a command.
void print(const std::string& text);

}  // namespace alnus::cli

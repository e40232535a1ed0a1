// The HTML report of a result: one file that a browser shows by itself. Its format: docs/report-format.md.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "alnus/audit.h"
#include "alnus/cluster_audit.h"
#include "alnus/export.h"
#include "alnus/output.h"
#include "alnus/record_sets.h"
#include "alnus/search.h"
#include "alnus/words.h"

namespace alnus {

// What was computed. search: hits of queries in a database. align: given pairs. all_pairs: pairs of the
// sequences of one set, or of two.
enum class ReportedJob : std::uint8_t { search, align, all_pairs };
template <>
inline constexpr std::array kWords<ReportedJob> = {Word{"search", ReportedJob::search},
                                                   Word{"align", ReportedJob::align},
                                                   Word{"all_pairs", ReportedJob::all_pairs}};

// Throws Error(input) for a size of reports below kLeastReportBytes.
ALNUS_API void check_report_size(std::uint64_t most_bytes);

// Writes the report of rows that a program has. Session::search, all_pairs and merge write reports of their
// own (SearchFiles::report and so on). Error(input): the name of the file ends like that of another format,
// or the file is one of the inputs.
class ALNUS_API HtmlReportWriter {
 public:
  // `format`: that of the program's table of the same rows, whose columns the report offers for its own
  // tables; of other formats, the standard columns. head.program_version and head.command_line may be empty.
  // `most_bytes`: as SearchFiles::report_size.
  HtmlReportWriter(OutputFile& out, ReportedJob job, const Scoring& scoring, const Database& queries,
                   const Database& subjects, const OutputFormat& format, const ReportHead& head,
                   std::uint64_t most_bytes = kReportBytes);
  ~HtmlReportWriter();

  void write(const SearchBatch& batch);  // hits of a search, in the order of the queries
  // Rows of given pairs, or of all pairs. `statistics` says in words how scores are judged. Local alignments
  // of score 0 are not written.
  void write(const Columns& rows, const std::string& statistics);
  // Both write the file, which the caller commits, and return the sentence that tells what the bound left
  // out; empty if nothing. They throw what Database::check_files() throws. With the summary of the search the
  // report has messages_of() it and, if it has a histogram, the picture of all scores.
  std::string finish();
  std::string finish(const SearchSummary& summary);

 private:
  struct ALNUS_LOCAL State;
  std::unique_ptr<State> state_;
};

// Both write the report of an audit, which the caller commits: what sections_of() says, the similar records,
// and the nearest earlier records with their alignments. `sets` and `set`: what was audited, in file order.
// They return the sentence that tells what the bound left out; empty if nothing. They throw what
// HtmlReportWriter throws.
ALNUS_API std::string write_report(OutputFile& out, const Audit& audit, const std::vector<Database>& sets,
                                   const AuditOptions& options, const Scoring& scoring,
                                   const ReportHead& head, std::uint64_t most_bytes = kReportBytes);
ALNUS_API std::string write_report(OutputFile& out, const ClusterAudit& audit, const Database& set,
                                   const RecordSets& clusters, const ClusterAuditOptions& options,
                                   const Scoring& scoring, const ReportHead& head,
                                   std::uint64_t most_bytes = kReportBytes);

}  // namespace alnus

#include "cli/report.h"

#include <fmt/format.h>

#include "cli/units.h"

namespace alnus::cli {

Report::Report(const CommonOptions& options, const Scoring& scoring, const SequenceSet& subjects,
               const std::string& subjects_name, const std::string& statistics, const Session& session,
               std::uint64_t resume_at)
    : out_(options.output, resume_at), writer_(io::make_writer(options.format, out_)) {
  io::ReportContext context;
  context.version = ALNUS_VERSION;
  context.command_line = session.command_line;
  context.scoring = &scoring;
  context.subjects = &subjects;
  context.database_name = subjects_name;
  context.database_sequences = subjects.size();
  context.database_residues = subjects.total_residues();
  context.statistics = statistics;
  context.detail = options.detail();
  writer_->begin(context);
}

void Report::finish() {
  writer_->end();
  out_.commit();
}

std::string summarize(std::uint64_t queries, std::uint64_t subjects, std::uint64_t pairs, std::uint64_t cells,
                      double seconds) {
  return fmt::format("{}, {}, {}, {} cells in {}: {}.", format_count(queries, "query", "queries"),
                     format_count(subjects, "subject", "subjects"), format_count(pairs, "pair", "pairs"),
                     format_cells(static_cast<double>(cells)), format_seconds(seconds),
                     format_speed(static_cast<double>(cells), seconds));
}

void print(const std::string& text) {
  io::OutputFile out("");
  out.write(text);
  out.commit();
}

}  // namespace alnus::cli

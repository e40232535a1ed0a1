#include "cli/report.h"

#include <chrono>
#include <fmt/format.h>

#include "cli/units.h"

namespace alnus::cli {

Report::Report(const CommonOptions& options, const Scoring& scoring, const Inputs& inputs,
               const std::string& subjects_name, const std::string& statistics, const Session& session,
               std::uint64_t resume_at)
    : out_(options.output, resume_at), writer_(io::make_writer(options.format, out_)) {
  io::ReportContext context;
  context.version = ALNUS_VERSION;
  context.command_line = session.command_line;
  context.scoring = &scoring;
  context.subjects = &inputs.subjects;
  context.database_name = subjects_name;
  context.database_sequences = inputs.subjects.size();
  context.database_residues = inputs.subjects.total_residues();
  context.statistics = statistics;
  context.detail = options.detail();
  writer_->begin(context);
}

void Report::finish() {
  writer_->end();
  out_.commit();
}

std::string summarize(const Inputs& inputs, std::uint64_t pairs, std::uint64_t cells,
                      const Session& session) {
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - session.start;
  return fmt::format(
      "{}, {}, {}, {} cells in {}: {}.", format_count(inputs.queries.size(), "query", "queries"),
      format_count(inputs.subjects.size(), "subject", "subjects"), format_count(pairs, "pair", "pairs"),
      format_cells(static_cast<double>(cells)), format_seconds(elapsed.count()),
      format_speed(static_cast<double>(cells), elapsed.count()));
}

void print(const std::string& text) {
  io::OutputFile out("");
  out.write(text);
  out.commit();
}

}  // namespace alnus::cli

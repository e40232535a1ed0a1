// The public writers, which call those of the io layer.
#include "alnus/output.h"

#include <utility>

#include "alnus/error.h"
#include "alnus/html_report.h"
#include "alnus/session.h"
#include "io/output_file.h"
#include "jobs/audit_page.h"
#include "jobs/row_writer.h"
#include "jobs/run_report.h"
#include "session/call.h"
#include "session/database_state.h"
#include "session/file_check.h"
#include "session/session_core.h"

namespace alnus {

namespace {

ThreadPool& threads_of(Session& session) {
  session::check_process(session.state().core);
  return session.state().core.threads();
}

// Runs `action`, which uses the sequences of `rows`. If it throws an Error, a file of the sequences may have
// lost bytes: then check_files() throws an error that says so, in place of the first one.
template <class Action>
void with_files(const jobs::ReportRows& rows, const Action& action) {
  try {
    action();
  } catch (const Error&) {
    rows.check_files();
    throw;
  }
}

// Throws Error(input) for a report whose name or size cannot be, and for one that would replace an input.
void check_report(const std::string& path, std::uint64_t most_bytes, const std::vector<Database>& sets) {
  jobs::RunReport::check(path, most_bytes);
  std::vector<std::string> inputs;
  for (const Database& set : sets)
    inputs.insert(inputs.end(), set.state()->files.begin(), set.state()->files.end());
  check_outputs({&path, 1}, inputs);
}

}  // namespace

struct OutputFile::State {
  io::OutputFile file;
};

OutputFile::OutputFile(Session& session, const std::string& path, std::uint64_t resume_at)
    : state_(new State{{threads_of(session), path, resume_at}}) {}
OutputFile::~OutputFile() = default;

void OutputFile::write(std::string_view text) { state_->file.write(text); }
std::uint64_t OutputFile::sync() { return state_->file.sync(); }
void OutputFile::finish() { state_->file.finish(); }
void OutputFile::commit() { state_->file.commit(); }
const std::string& OutputFile::path() const { return state_->file.path(); }

void print(std::string_view text) {
  ThreadPool threads(1);
  io::OutputFile out(threads, "");
  out.write(text);
  out.commit();
}

struct RowWriter::State {
  jobs::ReportRows rows;
};

RowWriter::RowWriter(OutputFile& out, const OutputFormat& format, const Scoring& scoring,
                     const Database& queries, const Database& subjects, ReportHead head) {
  jobs::check_row_output(format, out.path(), head.detail, scoring, queries, subjects,
                         out.state().file.threads());
  state_.reset(new State{{out.state().file, format, scoring, queries, subjects, std::move(head)}});
}
RowWriter::~RowWriter() = default;

void RowWriter::write(const SearchBatch& batch) {
  with_files(state_->rows, [&] { state_->rows.write(batch); });
}
void RowWriter::write(const SearchBatch& batch, const Database& queries) {
  with_files(state_->rows, [&] { state_->rows.write(batch, queries); });
}
void RowWriter::write(const Columns& rows, const std::string& statistics, Grouping grouping) {
  with_files(state_->rows, [&] { state_->rows.write(rows, statistics, grouping); });
}
void RowWriter::flush() { state_->rows.flush(); }
void RowWriter::finish() {
  with_files(state_->rows, [&] { state_->rows.finish(); });
  state_->rows.check_files();
}

struct HtmlReportWriter::State {
  io::OutputFile& out;
  Database queries, subjects;
  jobs::RunReport report;
  std::string statistics{};

  template <class Summary>
  std::string finish(const Summary& summary) {
    session::check_files(queries, out.threads());
    session::check_files(subjects, out.threads());
    return report.finish(summary, out);
  }
};

HtmlReportWriter::HtmlReportWriter(OutputFile& out, ReportedJob job, const Scoring& scoring,
                                   const Database& queries, const Database& subjects,
                                   const OutputFormat& format, const ReportHead& head,
                                   std::uint64_t most_bytes) {
  check_report(out.path(), most_bytes, {queries, subjects});
  const bool one_set = job == ReportedJob::all_pairs && queries.state() == subjects.state();
  state_.reset(new State{out.state().file,
                         queries,
                         subjects,
                         {{.job = job,
                           .scoring = scoring,
                           .queries = queries,
                           .subjects = subjects,
                           .format = format,
                           .head = head,
                           .most_bytes = most_bytes,
                           .one_set = one_set}}});
}
HtmlReportWriter::~HtmlReportWriter() = default;

void HtmlReportWriter::write(const SearchBatch& batch) {
  state_->statistics = batch.statistics;
  state_->report.write(state_->out.threads(), batch);
}
void HtmlReportWriter::write(const Columns& rows, const std::string& statistics) {
  state_->statistics = statistics;
  state_->report.write(state_->out.threads(), rows);
}
std::string HtmlReportWriter::finish() { return state_->finish(state_->statistics); }
std::string HtmlReportWriter::finish(const SearchSummary& summary) { return state_->finish(summary); }

std::string write_report(OutputFile& out, const Audit& audit, const std::vector<Database>& sets,
                         const AuditOptions& options, const Scoring& scoring, const ReportHead& head,
                         std::uint64_t most_bytes) {
  check_report(out.path(), most_bytes, sets);
  return jobs::write_page(audit, sets, options, scoring, head, most_bytes, out.state().file);
}

std::string write_report(OutputFile& out, const ClusterAudit& audit, const Database& set,
                         const RecordSets& clusters, const ClusterAuditOptions& options,
                         const Scoring& scoring, const ReportHead& head, std::uint64_t most_bytes) {
  check_report(out.path(), most_bytes, {set});
  return jobs::write_page(audit, set, clusters, options, scoring, head, most_bytes, out.state().file);
}

}  // namespace alnus

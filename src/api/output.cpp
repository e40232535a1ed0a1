// The public writers, which call those of the io layer.
#include "alnus/output.h"

#include <utility>

#include "alnus/error.h"
#include "alnus/session.h"
#include "io/output_file.h"
#include "jobs/row_writer.h"
#include "session/call.h"
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

}  // namespace

struct OutputFile::State {
  io::OutputFile file;
};

OutputFile::OutputFile(Session& session, const std::string& path, std::uint64_t resume_at)
    : state_(new State{{threads_of(session), path, resume_at}}) {}
OutputFile::~OutputFile() = default;

void OutputFile::write(std::string_view text) { state_->file.write(text); }
std::uint64_t OutputFile::sync() { return state_->file.sync(); }
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

}  // namespace alnus

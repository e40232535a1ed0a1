// The public writers, which call those of the io layer.
#include "alnus/output.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "alnus/error.h"
#include "alnus/session.h"
#include "alnus/text.h"
#include "io/output_file.h"
#include "io/score_plot.h"
#include "jobs/row_writer.h"
#include "session/call.h"
#include "session/session_core.h"

namespace alnus {

namespace {

ThreadPool& threads_of(Session& session) {
  session::check_process(session.state().core);
  return session.state().core.threads();
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

namespace {

// Does what uses the sequences of `rows`. If that fails, bytes that a file has lost may be the reason, which
// is a better error then.
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

std::string score_plot_svg(const ScoreHistogram& histogram, std::span<const std::int32_t> hit_scores,
                           const Scoring& scoring, std::uint64_t queries, std::uint64_t subjects,
                           const std::string& statistics, const HitLimit& limit) {
  io::ScorePlot plot;
  plot.title = fmt::format("{} and {}", format_count(queries, "query", "queries"),
                           format_count(subjects, "subject", "subjects"));
  if (histogram.stride > 1) plot.title += fmt::format(", of which one in {} is shown", histogram.stride);
  plot.subtitle = statistics;
  plot.x_label = fmt::format("score ({}, gap costs {})", scoring.matrix.name(), scoring.format_gaps());
  if (limit.full_queries > 0)
    plot.note = fmt::format(
        "At most {} are reported of a query (max-target-seqs); {} {} that many, and further hits may be "
        "among the other pairs.",
        format_count(limit.max_target_seqs, "hit", "hits"),
        format_count(limit.full_queries, "query", "queries"), limit.full_queries == 1 ? "has" : "have");
  plot.counts = histogram.pairs;
  plot.expected = histogram.expected;
  // Each integer score is the middle of its bin.
  plot.bin_width = 1.0 / scoring.scale;
  plot.first_bin = (histogram.lowest - 0.5) * plot.bin_width;
  // If the histogram counts only every stride-th subject, it may lack hits: each bin counts at least its
  // hits.
  std::vector<std::uint64_t> hits_in_bin(plot.counts.size());
  for (const std::int32_t score : hit_scores) {
    plot.hits.push_back(static_cast<double>(score) / scoring.scale);
    if (score < histogram.lowest) continue;
    const auto bin = static_cast<std::size_t>(score - histogram.lowest);
    if (bin >= plot.counts.size()) {
      plot.counts.resize(bin + 1);
      hits_in_bin.resize(bin + 1);
    }
    plot.counts[bin] = std::max(plot.counts[bin], ++hits_in_bin[bin]);
  }
  if (!plot.expected.empty()) plot.expected.resize(plot.counts.size());
  return io::score_plot_svg(plot);
}

}  // namespace alnus

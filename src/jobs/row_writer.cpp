#include "jobs/row_writer.h"

#include <utility>

#include "alnus/error.h"
#include "io/id_check.h"
#include "session/database_state.h"
#include "session/file_check.h"

namespace alnus::jobs {
namespace {

void check_sam_names(const Database& queries, const Database& subjects) {
  Database::State &of_queries = *queries.state(), &of_subjects = *subjects.state();
  of_queries.prepared->sam_queries.run([&] {
    io::check_sam_queries(of_queries.sequences);
    of_queries.require_sound();
  });
  of_subjects.prepared->sam_subjects.run([&] {
    io::check_sam_subjects(of_subjects.sequences);
    of_subjects.require_sound();
  });
}

}  // namespace

void check_row_output(const OutputFormat& format, const std::string& path, Detail detail,
                      const Scoring& scoring, const Database& queries, const Database& subjects,
                      ThreadPool& threads) {
  io::check_format(format, path, detail, scoring);
  try {
    io::check_ids(format.kind, queries.sequences(), subjects.sequences());
    if (format.kind == OutputFormat::Kind::sam) check_sam_names(queries, subjects);
  } catch (const Error&) {
    session::check_files(queries, threads);  // lost bytes of a file may look like wrong ids
    session::check_files(subjects, threads);
    throw;
  }
}

ReportRows::ReportRows(io::OutputFile& out, const OutputFormat& format, const Scoring& scoring,
                       Database queries, Database subjects, ReportHead head)
    : out_(out),
      format_(format),
      scoring_(scoring),
      queries_(std::move(queries)),
      subjects_(std::move(subjects)),
      head_(std::move(head)) {
  std::vector<std::string> inputs = queries_.state()->files;
  inputs.insert(inputs.end(), subjects_.state()->files.begin(), subjects_.state()->files.end());
  const std::string output = out.path().empty() ? "-" : out.path();
  check_outputs({&output, 1}, inputs);
  io::check_format(format, out.path(), head_.detail, scoring_);
}

// Writes the head of the output, once. The head has the statistics, which are known with the first rows.
void ReportRows::begin(const std::string& statistics, bool is_search) {
  if (report_) return;
  const SequenceSet& subjects = subjects_.sequences();
  io::ReportContext context;
  context.version = head_.program_version;
  context.command_line = head_.command_line;
  context.scoring = &scoring_;
  context.subjects = &subjects;
  context.database_name = head_.database_name;
  context.database_sequences = subjects.size();
  context.database_residues = subjects.total_residues();
  context.max_evalue = head_.max_evalue;
  context.statistics = statistics;
  context.is_search = is_search;
  context.detail = head_.detail;
  report_ = std::make_unique<io::Report>(format_, std::move(context), out_);
  report_->begin();
}

void ReportRows::write(const SearchBatch& batch) { write(batch, queries_.sequences()); }

void ReportRows::write(const SearchBatch& batch, const Database& queries) {
  const SequenceSet& sequences = queries.sequences();
  if (format_.kind == OutputFormat::Kind::sam) {
    const std::uint64_t record = queries.state()->record;
    for (SequenceSet::Index q = batch.queries.begin; q < batch.queries.end; ++q) {
      ++other_queries_;
      sam_names_.add(sequences[q].id(), queries.name(), record == 0 ? other_queries_ : record);
    }
  }
  write(batch, sequences);
}

void ReportRows::write(const SearchBatch& batch, const SequenceSet& queries) {
  begin(batch.statistics, true);
  for (SequenceSet::Index q = 0; q < batch.queries.size(); ++q) {
    const bool judged = !batch.query_statistics.empty() && !batch.query_statistics[q].description.empty();
    io::Answer answer{queries[batch.queries.begin + q],
                      {batch.rows, batch.first_row[q], batch.first_row[q + 1]},
                      judged ? &batch.query_statistics[q] : nullptr};
    if (report_->marks_primary()) answer.primary = io::primary_row(answer.rows);
    add(answer);
  }
  hand_over();
}

void ReportRows::write(const Columns& rows, const std::string& statistics, RowWriter::Grouping grouping) {
  begin(statistics, false);
  const bool apart = grouping == RowWriter::Grouping::apart, local = scoring_.mode == Mode::local;
  const auto is_written = [&](std::size_t i) { return !local || rows.score[i] != 0; };
  for (std::size_t i = 0, end = 0; i < rows.size(); i = end) {
    end = i + 1;
    while (!apart && end < rows.size() && rows.query[end] == rows.query[i]) ++end;
    if (apart || rows.query[i] != query_) end_query();
    const bool is_whole = !query_begun_ && (apart || end < rows.size());
    std::size_t written = i;
    while (written < end && is_written(written)) ++written;
    if (is_whole && (written == end || end == i + 1)) {
      add_of_pairs(rows.query[i], {rows, i, written});
      continue;
    }
    query_begun_ = true;
    query_ = rows.query[i];
    numbered_ = !rows.hsp.empty();
    owners_.push_back(rows.owner);
    for (; i < end; ++i)
      if (is_written(i)) rows_.push_back(rows.row(i));
    if (apart || end < rows.size()) end_query();
  }
  hand_over();
}

void ReportRows::add(io::Answer answer) {
  answer.number = all_answers_++;
  waiting_rows_ += 1 + answer.rows.size();
  answers_.push_back(answer);
  if (waiting_rows_ >= report_->worthwhile_rows()) hand_over();
}

// Adds consecutive rows of one query. Pairs come in any order, so that a query may have several answers.
void ReportRows::add_of_pairs(SequenceSet::Index query, const io::Rows& rows) {
  io::Answer answer{queries_.sequences()[query], rows};
  if (report_->marks_primary()) {
    came_before_.resize(queries_.size());
    waits_.resize(queries_.size());
    answer.again = came_before_[query];
    if (!answer.again) answer.primary = io::primary_row(rows);
    if (!answer.again && answer.primary == io::Answer::kNone) {
      waits_[query] = true;
      return;
    }
    came_before_[query] = true;
  }
  add(answer);
}

void ReportRows::hand_over() {
  report_->write(answers_);
  answers_.clear();
  waiting_rows_ = 0;
}

void ReportRows::end_query() {
  if (std::exchange(query_begun_, false)) {
    add_of_pairs(query_, io::Rows(rows_, numbered_));
    hand_over();  // before the rows are cleared
  }
  rows_.clear();
  owners_.clear();
}

void ReportRows::flush() { end_query(); }

void ReportRows::finish() {
  begin({}, false);
  end_query();
  for (SequenceSet::Index q = 0; q < waits_.size(); ++q)
    if (waits_[q] && !came_before_[q]) add({queries_.sequences()[q], {}});
  hand_over();
  report_->end(all_answers_);
}

void ReportRows::check_files() const {
  session::check_files(queries_, out_.threads());
  session::check_files(subjects_, out_.threads());
}

}  // namespace alnus::jobs

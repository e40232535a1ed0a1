#include "api/row_writer.h"

#include <algorithm>
#include <utility>

#include "api/database_state.h"

namespace alnus::api {

ReportRows::ReportRows(io::OutputFile& out, const OutputFormat& format, const Scoring& scoring,
                       Database queries, Database subjects, ReportHead head)
    : scoring_(scoring),
      queries_(std::move(queries)),
      subjects_(std::move(subjects)),
      head_(std::move(head)),
      writer_(io::make_writer(format, out)) {
  io::check_format(format, head_.detail, scoring_);
  std::vector<std::string> inputs = queries_.state()->files;
  inputs.insert(inputs.end(), subjects_.state()->files.begin(), subjects_.state()->files.end());
  const std::string output = out.path().empty() ? "-" : out.path();
  check_outputs({&output, 1}, inputs);
}

// The head is written when the statistics are known, with the first rows.
void ReportRows::begin(const std::string& statistics, bool is_search) {
  if (std::exchange(begun_, true)) return;
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
  writer_->begin(context);
}

void ReportRows::write(const SearchBatch& batch, const SequenceSet& queries) {
  begin(batch.statistics, true);
  for (SequenceSet::Index q = 0; q < batch.queries.size(); ++q) {
    rows_.clear();
    for (std::uint64_t i = batch.first_row[q]; i < batch.first_row[q + 1]; ++i)
      rows_.push_back(batch.rows.row(i));
    const bool judged = !batch.query_statistics.empty() && !batch.query_statistics[q].description.empty();
    writer_->query(queries[batch.queries.begin + q], rows_, judged ? &batch.query_statistics[q] : nullptr);
  }
  rows_.clear();
}

void ReportRows::write(const Columns& rows, const std::string& statistics, RowWriter::Grouping grouping) {
  begin(statistics, false);
  const bool local = scoring_.mode == Mode::local;
  if (rows.size() > 0) owners_.push_back(rows.owner);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (query_begun_ && (rows.query[i] != query_ || grouping == RowWriter::Grouping::apart)) {
      end_query();
      owners_.push_back(rows.owner);
    }
    query_begun_ = true;
    query_ = rows.query[i];
    if (!local || rows.score[i] != 0) rows_.push_back(rows.row(i));
  }
}

void ReportRows::end_query() {
  if (std::exchange(query_begun_, false)) {
    const SequenceView query = queries_.sequences()[query_];
    came_before_.resize(queries_.size());
    waits_.resize(queries_.size());
    if (came_before_[query_]) {
      writer_->query_again(query, rows_);
    } else if (writer_->begins_with_alignments() && std::ranges::none_of(rows_, io::aligns_something)) {
      waits_[query_] = true;
    } else {
      writer_->query(query, rows_, nullptr);
      came_before_[query_] = true;
    }
  }
  rows_.clear();
  owners_.clear();
}

void ReportRows::flush() {
  end_query();
  writer_->flush();
}

void ReportRows::finish() {
  begin({}, false);
  end_query();
  for (SequenceSet::Index q = 0; q < waits_.size(); ++q)
    if (waits_[q] && !came_before_[q]) writer_->query(queries_.sequences()[q], {}, nullptr);
  writer_->end();
}

}  // namespace alnus::api

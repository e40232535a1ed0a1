// Columns on their way to a writer of the io layer, which takes records.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "alnus/output.h"
#include "io/output_file.h"
#include "io/report.h"

namespace alnus::api {

// As alnus::RowWriter, on the io layer's file.
class ReportRows {
 public:
  ReportRows(io::OutputFile& out, const OutputFormat& format, const Scoring& scoring, Database queries,
             Database subjects, ReportHead head);

  void write(const SearchBatch& batch, const SequenceSet& queries);
  void write(const Columns& rows, const std::string& statistics, RowWriter::Grouping grouping);
  void flush();
  void finish();

  const Database& queries() const { return queries_; }

 private:
  void begin(const std::string& statistics, bool is_search);
  void add(io::Answer answer);
  void add_of_pairs(SequenceSet::Index query, const io::Rows& rows);
  void hand_over();
  void end_query();

  io::OutputFile& out_;
  const OutputFormat format_;
  const Scoring scoring_;
  const Database queries_, subjects_;
  const ReportHead head_;
  std::unique_ptr<io::Report> report_;  // once it is begun
  // Answers that the report gets next, with their rows; the batch that these are in must not end before.
  std::vector<io::Answer> answers_;
  std::size_t waiting_rows_ = 0;
  std::uint64_t all_answers_ = 0;
  // Rows of one query, which may come in several batches, and what their spans live in.
  bool query_begun_ = false;
  SequenceSet::Index query_ = 0;
  std::vector<Row> rows_;
  std::vector<std::shared_ptr<const void>> owners_;
  // Where pairs come in any order: which queries had an answer, and which wait for one because their rows so
  // far align nothing (Writer::marks_primary).
  std::vector<bool> came_before_, waits_;
};

}  // namespace alnus::api

// Turns columns of results into the answers that writers of the io layer take.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "alnus/output.h"
#include "io/output_file.h"
#include "io/report.h"
#include "io/sam_names.h"

namespace alnus::jobs {

// Throws what io::check_format() and io::check_ids() throw, and for SAM what io::check_sam_queries() and
// io::check_sam_subjects() throw. The names of a database that fit SAM are not checked again. If a check of
// names fails, files that have changed are checked on `threads`, which throws what check_files() throws.
void check_row_output(const OutputFormat& format, const std::string& path, Detail detail,
                      const Scoring& scoring, const Database& queries, const Database& subjects,
                      ThreadPool& threads);

// The implementation of alnus::RowWriter, for a file of the io layer.
class ReportRows {
 public:
  // Throws what io::check_format() and check_outputs() throw. The caller has checked the names of the
  // sequences by check_row_output().
  ReportRows(io::OutputFile& out, const OutputFormat& format, const Scoring& scoring, Database queries,
             Database subjects, ReportHead head);

  void write(const SearchBatch& batch);
  void write(const SearchBatch& batch, const Database& queries);
  void write(const Columns& rows, const std::string& statistics, RowWriter::Grouping grouping);
  void flush();
  void finish();
  void check_files() const;  // Database::check_files() of queries and subjects

 private:
  void begin(const std::string& statistics, bool is_search);
  void write(const SearchBatch& batch, const SequenceSet& queries);
  void add(io::Answer answer);
  void add_of_pairs(SequenceSet::Index query, const io::Rows& rows);
  void hand_over();
  void end_query();

  io::OutputFile& out_;
  const OutputFormat format_;
  const Scoring scoring_;
  const Database queries_, subjects_;
  const ReportHead head_;
  std::unique_ptr<io::Report> report_;  // null before begin()
  // Answers that hand_over() passes to the report. They point into the batch at hand or into `rows_`, which
  // must live until then. `waiting_rows_`: the number of these answers and their rows.
  std::vector<io::Answer> answers_;
  std::size_t waiting_rows_ = 0;
  std::uint64_t all_answers_ = 0;
  std::uint64_t other_queries_ = 0;
  io::SamQueryNames sam_names_;  // of queries that are not those of the constructor
  // The rows of the query at hand, which may come in several batches, and the owners of their memory.
  // `numbered_`: the batches have a column of Row::hsp.
  bool query_begun_ = false, numbered_ = false;
  SequenceSet::Index query_ = 0;
  std::vector<Row> rows_;
  std::vector<std::shared_ptr<const void>> owners_;
  // Both are by query, and only for formats that mark primary rows (Writer::marks_primary). `came_before_`:
  // the query had an answer. `waits_`: the query has no answer yet, because its rows so far align nothing.
  std::vector<bool> came_before_, waits_;
};

}  // namespace alnus::jobs

// Writers of results, one per output format. What a column or format means: docs/formats.md.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "alnus/output.h"
#include "alnus/results.h"
#include "alnus/sequence_set.h"
#include "io/output_file.h"

namespace alnus::io {

// What a writer is told once, before the first query.
struct ReportContext {
  std::string version;       // of the program, for heads and SAM's @PG; empty: left out
  std::string command_line;  // for SAM's @PG and srspair's head
  const Scoring* scoring = nullptr;
  const SequenceSet* subjects = nullptr;  // those that rows name by index
  std::string database_name;
  std::uint64_t database_sequences = 0, database_residues = 0;
  std::optional<double> max_evalue;  // that rows could have; empty: no bound
  std::string statistics;            // by which scores are judged, where no query has statistics of its own
  bool is_search = false;            // each query comes once, with all its rows
  // What the rows hold; columns that need more print NA. Reports, SAM and BLAST XML need alignments: else
  // begin() throws Error(input).
  Detail detail = Detail::alignment;
};

// Whether a row aligns something; it must have its CIGAR if it does.
inline bool aligns_something(const Row& row) { return !row.cigar.empty(); }

// Calls come in this order: begin, query or query_again*, end. The rows are those of one query, sorted
// already; `statistics` is null where the query has none of its own. After flush() the output has all that
// was written.
class Writer {
 public:
  virtual ~Writer() = default;
  virtual void begin(const ReportContext& context) = 0;
  virtual void query(const SequenceView& query, std::span<const Row> rows,
                     const QueryStatistics* statistics) = 0;
  // Whether the first rows of a query must be some that align something, if there are any: where pairs come
  // in any order, a query comes with no rows at the end otherwise.
  virtual bool begins_with_alignments() const { return false; }
  // More rows of a query that came before, where pairs come in any order.
  virtual void query_again(const SequenceView& query, std::span<const Row> rows) {
    this->query(query, rows, nullptr);
  }
  virtual void flush() = 0;
  virtual void end() = 0;
};

// Throws Error(input) if the format shows alignments and rows of this detail hold none. Writers do that, too,
// when they begin.
void check_detail(OutputFormat::Kind kind, Detail detail);

// Throws Error(input) if the format has no place for the scoring's decimals. Writers do that, too.
void check_scoring(OutputFormat::Kind kind, const Scoring& scoring);

// Throws Error(input) as these two do, and for OutputFormat::header with a format that has no place for it.
void check_format(const OutputFormat& format, Detail detail, const Scoring& scoring);

// Throws Error(input) for OutputFormat::header with a format that has no place for it.
std::unique_ptr<Writer> make_writer(const OutputFormat& format, OutputFile& out);

}  // namespace alnus::io

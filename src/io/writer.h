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
#include "io/row_text.h"

namespace alnus::io {

// What a writer is told once, before the first query.
struct ReportContext {
  std::string version{};       // of the program, for heads and SAM's @PG; empty: left out
  std::string command_line{};  // for SAM's @PG and srspair's head
  const Scoring* scoring = nullptr;
  const SequenceSet* subjects = nullptr;  // the subjects that rows name by index
  std::string database_name{};
  std::uint64_t database_sequences = 0, database_residues = 0;
  std::optional<double> max_evalue{};  // the bound on the rows' E-values; empty: no bound
  std::string statistics{};  // how scores are judged, in words, if no query has statistics of its own
  bool is_search = false;    // each query comes once, with all its rows
  // The detail that rows have; columns that need more print NA. Reports, SAM and BLAST XML need alignments.
  Detail detail = Detail::alignment;
};

// True if a row aligns something. Such a row must have its CIGAR.
inline bool aligns_something(const Row& row) { return !row.cigar.empty(); }

// A view of consecutive rows of a result. The rows of a query make hits: a hit has the rows of one pair,
// which are consecutive, by ascending Row::hsp. A pair that is listed twice makes two hits.
class Rows {
 public:
  Rows() = default;
  // `numbered`: the columns that the records came from have a column of Row::hsp.
  explicit Rows(std::span<const Row> records, bool numbered = false)
      : records_(records), size_(records.size()), numbered_(numbered) {}
  Rows(const Columns& columns, std::size_t begin, std::size_t end)
      : columns_(&columns), begin_(begin), size_(end - begin), numbered_(!columns.hsp.empty()) {}

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  Row operator[](std::size_t i) const { return columns_ ? columns_->row(begin_ + i) : records_[i]; }
  SequenceSet::Index subject(std::size_t i) const {
    return columns_ ? columns_->subject[begin_ + i] : records_[i].subject;
  }
  bool numbered() const { return numbered_; }  // true: a hit may have several rows

  bool begins_hit(std::size_t i) const;        // true if row i is the first of its hit, or is behind all rows
  std::size_t hit_begin(std::size_t i) const;  // the first row of the hit that has row i
  std::size_t hit_end(std::size_t i) const;    // the row behind the last one of the hit that has row i
  std::size_t hits_before(std::size_t i) const;  // how many hits begin before row i

 private:
  std::int32_t hsp(std::size_t i) const;

  const Columns* columns_ = nullptr;  // null: the rows are in records_
  std::span<const Row> records_;
  std::size_t begin_ = 0, size_ = 0;
  bool numbered_ = false;
};

// What is written for one query: its rows, which are sorted already.
struct Answer {
  static constexpr std::size_t kNone = -1;

  SequenceView query;
  Rows rows;
  const QueryStatistics* statistics = nullptr;  // null: the query has none of its own
  std::uint64_t number = 0;                     // number of answers before this one
  // If pairs come in any order, a query may have several answers; `again` is true for all but its first
  // answer. `primary` is the number in `rows` of the query's primary row, if Writer::marks_primary() and if
  // this is the query's first answer; else it is kNone.
  bool again = false;
  std::size_t primary = kNone;
};

// Returns the number in `rows` of the row with the best score among the rows that align something, the first
// one of equal scores; kNone if no row aligns something.
std::size_t primary_row(const Rows& rows);

// Turns answers into text. A writer keeps nothing from call to call but the text, so that several writers of
// the same context may share the work: the text of an answer is the texts of its hits one after the other,
// whichever writer writes each hit.
class Writer {
 public:
  explicit Writer(const ReportContext& context) : context_(context) {}  // the context must live as long
  virtual ~Writer() = default;
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  // Writes what stands above all answers into text(); of a long text the first pieces go to `out`.
  virtual void begin(OutputFile& out);
  // Writes the rows from `begin` up to before `end`, which are whole hits. The text above all rows comes with
  // the first row, the text below all rows with the last one. An answer without rows has both texts.
  virtual void write(const Answer& answer, std::size_t begin, std::size_t end) = 0;
  virtual void end(std::uint64_t answers);  // writes what stands below all answers; `answers` is their number
  // True if the format marks one row of each query as its primary one. A query's first answer must then have
  // a row that aligns something, if the query has such a row.
  virtual bool marks_primary() const { return false; }

  Text& text() { return text_; }  // what was written since it was last cleared

 protected:
  const ReportContext& context() const { return context_; }

 private:
  const ReportContext& context_;
  Text text_;
};

// Throws Error(input) if the format shows alignments, but rows of this detail have none.
void check_detail(OutputFormat::Kind kind, Detail detail);

// Throws Error(input) if the format has no place for the scoring's decimals.
void check_scoring(OutputFormat::Kind kind, const Scoring& scoring);

// Throws Error(input) as check_detail(), check_scoring() and check_name() do, and for OutputFormat::header
// with a format that has no place for column names.
void check_format(const OutputFormat& format, const std::string& path, Detail detail, const Scoring& scoring);

std::unique_ptr<Writer> make_writer(const OutputFormat& format, const ReportContext& context);

}  // namespace alnus::io

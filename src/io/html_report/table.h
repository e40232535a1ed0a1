// A table of the HTML report: rows of a result as texts, kept until the report is written
// (docs/report-format.md).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "alnus/results.h"
#include "alnus/scoring.h"
#include "alnus/sequence_set.h"
#include "core/thread_pool.h"
#include "io/columns.h"

namespace alnus::io {

// The sequences that rows name by index. In all pairs of one set both are the same set.
struct ReportSides {
  SequenceSet queries, subjects;
  bool one_set = false;
};

class ReportTable {
 public:
  struct Form {
    std::string name;                    // of letters a to z
    std::string title;                   // for readers
    bool by_query = false;               // the rows of a query follow each other, queries in their order
    bool has_scores = true;              // the rows' scores are known
    std::vector<std::string> more = {};  // further columns, whose texts add() gets
  };
  // What is known of a row without reading its text.
  struct Row {
    SequenceSet::Index query, subject;
    // Search: hits of the query before this row's hit. Other tables: rows before this row.
    std::uint64_t rank;
    // The aligned range of the subject as it was given, from 0; empty if nothing is aligned or known.
    std::int32_t subject_begin, subject_end;
    std::uint64_t text_end;
  };

  // `scoring` must live as long. Of a table with more than about `most_bytes` of text, only rows of the
  // lowest ranks are kept (limit()).
  ReportTable(Form form, const Scoring& scoring, ReportSides sides, std::uint64_t most_bytes);

  // Adds rows [begin, end) of a result. All calls must have rows with the same columns. Coordinates, counts
  // and CIGARs of a row whose query_end is -1 are not known. `more` has a text for each row and each of
  // Form::more, row by row.
  void add(ThreadPool& threads, const Columns& rows, std::size_t begin, std::size_t end,
           std::span<const std::string> more = {});

  // Must be called after the last add(), and before what stands below.
  void settle();

  const Form& form() const { return form_; }
  std::uint64_t rows_found() const { return found_; }  // that add() got
  // By query: how many hits it got; for tables by query.
  std::span<const std::uint32_t> hits_found() const { return hits_; }
  bool has_alignments() const { return cigars_; }
  // Rows with a lower rank than this are all kept. It depends on the rows alone, not on how they were added.
  std::uint64_t limit() const { return limit_; }
  std::uint64_t most_ranks() const { return ranks_; }  // the highest rank of a row, plus one

  std::span<const Row> rows() const { return rows_; }
  // The columns that have a value in some row below the limit, in the order of the format, without those of
  // the pair.
  std::vector<std::string_view> columns() const;
  // The value of a column in a row, as JSON: a number, a string in quotes, or null. The row must be kept.
  std::string_view value(std::size_t row, std::string_view column) const;
  // The JSON of blocks with these rows. `queries` and `subjects` have the number by which the report knows
  // each sequence; `queries` may be empty if the table is by query, since its blocks have no such column.
  std::string rows_json(std::span<const std::uint32_t> numbers, std::span<const SequenceSet::Index> queries,
                        std::span<const SequenceSet::Index> subjects) const;
  std::string gaps_json(std::span<const std::uint32_t> numbers) const;

 private:
  struct Printed;
  // Where the values of a column come from: a column of tables, the row's strand, or the caller of add().
  enum class Source : std::uint8_t { column, strand, given };
  struct Value {
    std::string name;
    Source source;
    const Column* column;  // for Source::column
    bool is_text;
    std::uint64_t known_from;  // the lowest rank of a row that has a value; only rows below limit_ count
  };

  struct ChosenRow {
    std::size_t row;
    std::uint64_t rank;
  };
  struct Place {
    SequenceSet::Index query = 0, subject = 0;
    std::int32_t hsp = 0;
  };

  void choose_values(const Columns& rows);
  std::vector<ChosenRow> choose(const Columns& rows, std::size_t begin, std::size_t end);
  void print(const Columns& rows, std::size_t row, std::uint64_t rank, std::span<const std::string> more,
             Printed& out) const;
  bool is_known(const Value& value) const { return value.known_from < limit_; }
  void keep(Printed& piece);
  void cut();
  std::uint64_t bytes() const;  // that kept rows take
  std::string_view text_of(std::size_t row) const;

  const Form form_;
  const ReportContext context_;
  const ReportSides sides_;
  const std::uint64_t most_bytes_;
  bool chosen_ = false, cigars_ = false;
  std::vector<Value> values_;
  // The texts of kept rows, one after the other: the values and then the CIGAR, each with an end mark.
  std::string text_;
  std::vector<Row> rows_;
  std::vector<std::uint64_t> bytes_of_rank_;  // of tables by query: text and Row of all rows below limit_
  std::vector<std::uint32_t> hits_;
  Place last_;  // of the row that was counted last, in tables by query
  std::uint64_t found_ = 0, limit_, ranks_ = 0;
};

}  // namespace alnus::io

// The columns of tables. The list of columns in columns.cpp defines each of them, except those that print a
// value of a row as it is: kRowColumns in alnus/results.h defines these.
// docs/formats.md describes columns to users.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "io/row_text.h"
#include "io/writer.h"

namespace alnus::io {

// What a column's value is made from. `counts` and `covered` are filled only if a column of the table needs
// them.
struct TableLine {
  const ReportContext& context;
  const SequenceView& query;
  const SequenceView subject;
  const Row& row;
  AlignmentCounts counts;
  std::int64_t covered;  // how many residues of the query the rows of this hit cover together
};

struct Column {
  std::string_view name;
  std::string_view title;  // in the "# Fields:" line; BLAST's words where BLAST has the column
  Detail needed;           // the least detail of a row with which the column does not print NA
  // What the column needs of the rows. letters: letters of the sequences, but no CIGAR. path: the CIGAR, and
  // for all such columns but the CIGAR itself also letters. whole_hit: all rows of the hit.
  enum class Needs : std::uint8_t {
    nothing,
    counts,
    path,
    statistics,
    letters,
    whole_hit,
    identity_range
  } needs;
  bool is_text;  // the value may hold any byte of the input's headers
  void (*print)(Text& text, const TableLine& line);
  std::array<std::string_view, 3> aliases = {};

  // A range of identities is needed for one denominator, whose number is added to Needs::identity_range.
  static constexpr Needs range_by(Denominator denominator) {
    return static_cast<Needs>(static_cast<int>(Needs::identity_range) + static_cast<int>(denominator));
  }
  std::optional<Denominator> identity_range() const {
    if (needs < Needs::identity_range) return {};
    return static_cast<Denominator>(static_cast<int>(needs) - static_cast<int>(Needs::identity_range));
  }
};

std::span<const Column> all_columns();
const Column* find_column(std::string_view name_or_alias);  // case matters; nullptr if unknown
std::span<const std::string_view> standard_columns();       // the names of the columns that `std` stands for

// These two append the aligned letters of one sequence with '-' for gaps, as qseq and sseq print them.
void append_aligned_query(Text& text, const SequenceView& query, const Row& row, const Alphabet& alphabet);
void append_aligned_subject(Text& text, const SequenceView& subject, const Row& row,
                            const Alphabet& alphabet);
void append_cigar(Text& text, std::span<const CigarRun> cigar);

}  // namespace alnus::io

// The columns of tables: one row here says all about each (docs/formats.md describes them to users).
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "io/text.h"
#include "io/writer.h"

namespace alnus::io {

// What a column's value is made from. `counts` is filled only where a column of the table needs them.
struct TableLine {
  const ReportContext& context;
  const SequenceView& query;
  const SequenceView subject;
  const Row& row;
  AlignmentCounts counts;
};

struct Column {
  std::string_view name;
  std::string_view title;  // in the "# Fields:" line; BLAST's words where BLAST has the column
  Detail needed;           // with less the column prints NA
  // letters: those of the sequences, without a path. Of columns that need a path all but the CIGAR have
  // letters.
  enum class Needs : std::uint8_t { nothing, counts, path, statistics, letters, identity_range } needs;
  bool is_text;  // may hold any byte of the input's headers
  void (*print)(Text& text, const TableLine& line);
  std::array<std::string_view, 3> aliases = {};

  // An identity's range is needed by a denominator, which is added to Needs::identity_range.
  static constexpr Needs range_by(Denominator denominator) {
    return static_cast<Needs>(static_cast<int>(Needs::identity_range) + static_cast<int>(denominator));
  }
  std::optional<Denominator> identity_range() const {
    if (needs < Needs::identity_range) return {};
    return static_cast<Denominator>(static_cast<int>(needs) - static_cast<int>(Needs::identity_range));
  }
};

std::span<const Column> all_columns();
const Column* find_column(std::string_view name_or_alias);  // case matters; nullptr: unknown
std::span<const std::string_view> standard_columns();       // what `std` stands for

// Aligned letters of one sequence with '-' for gaps, as qseq and sseq print them.
void append_aligned_query(Text& text, const SequenceView& query, const Row& row, const Alphabet& alphabet);
void append_aligned_subject(Text& text, const SequenceView& subject, const Row& row,
                            const Alphabet& alphabet);
void append_cigar(Text& text, std::span<const CigarRun> cigar);

}  // namespace alnus::io

// Collects the rows of a result and returns them as columns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <vector>

#include "alnus/results.h"
#include "alnus/row_columns.h"
#include "alnus/strand.h"
#include "engine/align_list.h"

namespace alnus::engine {

// The fields of a row besides its pair and score.
struct RowFields {
  Detail detail = Detail::alignment;
  bool cigars = true;         // with Detail::alignment only
  bool significance = false;  // bits, E-values, Z-scores
  std::vector<Denominator> identity_ranges{};
  Strands strands = Strands::plus;  // strands that are aligned; plus alone needs no column of strands
  bool hsps = false;                // a pair may have several rows
};

// Bytes of a row's numbers, all columns together, without the runs of its CIGAR and without identity ranges.
inline constexpr std::uint64_t kBytesOfRow = std::apply(
    [](const auto&... column) {
      return (sizeof(std::uint64_t) + ... + sizeof(typename std::decay_t<decltype(column)>::value_type));
    },
    kRowColumns);

class ColumnsBuilder {
 public:
  explicit ColumnsBuilder(const RowFields& fields);
  void reserve(std::size_t rows);

  // Adds a row. Coordinates and CIGAR must be as Columns has them (alnus/results.h).
  void add(IndexPair pair, const AlignedPair& aligned, Strand strand);
  // Append a value to the columns of significance, or of identity ranges. Each of these columns needs a value
  // for every row, in the order of the rows, but the rows may all be added before.
  void add(const Significance& significance);
  void add(Denominator denominator, const IdentityRange& range);

  // Returns the columns, whose `owner` holds their memory. Leaves the builder empty.
  Columns finish();

 private:
  const bool cigars_;
  const ColumnGroups groups_;  // without significance, whose values come later
  ColumnGroups significance_;  // significance alone if it is wanted, else none
  Row row_;                    // kept between calls, so that it is not cleared for each row
  OwnedColumns columns_;
};

// Makes `rows` the rows of the batch, of which each query's begin at its entry in `first_row`.
void set_rows(Columns rows, std::vector<std::uint64_t> first_row, SearchBatch& batch);

}  // namespace alnus::engine

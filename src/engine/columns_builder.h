// Collects the rows of a result and returns them as columns.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "alnus/results.h"
#include "alnus/strand.h"
#include "engine/pair_list.h"

namespace alnus::engine {

// The fields of a row besides its pair and score.
struct RowFields {
  Detail detail = Detail::alignment;
  bool cigars = true;         // with Detail::alignment only
  bool significance = false;  // bits, E-values, Z-scores
  std::vector<Denominator> identity_ranges{};
  Strands strands = Strands::plus;  // strands that are aligned; plus alone needs no column of strands
};

// Bytes of a row's numbers, all columns together, without the CIGAR.
inline constexpr std::uint64_t kBytesOfRow = 13 * sizeof(std::int32_t) + 7 * sizeof(double) + sizeof(Strand);

class ColumnsBuilder {
 public:
  explicit ColumnsBuilder(const RowFields& fields) : fields_(fields) {}
  void reserve(std::size_t rows);

  // Adds a row. Coordinates and CIGAR must be as Columns has them (alnus/results.h).
  void add(IndexPair pair, const AlignedPair& aligned, Strand strand);
  // Append a value to the columns of significance, or of identity ranges. Each of these columns needs a value
  // for every row, in the order of the rows, but the rows may all be added before.
  void add(const Significance& significance);
  void add(Denominator denominator, const IdentityRange& range);

  std::size_t size() const { return columns_.score.size(); }
  // Returns the columns, whose `owner` holds their memory. Leaves the builder empty.
  Columns finish();

 private:
  struct Arrays {
    std::vector<SequenceSet::Index> query, subject;
    std::vector<Strand> strand;
    std::vector<std::int32_t> score, query_end, subject_end, query_begin, subject_begin, length, identical,
        positive, mismatches, gap_residues, gap_opens;
    std::vector<std::uint64_t> cigar_offsets;
    std::vector<CigarRun> cigar_runs;
    std::vector<double> adjusted_score, bits, evalue, zscore, zscore_se, zfit;
    std::array<std::vector<IdentityRange>, kDenominators> identity_range;
  };
  const RowFields fields_;
  Arrays columns_;
};

}  // namespace alnus::engine

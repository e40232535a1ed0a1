// A stripe of a matrix of pairs: what the writers of matrices, distances and edges take.
#pragma once

#include <cstdint>
#include <span>

namespace alnus::io {

// What the values are: scores in the user's units, identities in percent, distances from 0 to 1.
enum class PairValue : std::uint8_t { score, identity, distance };

// Rows [begin, end), one after another, `columns` values each. Of a triangle or a symmetric matrix row j has
// the values with the sequences 0 .. j, and columns >= end; what is behind them is not read. Writers take
// stripes in order, without gaps between them. NaN: no value. Doubles, because thresholds and printed digits
// are to be those of the exact values.
struct Stripe {
  std::uint64_t begin = 0, end = 0, columns = 0;
  std::span<const double> values;

  std::span<const double> row(std::uint64_t j) const {
    return values.subspan((j - begin) * columns, columns);
  }
};

}  // namespace alnus::io

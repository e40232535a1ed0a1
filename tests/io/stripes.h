// Stripes of small matrices, for the tests of matrix writers.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "alnus/results.h"

namespace alnus::io {

using ValueOfPair = std::function<double(std::uint64_t row, std::uint64_t column)>;

// A stripe that owns its values.
class Block {
 public:
  // A stripe of a triangle: row j has values up to column j. The values after that must not be read.
  static Block of_triangle(std::uint64_t begin, std::uint64_t end, const ValueOfPair& value) {
    constexpr double kNotToBeRead = -123456789;
    return {begin, end, end,
            [&](std::uint64_t j, std::uint64_t i) { return i <= j ? value(j, i) : kNotToBeRead; }};
  }
  static Block of_rectangle(std::uint64_t begin, std::uint64_t end, std::uint64_t columns,
                            const ValueOfPair& value) {
    return {begin, end, columns, value};
  }
  ValueStripe stripe() const {
    return {{static_cast<SequenceSet::Index>(begin_), static_cast<SequenceSet::Index>(end_)},
            {0, static_cast<SequenceSet::Index>(columns_)},
            values_,
            nullptr};
  }

 private:
  Block(std::uint64_t begin, std::uint64_t end, std::uint64_t columns, const ValueOfPair& value)
      : begin_(begin), end_(end), columns_(columns) {
    for (std::uint64_t j = begin; j < end; ++j)
      for (std::uint64_t i = 0; i < columns; ++i) values_.push_back(value(j, i));
  }

  std::uint64_t begin_, end_, columns_;
  std::vector<double> values_;
};

}  // namespace alnus::io

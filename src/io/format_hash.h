// Hashes of the names of columns and options, which files of parts and ledgers have beside the version of
// their layout. A new column or option changes the hash. So a file is refused by every alnus that has other
// columns or options than the alnus that wrote it.
#pragma once

#include <cstdint>
#include <string_view>
#include <type_traits>

#include "alnus/all_pairs.h"
#include "alnus/output.h"
#include "alnus/results.h"
#include "alnus/search.h"

namespace alnus::io {

// The hash function FNV-1a with 32 bits.
class Fnv1a {
 public:
  constexpr void add(char byte) { value_ = (value_ ^ static_cast<unsigned char>(byte)) * 16777619U; }
  constexpr void add(std::string_view text) {
    for (const char letter : text) add(letter);
  }
  constexpr std::uint32_t value() const { return value_; }

 private:
  std::uint32_t value_ = 2166136261U;
};

// Adds the columns of rows: their names, and the sizes and kinds (floating-point, signed, unsigned) of their
// values.
constexpr void add_columns(Fnv1a& hash) {
  for_each_row_column([&]<class Value, class InRow>(const RowColumn<Value, InRow>& column) {
    hash.add(column.name);
    hash.add(static_cast<char>(sizeof(Value)));
    hash.add(std::is_floating_point_v<Value> ? 'f' : std::is_signed_v<Value> ? 'i' : 'u');
  });
}

// Adds the names of the options that describe a job or a run.
constexpr void add_options(Fnv1a& hash) {
  const auto add = [&](const auto& option) { hash.add(option.name); };
  for_each_option<SearchOptions>(add);
  for_each_option<RowFilter>(add);
  for_each_option<PairFilter>(add);
  for_each_option<PairFiles>(add);
}

}  // namespace alnus::io

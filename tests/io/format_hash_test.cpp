#include "io/format_hash.h"

#include <gtest/gtest.h>
#include <string>

namespace alnus::io {
namespace {

std::uint32_t hash_of(std::string_view text) {
  Fnv1a hash;
  hash.add(text);
  return hash.value();
}

// Values that the authors of FNV publish.
TEST(FormatHash, IsFnv1a) {
  EXPECT_EQ(hash_of(""), 0x811c9dc5U);
  EXPECT_EQ(hash_of("a"), 0xe40c292cU);
  EXPECT_EQ(hash_of("foobar"), 0xbf9cf968U);
}

TEST(FormatHash, HasTheNamesOfOptions) {
  std::string names;
  for_each_option<SearchOptions>([&](const auto& option) { names += option.name; });
  for_each_option<RowFilter>([&](const auto& option) { names += option.name; });
  for_each_option<PairFilter>([&](const auto& option) { names += option.name; });
  for_each_option<PairFiles>([&](const auto& option) { names += option.name; });
  EXPECT_NE(names.find("max_target_seqs"), std::string::npos);
  EXPECT_NE(names.find("min_identity"), std::string::npos);
  EXPECT_NE(names.find("edge_threshold"), std::string::npos);
  Fnv1a hash;
  add_options(hash);
  EXPECT_EQ(hash.value(), hash_of(names));
}

TEST(FormatHash, HasNamesAndTypesOfColumns) {
  std::string columns;
  for_each_row_column([&]<class Value, class InRow>(const RowColumn<Value, InRow>& column) {
    columns += column.name;
    columns += static_cast<char>(sizeof(Value));
    columns += std::is_floating_point_v<Value> ? 'f' : std::is_signed_v<Value> ? 'i' : 'u';
  });
  Fnv1a hash;
  add_columns(hash);
  EXPECT_EQ(hash.value(), hash_of(columns));
}

}  // namespace
}  // namespace alnus::io

// Matrices of pairs as labelled tables.
#include "io/matrix_table.h"

#include <algorithm>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "alnus/error.h"
#include "alnus/matrix_table.h"
#include "io/stripes.h"
#include "support/temp_dir.h"

namespace alnus::io {
namespace {

using ::testing::HasSubstr;

SequenceSet named(const std::vector<std::string>& headers) {
  SequenceSetBuilder builder(AlphabetKind::protein, "s.fa");
  for (const std::string& header : headers) builder.add_text(header, "ACD");
  return builder.finish();
}

double table_value(std::uint64_t j, std::uint64_t i) {
  return static_cast<double>(std::min(i, j) + 1) / static_cast<double>(std::max(i, j) + 3);
}

class MatrixTable : public ::testing::Test {
 protected:
  std::string rectangle(const std::string& name, MatrixType type, const SequenceSet& rows,
                        const SequenceSet& columns, const ValueOfPair& value) {
    OutputFile out(pool_, directory_.file(name));
    MatrixTableWriter writer(out, type, rows, columns);
    writer.begin();
    for (std::uint64_t row = 0; row < rows.size(); row += 2)
      writer.write(
          Block::of_rectangle(row, std::min<std::uint64_t>(row + 2, rows.size()), columns.size(), value)
              .stripe());
    out.commit();
    return test::read_file(directory_.file(name));
  }
  std::string square(const std::string& name, MatrixType type, const SequenceSet& set,
                     const ValueOfPair& value, int threads = 1) {
    ThreadPool pool(threads);
    MatrixFile values(directory_.file("values"), MatrixShape::square(set.size()), type);
    values.write(Block::of_triangle(0, set.size(), value).stripe());
    OutputFile out(pool, directory_.file(name));
    MatrixTableWriter writer(out, type, set, set);
    writer.begin();
    writer.write_square(values, StopFlag::never());
    out.commit();
    return test::read_file(directory_.file(name));
  }

  ThreadPool pool_{2};
  const test::TempDir directory_;
};

TEST_F(MatrixTable, NamesSayWhatIsATable) {
  for (const char* name :
       {"m.csv", "m.tsv", "m.csv.gz", "m.tsv.gz", "m.csv.zst", "m.tsv.zst", "a/b.csv", "m.CSV", "m.tsv.GZ"})
    EXPECT_TRUE(is_matrix_table(name)) << name;
  for (const char* name : {"", "m.npy", "m.csv.bz2", "m.gz", "csv", "m.csv.npy"})
    EXPECT_FALSE(is_matrix_table(name)) << name;
  EXPECT_TRUE(has_diagonal({.matrix = "m.csv"}));
  EXPECT_TRUE(has_diagonal({.matrices = {{PairValue::score, "m.tsv.gz"}}}));
  EXPECT_TRUE(has_diagonal({.matrix = "m.npy", .square = true}));
  EXPECT_FALSE(has_diagonal({.matrix = "m.npy", .edges = "e.csv"}));
}

TEST_F(MatrixTable, CellsOfCsvAreQuotedByRfc4180) {
  const SequenceSet rows = named({"plain", "a,b", "with\"quotes\"", ""});
  const auto value = [](std::uint64_t j, std::uint64_t i) {
    return 10.0 * static_cast<double>(j) - 5 * static_cast<double>(i);
  };
  EXPECT_EQ(rectangle("m.csv", MatrixType::int32, rows, named({"x", "y;z", "tab"}), value),
            ",x,y;z,tab\n"
            "plain,0,-5,-10\n"
            "\"a,b\",10,5,0\n"
            "\"with\"\"quotes\"\"\",20,15,10\n"
            "NA,30,25,20\n");
  EXPECT_EQ(rectangle("m.tsv", MatrixType::int32, rows, named({"x"}), value),
            "\tx\nplain\t0\na,b\t10\nwith\"quotes\"\t20\nNA\t30\n");
}

TEST_F(MatrixTable, LabelsThatHoldSeparatorsStayOneCell) {
  Text text;
  TableForm("m.tsv").append_label(text, "a\tb\r\nc");
  EXPECT_EQ(view(text), "a b  c");
  text.clear();
  TableForm("m.csv.gz").append_label(text, "a\tb\r\nc");
  EXPECT_EQ(view(text), "\"a\tb\r\nc\"");
}

TEST_F(MatrixTable, NumbersGiveTheSameFloatBack) {
  const std::vector<double> values = {0,    1,    100,  1.0 / 3,  12.5,     99.99999,
                                      1e-7, -0.1, 1e10, 3.25e-30, 16777216, 33.333333333};
  const SequenceSet columns = named(std::vector<std::string>(values.size(), "c"));
  const std::string text = rectangle("m.csv", MatrixType::float32, named({"r"}), columns,
                                     [&](std::uint64_t, std::uint64_t i) { return values[i]; });
  EXPECT_EQ(text.substr(text.find('\n')),
            "\nr,0,1,100,0.33333334,12.5,99.99999,0.0000001,-0.1,10000000000,"
            "0.00000000000000000000000000000325,16777216,33.333332\n");
}

TEST_F(MatrixTable, ASquareHasBothTriangles) {
  const SequenceSet set = named({"a", "b", "c"});
  EXPECT_EQ(square("m.csv", MatrixType::int32, set,
                   [](std::uint64_t j, std::uint64_t i) {
                     return 10.0 * static_cast<double>(j) + static_cast<double>(i);
                   }),
            ",a,b,c\na,0,10,20\nb,10,11,21\nc,20,21,22\n");
  EXPECT_FALSE(std::filesystem::exists(directory_.file("values.alnus-part")));
  EXPECT_EQ(square("none.csv", MatrixType::int32, named({}), table_value), "\n");
}

TEST_F(MatrixTable, AnyNumberOfThreadsWritesTheSameBytes) {
  std::vector<std::string> headers;
  for (int k = 0; k < 400; ++k) headers.push_back("s" + std::to_string(k));
  const SequenceSet set = named(headers);
  const std::string expected = square("m.tsv", MatrixType::float32, set, table_value, 1);
  EXPECT_TRUE(square("m.tsv", MatrixType::float32, set, table_value, 3) == expected);
  EXPECT_EQ(std::ranges::count(expected, '\n'), 401);
  EXPECT_EQ(std::ranges::count(expected, '\t'), 401 * 400);
}

TEST_F(MatrixTable, IsReadBackAsATriangle) {
  const SequenceSet set = named({"a,b", "\"q\"", "c", "", "e"});
  for (const char* name : {"m.csv", "m.tsv", "m.csv.gz", "m.tsv.zst"}) {
    square(name, MatrixType::float32, set, table_value);
    MatrixTableReader reader(directory_.file(name), MatrixType::float32, set, StopFlag::never());
    for (const auto& [begin, end] : {std::pair{0, 2}, {2, 3}, {3, 5}}) {
      const std::vector<double> values = reader.read(begin, end);
      ASSERT_EQ(values.size(), static_cast<std::size_t>((end - begin) * end));
      for (int j = begin; j < end; ++j)
        for (int i = 0; i <= j; ++i)
          EXPECT_EQ(values[(j - begin) * end + i], static_cast<float>(table_value(j, i))) << name;
    }
  }
}

TEST_F(MatrixTable, OfOtherSequencesIsRefused) {
  const std::string path = directory_.file("m.csv");
  square("m.csv", MatrixType::int32, named({"a", "b"}), [](std::uint64_t, std::uint64_t) { return 7.0; });
  const auto message = [&](const SequenceSet& set) -> std::string {
    try {
      MatrixTableReader(path, MatrixType::int32, set, StopFlag::never()).read(0, set.size());
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message(named({"a", "b"})), "");
  for (const SequenceSet& other : {named({"a", "c"}), named({"a"}), named({"a", "b", "c"})})
    EXPECT_THAT(message(other), HasSubstr("m.csv is not as the run left it: it is not the table of these"));
  directory_.write_file("m.csv", ",a,b\na,7,7\nb,7\n");
  EXPECT_THAT(message(named({"a", "b"})), HasSubstr("m.csv is not as the run left it"));
  directory_.write_file("m.csv", ",a,b\na,7,x\nb,7,7\n");
  EXPECT_THAT(message(named({"a", "b"})), HasSubstr("m.csv is not as the run left it"));
}

}  // namespace
}  // namespace alnus::io

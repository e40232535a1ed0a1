// The writers of distances (PHYLIP) and of edges as text.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "io/edge_writer.h"
#include "io/phylip_names.h"
#include "io/phylip_writer.h"
#include "io/stripes.h"
#include "support/compression.h"
#include "support/temp_dir.h"

namespace alnus::io {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

SequenceSet named(const std::vector<std::string>& headers) {
  SequenceSetBuilder builder(AlphabetKind::protein, "s.fa");
  for (const std::string& header : headers) builder.add_text(header, "ACD");
  return builder.finish();
}

class PairTextTest : public ::testing::Test {
 protected:
  // Returns what a writer writes for the stripes of a triangle, `height` rows each. With `resume_at`, writing
  // is interrupted and resumed at this row.
  template <class WriterOf>
  std::string triangle(const WriterOf& writer_of, std::uint64_t rows, const ValueOfPair& value,
                       std::uint64_t height, std::uint64_t resume_at = 0) {
    std::uint64_t bytes = 0;
    if (resume_at > 0) {
      OutputFile out(pool_, name_);
      auto writer = writer_of(out, false);
      writer.write(Block::of_triangle(0, resume_at, value).stripe());
      bytes = out.sync();
      if (resume_at < rows) writer.write(Block::of_triangle(resume_at, resume_at + 1, value).stripe());
    }
    OutputFile out(pool_, name_, bytes);
    auto writer = writer_of(out, bytes > 0);
    for (std::uint64_t begin = resume_at; begin < rows; begin += height)
      writer.write(Block::of_triangle(begin, std::min(begin + height, rows), value).stripe());
    out.commit();
    return test::read_file(name_);
  }

  ThreadPool pool_{1};
  test::TempDir directory_;
  const std::string name_ = directory_.file("out");
};

class PhylipWriterTest : public PairTextTest {
 protected:
  std::string phylip(const std::vector<std::string>& headers, std::uint64_t height,
                     std::uint64_t resume_at = 0, PhylipNames names = PhylipNames::relaxed) {
    const SequenceSet set = named(headers);
    const auto writer_of = [&](OutputFile& out, bool resumed) {
      PhylipWriter writer(out, set, names);
      if (!resumed) writer.begin();
      return writer;
    };
    const auto distance = [](std::uint64_t j, std::uint64_t i) {
      return static_cast<double>(i + 1) / static_cast<double>(j + 2);
    };
    return triangle(writer_of, headers.size(), distance, height, resume_at);
  }
};

TEST_F(PhylipWriterTest, StrictNamesHaveTenCharacters) {
  const std::vector<std::string> headers = {"one the first", "two", "0123456789abc", "0123456780abc"};
  const std::string expected =
      "    4\n"
      "one       \n"
      "two         0.333333\n"
      "0123456789  0.250000  0.500000\n"
      "0123456780  0.200000  0.400000  0.600000\n";
  for (const std::uint64_t height : {1, 2, 3, 4})
    EXPECT_EQ(phylip(headers, height, 0, PhylipNames::strict), expected);
  for (const std::uint64_t resume_at : {1, 2, 3, 4})
    EXPECT_EQ(phylip(headers, 2, resume_at, PhylipNames::strict), expected);
}

// Relaxed names are not cut, although ten characters would suffice to tell them apart.
TEST_F(PhylipWriterTest, RelaxedNamesAreWhole) {
  const std::vector<std::string> headers = {"one the first", "sp|P12345|TWO_HUMAN text", "tr|A0|THREE", ""};
  const std::string expected =
      "    4\n"
      "one       \n"
      "sp|P12345|TWO_HUMAN  0.333333\n"
      "tr|A0|THREE  0.250000  0.500000\n"
      "NA          0.200000  0.400000  0.600000\n";
  for (const std::uint64_t height : {1, 2, 3, 4}) EXPECT_EQ(phylip(headers, height), expected);
  for (const std::uint64_t resume_at : {1, 2, 3, 4}) EXPECT_EQ(phylip(headers, 2, resume_at), expected);
}

TEST(PhylipNames, HaveNothingThatReadersTakeForMore) {
  EXPECT_EQ(phylip_name("sp|P1.2|A-B_C/1", PhylipNames::relaxed), "sp|P1.2|A-B_C/1");
  EXPECT_EQ(phylip_name("chr1:10-20(+);a,[b]'", PhylipNames::relaxed), "chr1_10-20_+__a__b__");
  EXPECT_EQ(phylip_name("chr1:10-20(+);a,[b]'", PhylipNames::strict), "chr1_10-20");
  EXPECT_EQ(phylip_name("a\x01z\xC2\xA0", PhylipNames::relaxed), "a_z__");
  EXPECT_EQ(phylip_name("", PhylipNames::relaxed), "NA");
}

class CheckPhylipNames : public ::testing::Test {
 protected:
  static std::string refusal(const std::vector<std::string>& headers, PhylipNames form) {
    try {
      check_phylip_names(named(headers), form, StopFlag::never());
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::input);
      return plain_text(error.what());
    }
    return "";
  }
};

TEST_F(CheckPhylipNames, TwoOfOneNameAreRefusedByRecord) {
  EXPECT_EQ(refusal({"a one", "b", "a_two"}, PhylipNames::relaxed), "");
  EXPECT_THAT(refusal({"a one", "b", "a two"}, PhylipNames::relaxed),
              HasSubstr("Records 1 ('a') and 3 ('a') of s.fa would both be named a "));
  EXPECT_THAT(refusal({"b", "g:1", "g;1"}, PhylipNames::relaxed),
              HasSubstr("Records 2 ('g:1') and 3 ('g;1') of s.fa would both be named g_1 "));
  EXPECT_THAT(refusal({"", "x", ""}, PhylipNames::relaxed), HasSubstr("Records 1 and 3 of s.fa"));
  const std::vector<std::string> long_names = {"sp|P12345|ONE_HUMAN", "sp|P12345|TWO_HUMAN"};
  EXPECT_EQ(refusal(long_names, PhylipNames::relaxed), "");
  EXPECT_THAT(refusal(long_names, PhylipNames::strict),
              AllOf(HasSubstr("both be named sp|P12345| "), HasSubstr("phylip_names relaxed")));
}

TEST_F(CheckPhylipNames, ReplacedCharactersAreCounted) {
  const ReplacedNames replaced =
      check_phylip_names(named({"a", "b(1)", "c", "d:2 text"}), PhylipNames::relaxed, StopFlag::never());
  EXPECT_EQ(replaced.count, 2u);
  EXPECT_EQ(replaced.first, 1u);
}

TEST_F(PhylipWriterTest, FewSequences) {
  EXPECT_EQ(phylip({}, 1), "    0\n");
  EXPECT_EQ(phylip({"only"}, 1), "    1\nonly      \n");
}

// Edges of a triangle or a rectangle, in the order in which they are added.
class Edges {
 public:
  void add(SequenceSet::Index row, SequenceSet::Index column, double value) {
    row_.push_back(row);
    column_.push_back(column);
    value_.push_back(value);
  }
  SparseValues values() const { return {row_, column_, value_, nullptr}; }

 private:
  std::vector<SequenceSet::Index> row_, column_;
  std::vector<double> value_;
};

class EdgeWriterTest : public PairTextTest {
 protected:
  // Returns the text of these edges of four sequences. With `resume_at`, writing is interrupted and resumed
  // after this many edges.
  std::string edges(const EdgeRule& rule, const std::vector<std::tuple<int, int, double>>& all,
                    std::size_t resume_at = 0) {
    const SequenceSet set = named({"a first", "b", "", "d"});
    const auto write = [&](OutputFile& out, std::size_t begin, std::size_t end) {
      EdgeWriter writer(out, rule, set);
      for (std::size_t k = begin; k < end; ++k) {
        const auto [row, column, value] = all[k];
        Edges one;
        one.add(static_cast<SequenceSet::Index>(row), static_cast<SequenceSet::Index>(column), value);
        writer.write(one.values());
      }
    };
    std::uint64_t bytes = 0;
    if (resume_at > 0) {
      OutputFile out(pool_, name_);
      write(out, 0, resume_at);
      bytes = out.sync();
      write(out, resume_at, all.size());
    }
    OutputFile out(pool_, name_, bytes);
    write(out, resume_at, all.size());
    out.commit();
    return test::read_file(name_);
  }
};

TEST_F(EdgeWriterTest, TheEarlierSequenceIsTheFirst) {
  EXPECT_EQ(edges({PairValue::identity, 1}, {{0, 0, 100}, {3, 0, 97.3}, {3, 1, 97.3 - 1e-9}, {3, 2, 0}}),
            "a\ta\t100.000\na\td\t97.300\nb\td\t97.300\nNA\td\t0.000\n");
}

TEST_F(EdgeWriterTest, DistancesAndWhatIsResumed) {
  const std::vector<std::tuple<int, int, double>> all = {
      {1, 0, 1.0 / 3}, {2, 0, 1.0 / 3}, {2, 1, 0.25}, {3, 0, 0.25}};
  const std::string expected = "a\tb\t0.333333\na\tNA\t0.333333\nb\tNA\t0.250000\na\td\t0.250000\n";
  for (const std::size_t resume_at : {0, 1, 2, 3, 4})
    EXPECT_EQ(edges({PairValue::distance, 1}, all, resume_at), expected) << resume_at;
}

TEST_F(EdgeWriterTest, ScoresAndScoreDistancesAreExactDecimals) {
  EXPECT_EQ(edges({PairValue::score_distance, 10}, {{2, 1, 12.5}, {3, 1, -0.5}}),
            "b\tNA\t12.5\nb\td\t-0.5\n");
  EXPECT_EQ(edges({PairValue::score, 1000},
                  {{1, 0, 100.0 / 1000 - 0.2}, {2, 0, 200.0 / 1000 - 0.2}, {2, 1, 0.201 - 0.2}}),
            "a\tb\t-0.1\na\tNA\t0\nb\tNA\t0.001\n");
}

TEST_F(EdgeWriterTest, CsvByTheNameOfTheFile) {
  const SequenceSet set = named({"a,1 first", "b\"2\"", "c", ""});
  Edges all;
  for (const auto& [row, column] : {std::pair{2, 0}, {2, 1}, {3, 0}, {3, 1}, {3, 2}})
    all.add(static_cast<SequenceSet::Index>(row), static_cast<SequenceSet::Index>(column), 10 * row + column);
  for (const char* name : {"e.csv", "e.csv.gz", "e.csv.zst", "e.tsv", "csv", "e.csv.txt"}) {
    const std::string path = directory_.file(name);
    OutputFile out(pool_, path);
    EdgeWriter writer(out, {PairValue::score, 1}, set);
    writer.write(all.values());
    out.commit();
    const std::string found = test::unpacked(path);
    if (std::string(name).starts_with("e.csv") && !path.ends_with(".txt"))
      EXPECT_EQ(found, "\"a,1\",c,20\n\"b\"\"2\"\"\",c,21\n\"a,1\",NA,30\n\"b\"\"2\"\"\",NA,31\nc,NA,32\n")
          << name;
    else
      EXPECT_EQ(found, "a,1\tc\t20\nb\"2\"\tc\t21\na,1\tNA\t30\nb\"2\"\tNA\t31\nc\tNA\t32\n") << name;
  }
}

TEST_F(EdgeWriterTest, RowsOfARectangleComeFirst) {
  const SequenceSet rows = named({"r1", "r2", "r3"}), columns = named({"c1", "c2"});
  OutputFile out(pool_, name_);
  EdgeWriter writer(out, {PairValue::score, 1}, rows, columns);
  Edges all;
  all.add(0, 1, 1);
  all.add(2, 0, 20);
  all.add(2, 1, 21);
  writer.write(all.values());
  out.commit();
  EXPECT_EQ(test::read_file(name_), "r1\tc2\t1\nr3\tc1\t20\nr3\tc2\t21\n");
}

TEST_F(EdgeWriterTest, MoreThanOnePieceOfTextKeepsTheOrder) {
  const SequenceSet set = named({"a", "b"});
  Edges all;
  std::string expected;
  for (int k = 0; k < 30'000; ++k) {
    all.add(1, 0, k);
    expected += "a\tb\t" + std::to_string(k) + "\n";
  }
  OutputFile out(pool_, name_);
  EdgeWriter writer(out, {PairValue::score, 1}, set);
  writer.write(all.values());
  out.commit();
  EXPECT_EQ(test::read_file(name_), expected);
}

}  // namespace
}  // namespace alnus::io

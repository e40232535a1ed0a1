// Tables of edges as they are read: those that EdgeWriter writes come back, and each wrong line is named.
#include "io/edge_reader.h"

#include <cmath>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "io/edge_writer.h"
#include "io/membership_fixture.h"
#include "io/writer_fixture.h"

namespace alnus::io {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// "column row value relation" of each edge.
std::vector<std::string> edges_in(const Input& table, const SequenceSet& set,
                                  const std::vector<Relation>& relations = {}) {
  const IdIndex ids(set);
  EdgeReader reader(table, ids, relations);
  std::vector<std::string> edges;
  for (SparseValues batch = reader.next(); batch.size() > 0; batch = reader.next())
    for (std::size_t k = 0; k < batch.size(); ++k)
      edges.push_back(
          fmt::format("{} {} {} {}", batch.column[k], batch.row[k], batch.value[k], batch.relation[k]));
  EXPECT_EQ(reader.next().size(), 0U) << "the end stays";
  return edges;
}

std::string refused_edges(std::string_view text, const std::vector<Relation>& relations = {},
                          const char* name = "e.tsv") {
  return refusal([&] { edges_in(Input(text, name), records({"a", "b", "c"}), relations); });
}

TEST(EdgeReader, ReadsTablesOfTwoToFourFields) {
  const SequenceSet set = records({"a", "b", "c"});
  EXPECT_THAT(edges_in(Input("a\tb\nc\tb\n", "e.tsv"), set), ElementsAre("0 1 nan 0", "1 2 nan 0"));
  EXPECT_THAT(edges_in(Input("a\tb\t31.5\r\nc\ta\t1e-05", "e.tsv"), set),
              ElementsAre("0 1 31.5 0", "0 2 1e-05 0"));
  const std::vector<Relation> relations = parse_relations("whole:30,part:30");
  EXPECT_THAT(edges_in(Input("a\tb\t31\tpart:30\nb\tc\t90\twhole:30\n", "e.tsv"), set, relations),
              ElementsAre("0 1 31 1", "1 2 90 0"));
  EXPECT_THAT(edges_in(Input("a\tb\t31\tpart:30\n", "e.tsv"), set), ElementsAre("0 1 31 0"));
  EXPECT_THAT(edges_in(Input("a\tb\t31\n", "e.tsv"), set, relations), ElementsAre("0 1 nan 0"))
      << "the relation of the value is not known";
  EXPECT_THAT(edges_in(Input("", "e.tsv"), set), IsEmpty());
}

TEST(EdgeReader, ReadsWhatTheWriterWrites) {
  const TemporaryDirectory directory;
  const SequenceSet set = records({"a,\"b\"", "b", "c c", "d"});
  const std::vector<Relation> relations = parse_relations("whole:30,related:0.001");
  const std::vector<SequenceSet::Index> row = {1, 2, 3}, column = {0, 0, 2};
  const std::vector<double> value = {99.5, 2e-12, 30};
  const std::vector<std::uint8_t> relation = {0, 1, 0};
  ThreadPool pool(1);
  for (const char* name : {"e.tsv", "e.csv", "e.csv.gz", "e.tsv.zst"}) {
    const std::string path = directory.file(name);
    OutputFile out(pool, path);
    EdgeWriter(out, {.relations = relations}, set).write({row, column, value, nullptr, relation});
    out.commit();
    EXPECT_THAT(edges_in(path, set, relations), ElementsAre("0 1 99.5 0", "0 2 2e-12 1", "2 3 30 0")) << name;
  }
}

TEST(EdgeReader, ReadsLongTablesInBatches) {
  SequenceSetBuilder builder(AlphabetKind::protein, "many");
  constexpr SequenceSet::Index kCount = 400;
  for (SequenceSet::Index i = 0; i < kCount; ++i) builder.add_text(fmt::format("r{}", i), "ACD");
  std::string text;
  for (SequenceSet::Index i = 0; i < kCount; ++i)
    for (SequenceSet::Index k = 0; k < i; ++k) text += fmt::format("r{}\tr{}\t1\n", k, i);
  const SequenceSet set = builder.finish();
  const std::vector<std::string> edges = edges_in(Input(text, "e.tsv"), set);
  ASSERT_EQ(edges.size(), kCount * (kCount - 1) / 2);
  EXPECT_EQ(edges.back(), "398 399 1 0");
}

TEST(EdgeReader, NamesTheLineOfWhatIsWrong) {
  EXPECT_THAT(refused_edges("a\tb\t1\na\n"), HasSubstr("e.tsv, line 2: the line has 1 field,"));
  EXPECT_THAT(refused_edges("a\tb\t1\na\tb\t1\twhole:30\n"), HasSubstr("line 2"));
  EXPECT_THAT(refused_edges("a\n"), AllOf(HasSubstr("line 1"), HasSubstr("tabs"), HasSubstr("1 field")));
  EXPECT_THAT(refused_edges("a\tb\t1\twhole:30\tx\n"), HasSubstr("5 fields"));
  EXPECT_THAT(refused_edges("a,b,1\n", {}, "e.tsv"), HasSubstr("1 field"));
  EXPECT_THAT(refused_edges("a\tb\t1\n", {}, "e.csv"), HasSubstr("commas"));
  EXPECT_THAT(refused_edges("a\tx\t1\n"), AllOf(HasSubstr("line 1"), HasSubstr("'x'"), HasSubstr("s.fa")));
  EXPECT_THAT(refused_edges("a\tb\t1\nc\tc\t1\n"), AllOf(HasSubstr("line 2"), HasSubstr("'c' with itself")));
  for (const char* wrong : {"", "x", "1,5", "nan", "inf", "1 "})
    EXPECT_THAT(refused_edges(fmt::format("a\tb\t{}\n", wrong)), HasSubstr("no number")) << wrong;
  EXPECT_THAT(refused_edges("a\tb\t1\tpart:40\n", parse_relations("whole:30,part:30")),
              AllOf(HasSubstr("'part:40'"), HasSubstr("whole:30,part:30")));
  EXPECT_THAT(refused_edges("a\tb\t1\tx\n"), HasSubstr("no relation"));
}

TEST(EdgeReader, RefusesSetsWithRepeatedIds) {
  EXPECT_THAT(refusal([] {
                edges_in(Input("a\tb\n", "e.tsv"), records({"a", "b", "a"}));
              }),
              HasSubstr("two records with the id 'a'"));
}

}  // namespace
}  // namespace alnus::io

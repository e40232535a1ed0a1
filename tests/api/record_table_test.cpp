// read_record_table() and read_priorities(): labels, groups, priorities and subsets of records.
#include "alnus/record_table.h"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "api/support/errors.h"
#include "api/support/inputs.h"
#include "support/compression.h"
#include "support/temp_dir.h"

namespace alnus::test {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Texts = std::vector<std::string>;

class ApiRecordTable : public testing::Test {
 protected:
  RecordTable table(const std::string& bytes) const {
    return read_record_table(directory_.write_file("t.tsv", bytes), set_);
  }
  std::vector<double> priorities(const std::string& bytes) const {
    return read_priorities(directory_.write_file("p.tsv", bytes), set_);
  }
  // The error, which must name the file and the line.
  std::string refused(const std::string& bytes, int line) const {
    std::string error = input_error([&] { table(bytes); });
    EXPECT_THAT(error, AllOf(HasSubstr("t.tsv"), HasSubstr("line " + std::to_string(line))));
    return error;
  }

  const TempDir directory_;
  const SequenceSet set_ = set_of({"MKV", "WWH", "DES", "KRK"});
};

TEST_F(ApiRecordTable, ReadsTabsAndCommas) {
  for (const char* text : {"id\tkind\thost\ns2\tenzyme\tmouse\ns0\treceptor\thuman\n",
                           "id,kind,host\ns2,enzyme,mouse\ns0,receptor,human\n",
                           "id,kind,host\r\n\r\ns2,enzyme,mouse\r\n\r\ns0,receptor,human",
                           "\"id\",\"kind\",host\n\"s2\",\"enzyme\",mouse\ns0,receptor,\"human\"\n"}) {
    SCOPED_TRACE(text);
    const RecordTable read = table(text);
    EXPECT_EQ(read.path, directory_.file("t.tsv"));
    ASSERT_EQ(read.columns.size(), 2u);
    EXPECT_EQ(read.columns[0].name, "kind");
    EXPECT_EQ(read.columns[1].name, "host");
    EXPECT_EQ(read.columns[0].values, (Texts{"receptor", "", "enzyme", ""}));
    EXPECT_EQ(read.columns[1].values, (Texts{"human", "", "mouse", ""}));
    EXPECT_EQ(read.lines.size(), 4u);
    EXPECT_EQ(read.lines[1], 0u);
    EXPECT_LT(read.lines[2], read.lines[0]);
  }
}

TEST_F(ApiRecordTable, CountsLinesFromOne) {
  EXPECT_THAT(table("id,x\ns2,a\n\ns0,b\n").lines, ElementsAre(4, 0, 2, 0));
  EXPECT_THAT(table("s2,a\n\ns0,b\n").lines, ElementsAre(3, 0, 1, 0));
}

TEST_F(ApiRecordTable, NeedsNoHeader) {
  const RecordTable read = table("s3\t1\ns1\t2\n");
  ASSERT_EQ(read.columns.size(), 1u);
  EXPECT_EQ(read.columns[0].name, "");
  EXPECT_EQ(read.columns[0].values, (Texts{"", "2", "", "1"}));
}

TEST_F(ApiRecordTable, ReadsQuotesOfCsv) {
  EXPECT_EQ(table("s0,\"a, b\"\ns1,\"say \"\"hi\"\"\"\n").columns[0].values,
            (Texts{"a, b", "say \"hi\"", "", ""}));
  // A table with tabs may have commas in its values.
  EXPECT_EQ(table("s0\ta, b\ns1\tc\n").columns[0].values, (Texts{"a, b", "c", "", ""}));
}

TEST_F(ApiRecordTable, ReadsCompressedFiles) {
  const std::string text = "id\tkind\ns1\tenzyme\n";
  for (const std::string& bytes : {gzip(text), zstd(text), bgzf(text)})
    EXPECT_EQ(table(bytes).columns[0].values, (Texts{"", "enzyme", "", ""}));
}

TEST_F(ApiRecordTable, OfADatabaseFileFollowsTheGivenSet) {
  const SequenceSet set = reversed(set_);
  const RecordTable read = read_record_table(directory_.write_file("t.tsv", "s0,a\ns3,b\n"), set);
  EXPECT_EQ(read.columns[0].values, (Texts{"b", "", "", "a"}));
}

TEST_F(ApiRecordTable, RefusesWrongIds) {
  EXPECT_THAT(refused("id,x\ns0,a\nzz,b\n", 3), HasSubstr("'zz'"));
  EXPECT_THAT(refused("s0,a\n\ns1,b\ns0,a\n", 4), AllOf(HasSubstr("'s0'"), HasSubstr("line 1")));
  EXPECT_THAT(refused("id,x\ns0,a\ns0,b\n", 3), AllOf(HasSubstr("'s0'"), HasSubstr("line 2")));
  refused("id,x\n,a\n", 2);
  // A header that does not begin with id.
  EXPECT_THAT(refused("name,x\ns0,a\n", 1), HasSubstr("'name'"));
}

TEST_F(ApiRecordTable, RefusesIdsOfSeveralRecords) {
  const SequenceSet repeated = joined(set_, set_of({"HHH"}));
  const std::string path = directory_.write_file("t.tsv", "s1,a\ns0,b\n");
  EXPECT_THAT(input_error([&] { read_record_table(path, repeated); }),
              AllOf(HasSubstr("'s0'"), HasSubstr("line 2")));
  directory_.write_file("t.tsv", "s1,a\n");
  EXPECT_EQ(read_record_table(path, repeated).columns[0].values, (Texts{"", "a", "", "", ""}));
}

TEST_F(ApiRecordTable, RefusesWrongColumnsAndValues) {
  refused("id,x\ns0,\n", 2);
  refused("s0\ta\t\n", 1);
  refused("id,x\ns0,\"\"\n", 2);
  refused("id,x\ns0,a,b\n", 2);
  refused("id,x,y\ns0,a,b\ns1,a\n", 3);
  refused("s0\n", 1);
  refused("id\ns0\n", 1);
  refused("id,x\ns0,\"a\n", 2);  // a quote that does not end
}

TEST_F(ApiRecordTable, OfNothingNamesTheFile) {
  for (const char* text : {"", "\n\n"}) EXPECT_THAT(input_error([&] { table(text); }), HasSubstr("t.tsv"));
  EXPECT_THAT(input_error([&] { read_record_table(directory_.file("none.tsv"), set_); }),
              HasSubstr("none.tsv"));
}

TEST_F(ApiRecordTable, PrioritiesAreNumbers) {
  EXPECT_THAT(priorities("s1,2.5\ns3,-1e3\n"), ElementsAre(0, 2.5, 0, -1000));
  EXPECT_THAT(priorities("id\tp\tmore\ns1\t1\tx\n"), ElementsAre(0, 1, 0, 0)) << "the first column counts";
  for (const char* wrong : {"high", "nan", "inf", "1e999", "1x", "0x10", "1,5"}) {
    SCOPED_TRACE(wrong);
    const std::string error =
        input_error([&] { priorities(std::string("id\tp\ns1\t1\ns2\t") + wrong + "\n"); });
    EXPECT_THAT(error, AllOf(HasSubstr("p.tsv"), HasSubstr("line 3"), HasSubstr(wrong)));
  }
  EXPECT_THAT(input_error([&] { priorities("s1,1\nzz,2\n"); }),
              AllOf(HasSubstr("line 2"), HasSubstr("'zz'")));
}

}  // namespace
}  // namespace alnus::test

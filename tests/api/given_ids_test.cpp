// Ids with blanks, which a program has given: outputs that end an id at a blank refuse them.
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>

#include "alnus/session.h"
#include "api/support/errors.h"
#include "api/support/inputs.h"
#include "support/temp_dir.h"

namespace alnus::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// Returns three relatives, of which the second has the header `id`.
Database set_with(const std::string& id, const std::string& name = "given") {
  const SequenceSet relatives = relatives_set(1, 3, 40);
  SequenceSetBuilder builder(AlphabetKind::protein, name);
  for (SequenceSet::Index i = 0; i < relatives.size(); ++i) {
    const std::string header = i == 1 ? id : "s" + std::to_string(i);
    builder.add(header, relatives.residues(i));
    builder.set_id_bytes(static_cast<std::uint32_t>(header.size()));
  }
  return Database(builder.finish());
}

class ApiGivenIds : public testing::Test {
 protected:
  std::string file(const std::string& name) const { return directory_.file(name); }

  Session session_{session_options()};
  const TempDir directory_;
  const Database blank_ = set_with("sample 1"), tab_ = set_with("a\tb"), plain_ = set_with("plain");
};

TEST_F(ApiGivenIds, FormatsOfRowsThatEndAnIdAtABlankRefuseIt) {
  const auto refused = [&](const char* format, const Database& queries, const Database& subjects) {
    return input_error([&] {
      session_.search(queries, subjects, default_scoring(), {},
                      SearchFiles{.rows = file("out"), .format = OutputFormat::parse(format)});
    });
  };
  for (const char* format : {"0", "5", "sam", "srspair"}) {
    for (const std::string& text : {refused(format, blank_, plain_), refused(format, plain_, blank_)})
      EXPECT_THAT(text, AllOf(HasSubstr("The id 'sample 1' of sequence 2 of given has a blank"),
                              HasSubstr("6, 10 (CSV) or jsonl")))
          << format;
    EXPECT_FALSE(std::filesystem::exists(file("out")));
  }
  for (const char* format : {"6", "7"})
    EXPECT_THAT(refused(format, tab_, plain_), AllOf(HasSubstr("has a tab"), HasSubstr("10 (CSV) or jsonl")));
  for (const char* format : {"6", "7", "10", "jsonl"}) {
    session_.search(blank_, blank_, default_scoring(), {},
                    SearchFiles{.rows = file("out"), .format = OutputFormat::parse(format)});
    EXPECT_THAT(read_file(file("out")), HasSubstr("sample 1"));
  }
  for (const char* format : {"10 qaccver", "jsonl"})
    session_.search(tab_, tab_, default_scoring(), {},
                    SearchFiles{.rows = file("out"), .format = OutputFormat::parse(format)});
}

TEST_F(ApiGivenIds, PartsAndListsOfPairsRefuseThem) {
  EXPECT_THAT(input_error([&] {
                session_.search_part(blank_, plain_, default_scoring(), {}, SearchFiles{.rows = file("rows")},
                                     {.number = 1, .count = 2}, file("part"));
              }),
              AllOf(HasSubstr("'sample 1'"), HasSubstr("a file of a part")));
  const std::string list = directory_.write_file("pairs.tsv", "s0\ts2\n");
  EXPECT_THAT(input_error([&] { read_pair_list(list, plain_.sequences(), blank_.sequences()); }),
              AllOf(HasSubstr("'sample 1'"), HasSubstr("a list of pairs")));
  EXPECT_EQ(read_pair_list(list, plain_.sequences(), plain_.sequences()), (std::vector<IndexPair>{{0, 2}}));
}

TEST_F(ApiGivenIds, ADigestTellsAnIdFromATitle) {
  SequenceSetBuilder builder(AlphabetKind::protein);
  builder.add_text("a b", "MKV");
  const std::string divided = Database(builder.finish()).digest();
  builder.add_text("a b", "MKV");
  builder.set_id_bytes(3);
  EXPECT_NE(Database(builder.finish()).digest(), divided);
}

TEST_F(ApiGivenIds, AJoinedSetHasTheIdsOfBoth) {
  const Database joined = plain_.extended(blank_);
  EXPECT_EQ(joined.sequences()[1].id(), "plain");
  EXPECT_EQ(joined.sequences()[4].id(), "sample 1");
  EXPECT_EQ(blank_.extended(plain_).sequences()[4].id(), "plain");
}

}  // namespace
}  // namespace alnus::test

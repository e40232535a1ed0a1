// Clusters and subsets as files, which the readers read back.
#include "io/membership_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <string>
#include <vector>

#include "io/membership_fixture.h"
#include "support/temp_dir.h"

namespace alnus::io {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class MembershipWriter : public ::testing::Test {
 protected:
  // What `write` writes.
  std::string written(const std::function<void(OutputFile&)>& write) {
    OutputFile out(pool_, directory_.file("out"));
    write(out);
    out.commit();
    return test::read_file(directory_.file("out"));
  }

  ThreadPool pool_{1};
  const test::TempDir directory_;
};

SequenceSet with_ids(const std::vector<std::string>& ids) {
  SequenceSetBuilder builder(AlphabetKind::protein, "s.fa");
  for (const std::string& id : ids) {
    builder.add_text(id, "ACDE");
    builder.set_id_bytes(static_cast<std::uint32_t>(id.size()));
  }
  return builder.finish();
}

TEST_F(MembershipWriter, WritesTheTableOfMmseqs) {
  const SequenceSet set = records({"a", "b x", "c", "d", "e"});
  const std::vector<std::uint32_t> cluster_of = {1, 0, kNoSet, 1, 0};
  const std::vector<SequenceSet::Index> chosen = {1, 3};
  const std::string text = written([&](OutputFile& out) {
    write_mmseqs_clusters(out, set, {cluster_of, chosen});
  });
  EXPECT_EQ(text, "b\tb\nb\te\nd\td\nd\ta\n");
  const Membership read = read_text_membership(text);
  EXPECT_EQ(read.format, MembershipFormat::mmseqs);
  EXPECT_THAT(match(read, IdIndex(set)).set_of, ElementsAre(1, 0, kNoSet, 1, 0));
  EXPECT_THAT(match(read, IdIndex(set)).representatives, ElementsAre(1U, 3U));
}

TEST_F(MembershipWriter, WritesClstr) {
  const SequenceSet set = records({"a", "b x", "c", "d"});
  const std::vector<std::uint32_t> cluster_of = {0, 0, 1, 0};
  const std::vector<SequenceSet::Index> chosen = {1, 2};
  const std::vector<double> identities = {97.016, 100, std::numeric_limits<double>::quiet_NaN(),
                                          std::numeric_limits<double>::quiet_NaN()};
  const std::string text = written([&](OutputFile& out) {
    write_clstr(out, set, {cluster_of, chosen}, identities);
  });
  EXPECT_EQ(text,
            ">Cluster 0\n"
            "0\t3aa, >b... *\n"
            "1\t3aa, >a... at 97.02%\n"
            "2\t3aa, >d...\n"
            ">Cluster 1\n"
            "0\t3aa, >c... *\n");
  EXPECT_THAT(as_pairs(read_text_membership(text)), ElementsAre("b in 0", "a in 0", "d in 0", "c in 1"));
  EXPECT_THAT(representatives(read_text_membership(text)), ElementsAre("b", "c"));
  const SequenceSet dna = records({"r"}, AlphabetKind::dna);
  const std::vector<std::uint32_t> alone = {0};
  const std::vector<SequenceSet::Index> itself = {0};
  EXPECT_EQ(written([&](OutputFile& out) {
              write_clstr(out, dna, {alone, itself});
            }),
            ">Cluster 0\n0\t3nt, >r... *\n");
}

TEST_F(MembershipWriter, WritesSplitsThatAreReadBack) {
  const std::vector<std::string> ids = {"plain", "with,comma", "with\"quote", "with\ttab",
                                        "\"",    "with blank", "gone"};
  const SequenceSet set = with_ids(ids);
  const std::vector<std::uint32_t> subset_of = {0, 1, 1, 0, 2, 2, kNoSet};
  const std::vector<std::string> names = {"train", "test, \"held out\"", "valid"};
  const std::vector<SplitColumn> columns = {{"cluster", {"1", "2", "3", "4", "5", "6", "7"}},
                                            {"label, first", {"", "x,y", "", "", "", "", ""}}};
  const std::string text = written([&](OutputFile& out) {
    write_split(out, set, {subset_of, names}, columns);
  });
  EXPECT_EQ(text,
            "id,subset,cluster,\"label, first\"\n"
            "plain,train,1,\n"
            "\"with,comma\",\"test, \"\"held out\"\"\",2,\"x,y\"\n"
            "\"with\"\"quote\",\"test, \"\"held out\"\"\",3,\n"
            "with\ttab,train,4,\n"
            "\"\"\"\",valid,5,\n"
            "with blank,valid,6,\n");
  const Membership read = read_text_membership(text);
  ASSERT_EQ(read.sets.size(), 3U);
  for (std::size_t k = 0; k < read.members.size(); ++k) {
    EXPECT_EQ(read.members[k].id, ids[k]);
    EXPECT_EQ(read.sets[read.members[k].set].name, names[subset_of[k]]);
  }
  EXPECT_THAT(match(read, IdIndex(set)).without_set, ElementsAre(6U));
}

TEST_F(MembershipWriter, WritesTheCsvOfGraphPart) {
  const SequenceSet set = records({"a", "b,1", "c", "d"});
  const std::vector<std::uint32_t> subset_of = {0, 4, kNoSet, 0}, labels = {0, 1, 2, 3};
  const std::vector<std::uint8_t> priority = {0, 1, 0, 0};
  const std::string text = written([&](OutputFile& out) {
    write_graph_part(out, set, subset_of, {priority, labels});
  });
  EXPECT_EQ(text,
            "AC,priority,label-val,between_connectivity,cluster\n"
            "a,False,0,0,0.0\n"
            "\"b,1\",True,1,0,4.0\n"
            "d,False,3,0,0.0\n");
  EXPECT_THAT(as_pairs(read_text_membership(text)), ElementsAre("a in 0", "b,1 in 4", "d in 0"));
  EXPECT_THAT(written([&](OutputFile& out) { write_graph_part(out, set, subset_of); }),
              HasSubstr("\"b,1\",False,0,0,4.0\n"));
}

TEST_F(MembershipWriter, WritesListsOfIds) {
  const SequenceSet set = records({"a x", "b", "c", "d"});
  const std::vector<std::uint32_t> subset_of = {0, 1, kNoSet, 0};
  EXPECT_EQ(written([&](OutputFile& out) { write_subset_ids(out, set, subset_of, 0); }), "a\nd\n");
  EXPECT_EQ(written([&](OutputFile& out) { write_subset_ids(out, set, subset_of, 2); }), "");
}

TEST_F(MembershipWriter, RefusesIdsThatAFormatCannotHold) {
  const std::vector<std::uint32_t> of = {0, 0};
  const std::vector<SequenceSet::Index> chosen = {0};
  const std::vector<std::string> names = {"x"}, broken = {"x\ny"};
  const auto refused = [&](const std::string& id,
                           const std::function<void(OutputFile&, const SequenceSet&)>& write) {
    const SequenceSet set = with_ids({"a", id});
    return refusal([&] { written([&](OutputFile& out) { write(out, set); }); });
  };
  const auto mmseqs = [&](OutputFile& out, const SequenceSet& set) {
    write_mmseqs_clusters(out, set, {of, chosen});
  };
  const auto clstr = [&](OutputFile& out, const SequenceSet& set) { write_clstr(out, set, {of, chosen}); };
  const auto split = [&](OutputFile& out, const SequenceSet& set) { write_split(out, set, {of, names}); };
  const auto graph_part = [&](OutputFile& out, const SequenceSet& set) { write_graph_part(out, set, of); };
  const auto list = [&](OutputFile& out, const SequenceSet& set) { write_subset_ids(out, set, of, 0); };
  EXPECT_THAT(refused("b\t1", mmseqs),
              HasSubstr("Record 2 of s.fa has the id 'b\\x091', which MMseqs2's table"));
  EXPECT_EQ(refused("b 1", mmseqs), "");
  EXPECT_THAT(refused("b 1", clstr), HasSubstr("which CD-HIT's .clstr cannot hold"));
  for (const auto& write : {std::function<void(OutputFile&, const SequenceSet&)>(mmseqs),
                            {clstr},
                            {split},
                            {graph_part},
                            {list}}) {
    EXPECT_THAT(refused("b\n1", write), HasSubstr("cannot hold. Give ids without"));
    EXPECT_THAT(refused("", write), HasSubstr("Record 2 of s.fa has no id"));
  }
  EXPECT_THAT(refused("b",
                      [&](OutputFile& out, const SequenceSet& set) {
                        write_split(out, set, {of, broken});
                      }),
              HasSubstr("The name of a subset 'x\\x0ay' has a line end"));
}

}  // namespace
}  // namespace alnus::io

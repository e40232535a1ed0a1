// Readers of memberships: samples as each program writes them, and what is refused.
#include "io/membership.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "alnus/error.h"
#include "io/membership_fixture.h"
#include "io/mmseqs_ids.h"
#include "support/compression.h"
#include "support/temp_dir.h"

namespace alnus::io {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(Membership, ReadsTheTableOfMmseqs) {
  const Membership read = read_text_membership("P1\tP1\nP1\tP3\nP2\tP2\nP1\tP4\n");
  EXPECT_EQ(read.format, MembershipFormat::mmseqs);
  EXPECT_THAT(as_pairs(read), ElementsAre("P1 in P1", "P3 in P1", "P2 in P2", "P4 in P1"));
  EXPECT_THAT(representatives(read), ElementsAre("P1", "P2"));
  EXPECT_EQ(read.members[2].line, 3U);
}

TEST(Membership, ReadsATableOfMmseqsWithoutClusters) {
  const Membership read = read_text_membership("P2\tP2\nP1\tP1");
  EXPECT_EQ(read.format, MembershipFormat::mmseqs);
  EXPECT_THAT(representatives(read), ElementsAre("P2", "P1"));
}

// MMseqs2 calls sp|P1|A_HUMAN by its accession. It does so for no id without a database, and two records with
// one accession are unknown.
TEST(Membership, FindsRecordsByTheNamesOfMmseqs) {
  const Membership read = read_text_membership("P1\tP1\nP1\tother|Q2|B\nX\tX\nQ9\tQ9\n");
  ASSERT_EQ(read.format, MembershipFormat::mmseqs);
  const SequenceSet set = records({"tr|Q9|C", "other|Q2|B", "sp|P1|A_HUMAN", "sp|X|1", "tr|X|2"});
  const MatchedMembership matched = match(read, IdIndex(set));
  EXPECT_THAT(matched.set_of, ElementsAre(2U, 0U, 0U, kNoSet, kNoSet));
  EXPECT_EQ(matched.representatives[0], 2U);
  EXPECT_THAT(matched.unknown, ElementsAre(2U));
}

// By its id, and again by its accession.
TEST(Membership, ARecordWithTwoNamesOfMmseqsIsRefused) {
  const Membership read = read_text_membership("P1\tP1\nP3\tP3\nP3\tsp|P1|A\n");
  const SequenceSet set = records({"sp|P1|A", "P3"});
  EXPECT_THAT(refusal([&] { match(read, IdIndex(set)); }),
              AllOf(HasSubstr("line 3"), HasSubstr("'sp|P1|A'"), HasSubstr("names already")));
}

TEST(Membership, KnowsTheNamesOfMmseqs) {
  for (const auto& [id, name] : {std::pair("sp|P69905|HBA_HUMAN", "P69905"),
                                 {"gi|5524211|gb|AAD44166.1|", "AAD44166.1"},
                                 {"gnl|db|x1", "x1"},
                                 {"pir||S16356", "S16356"},
                                 {"lcl|seq1", "seq1"},
                                 {"ref|NP_1.2|", "NP_1.2"},
                                 {"gi|1", "gi|1"},
                                 {"sp|", "sp|"},
                                 {"abc|def|g", "abc|def|g"},
                                 {"plain", "plain"}})
    EXPECT_EQ(mmseqs_name(id), name) << id;
}

// As cd-hit 4.8.1 writes it for proteins.
TEST(Membership, ReadsClstrOfProteins) {
  const Membership read = read_text_membership(
      ">Cluster 0\n"
      "0\t2799aa, >PF04998.6|RPOC2_CHL... at 80.65%\n"
      "1\t2849aa, >PF04998.6|RPOC2_CHA... *\n"
      ">Cluster 1\n"
      "0\t2214aa, >PF06317.1|Q6Y625_9V... *\n"
      "1\t2215aa, >O09705... at 1:2215:1:2214/80.69%\n");
  EXPECT_EQ(read.format, MembershipFormat::cd_hit);
  EXPECT_THAT(as_pairs(read), ElementsAre("PF04998.6|RPOC2_CHL in 0", "PF04998.6|RPOC2_CHA in 0",
                                          "PF06317.1|Q6Y625_9V in 1", "O09705 in 1"));
  EXPECT_THAT(representatives(read), ElementsAre("PF04998.6|RPOC2_CHA", "PF06317.1|Q6Y625_9V"));
}

// As cd-hit-est writes it, with -d of more than an id, and an id that has dots itself.
TEST(Membership, ReadsClstrOfNucleotides) {
  const Membership read = read_text_membership(
      ">Cluster 0\r\n"
      "0\t1500nt, >read.1 first of all... *\r\n"
      "1\t1494nt, >read...2... at +/97%\r\n"
      "2\t1494nt, >read3... at -/98.10%/1.90%\r\n"
      "3\t14nt, >read4...\r\n");
  EXPECT_THAT(as_pairs(read), ElementsAre("read.1 in 0", "read...2 in 0", "read3 in 0", "read4 in 0"));
  EXPECT_THAT(representatives(read), ElementsAre("read.1"));
}

// As GraphPart 1.0.2 writes it.
TEST(Membership, ReadsGraphPart) {
  const Membership read = read_text_membership(
      "AC,priority,label-val,between_connectivity,cluster\n"
      "Q5I0E9,False,0,0,4.0\n"
      "P63033,True,1,0,1.0\n"
      "P22462-2,False,0,0,4.0\n");
  EXPECT_EQ(read.format, MembershipFormat::graph_part);
  EXPECT_THAT(as_pairs(read), ElementsAre("Q5I0E9 in 4", "P63033 in 1", "P22462-2 in 4"));
  EXPECT_THAT(representatives(read), ElementsAre("-", "-"));
  EXPECT_THAT(as_pairs(read_text_membership("AC,label-val,cluster,x\nA,0,2,y\n")), ElementsAre("A in 2"));
}

TEST(Membership, ReadsSplits) {
  const Membership read = read_text_membership(
      "\xef\xbb\xbfid,subset,label,size\n"
      "a,train,,4\n"
      "\"b,\"\"1\"\"\",\"test, held out\",x,5\n"
      "\n"
      "c,train,\"y, z\",6\n");
  EXPECT_EQ(read.format, MembershipFormat::split);
  EXPECT_THAT(as_pairs(read), ElementsAre("a in train", "b,\"1\" in test, held out", "c in train"));
  EXPECT_THAT(as_pairs(read_text_membership("id\tsubset\na\tt,1\n")), ElementsAre("a in t,1"));
  EXPECT_THAT(as_pairs(read_text_membership("id,subset\n")), IsEmpty());
}

TEST(Membership, ReadsTablesOfIdAndSet) {
  const Membership commas = read_text_membership("a,one\nb,two\nc,one\n");
  EXPECT_EQ(commas.format, MembershipFormat::table);
  EXPECT_THAT(as_pairs(commas), ElementsAre("a in one", "b in two", "c in one"));
  EXPECT_THAT(as_pairs(read_text_membership("a\tone\nb\tone")), ElementsAre("a in one", "b in one"));
  // Member and representative in this order.
  const Membership turned = read_text_membership("a\ta\nb\ta\nc\tc\n");
  EXPECT_EQ(turned.format, MembershipFormat::table);
  EXPECT_THAT(as_pairs(turned), ElementsAre("a in a", "b in a", "c in c"));
}

TEST(Membership, ReadsCompressedFiles) {
  const test::TempDir directory;
  const std::string text = "id,subset\na,train\nb,test\n";
  for (const std::string& packed : {test::gzip(text), test::zstd(text)}) {
    const std::string path = directory.write_file("named.like.nothing", packed);
    EXPECT_THAT(as_pairs(read_membership(path)), ElementsAre("a in train", "b in test"));
  }
}

TEST(Membership, SaysWhatIsWrongAndWhere) {
  const std::vector<std::pair<std::string, std::vector<std::string>>> cases = {
      {"", {"input has no lines", "docs/memberships.md"}},
      {"\n\n", {"input has no lines"}},
      {">P1 protein\nMKV\n", {"input, line 1: this is FASTA"}},
      {"P1\nP2\n", {"input, line 1: the line has 1 column instead of two"}},
      {"a\tb\t0.5\n", {"input, line 1: the line has 3 columns"}},
      {"a,x\nb,x,y\n", {"input, line 2: the line has 3 columns"}},
      {"a,x\n,x\n", {"input, line 2: column 1 is empty"}},
      {"id,subset\na,\n", {"input, line 2: column 2 is empty"}},
      {"id,subset,more\na,x\n", {"input, line 2: the row has 2 columns, but the header has 3"}},
      {"AC,cluster,x\na,,1\n", {"input, line 2: column 2 is empty"}},
      {"a,x\nb,y\na,x\n", {"input, line 3: the id 'a' is in line 1 already, in the same set 'x'"}},
      {"a,x\nb,y\na,y\n", {"input, line 3: the id 'a' is in the set 'y' here, and in the set 'x' in line 1"}},
      {"A\tA\nA\tB\nA\tB\n", {"line 3: the id 'B' is in line 2 already"}},
      {"A\tA\nA\tB\nC\tC\nC\tB\n",
       {"line 4: the id 'B' is in the set 'C' here, and in the set 'A' in line 2"}},
      {"A\tA\nA\tB\nC\tD\nC\tE\n",
       {"line 3: the ids of the first column repeat", "'C' has no line 'C' TAB 'C'"}},
      {">Cluster 0\n0\t9aa, >a... *\n1\t9aa, >b... *\n", {"line 3: cluster '0' has a second", "in line 2"}},
      {">Cluster 0\n0\t9aa, >a... *\n>Cluster 0\n", {"line 3: there is another cluster '0'"}},
      {">Cluster 0\n0\t9aa, >a... *\n>Cluster 1\n0\t9aa, >a... *\n",
       {"line 4: the id 'a' is in the set '1'"}},
      {">Cluster 0\n0\t9aa, >a... with 9%\n", {"line 2", "is no member of a cluster"}},
      {">Cluster 0\n0\t9, >a... *\n", {"line 2", "is no member of a cluster"}},
      {">Cluster 0\n0\t9aa, >... *\n", {"line 2: the member has no id"}},
      {">Cluster \n", {"line 1: the cluster has no number"}},
      {"id,subset\n\"a,x\n", {"line 2: a field begins with a quote"}},
      {"id,subset\n\"a\"b,x\n", {"line 2: text follows the closing quote"}},
      {"a,x\rb,y\r", {"line 1: a line end is a CR alone"}},
      {std::string("a,x\nb\0,y\n", 9), {"line 2: the line has a byte 0"}},
      {"a,x\n" + std::string(1'100'000, 'b'), {"line 2: the line has more than 1048576 bytes"}},
  };
  for (const auto& [text, parts] : cases)
    for (const std::string& part : parts)
      EXPECT_THAT(refusal([&, bytes = text] { read_text_membership(bytes); }), HasSubstr(part))
          << text.substr(0, 80);
}

TEST(Membership, NamesFilesThatCannotBeRead) {
  EXPECT_THAT(refusal([] { read_membership("/nowhere/x.tsv"); }), HasSubstr("Cannot read /nowhere/x.tsv"));
}

TEST(IdIndex, FindsRecordsAndNamesThoseThatShareAnId) {
  const SequenceSet set = records({"a 1", "b", "c"});
  const IdIndex ids(set);
  EXPECT_EQ(ids.find("b"), 1U);
  EXPECT_EQ(ids.find("d"), std::nullopt);
  EXPECT_NO_THROW(ids.require_distinct());
  EXPECT_FALSE(ids.is_repeated("a"));
  const SequenceSet repeated = records({"a", "b x", "c", "b y", "a"});
  const IdIndex damaged(repeated);
  EXPECT_TRUE(damaged.is_repeated("b"));
  EXPECT_EQ(damaged.find("b"), 1U);
  EXPECT_THAT(refusal([&] { damaged.require_distinct(); }),
              AllOf(HasSubstr("s.fa has two records with the id 'b'"), HasSubstr("records 2 and 4")));
}

TEST(Membership, IsMatchedWithTheRecords) {
  const SequenceSet set = records({"d", "P1", "P3", "P2"});
  const Membership read = read_text_membership("P1\tP1\nP1\tP3\nP2\tP2\n");
  const MatchedMembership matched = match(read, IdIndex(set));
  EXPECT_THAT(matched.set_of, ElementsAre(kNoSet, 0, 0, 1));
  EXPECT_THAT(matched.representatives, ElementsAre(1U, 3U));
  EXPECT_THAT(matched.without_set, ElementsAre(0U));
  EXPECT_THAT(matched.unknown, IsEmpty());
  EXPECT_NO_THROW(require_known_ids(read, matched, set));
  EXPECT_THAT(refusal([&] { require_every_record(read, matched, set); }),
              HasSubstr("input does not name 1 record of s.fa: 'd'. Add a line"));
}

TEST(Membership, SaysWhichIdsAreMissing) {
  const auto message = [](std::string_view text, const std::vector<std::string>& headers) {
    const SequenceSet set = records(headers);
    const Membership read = read_text_membership(text);
    return refusal([&] { require_known_ids(read, match(read, IdIndex(set)), set); });
  };
  EXPECT_EQ(message("q,x\na,x\nb,x\nc,y\nd,y\n", {"q"}),
            "input names 4 ids that s.fa does not have: 'a' (line 2), 'b' (line 3), 'c' (line 4) and 1 more. "
            "Check that both files belong together.");
  EXPECT_THAT(message("name,cluster\na,x\n", {"a"}), HasSubstr("'name' (line 1). If line 1 is a header"));
  EXPECT_THAT(
      message(">Cluster 0\n0\t9aa, >ABCDEFGHIJKLMNOPQRS... *\n", {"ABCDEFGHIJKLMNOPQRSTUV"}),
      HasSubstr("CD-HIT cuts ids after 19 letters by default: if that is why, run it again with -d 0"));
  EXPECT_THAT(message("AC,cluster\nsp,0.0\n", {"sp|P1"}), HasSubstr("GraphPart ends ids at the first |"));
  EXPECT_EQ(message("q,x\n", {"q"}), "");
  const Membership read = read_text_membership("q,x\n");
  EXPECT_THAT(refusal([&] { match(read, IdIndex(records({"q", "q"}))); }), HasSubstr("records 1 and 2"));
  const SequenceSet more = records({"q", "a", "b", "c", "d"});
  EXPECT_THAT(refusal([&] { require_every_record(read, match(read, IdIndex(more)), more); }),
              HasSubstr("input does not name 4 records of s.fa: 'a', 'b', 'c' and 1 more"));
}

}  // namespace
}  // namespace alnus::io

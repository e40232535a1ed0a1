// alnus audit: reports, tables, exit codes and errors.
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/cli_fixture.h"
#include "support/sequences.h"
#include "support/strands_reference.h"

namespace alnus::test {
namespace {

using ::testing::AllOf;
using ::testing::StartsWith;
using Words = std::vector<std::string>;

constexpr int kLeak = 10;

class AuditCommand : public CliTest {
 protected:
  AuditCommand() {
    Random random(5);
    const Residues ancestor = random_sequence(random, 100), stranger = random_sequence(random, 100),
                   other = random_sequence(random, 100);
    ancestor_ = decode(ancestor);
    const std::string fragment = ancestor_.substr(0, 40);
    write("train.fa", ">a first\n" + ancestor_ + "\n>b\n" + decode(stranger) + "\n>tiny\nMKVW\n");
    write("test.fa",
          ">copy\n" + ancestor_ + "\n>fragment\n" + fragment + "\n>x\n" + decode(other) + "\n>small\nmkvw\n");
    write("clean.fa", ">x\n" + decode(other) + "\n");
    write("all.fa", ">a\n" + ancestor_ + "\n>copy\n" + ancestor_ + "\n>fragment\n" + fragment + "\n>x\n" +
                        decode(other) + "\n");
  }
  CommandResult audit(const Words& more) const { return alnus(both({"audit"}, more)); }
  // The error of a run, which must leave no file.
  std::string refused(const Words& more, int exit_code = 1) const {
    const std::set<std::string> before = files();
    const CommandResult result = audit(more);
    EXPECT_EQ(result.exit_code, exit_code) << result.err;
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(files(), before);
    EXPECT_THAT(result.err, HasSubstr("alnus: error: "));
    return result.err;
  }

  std::string ancestor_;
};

TEST_F(AuditCommand, ReportsLeaks) {
  const CommandResult result = audit({"train.fa", "test.fa"});
  EXPECT_EQ(result.exit_code, kLeak) << result.err;
  for (const char* text :
       {"LEAKS: 3 of 4 records of test.fa (75.00%) are similar to a record of train.fa.",
        "the relations whole:30,part:30", "  test.fa  train.fa    whole:30        3      3\n",
        "In all 3 records of test.fa and 2 earlier records.",
        "The nearest earlier record of each record of test.fa: its E-value",
        "Equal residues\n  2 records of test.fa are equal to a record of train.fa\n",
        "  2 earlier records are equal to a record of test.fa\n",
        "Pieces\n  1 record of test.fa is a piece of a record of train.fa\n",
        "  0 earlier records are a piece of a record of test.fa\n", "Examples: 3 pairs\n",
        "E-values: spouge"})
    EXPECT_THAT(result.out, HasSubstr(text));
  EXPECT_THAT(result.err, HasSubstr("4 queries, 3 subjects, 12 pairs"));
}

TEST_F(AuditCommand, WithoutLeaksEndsWithZero) {
  const CommandResult result = audit({"train.fa", "clean.fa", "--quiet"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.err, "");
  EXPECT_THAT(result.out, StartsWith("No record of clean.fa is similar to a record of train.fa.\n"));
  EXPECT_THAT(result.out, Not(HasSubstr("Examples")));
}

TEST_F(AuditCommand, WritesTables) {
  const CommandResult result = audit({"train.fa", "test.fa", "--pairs", "p.tsv", "--nearest", "n.tsv.gz",
                                      "-o", "r.txt", "--quiet", "--evalue", "0.1"});
  EXPECT_EQ(result.exit_code, kLeak) << result.err;
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(read("p.tsv"),
            "id\tset\tearlier_id\tearlier_set\trelation\tvalue\n"
            "copy\ttest.fa\ta\ttrain.fa\twhole:30\t100.000\n"
            "fragment\ttest.fa\ta\ttrain.fa\twhole:30\t40.000\n"
            "small\ttest.fa\ttiny\ttrain.fa\twhole:30\t100.000\n");
  const std::string nearest = shell("zcat n.tsv.gz").out;
  EXPECT_THAT(nearest, StartsWith("id\tset\tnearest_id\tnearest_set\tevalue\tbits\tidentity\t"));
  EXPECT_THAT(nearest, HasSubstr("\t100.000\t100.000\t100.0\t40.0\tplus\t1\t40\t1\t40\t40=\n"));
  EXPECT_THAT(nearest, HasSubstr("small\ttest.fa\tNA\tNA\tNA"));
  EXPECT_EQ(std::ranges::count(nearest, '\n'), 5);
  EXPECT_THAT(read("r.txt"), StartsWith("LEAKS: "));
  EXPECT_EQ(files(), (std::set<std::string>{"all.fa", "clean.fa", "n.tsv.gz", "p.tsv", "r.txt", "test.fa",
                                            "train.fa"}));
}

TEST_F(AuditCommand, WritesJson) {
  const CommandResult result = audit({"train.fa", "test.fa", "--json", "--quiet", "--relation", "part:30"});
  EXPECT_EQ(result.exit_code, kLeak);
  const auto json = nlohmann::json::parse(result.out);
  EXPECT_EQ(json["relations"], "part:30");
  EXPECT_EQ(json["leaks"], true);
  EXPECT_EQ(json["pairs"], 12);
  EXPECT_EQ(json["similar_pairs"], 3);
  EXPECT_EQ(json["sets"][1]["leaking"], 3);
  EXPECT_EQ(json["sets"][1]["equal"], 2);
  EXPECT_EQ(json["sets"][1]["nearest_by_evalue"].size(), 4u);
  EXPECT_EQ(json["similar"][1]["relation"], "equal");
  EXPECT_EQ(json["examples"][1]["record"]["id"], "fragment");
  EXPECT_EQ(json["examples"][1]["value"], 100.0);
  const CommandResult file =
      audit({"train.fa", "test.fa", "--json", "--quiet", "-o", "r.json", "--relation", "part:30"});
  EXPECT_EQ(file.exit_code, kLeak) << file.err;
  EXPECT_EQ(read("r.json"), result.out);
}

TEST_F(AuditCommand, TakesRelationsAndScoring) {
  EXPECT_THAT(audit({"train.fa", "test.fa", "--relation", "part:30"}).out,
              AllOf(HasSubstr("  test.fa  train.fa    part:30        2      2\n"),
                    HasSubstr("  test.fa  train.fa    equal          1      1\n")));
  EXPECT_THAT(audit({"train.fa", "test.fa", "--relation", "whole:41,part:90"}).out,
              AllOf(HasSubstr("whole:41        2"), HasSubstr("part:90         1")));
  EXPECT_EQ(audit({"train.fa", "clean.fa", "--relation", "score:-1000", "--mode", "global"}).exit_code,
            kLeak);
  EXPECT_THAT(audit({"train.fa", "test.fa", "--evalue", "1e-30"}).out,
              HasSubstr("none (E-value above 1e-30)"));
}

TEST_F(AuditCommand, OfMoreThanTwoSets) {
  const CommandResult result = audit({"train.fa", "clean.fa", "test.fa"});
  EXPECT_EQ(result.exit_code, kLeak);
  EXPECT_THAT(result.out,
              AllOf(StartsWith("No record of clean.fa is similar to a record of train.fa.\nLEAKS: 4 of 4 "
                               "records of test.fa (100.00%) are similar to a record of an earlier set.\n"),
                    HasSubstr("  test.fa  clean.fa    whole:30        1      1\n")));
  EXPECT_THAT(result.err, HasSubstr("warning: 1 id of clean.fa is also in test.fa ('x')"));
}

TEST_F(AuditCommand, OfDnaIsOnBothStrandsByDefault) {
  Random random(6);
  const std::string genome = decode(random_sequence(random, 80, 4), AlphabetKind::dna);
  const std::string turned = decode(other_strand(encode(genome, AlphabetKind::dna)), AlphabetKind::dna);
  write("one.fa", ">plus\n" + genome + "\n");
  write("other.fa", ">minus\n" + turned + "\n");
  const Words words = {"one.fa",     "other.fa", "--alphabet", "dna",
                       "--relation", "whole:90", "--nearest",  "n.tsv"};
  EXPECT_EQ(audit(words).exit_code, kLeak);
  EXPECT_THAT(read("n.tsv"), HasSubstr("\tminus\t1\t80\t1\t80\t80=\n"));
  EXPECT_EQ(audit(both(words, {"--strand", "plus"})).exit_code, 0);
  EXPECT_EQ(audit(both(words, {"--strand", "minus"})).exit_code, kLeak);
}

TEST_F(AuditCommand, TakesDatabasesAndStandardInput) {
  ASSERT_EQ(alnus({"makedb", "train.fa", "-o", "train.alnus"}).exit_code, 0);
  const std::string expected = audit({"train.fa", "test.fa", "--pairs", "-", "-o", "r"}).out;
  EXPECT_THAT(expected, HasSubstr("copy\ttest.fa"));
  const CommandResult result = shell("\"$1\" audit train.alnus - --pairs - -o r < test.fa");
  EXPECT_EQ(result.exit_code, kLeak) << result.err;
  EXPECT_EQ(std::ranges::count(result.out, '\n'), std::ranges::count(expected, '\n'));
}

// ---- Subsets and clusters of one file ----

TEST_F(AuditCommand, OfASplitComparesItsSubsets) {
  write("split.csv", "id,subset\ncopy,test\nfragment,train\na,train\nx,train\n");
  const CommandResult result = audit({"all.fa", "--splits", "split.csv", "--pairs", "p.tsv"});
  EXPECT_EQ(result.exit_code, kLeak) << result.err;
  EXPECT_THAT(result.out,
              StartsWith("LEAKS: 1 of 1 records of test (100.00%) is similar to a record of train."));
  EXPECT_THAT(read("p.tsv"), HasSubstr("copy\ttest\ta\ttrain\twhole:30\t100.000\ncopy\ttest\tfragment"));
  write("split.csv", "id,subset\nx,test\nfragment,train\na,train\n");
  const CommandResult clean = audit({"all.fa", "--splits", "split.csv"});
  EXPECT_EQ(clean.exit_code, 0) << clean.err;
  EXPECT_THAT(clean.err, HasSubstr("warning: 1 record is not in split.csv, and is left out."));
}

TEST_F(AuditCommand, OfClustersCountsPairsAcross) {
  write("c.tsv", "a\ta\na\tfragment\ncopy\tcopy\nx\tx\n");
  const Words words = {"all.fa", "--clusters", "c.tsv"};
  const CommandResult result = audit(both(words, {"--pairs", "p.tsv"}));
  EXPECT_EQ(result.exit_code, kLeak) << result.err;
  EXPECT_THAT(result.out,
              StartsWith("LEAKS: 2 pairs of different clusters are similar, with 3 of 4 records (75.00%)."));
  EXPECT_EQ(read("p.tsv"),
            "id\tcluster\tother_id\tother_cluster\trelation\tvalue\n"
            "a\ta\tcopy\tcopy\twhole:30\t100.000\ncopy\tcopy\tfragment\ta\twhole:30\t40.000\n");
  const CommandResult components = audit(both(words, {"--promise", "components"}));
  EXPECT_EQ(components.exit_code, kLeak);
  EXPECT_THAT(components.out, StartsWith("BROKEN: 2 pairs"));
  const CommandResult representatives = audit(both(words, {"--promise", "representatives"}));
  EXPECT_EQ(representatives.exit_code, kLeak);
  EXPECT_THAT(representatives.out,
              AllOf(StartsWith("BROKEN: c.tsv promises representatives, but 1 pair of them is similar, and 0 "
                               "records are not similar to the representative of their cluster."),
                    HasSubstr("Similar representatives: 1 of 1 pairs")));
  const CommandResult strict =
      audit(both(words, {"--promise", "representatives", "--relation", "whole:41", "--json"}));
  const auto json = nlohmann::json::parse(strict.out);
  EXPECT_EQ(json["holds"], false);
  EXPECT_EQ(json["promise"], "representatives");
  EXPECT_EQ(json["unrepresented"], 1);
  EXPECT_EQ(json["examples_of_unrepresented"][0]["id"], "fragment");
}

TEST_F(AuditCommand, OfClustersThatKeepTheirPromiseEndsWithZero) {
  write("c.tsv", "a\ta\na\tcopy\na\tfragment\nx\tx\n");
  for (const Words& promise : {Words{}, Words{"--promise", "components"}}) {
    const CommandResult result = audit(both({"all.fa", "--clusters", "c.tsv"}, promise));
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_THAT(result.out, StartsWith("No two records of different clusters of c.tsv are similar."));
  }
  // Members of different clusters may be similar under this promise.
  write("d.clstr",
        ">Cluster 0\n0\t100aa, >a... *\n1\t100aa, >copy... at 100%\n>Cluster 1\n0\t40aa, >fragment... *\n"
        ">Cluster 2\n0\t100aa, >x... *\n");
  const CommandResult result =
      audit({"all.fa", "--clusters", "d.clstr", "--promise", "representatives", "--relation", "whole:41"});
  EXPECT_EQ(result.exit_code, 0) << result.out;
  EXPECT_THAT(result.out, StartsWith("The promise of d.clstr holds:"));
}

TEST_F(AuditCommand, OfClustersTakesEdgesThatAreThere) {
  write("c.tsv", "a\ta\na\tfragment\ncopy\tcopy\nx\tx\n");
  write("mine.tsv", "a\tfragment\t55\nx\tfragment\t41.5\nfragment\tx\t41.5\n");
  const Words words = {"all.fa", "--clusters", "c.tsv", "--edges", "mine.tsv"};
  const CommandResult given = audit(both(words, {"--pairs", "p.tsv"}));
  EXPECT_EQ(given.exit_code, kLeak) << given.err;
  EXPECT_THAT(given.out, AllOf(StartsWith("LEAKS: 2 pairs of different clusters"),
                               HasSubstr("The similar pairs were given."), HasSubstr("an edge in mine.tsv")));
  EXPECT_THAT(read("p.tsv"),
              AllOf(HasSubstr("a\ta\tcopy\tcopy\tequal\t100.000\n"), HasSubstr("\tedge\t41.500\n")));
  const auto json = nlohmann::json::parse(audit(both(words, {"--json"})).out);
  EXPECT_EQ(json["edges_file"], "mine.tsv");
  EXPECT_EQ(json["pairs"], 0);
  EXPECT_EQ(json["similar_across"], 2);
  // What --checkpoint keeps gives the report of a run without it, and is taken again.
  const Words computed = {"all.fa", "--clusters", "c.tsv"};
  const std::string report = audit(computed).out;
  EXPECT_EQ(audit(both(computed, {"--checkpoint", "kept"})).out, report);
  EXPECT_THAT(audit(both(computed, {"--edges", "kept/edges.csv"})).out,
              HasSubstr("one of the relations whole:30,part:30"));
  EXPECT_THAT(refused({"train.fa", "test.fa", "--edges", "mine.tsv"}), HasSubstr("--clusters"));
  // No output replaces what is kept, and no run what it has not written.
  EXPECT_THAT(refused(both(computed, {"--checkpoint", "kept", "--pairs", "kept/edges.csv"})),
              HasSubstr("edges.csv"));
  write("other.csv", "mine\n");
  EXPECT_EQ(shell("mkdir other && mv other.csv other/edges.csv").exit_code, 0);
  EXPECT_THAT(refused(both(computed, {"--checkpoint", "other"})), HasSubstr("no ledger"));
  EXPECT_EQ(read("other/edges.csv"), "mine\n");
}

// ---- Errors ----

TEST_F(AuditCommand, RefusesWhatIsNoPairOfSets) {
  EXPECT_THAT(refused({"train.fa"}), HasSubstr("alnus audit TRAIN TEST. Name two files or more."));
  EXPECT_THAT(refused({"train.fa", "train.fa"}), HasSubstr("train.fa and train.fa are the same file"));
  std::filesystem::create_symlink("train.fa", path("link.fa"));
  EXPECT_THAT(refused({"train.fa", "test.fa", "link.fa"}),
              HasSubstr("train.fa and link.fa are the same file"));
  EXPECT_THAT(refused({"-", "-"}), HasSubstr("Only one input can be -"));
  EXPECT_THAT(refused({"train.fa", "none.fa"}), HasSubstr("none.fa"));
  write("empty.fa", "");
  EXPECT_THAT(refused({"train.fa", "empty.fa"}), AllOf(HasSubstr("empty.fa"), HasSubstr("no sequences")));
  write("dna.fa", ">d\n" + std::string(30, 'A') + "CGTACGTACGGTCATGCATTTGCAGCAGTACGTACGTACGTACGATCGATCG\n");
  EXPECT_THAT(refused({"dna.fa", "test.fa"}), AllOf(HasSubstr("dna.fa"), HasSubstr("looks like dna")));
  EXPECT_THAT(refused({"train.fa", "test.fa", "--alphabet", "dna"}), HasSubstr("train.fa"));
}

TEST_F(AuditCommand, RefusesOptionsThatDoNotFit) {
  const Words words = {"train.fa", "test.fa"};
  EXPECT_THAT(refused(both(words, {"--relation", "whole:0.3"})), HasSubstr("0.3"));
  EXPECT_THAT(refused(both(words, {"--relation", "hole:30"})), HasSubstr("whole"));
  EXPECT_THAT(refused(both(words, {"--matrix", "BLOSUM45"})),
              HasSubstr("--matrix does nothing with --relation whole:30,part:30"));
  EXPECT_THAT(refused(both(words, {"--evalue", "-1"})), HasSubstr("--evalue"));
  EXPECT_THAT(refused(both(words, {"--promise", "components"})), HasSubstr("--clusters"));
  EXPECT_THAT(refused(both(words, {"--strand", "minus"})), HasSubstr("strand"));
  EXPECT_THAT(refused({"all.fa", "--splits", "s.csv", "--clusters", "c.tsv"}), HasSubstr("--splits"));
  EXPECT_THAT(refused({"all.fa", "test.fa", "--splits", "s.csv"}),
              HasSubstr("--splits is about the records of one file, and 2 are given"));
  EXPECT_THAT(refused({"all.fa", "--clusters", "c.tsv", "--nearest", "n.tsv"}), HasSubstr("--nearest"));
  EXPECT_THAT(refused({"-", "--splits", "-"}), HasSubstr("Only one input can be -"));
}

TEST_F(AuditCommand, RefusesOutputsThatCannotBe) {
  const Words words = {"train.fa", "test.fa"};
  EXPECT_THAT(refused(both(words, {"--pairs", "test.fa"})), HasSubstr("test.fa"));
  EXPECT_THAT(refused(both(words, {"--pairs", "x.tsv", "--nearest", "x.tsv"})), HasSubstr("x.tsv"));
  EXPECT_THAT(refused(both(words, {"--pairs", "-"})), HasSubstr("Two outputs have the name -"));
  EXPECT_THAT(refused(both(words, {"--pairs", "x.csv"})), HasSubstr("x.csv"));
  EXPECT_THAT(refused(both(words, {"-o", "x.csv"})), HasSubstr("x.csv"));
  EXPECT_THAT(refused(both(words, {"--pairs", "none/x.tsv"}), 255), HasSubstr("none"));
  EXPECT_THAT(refused(both(words, {"-o", "/dev/full"}), 255),
              HasSubstr("/dev/full: No space left on device"));
  EXPECT_THAT(refused(both(words, {"--pairs", "/dev/full"}), 255),
              HasSubstr("/dev/full: No space left on device"));
  const CommandResult full = shell("\"$1\" audit train.fa test.fa > /dev/full");
  EXPECT_EQ(full.exit_code, 255) << full.err;
}

TEST_F(AuditCommand, RepeatedIdsAreAnErrorWhereTablesNameRecords) {
  write("twice.fa", ">a\nMKVWHEAGAWGHEE\n>a\nPAWHEAEPAWHEAE\n");
  EXPECT_THAT(
      refused({"train.fa", "twice.fa", "--pairs", "p.tsv"}),
      HasSubstr("Two records of twice.fa have the id 'a', so that the table of --pairs could not tell "
                "them apart."));
  EXPECT_THAT(refused({"twice.fa", "test.fa", "--nearest", "n.tsv"}), HasSubstr("the table of --nearest"));
  const CommandResult result = audit({"train.fa", "twice.fa"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, AllOf(HasSubstr("has the id of an earlier record"),
                                HasSubstr("1 id of train.fa is also in twice.fa ('a')")));
}

TEST_F(AuditCommand, RefusesSplitsAndClustersThatDoNotFit) {
  write("one.csv", "id,subset\na,train\nx,train\n");
  EXPECT_THAT(refused({"all.fa", "--splits", "one.csv"}), HasSubstr("one.csv has one subset, 'train'"));
  write("unknown.csv", "id,subset\na,train\nnobody,test\n");
  EXPECT_THAT(refused({"all.fa", "--splits", "unknown.csv"}),
              AllOf(HasSubstr("unknown.csv"), HasSubstr("nobody")));
  write("twice.csv", "id,subset\na,train\na,test\n");
  EXPECT_THAT(refused({"all.fa", "--splits", "twice.csv"}),
              AllOf(HasSubstr("twice.csv"), HasSubstr("line 3")));
  EXPECT_THAT(refused({"all.fa", "--clusters", "none.tsv"}), HasSubstr("none.tsv"));
  write("plain.tsv", "a\t1\ncopy\t1\nfragment\t2\nx\t2\n");
  EXPECT_THAT(refused({"all.fa", "--clusters", "plain.tsv", "--promise", "representatives"}),
              HasSubstr("plain.tsv does not say which record represents the cluster '1'"));
}

}  // namespace
}  // namespace alnus::test

// alnus cluster, split and verify: exit codes, files, log lines and errors.
#include <algorithm>
#include <string>
#include <vector>

#include "cli/cli_fixture.h"
#include "support/sequences.h"

namespace alnus::test {
namespace {

using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::StartsWith;
using Words = std::vector<std::string>;

constexpr int kDoesNotHold = 10;

// single.fa: 20 records, no two of which are similar. chain.fa: 21 windows of one sequence; each is similar
// to its neighbours.
class SplitCommands : public CliTest {
 protected:
  SplitCommands() {
    Random random(5);
    std::string single, chain;
    for (int k = 0; k < 20; ++k) single += entry("s", k, random_sequence(random, 50));
    const Residues whole = random_sequence(random, 21 * 20 + 40);
    for (int k = 0; k < 21; ++k)
      chain += entry("w", k, Residues(whole.begin() + 20 * k, whole.begin() + 20 * k + 60));
    write("single.fa", single);
    write("chain.fa", chain);
  }
  static std::string entry(const std::string& prefix, int number, const Residues& residues) {
    return ">" + prefix + std::to_string(number) + " title\n" + decode(residues) + "\n";
  }
  // The output of a run that ends well.
  std::string out(const Words& words) const {
    const CommandResult result = alnus(words);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result.out;
  }
  // The error of a run, which must leave no file and print nothing.
  std::string refused(const Words& words, int exit_code = 1) const {
    const std::set<std::string> before = files();
    const CommandResult result = alnus(both(words, {"--no-progress"}));
    EXPECT_EQ(result.exit_code, exit_code) << result.err;
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(files(), before);
    EXPECT_THAT(result.err, HasSubstr("alnus: error: "));
    return result.err;
  }
  std::string refused_split(const Words& more) const {
    return refused(
        both({"split", "single.fa", "-k", "4", "-o", "out.csv", "--certificate", "out.json"}, more));
  }
  // The failures that alnus verify prints.
  std::string fails(const Words& more) const {
    const CommandResult result = alnus(both({"verify"}, more));
    EXPECT_EQ(result.exit_code, kDoesNotHold) << result.err;
    EXPECT_THAT(result.out, StartsWith("FAILS: "));
    return result.out;
  }
  void split_chain() const {
    out({"split", "chain.fa", "--relation", "whole:35", "-k", "2", "--allow-removal", "-o", "s.csv",
         "--certificate", "c.json", "--fasta", "f", "--ids", "i", "--graph-part", "g.csv", "--methods",
         "m.md"});
  }
  static std::size_t lines(const std::string& text) {
    return static_cast<std::size_t>(std::ranges::count(text, '\n'));
  }
  void change(const std::string& name, const std::string& from, const std::string& to) const {
    std::string text = read(name);
    ASSERT_NE(text.find(from), std::string::npos);
    text.replace(text.find(from), from.size(), to);
    write(name, text);
  }
};

TEST_F(SplitCommands, SplitWritesATextForPapers) {
  split_chain();
  EXPECT_THAT(read("m.md"), AllOf(StartsWith("# Methods\n\nOf 21 sequences, "), HasSubstr("35%")));
}

TEST_F(SplitCommands, ClusterPrintsAndLogs) {
  const CommandResult components = alnus({"cluster", "chain.fa", "--relation", "whole:35"});
  EXPECT_EQ(components.exit_code, 0);
  EXPECT_THAT(components.out, StartsWith("w0\tw0\nw0\tw1\n"));
  EXPECT_EQ(lines(components.out), 21u);
  EXPECT_THAT(components.err,
              AllOf(HasSubstr("alnus: 20 pairs are similar by whole:35.\n"),
                    HasSubstr("alnus: 21 sequences in 1 cluster; the largest has 21 sequences"),
                    HasSubstr("210 pairs")));
  const CommandResult greedy = alnus({"cluster", "chain.fa", "--relation", "whole:35", "--promise",
                                      "representatives", "-o", "c.tsv", "--clstr", "c.clstr"});
  EXPECT_EQ(greedy.exit_code, 0);
  EXPECT_EQ(greedy.out, "");
  EXPECT_THAT(greedy.err, HasSubstr("21 sequences in 11 clusters; the largest has 2 sequences"));
  EXPECT_THAT(read("c.clstr"), StartsWith(">Cluster 0\n0\t60aa, >w0... *\n1\t60aa, >w1... at 50.00%\n"));
  EXPECT_THAT(read("c.tsv"), StartsWith("w0\tw0\nw0\tw1\nw2\tw2\n"));
  EXPECT_EQ(alnus({"cluster", "chain.fa", "--quiet"}).err, "");
}

TEST_F(SplitCommands, SetCoverNeedsFewerRepresentatives) {
  const std::string cover = out({"cluster", "chain.fa", "--relation", "whole:35", "--promise",
                                 "representatives", "--choice", "set-cover", "-o", "-"});
  EXPECT_THAT(cover, StartsWith("w1\tw1\nw1\tw0\nw1\tw2\n"));
  const CommandResult audit =
      (write("c.tsv", cover), alnus({"audit", "chain.fa", "--clusters", "c.tsv", "--promise",
                                     "representatives", "--relation", "whole:35"}));
  EXPECT_EQ(audit.exit_code, 0) << audit.out;
}

TEST_F(SplitCommands, ClusterTakesPriorities) {
  write("p.tsv", "id\tpriority\nw5\t2\nw3\t1\n");
  const std::string clusters = out({"cluster", "chain.fa", "--relation", "whole:35", "--promise",
                                    "representatives", "--priority", "p.tsv"});
  EXPECT_THAT(clusters, StartsWith("w5\tw5\nw5\tw4\nw5\tw6\nw3\tw3\nw3\tw2\n"));
}

TEST_F(SplitCommands, ClusterRefusesWhatGoesNotTogether) {
  EXPECT_THAT(refused({"cluster", "single.fa", "--clstr", "x.clstr"}),
              HasSubstr("--promise representatives"));
  EXPECT_THAT(refused({"cluster", "single.fa", "--choice", "set-cover"}),
              HasSubstr("--promise representatives"));
  EXPECT_THAT(refused({"cluster", "single.fa", "--relation", "whole:0.3"}), HasSubstr("whole:30"));
  EXPECT_THAT(refused({"cluster", "single.fa", "--mode", "global"}), HasSubstr("--mode does nothing"));
  write("p.tsv", "s1\thigh\n");
  EXPECT_THAT(refused({"cluster", "single.fa", "--priority", "p.tsv", "-o", "c.tsv"}),
              HasSubstr("p.tsv, line 1: 'high' is no number"));
  write("dup.fa", read("single.fa") + ">s3\nMKVW\n");
  EXPECT_THAT(refused({"cluster", "dup.fa"}), AllOf(HasSubstr("'s3'"), HasSubstr("records 4 and 21")));
}

TEST_F(SplitCommands, SplitPrintsAndLogs) {
  const CommandResult result = alnus({"split", "single.fa", "-k", "4"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, StartsWith("id,subset\ns0,"));
  EXPECT_EQ(lines(result.out), 21u);
  EXPECT_THAT(result.err,
              AllOf(HasSubstr("alnus: 0 pairs are similar by whole:30,part:30; 20 components, the largest "
                              "with 1 record.\n"),
                    HasSubstr("alnus: Subset 4: 5 records, 250 residues.\n"), HasSubstr("190 pairs")));
  EXPECT_EQ(out({"split", "single.fa", "-k", "4", "-t", "1", "--no-shortcuts"}), result.out);
  EXPECT_EQ(alnus({"split", "single.fa", "-k", "4", "--quiet"}).err, "");
  const CommandResult named =
      alnus({"split", "single.fa", "--fractions", "0.8,0.1,0.1", "--names", "train,validation,test"});
  EXPECT_THAT(named.err, AllOf(HasSubstr("Subset train: 16 records"), HasSubstr("Subset test: 2 records")));
}

TEST_F(SplitCommands, SplitWithRemovalLogsTheNumberAndItsBound) {
  const CommandResult result =
      alnus({"split", "chain.fa", "--relation", "whole:35", "-k", "2", "--allow-removal", "-o", "s.csv"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.err, AllOf(HasSubstr("1 component, the largest with 21 records."),
                                HasSubstr("1 record is removed"), HasSubstr("needs 1 at least")));
  EXPECT_EQ(lines(read("s.csv")), 21u);
}

TEST_F(SplitCommands, LabelsAreLogged) {
  std::string table = "id,kind\n";
  for (int k = 0; k < 20; ++k) table += "s" + std::to_string(k) + (k % 2 == 0 ? ",A\n" : ",B\n");
  write("labels.csv", table);
  const CommandResult result = alnus({"split", "single.fa", "-k", "2", "--labels", "labels.csv"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.err, AllOf(HasSubstr("alnus: Label kind A: 5, 5 records.\n"),
                                HasSubstr("alnus: Label kind B: 5, 5 records.\n")));
}

// The bad input that the documentation of splits speaks of.
TEST_F(SplitCommands, TablesThatAreWrongAreErrors) {
  write("unknown.csv", "id,kind\ns1,a\nzz,b\n");
  write("twice.csv", "s1,a\ns2,b\ns1,b\n");
  for (const char* option : {"--labels", "--groups", "--fixed"}) {
    EXPECT_THAT(refused_split({option, "unknown.csv"}),
                AllOf(HasSubstr("unknown.csv, line 3"), HasSubstr("no record 'zz'")));
    EXPECT_THAT(refused_split({option, "twice.csv"}),
                AllOf(HasSubstr("twice.csv, line 3"), HasSubstr("'s1'"), HasSubstr("line 1")));
    EXPECT_THAT(refused_split({option, "none.csv"}), HasSubstr("none.csv"));
  }
  write("groups.csv", "s1,x\ns2,x\n");
  write("fixed.csv", "s1,1\ns2,2\n");
  EXPECT_THAT(
      refused_split({"--groups", "groups.csv", "--fixed", "fixed.csv"}),
      AllOf(HasSubstr("'s1'"), HasSubstr("'s2'"), HasSubstr("the group 'x'"), HasSubstr("'1' and '2'")));
  write("fixed.csv", "s1,nine\n");
  EXPECT_THAT(refused_split({"--fixed", "fixed.csv"}), AllOf(HasSubstr("'s1'"), HasSubstr("'nine'")));
  write("p.csv", "s1,-1\n");
  EXPECT_THAT(refused_split({"--allow-removal", "--priority", "p.csv"}),
              AllOf(HasSubstr("'s1'"), HasSubstr("-1")));
}

TEST_F(SplitCommands, OptionsThatAreWrongAreErrors) {
  EXPECT_THAT(refused_split({"--names", "a,b,a,c"}), HasSubstr("Two subsets have the name 'a'"));
  EXPECT_THAT(refused_split({"--names", "a,b"}), AllOf(HasSubstr("--names"), HasSubstr("4 subsets")));
  EXPECT_THAT(refused_split({"--names", "a,b/c,d,e"}), HasSubstr("'b/c'"));
  EXPECT_THAT(refused_split({"--relation", "whole:0.3"}), HasSubstr("write whole:30 for this fraction"));
  EXPECT_THAT(refused_split({"--relation", "part:1"}), HasSubstr("part:1"));
  EXPECT_THAT(refused_split({"--fractions", "1,1"}), HasSubstr("--fractions"));
  EXPECT_THAT(refused_split({"--tolerance", "6,9"}), AllOf(HasSubstr("6 to 9"), HasSubstr("20 records")));
  EXPECT_THAT(refused_split({"--tolerance", "101"}), HasSubstr("--tolerance"));
  EXPECT_THAT(refused_split({"--mode", "global"}), HasSubstr("--mode does nothing"));
  EXPECT_THAT(refused({"split", "single.fa"}), HasSubstr("two subsets"));
  EXPECT_THAT(refused({"split", "single.fa", "-k", "1"}), HasSubstr("-k"));
  EXPECT_THAT(refused({"split", "single.fa", "-k", "21"}), AllOf(HasSubstr("20 records"), HasSubstr("21")));
  EXPECT_THAT(refused({"split", "single.fa", "--fractions", "0,1"}), HasSubstr("share 0"));
  EXPECT_THAT(refused({"split", "none.fa", "-k", "2"}), HasSubstr("none.fa"));
  write("dup.fa", read("single.fa") + ">s3\nMKVW\n");
  EXPECT_THAT(refused({"split", "dup.fa", "-k", "2"}),
              AllOf(HasSubstr("'s3'"), HasSubstr("records 4 and 21")));
}

TEST_F(SplitCommands, AComponentThatIsTooLargeIsAnError) {
  const Words chain = {"split", "chain.fa", "--relation", "whole:35", "-k", "2", "-o", "s.csv"};
  EXPECT_THAT(refused(chain), AllOf(HasSubstr("21 of 21 records"), HasSubstr("11 at most"),
                                    HasSubstr("60 residues"), HasSubstr("--allow-removal")));
  // Three subsets of 7 leave no record to remove.
  EXPECT_THAT(
      refused({"split", "chain.fa", "--relation", "whole:35", "-k", "3", "--allow-removal", "-o", "s.csv"}),
      Not(HasSubstr("or let sequences be removed")));
  write("fixed.csv", "w3,1\nw9,2\n");
  EXPECT_THAT(refused(both(chain, {"--fixed", "fixed.csv"})),
              AllOf(HasSubstr("'w3' and 'w9'"), HasSubstr("'1' and '2'"), HasSubstr("--allow-removal")));
}

TEST_F(SplitCommands, FullDisksAreErrors) {
  constexpr int kOutput = 255;
  for (const Words& more :
       {Words{"-o", "/dev/full"}, Words{"-o", "/dev/full", "--certificate", "c.json"},
        Words{"-o", "/dev/full", "--fasta", "f"}, Words{"-o", "none/s.csv", "--ids", "i"}})
    EXPECT_THAT(refused(both({"split", "single.fa", "-k", "2"}, more), kOutput), HasSubstr(more[1]));
  EXPECT_THAT(refused({"cluster", "single.fa", "-o", "/dev/full"}, kOutput), HasSubstr("/dev/full"));
  split_chain();
  EXPECT_EQ(shell("\"$1\" verify c.json --offline > /dev/full").exit_code, kOutput);
  EXPECT_EQ(shell("\"$1\" split single.fa -k 2 > /dev/full").exit_code, kOutput);
  EXPECT_EQ(shell("\"$1\" cluster single.fa > /dev/full").exit_code, kOutput);
}

// No output is left if another one cannot be written.
TEST_F(SplitCommands, AFullDiskLeavesNoOtherOutput) {
  constexpr int kOutput = 255;
  refused({"split", "single.fa", "-k", "2", "-o", "s.csv", "--certificate", "/dev/full"}, kOutput);
  refused({"cluster", "chain.fa", "--promise", "representatives", "-o", "c.tsv", "--clstr", "/dev/full"},
          kOutput);
}

TEST_F(SplitCommands, CertificatesHold) {
  split_chain();
  const std::string sentence =
      "The certificate holds: 20 records in 2 subsets, no two similar ones in "
      "different subsets by whole:35";
  EXPECT_EQ(out({"verify", "c.json", "chain.fa", "--splits", "s.csv"}), sentence + ".\n");
  EXPECT_EQ(
      out({"verify", "c.json", "f.2.fasta", "f.1.fasta"}),
      sentence + ".\nThe number of residues of 1 removed record is taken on trust: E-values depend on it.\n");
  EXPECT_EQ(out({"verify", "c.json", "--offline"}),
            "The certificate agrees with itself; no sequences were compared with it.\n");
  EXPECT_EQ(out({"verify", "c.json", "chain.fa", "--splits", "s.csv", "--offline"}),
            "The contents are those of the certificate; no pair was compared.\n");
  EXPECT_EQ(alnus({"verify", "c.json", "chain.fa"}).exit_code, 1) << "--splits is missing";
  EXPECT_THAT(
      out({"verify", "c.json", "f.1.fasta", "f.2.fasta", "--sample", "3", "--seed", "5"}),
      AllOf(StartsWith("Nothing contradicts the certificate: of 20 records in 2 subsets, 3 random records of "
                       "seed 5 were compared"),
            Not(HasSubstr("Only"))));
  EXPECT_THAT(out({"verify", "c.json", "f.1.fasta", "f.2.fasta", "--sample", "300"}),
              StartsWith("The certificate holds: 20 records"));
  EXPECT_EQ(shell("cat c.json | \"$1\" verify - --offline").exit_code, 0);
  EXPECT_EQ(shell("gzip -k c.json f.1.fasta f.2.fasta && \"$1\" verify c.json.gz f.1.fasta.gz f.2.fasta.gz")
                .exit_code,
            0);
  EXPECT_EQ(alnus({"verify", "c.json", "f.1.fasta", "f.2.fasta", "--quiet"}).err, "");
}

TEST_F(SplitCommands, CertificatesThatDoNotHoldEndWithTen) {
  split_chain();
  const std::string original = read("c.json");
  EXPECT_THAT(fails({"c.json", "f.1.fasta"}), HasSubstr("subset '2'"));
  change("f.1.fasta", "\n", "x\n");
  EXPECT_EQ(out({"verify", "c.json", "f.1.fasta", "f.2.fasta"}).empty(), false) << "titles do not count";
  change("f.1.fasta", ">w", ">v");
  EXPECT_EQ(
      fails({"c.json", "f.1.fasta", "f.2.fasta"}),
      "FAILS: f.1.fasta, taken as subset '1', has 10 records as in the certificate, but an id differs.\n");
  const std::string chain = read("chain.fa");
  std::string other = chain;
  char& residue = other[other.find('\n') + 1];
  residue = residue == 'W' ? 'A' : 'W';
  write("chain.fa", other);
  EXPECT_THAT(fails({"c.json", "chain.fa", "--splits", "s.csv"}),
              AllOf(StartsWith("FAILS: chain.fa: subset '"),
                    HasSubstr("' has the ids of the certificate, but a residue differs (")));
  write("chain.fa", chain);
  change("c.json", "\"threshold\": \"35\"", "\"threshold\": \"36\"");
  EXPECT_THAT(fails({"c.json", "--offline"}), HasSubstr("predicate_sha256"));
  write("c.json", original);
  change("s.csv", ",1\n", ",2\n");
  EXPECT_THAT(fails({"c.json", "chain.fa", "--splits", "s.csv"}), AllOf(HasSubstr("'1'"), HasSubstr("'2'")));
}

TEST_F(SplitCommands, VerifySaysWhichScoringTheCertificateNeeds) {
  out({"split", "single.fa", "--relation", "score:20", "--mode", "global", "-k", "2", "-o", "s.csv",
       "--certificate", "c.json"});
  EXPECT_THAT(refused({"verify", "c.json", "single.fa", "--splits", "s.csv"}),
              AllOf(HasSubstr("c.json has the relation score:20 with"), HasSubstr("mode global"),
                    HasSubstr("mode local"), HasSubstr("Give the options by which the split was made")));
  out({"verify", "c.json", "single.fa", "--splits", "s.csv", "--mode", "global"});
}

TEST_F(SplitCommands, VerifyRefusesWhatItCannotRead) {
  EXPECT_THAT(refused({"verify", "none.json", "--offline"}), HasSubstr("none.json"));
  EXPECT_THAT(refused({"verify", "single.fa", "--offline"}), HasSubstr("single.fa"));
  split_chain();
  EXPECT_THAT(refused({"verify", "c.json"}), HasSubstr("--offline"));
  EXPECT_THAT(refused({"verify", "c.json", "--offline", "--sample", "3"}), HasSubstr("--sample"));
  EXPECT_THAT(refused({"verify", "c.json", "chain.fa", "--splits", "none.csv"}), HasSubstr("none.csv"));
  EXPECT_THAT(refused({"verify", "c.json", "single.fa", "--splits", "s.csv"}), HasSubstr("(line 2)"));
  EXPECT_THAT(refused({"verify", "c.json", "f.1.fasta", "chain.fa"}), HasSubstr("'w0'"));
}

TEST_F(SplitCommands, AnAuditFindsNothingInASplit) {
  split_chain();
  EXPECT_EQ(alnus({"audit", "chain.fa", "--splits", "s.csv", "--relation", "whole:35"}).exit_code, 0);
  EXPECT_EQ(alnus({"audit", "f.1.fasta", "f.2.fasta", "--relation", "whole:35"}).exit_code, 0);
}

TEST_F(SplitCommands, HaveHelp) {
  EXPECT_THAT(out({"cluster", "--help"}), AllOf(HasSubstr("--promise"), HasSubstr("--clstr")));
  EXPECT_THAT(out({"split", "--help"}), AllOf(HasSubstr("--allow-removal"), HasSubstr("--certificate")));
  EXPECT_THAT(out({"verify", "--help"}), AllOf(HasSubstr("--sample"), HasSubstr("--offline")));
}

// Removal was allowed and cannot help: the message says so, and by which limits.
TEST_F(SplitCommands, SubsetsThatNoRemovalCanMakeAreToldSo) {
  EXPECT_THAT(
      refused({"split", "chain.fa", "--relation", "whole:35", "-k", "3", "--allow-removal", "-o", "s.csv"}),
      AnyOf(HasSubstr("remov"), HasSubstr("lowest"), HasSubstr("at least")));
}

// verify takes the files that split wrote, also of a subset without records.
TEST_F(SplitCommands, AnEmptySubsetVerifiesByItsFiles) {
  out({"split", "single.fa", "--fractions", "0.99,0.01", "-o", "s.csv", "--certificate", "c.json", "--fasta",
       "f"});
  out({"verify", "c.json", "f.1.fasta", "f.2.fasta"});
}

// As split and allpairs do.
TEST_F(SplitCommands, VerifyRefusesScoringThatDoesNothing) {
  split_chain();
  EXPECT_THAT(refused({"verify", "c.json", "f.1.fasta", "f.2.fasta", "--mode", "global"}),
              HasSubstr("--mode does nothing"));
}

}  // namespace
}  // namespace alnus::test

// alnus bench evalues: the hits that are found, beside the hits that the E-values predict.
#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/cli_fixture.h"
#include "support/sequences.h"

namespace alnus::test {
namespace {

using Json = nlohmann::json;
using Words = std::vector<std::string>;

constexpr const char* kThresholds[] = {"10", "1", "0.1", "0.01", "0.001"};
const Words kDna = {"--alphabet", "dna"};

class BenchEvalues : public CliTest {
 protected:
  BenchEvalues() {
    Random random(1);
    const auto write_set = [&](const char* name, std::size_t count, std::size_t letters, AlphabetKind kind,
                               const std::string& end) {
      std::string fasta;
      for (std::size_t i = 0; i < count; ++i)
        fasta += fmt::format(">s{}\n{}{}\n", i,
                             decode(random_sequence(random, 30 + below(random, 100), letters), kind), end);
      write(name, fasta);
    };
    // All sequences end in the same letters, so that there are hits unless the database is shuffled.
    write_set("q.fa", 7, 20, AlphabetKind::protein, "WHMKCYFIRNDEGTPVLSAQWHMCYFKRNQ");
    write_set("db.fa", 60, 20, AlphabetKind::protein, "WHMKCYFIRNDEGTPVLSAQWHMCYFKRNQ");
    write_set("q.dna", 7, 4, AlphabetKind::dna, "ACCTGATTGACCA");
    write_set("db.dna", 60, 4, AlphabetKind::dna, "ACCTGATTGACCA");
    std::string fasta = read("db.fa"), backwards;
    std::istringstream text(fasta);
    for (std::string line; std::getline(text, line);) {
      if (!line.starts_with('>')) std::ranges::reverse(line);
      backwards += line + "\n";
    }
    write("reversed.fa", backwards);
  }

  CommandResult bench(Words more, const Words& inputs = {"q.fa", "db.fa"}) const {
    more.insert(more.begin(), {"bench", "evalues", inputs[0], inputs[1], "--devices", "cpu"});
    return alnus(std::move(more));
  }
  Json json(Words more, const Words& inputs = {"q.fa", "db.fa"}) const {
    more.emplace_back("--json");
    const CommandResult result = bench(std::move(more), inputs);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return Json::parse(result.out);
  }
  // Returns how many hits alnus search lists for each threshold.
  std::vector<std::int64_t> searched(const Words& options, const Words& inputs) const {
    std::vector<std::int64_t> counts;
    for (const char* threshold : kThresholds) {
      Words words = {"search", inputs[0], inputs[1], "--evalue", threshold, "--devices", "cpu"};
      words.insert(words.end(), options.begin(), options.end());
      const CommandResult result = alnus(std::move(words));
      EXPECT_EQ(result.exit_code, 0) << result.err;
      counts.push_back(std::ranges::count(result.out, '\n'));
    }
    return counts;
  }
  static std::vector<std::int64_t> found(const Json& report) {
    std::vector<std::int64_t> counts;
    for (const Json& threshold : report["thresholds"]) counts.push_back(threshold["found"]);
    return counts;
  }
};

TEST_F(BenchEvalues, CountsWhatASearchLists) {
  for (const Words& options :
       std::vector<Words>{{},
                          {"--stats", "karlin"},
                          {"--mask", "seg", "--composition", "adjust", "--low-complexity", "statistics"},
                          {"--matrix", "BLOSUM45", "--gap-open", "15"},
                          {"--dbsize", "1000000,3000"}}) {
    Words nothing_shuffled = options, backwards = options;
    nothing_shuffled.insert(nothing_shuffled.end(), {"--null", "none"});
    backwards.insert(backwards.end(), {"--null", "reversed"});
    const std::vector<std::int64_t> hits = searched(options, {"q.fa", "db.fa"});
    EXPECT_EQ(found(json(nothing_shuffled)), hits);
    EXPECT_GT(hits.front(), 60);
    EXPECT_EQ(found(json(backwards)), searched(options, {"q.fa", "reversed.fa"}));
  }
  for (const Words& options : std::vector<Words>{kDna, {"--alphabet", "dna", "--strand", "plus"}}) {
    Words nothing_shuffled = options;
    nothing_shuffled.insert(nothing_shuffled.end(), {"--null", "none"});
    EXPECT_EQ(found(json(nothing_shuffled, {"q.dna", "db.dna"})), searched(options, {"q.dna", "db.dna"}));
  }
}

TEST_F(BenchEvalues, TableOfHitsFoundAndDue) {
  const CommandResult result = bench({"--permutations", "2"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  for (const char* text :
       {"queries    q.fa: 7 sequences, ", "database   db.fa: 60 sequences, ",
        "null       permuted, 2 permutations, seed 1\n", "search     local, BLOSUM62, gaps 11/1\n",
        "statistics spouge: lambda 0.267, K 0.041 (published), ",
        "\nhits           E <= 10  E <= 1  E <= 0.1 ", "\npermutation 1  ", "\npermutation 2  ", "\nfound  ",
        "\ndue                140      14       1.4       0.14       0.014\n", "\nfound / due  "})
    EXPECT_THAT(result.out, HasSubstr(text));
  EXPECT_THAT(result.err, HasSubstr("7 queries, 60 subjects, 420 pairs, "));
  EXPECT_EQ(bench({"--quiet"}).err, "");
  const std::string once = bench({}).out;
  EXPECT_THAT(once, HasSubstr("1 permutation, seed 1\n"));
  EXPECT_THAT(once, Not(HasSubstr("\npermutation 1")));
  const std::string none = bench({"--null", "none"}).out;
  EXPECT_THAT(none, HasSubstr("null       none\n"));
  EXPECT_THAT(none, Not(HasSubstr("\ndue")));
  EXPECT_THAT(
      bench(kDna, {"q.dna", "db.dna"}).out,
      HasSubstr("null       dinucleotides, 1 permutation, seed 1\nsearch     local, NUC44, gaps 10/6; "
                "both strands of each query\n"));
}

TEST_F(BenchEvalues, JsonHasTheFigures) {
  const Json report = json({"--permutations", "3", "--seed", "5"});
  EXPECT_EQ(report["queries"]["sequences"], 7);
  EXPECT_EQ(report["database"]["file"], "db.fa");
  EXPECT_EQ(report["null"], "permuted");
  EXPECT_EQ(report["seed"], 5);
  EXPECT_EQ(report["strands_of_each_query"], 1);
  ASSERT_EQ(report["permutations"].size(), 3u);
  ASSERT_EQ(report["thresholds"].size(), 5u);
  for (std::size_t i = 0; i < 5; ++i) {
    const Json& threshold = report["thresholds"][i];
    std::int64_t sum = 0;
    for (const Json& permutation : report["permutations"]) sum += permutation[i].get<std::int64_t>();
    EXPECT_EQ(threshold["found"], sum);
    EXPECT_NEAR(threshold["due"].get<double>(), 3 * 7 * threshold["evalue"].get<double>(), 1e-9);
    EXPECT_NEAR(threshold["found_by_due"].get<double>(),
                static_cast<double>(sum) / threshold["due"].get<double>(), 1e-9);
  }
  EXPECT_EQ(report["thresholds"][4]["evalue"], 0.001);
  EXPECT_EQ(json({"--null", "reversed"}).count("seed"), 0u);
  EXPECT_EQ(json({"--null", "none"})["thresholds"][0].count("due"), 0u);
}

TEST_F(BenchEvalues, RandomOrdersDependOnTheSequencesAlone) {
  const Json report = json({"--permutations", "2"});
  EXPECT_EQ(json({"-t", "1"})["permutations"][0], report["permutations"][0]);
  EXPECT_EQ(json({"--memory", "100K"})["permutations"][0], report["permutations"][0]);
  ASSERT_EQ(alnus({"makedb", "db.fa", "-o", "db.alnus"}).exit_code, 0);
  EXPECT_EQ(json({"--permutations", "2"}, {"q.fa", "db.alnus"})["permutations"], report["permutations"]);
  EXPECT_NE(report["permutations"][0], report["permutations"][1]);
  EXPECT_NE(json({"--seed", "2"})["permutations"][0], report["permutations"][0]);
}

TEST_F(BenchEvalues, ShufflesEndWhatRelatedSequencesShare) {
  const std::int64_t shared = 7 * 60;
  EXPECT_EQ(found(json({"--null", "none"}))[3], shared);
  EXPECT_LT(found(json({}))[3], shared / 20);
}

TEST_F(BenchEvalues, MistakesAreNamed) {
  const auto expect = [&](const Words& options, int code, const std::string& says) {
    const CommandResult result = bench(options);
    EXPECT_EQ(result.exit_code, code);
    EXPECT_EQ(result.out, "");
    EXPECT_THAT(result.err, HasSubstr(says));
  };
  expect({"--null", "reverse"}, 1, "--null 'reverse' is not known; did you mean reversed?");
  expect({"--null", "dinucleotides"}, 1, "--null dinucleotides is for DNA");
  expect({"--null", "reversed", "--permutations", "2"}, 1, "--permutations is for --null permuted and");
  expect({"--null", "none", "--seed", "2"}, 1, "--seed is for --null permuted and dinucleotides");
  expect({"--permutations", "0"}, 1, "--permutations takes a whole number");
  expect({"--seed", "-1"}, 1, "--seed takes a whole number");
  expect({"--stats", "none"}, 1, "no E-values to count hits by: see --stats and --mode");
  expect({"--mode", "global"}, 1, "no E-values to count hits by: see --stats and --mode");
  expect({"--evalue", "1"}, 1, "has no option '--evalue'");
  expect({"--memory", "1K"}, 4, "--memory allows 1.0 KiB");
  EXPECT_EQ(bench({}, {"q.fa", "none.fa"}).exit_code, 2);
}

}  // namespace
}  // namespace alnus::test

// alnus bench allpairs: the sets that it draws, and what it measures.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/cli_fixture.h"
#include "support/sequences.h"

namespace alnus::test {
namespace {

class BenchAllPairs : public CliTest {
 protected:
  // Writes a file with one sequence of each length from 10 to 130.
  BenchAllPairs() {
    Random random(1);
    std::string fasta;
    for (std::size_t length = 130; length >= 10; --length)
      fasta += fmt::format(">s{}\n{}\n", length, decode(random_sequence(random, length)));
    write("s.fa", fasta);
  }
  CommandResult bench(std::vector<std::string> more, const std::string& source = "s.fa") const {
    more.insert(more.begin(), {"bench", "allpairs", source, "--devices", "cpu", "--runs", "2"});
    return alnus(std::move(more));
  }
  nlohmann::json json(std::vector<std::string> more, const std::string& source = "s.fa") const {
    more.emplace_back("--json");
    const CommandResult result = bench(std::move(more), source);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return nlohmann::json::parse(result.out);
  }
  std::vector<std::string> checksums(std::vector<std::string> more,
                                     const std::string& source = "s.fa") const {
    more.insert(more.end(), {"--lengths", "30,50", "--count", "12"});
    std::vector<std::string> sums;
    const nlohmann::json report = json(std::move(more), source);
    for (const nlohmann::json& line : report["lines"]) sums.push_back(line["checksum"]);
    return sums;
  }
};

TEST_F(BenchAllPairs, TableOfModesAndSets) {
  const CommandResult result = bench({"--lengths", "30,40", "--count", "20"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.err, "");
  for (const char* text :
       {"device     cpu: ", "source     s.fa: 121 sequences, 8,470 residues\n",
        "sets       lengths spread evenly over 0.5 to 1.5 times an average",
        "scoring    BLOSUM50, gaps 8/2; every pair once\n", "runs       2 of each, ",
        "\nmode        sequences  distinct  average     detail ", " us/pair  / score          checksum\n"})
    EXPECT_THAT(result.out, HasSubstr(text));
  for (const char* mode : {"local     ", "global    ", "semiglobal"})
    for (const char* set : {"30.0      score", "30.0  alignment", "40.0      score", "40.0  alignment"})
      EXPECT_THAT(result.out, HasSubstr(fmt::format("\n{}         20        20     {}  ", mode, set)));
}

TEST_F(BenchAllPairs, JsonHasTheFigures) {
  const nlohmann::json report = json({"--lengths", "40", "--count", "30", "--mode", "global"});
  EXPECT_EQ(report["source"]["residues"], 8470);
  EXPECT_EQ(report["devices"][0]["name"], "cpu");
  ASSERT_EQ(report["lines"].size(), 2u);
  for (const nlohmann::json& line : report["lines"]) {
    EXPECT_EQ(line["mode"], "global");
    EXPECT_EQ(line["sequences"], 30);
    EXPECT_EQ(line["distinct"], 30);
    EXPECT_NEAR(line["average_length"].get<double>(), 40, 0.5);
    EXPECT_EQ(line["pairs"], 30 * 29 / 2);
    EXPECT_EQ(line["seconds"].size(), 2u);
    EXPECT_GT(line["gcups"], 0);
    EXPECT_NEAR(line["us_per_pair"].get<double>(), line["median_s"].get<double>() * 1e6 / 435, 1e-6);
  }
  const nlohmann::json &score = report["lines"][0], &alignment = report["lines"][1];
  EXPECT_EQ(score["detail"], "score");
  EXPECT_EQ(score["cigar_runs"], 0);
  EXPECT_FALSE(score.contains("times_score"));
  EXPECT_EQ(alignment["detail"], "alignment");
  EXPECT_GT(alignment["cigar_runs"], 435);
  EXPECT_NEAR(alignment["times_score"].get<double>(),
              alignment["median_s"].get<double>() / score["median_s"].get<double>(), 1e-6);
  EXPECT_FALSE(alignment.contains("speedup"));  // one device has no other to compare with
}

TEST_F(BenchAllPairs, ChecksumIsOfTheResultsAlone) {
  const std::vector<std::string> expected = checksums({});
  EXPECT_EQ(std::set<std::string>(expected.begin(), expected.end()).size(), 3u * 2 * 2);
  EXPECT_EQ(checksums({"-t", "1"}), expected);
  EXPECT_EQ(checksums({"-t", "2"}), expected);
  EXPECT_EQ(checksums({"--isa", "portable", "-t", "2"}), expected);
  EXPECT_NE(checksums({"--matrix", "BLOSUM62"}), expected);
  ASSERT_EQ(alnus({"makedb", "s.fa", "-o", "s.alnus"}).exit_code, 0);
  EXPECT_EQ(checksums({}, "s.alnus"), expected);
}

TEST_F(BenchAllPairs, SequencesOfOneLengthTakeTurns) {
  Random random(2);
  std::string fasta = ">empty\n";
  for (int i = 0; i < 10; ++i) fasta += fmt::format(">s{}\n{}\n", i, decode(random_sequence(random, 12)));
  write("equal.fa", fasta);
  for (const auto& [count, distinct] : {std::pair{4, 4}, {25, 10}}) {
    const std::vector<std::string> options = {"--lengths", "51", "--count", std::to_string(count)};
    const nlohmann::json line = json(options, "equal.fa")["lines"][0];
    EXPECT_EQ(line["distinct"], distinct);
    EXPECT_EQ(line["average_length"], 12);
    EXPECT_EQ(line["cells"], count * (count - 1) / 2 * 12 * 12);
  }
}

TEST_F(BenchAllPairs, GrowingSetsAreAligned) {
  const nlohmann::json report = json({"--growing", "--count", "100", "--mode", "local"});
  std::vector<int> sizes;
  for (const nlohmann::json& line : report["lines"]) {
    sizes.push_back(line["sequences"]);
    EXPECT_EQ(line["detail"], "alignment");
    EXPECT_GT(line["cigar_runs"], 0);
  }
  EXPECT_EQ(sizes, (std::vector<int>{20, 40, 80}));
  EXPECT_EQ(report["sets"],
            "lengths spread evenly over 100 to 420 residues; of the source's nearest, in turns");
}

TEST_F(BenchAllPairs, ReceptorsAreDrawnWithoutASource) {
  const auto receptors = [&](std::vector<std::string> options) {
    options.insert(options.begin(), {"bench", "allpairs", "--devices", "cpu", "--runs", "1", "--json",
                                     "--mode", "global", "--count", "150"});
    const CommandResult result = alnus(std::move(options));
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return nlohmann::json::parse(result.out);
  };
  const nlohmann::json all = receptors({"--lengths", "15"}), some = receptors({"--min-score", "20.5"});
  EXPECT_EQ(all["source"]["sequences"], 150);
  ASSERT_EQ(all["lines"].size(), 2u);
  for (const nlohmann::json& line : all["lines"]) {
    EXPECT_NEAR(line["average_length"].get<double>(), 15, 1);
    EXPECT_EQ(line["found"], 150 * 149 / 2);
  }
  ASSERT_EQ(some["lines"].size(), 1u);
  EXPECT_EQ(some["lines"][0]["detail"], "score >= 20.5");
  EXPECT_GT(some["lines"][0]["found"], 1000);
  EXPECT_LT(some["lines"][0]["found"], 11000);
  EXPECT_NE(some["lines"][0]["checksum"], all["lines"][0]["checksum"]);
  EXPECT_EQ(receptors({"--min-score", "21"})["lines"][0]["checksum"], some["lines"][0]["checksum"]);
  EXPECT_EQ(receptors({"--min-score", "-1000"})["lines"][0]["checksum"], all["lines"][0]["checksum"]);
  const nlohmann::json nearest = receptors({"--top-k", "4"});
  ASSERT_EQ(nearest["lines"].size(), 1u);
  EXPECT_EQ(nearest["lines"][0]["detail"], "top 4");
  EXPECT_EQ(nearest["lines"][0]["pairs"], 150 * 149);
  EXPECT_EQ(nearest["lines"][0]["cells"], 2 * all["lines"][0]["cells"].get<std::uint64_t>());
  EXPECT_EQ(nearest["lines"][0]["found"], 150 * 4);
}

TEST_F(BenchAllPairs, OptionsOfScoringOverrideTheDefaults) {
  const auto scoring = [&](std::vector<std::string> options) {
    options.insert(options.end(), {"--lengths", "20", "--count", "2"});
    const nlohmann::json report = json(std::move(options));
    return fmt::format("{}: {} lines", report["scoring"].get<std::string>(), report["lines"].size());
  };
  EXPECT_EQ(scoring({"--matrix", "BLOSUM62"}), "BLOSUM62, gaps 8/2: 6 lines");
  EXPECT_EQ(scoring({"--gap-convention", "ncbi", "--mode", "global"}), "BLOSUM50, gaps 10/2: 2 lines");
  EXPECT_EQ(scoring({"--preset", "emboss-needle"}), "BLOSUM62, gaps 9.5/0.5: 2 lines");
}

TEST_F(BenchAllPairs, MistakesAreNamed) {
  const auto expect = [&](std::vector<std::string> options, const std::string& says) {
    const CommandResult result = bench(std::move(options));
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_EQ(result.out, "");
    EXPECT_THAT(result.err, HasSubstr(says));
  };
  expect({"--lengths", "51,300"}, "--lengths 300 needs --count");
  expect({"--lengths", "51,"}, "--lengths takes a whole number from 1 to 100000, not ''");
  expect({"--growing", "--lengths", "51"}, "either --growing or --lengths");
  expect({"--growing", "--count", "19"}, "The smallest set of --growing has 20 sequences");
  expect({"--count", "1"}, "--count takes a whole number from 2");
  expect({"--mode", "lcal", "--count", "2"}, "did you mean local?");
  expect({"--growing", "--min-score", "3"}, "--min-score");
  expect({"--top-k", "2", "--min-score", "3"}, "--top-k");
  expect({"--top-k", "0"}, "--top-k takes a whole number from 1");
  const CommandResult lengths = alnus({"bench", "allpairs", "--lengths", "51", "--devices", "cpu"});
  EXPECT_EQ(lengths.exit_code, 1);
  EXPECT_THAT(lengths.err, HasSubstr("15 residues on average; for others give SEQS"));
  write("hollow.fa", ">h1\n>h2\n");
  const CommandResult hollow = bench({"--count", "2"}, "hollow.fa");
  EXPECT_EQ(hollow.exit_code, 2);
  EXPECT_THAT(hollow.err, HasSubstr("hollow.fa has no residues to draw from"));
}

}  // namespace
}  // namespace alnus::test

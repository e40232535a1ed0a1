// alnus bench search: what it measures, and the databases that it makes.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/cli_fixture.h"

namespace alnus::test {
namespace {

constexpr const char* kDatabase =
    ">s1\nPAWHEAEMKVLAHEAGAWGHEEKLMN\n>s2\nCCCCCWWYYX\n>s3 the "
    "third\nMKVLAHEAGAWGHEEKLMNPQRSTVWYF\n>s4\nhEAGawghee\n";

std::vector<std::string> sequences(const std::string& fasta) {
  std::vector<std::string> lines;
  std::istringstream text(fasta);
  for (std::string line; std::getline(text, line);)
    if (!line.starts_with('>')) lines.push_back(line);
  return lines;
}

std::string sorted(std::string letters) {
  std::sort(letters.begin(), letters.end());
  return letters;
}

class BenchSearch : public CliTest {
 protected:
  BenchSearch() {
    write("q.fa", ">q1 first query\nHEAGAWGHEE\n>q2\nMKVLAHEAGAW\n");
    write("db.fa", kDatabase);
  }
  CommandResult bench(std::vector<std::string> more, const std::string& database = "db.fa") const {
    more.insert(more.begin(), {"bench", "search", "q.fa", database, "--devices", "cpu"});
    return alnus(std::move(more));
  }
  nlohmann::json json(std::vector<std::string> more, const std::string& database = "db.fa") const {
    more.insert(more.end(), {"--json", "--runs", "2"});
    const CommandResult result = bench(std::move(more), database);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return nlohmann::json::parse(result.out);
  }
  std::string checksum(std::vector<std::string> more, const std::string& database = "db.fa") const {
    return json(std::move(more), database)["lines"].back()["checksum"];
  }
  // Returns the database that the command makes, as FASTA.
  std::string made(std::vector<std::string> more, const std::string& database = "db.fa") const {
    more.insert(more.end(), {"--write-database", "made.fa"});
    const CommandResult result = bench(std::move(more), database);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(result.out, "");
    return read("made.fa");
  }
};

TEST_F(BenchSearch, TableOfEachQueryAndOfAll) {
  const CommandResult result = bench({"--per-query", "--runs", "2"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  for (const char* text : {"device     cpu: ", "queries    q.fa: 2 sequences, 21 residues\n",
                           "database   db.fa, real: 4 sequences, 74 residues, longest 28\n",
                           "search     local, BLOSUM62, gaps 11/1; detail score, 10 hits of each query\n",
                           "runs       2; ", "\nquery  residues  cells  median ms  min ms  max ms ", "\nq1 ",
                           "\nq2 ", "\nall 2 ", "\nchecksum   "})
    EXPECT_THAT(result.out, HasSubstr(text));
  EXPECT_THAT(result.err, HasSubstr("Upload and first run: "));
  EXPECT_EQ(bench({"--quiet"}).err, "");
}

TEST_F(BenchSearch, JsonHasTheFigures) {
  const nlohmann::json report = json({"--per-query", "--detail", "alignment", "--max-target-seqs", "3"});
  EXPECT_EQ(report["database"]["residues"], 74);
  EXPECT_EQ(report["database"]["data"], "real");
  EXPECT_EQ(report["detail"], "alignment");
  EXPECT_EQ(report["max_target_seqs"], 3);
  EXPECT_EQ(report["devices"][0]["name"], "cpu");
  EXPECT_GT(report["first_run_s"], 0);
  ASSERT_EQ(report["lines"].size(), 3u);
  EXPECT_EQ(report["lines"][1]["query"], "q2");
  EXPECT_EQ(report["lines"][1]["cells"], 11 * 74);
  const nlohmann::json& all = report["lines"][2];
  EXPECT_EQ(all["query"], "");
  EXPECT_EQ(all["queries"], 2);
  EXPECT_EQ(all["residues"], 21);
  EXPECT_EQ(all["cells"], 21 * 74);
  EXPECT_EQ(all["seconds"].size(), 2u);
  EXPECT_LE(all["min_s"], all["median_s"]);
  EXPECT_LE(all["median_s"], all["max_s"]);
  EXPECT_GT(all["gcups"], 0);
  EXPECT_TRUE(all["stages_median_s"].empty());
}

TEST_F(BenchSearch, ChecksumIsOfTheHitsAlone) {
  const std::string expected = checksum({});
  EXPECT_EQ(checksum({"--method", "interseq"}), expected);
  EXPECT_EQ(checksum({"-t", "1"}), expected);
  EXPECT_EQ(checksum({"-t", "2", "--detail", "alignment"}), expected);
  EXPECT_NE(checksum({"--max-target-seqs", "1"}), expected);
  EXPECT_NE(checksum({"--matrix", "BLOSUM45"}), expected);
  ASSERT_EQ(alnus({"makedb", "db.fa", "-o", "db.alnus"}).exit_code, 0);
  EXPECT_EQ(checksum({}, "db.alnus"), expected);
}

TEST_F(BenchSearch, PermutedSubjectsKeepTheirResidues) {
  const std::string fasta = made({"--data", "permuted", "--subjects", "3000"});
  for (const char* threads : {"1", "3"})
    EXPECT_EQ(made({"--data", "permuted", "--subjects", "3000", "-t", threads}), fasta);
  std::set<std::string> from, drawn;
  for (const std::string& letters : sequences(kDatabase)) from.insert(sorted(letters));
  const std::vector<std::string> subjects = sequences(fasta);
  EXPECT_EQ(subjects.size(), 3000u);
  for (const std::string& letters : subjects) drawn.insert(sorted(letters));
  EXPECT_EQ(drawn, from);
  EXPECT_GT(std::set<std::string>(subjects.begin(), subjects.end()).size(), 2000u);
  EXPECT_TRUE(std::is_sorted(subjects.begin(), subjects.end(),
                             [](const auto& a, const auto& b) { return a.size() > b.size(); }));
}

TEST_F(BenchSearch, ADatabaseFileGivesTheSameSubjects) {
  ASSERT_EQ(alnus({"makedb", "db.fa", "-o", "db.alnus"}).exit_code, 0);
  EXPECT_EQ(made({}, "db.alnus"), made({}));
  for (const char* data : {"permuted", "equal"}) {
    const std::vector<std::string> options = {"--data", data, "--subjects", "50"};
    const std::string fasta = made(options);
    EXPECT_EQ(made(options, "db.alnus"), fasta);
    EXPECT_EQ(checksum({}, "made.fa"), checksum(options));
  }
}

TEST_F(BenchSearch, EqualSubjectsAreComposedAsTheSource) {
  const std::vector<std::string> subjects =
      sequences(made({"--data", "equal", "--subjects", "2000", "--length", "37"}));
  ASSERT_EQ(subjects.size(), 2000u);
  std::string letters, source;
  for (const std::string& subject : subjects) {
    EXPECT_EQ(subject.size(), 37u);
    letters += subject;
  }
  for (const std::string& sequence : sequences(kDatabase)) source += sequence;
  for (const char letter : std::set<char>(source.begin(), source.end())) {
    const auto share = [letter](const std::string& text) {
      return static_cast<double>(std::count(text.begin(), text.end(), letter)) /
             static_cast<double>(text.size());
    };
    EXPECT_NEAR(share(letters), share(source), 0.01) << letter;
  }
}

TEST_F(BenchSearch, MistakesAreNamed) {
  const auto expect = [&](std::vector<std::string> options, int code, const std::string& says) {
    const CommandResult result = bench(std::move(options));
    EXPECT_EQ(result.exit_code, code);
    EXPECT_EQ(result.out, "");
    EXPECT_THAT(result.err, HasSubstr("alnus: error: "));
    EXPECT_THAT(result.err, HasSubstr(says));
  };
  expect({"--data", "permutd"}, 1, "did you mean permuted?");
  expect({"--subjects", "5"}, 1, "--subjects needs --data permuted or equal");
  expect({"--data", "permuted", "--length", "5"}, 1, "--length needs --data equal");
  expect({"--runs", "0"}, 1, "--runs takes a whole number");
  expect({"--data", "equal", "--subjects", "2000000000"}, 4, "--memory allows 8.0 GiB");
  expect({"--write-database", "none/made.fa"}, 255, "none/made.fa");
  write("hollow.fa", ">h1\n>h2\n");
  const CommandResult hollow = bench({"--data", "permuted"}, "hollow.fa");
  EXPECT_EQ(hollow.exit_code, 2);
  EXPECT_THAT(hollow.err, HasSubstr("hollow.fa has no residues to draw from"));
  EXPECT_EQ(bench({}, "none.fa").exit_code, 2);
}

}  // namespace
}  // namespace alnus::test

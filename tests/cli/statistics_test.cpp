// --stats and the options that belong to it, in search, align and allpairs.
#include <cmath>
#include <random>
#include <sstream>

#include "cli/cli_fixture.h"
#include "cli/replaced_options.h"

namespace alnus::test {
namespace {

std::string random_records(const std::string& name, int count, int length, unsigned seed) {
  std::mt19937 random(seed);
  std::string text;
  for (int i = 0; i < count; ++i) {
    text += ">" + name + std::to_string(i) + "\n";
    const int residues = length / 2 + static_cast<int>(random() % length);
    for (int k = 0; k < residues; ++k) text += "ARNDCQEGHILKMFPSTWYV"[random() % 20];
    text += "\n";
  }
  return text;
}

std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> result;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) result.push_back(line);
  return result;
}

// The fields of the first row.
std::vector<std::string> first_row(const std::string& table) {
  std::vector<std::string> fields{""};
  for (const char letter : table.substr(0, table.find('\n'))) {
    if (letter == '\t')
      fields.emplace_back();
    else
      fields.back() += letter;
  }
  return fields;
}

class Statistics : public CliTest {
 protected:
  Statistics() {
    write("q.fa", random_records("q", 3, 120, 1));
    write("db.fa", random_records("s", 700, 150, 2));
  }
  CommandResult search(std::vector<std::string> more) const {
    std::vector<std::string> arguments = {
        "search", "q.fa", "db.fa", "--evalue", "1e6", "--quiet", "--max-target-seqs", "1000"};
    arguments = with_options(std::move(arguments), more);
    return alnus(std::move(arguments));
  }
  const std::vector<std::string> columns_ = {"--outfmt", "6 score evalue bitscore zscore zscore_se zfit"};
  std::vector<std::string> with_columns(std::vector<std::string> words) const {
    words.insert(words.end(), columns_.begin(), columns_.end());
    return words;
  }
};

TEST_F(Statistics, EveryMethodFillsItsColumns) {
  const auto row = [&](const char* method) {
    return first_row(search(with_columns({"--stats", method, "--max-target-seqs", "2"})).out);
  };
  for (const char* method : {"spouge", "karlin"}) {
    const auto fields = row(method);
    ASSERT_EQ(fields.size(), 6u) << method;
    EXPECT_GT(std::stod(fields[1]), 0);
    EXPECT_GT(std::stod(fields[2]), 0);
    EXPECT_EQ(fields[3] + fields[4] + fields[5], "NANANA");
  }
  const auto regression = row("regression"), shuffled = row("zvalue");
  ASSERT_EQ(regression.size(), 6u);
  ASSERT_EQ(shuffled.size(), 6u);
  EXPECT_GT(std::stod(regression[3]), 2);
  EXPECT_EQ(regression[4], "NA");
  EXPECT_GT(std::stod(shuffled[1]), 0);
  EXPECT_EQ(shuffled[2], "NA");
  EXPECT_GT(std::stod(shuffled[3]), 0);
  EXPECT_GT(std::stod(shuffled[4]), 0);
  EXPECT_LE(std::stod(shuffled[5]), 1);
  EXPECT_EQ(alnus({"search", "q.fa", "db.fa", "--stats", "none", "--max-target-seqs", "1", "--quiet",
                   "--outfmt", "6 evalue bitscore zscore"})
                .out,
            "NA\tNA\tNA\nNA\tNA\tNA\nNA\tNA\tNA\n");
}

TEST_F(Statistics, PartsOfADatabaseGiveWhatTheWholeGives) {
  const std::string records = random_records("s", 700, 150, 2);
  std::uint64_t residues = 0;
  for (const std::string& line : lines(records))
    if (line.front() != '>') residues += line.size();
  const std::size_t half = records.find(">s350\n");
  write("a.fa", records.substr(0, half));
  for (const std::string method : {"spouge", "karlin"}) {
    const std::string all = search({"--stats", method, "--outfmt", "6 qseqid sseqid evalue"}).out;
    const CommandResult part =
        alnus({"search", "q.fa", "a.fa", "--evalue", "1e6", "--quiet", "--stats", method, "--dbsize",
               std::to_string(residues) + ",700", "--outfmt", "6 qseqid sseqid evalue"});
    EXPECT_EQ(part.exit_code, 0) << part.err;
    EXPECT_FALSE(part.out.empty());
    for (const std::string& line : lines(part.out)) EXPECT_THAT(all, HasSubstr(line + "\n")) << method;
  }
}

TEST_F(Statistics, ADryRunCountsShufflesAndCalibratesNothing) {
  const auto cells = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"align", "q.fa", "q.fa", "--dry-run"});
    const CommandResult result = alnus(std::move(more));
    EXPECT_EQ(result.exit_code, 0) << result.err;
    std::string number = result.out.substr(result.out.find("cells: ") + 7);
    number.resize(number.find('\n'));
    std::erase(number, ',');
    return std::stoull(number);
  };
  EXPECT_EQ(cells({"--stats", "zvalue", "--shuffles", "10"}), 21 * cells({}));
  EXPECT_EQ(cells({"--stats", "zvalue", "--shuffles", "10", "--shuffle", "query"}), 11 * cells({}));
  const CommandResult result = alnus({"search", "q.fa", "db.fa", "--dry-run", "--matrix", "BLOSUM50",
                                      "--gap-open", "10", "--gap-extend", "2"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("they would first be found by simulation, as by alnus calibrate"));
}

TEST_F(Statistics, WhatDoesNotFitIsRefused) {
  const auto error = [&](std::vector<std::string> more) {
    const CommandResult result = search(std::move(more));
    EXPECT_EQ(result.exit_code, 1) << result.err;
    return result.err;
  };
  EXPECT_THAT(error({"--stats", "spuge"}), HasSubstr("spouge"));
  EXPECT_THAT(error({"--stats", "spouge", "--mode", "global"}), HasSubstr("--stats zvalue"));
  EXPECT_THAT(error({"--stats", "karlin", "--dbsize", "1000"}), HasSubstr("RESIDUES,SEQUENCES"));
  EXPECT_THAT(error({"--stats", "zvalue", "--searchsp", "1e6"}), HasSubstr("is for --stats spouge"));
  EXPECT_THAT(error({"--dbsize", "1,2,3"}), HasSubstr("RESIDUES"));
  EXPECT_THAT(error({"--shuffles", "100"}), HasSubstr("is for --stats zvalue"));
  EXPECT_THAT(error({"--stats", "regression", "--composition", "scale"}),
              HasSubstr("is for --stats spouge and karlin"));
  EXPECT_THAT(error({"--stats", "none", "--dbsize", "1000"}), HasSubstr("--dbsize is for"));
  EXPECT_THAT(error({"--stats", "zvalue", "--shuffles", "3"}), HasSubstr("--shuffles"));
  EXPECT_THAT(error({"--stats", "none", "--evalue", "1"}), HasSubstr("--stats none"));
  EXPECT_THAT(error({"--searchsp", "0"}), HasSubstr("1 or more"));
  write("dna.fa", ">d\nACGTTGCAACGGATCTACGATTACGAC\n");
  const CommandResult karlin =
      alnus({"search", "dna.fa", "dna.fa", "--alphabet", "dna", "--match", "1", "--mismatch", "-2",
             "--gap-open", "5", "--gap-extend", "2", "--dbsize", "1000000"});
  EXPECT_EQ(karlin.exit_code, 1);
  EXPECT_THAT(karlin.err, HasSubstr("RESIDUES,SEQUENCES"));
  const CommandResult pairs = alnus({"allpairs", "q.fa", "--stats", "regression"});
  EXPECT_EQ(pairs.exit_code, 1);
  EXPECT_THAT(pairs.err, HasSubstr("search alone"));
}

TEST_F(Statistics, RegressionFallsBackByName) {
  write("few.fa", random_records("s", 40, 150, 2));
  const CommandResult result =
      alnus({"search", "q.fa", "few.fa", "--stats", "regression", "--evalue", "1e6"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.err, HasSubstr("3 queries do not suffice for --stats regression"));
  EXPECT_THAT(result.err, HasSubstr("those of --stats spouge --composition none --low-complexity none"));
  EXPECT_EQ(result.out, alnus({"search", "q.fa", "few.fa", "--evalue", "1e6", "--quiet", "--composition",
                               "none", "--low-complexity", "none"})
                            .out);
}

TEST_F(Statistics, ZvaluesAreTheSameInEveryCommandAndOnAnyThreads) {
  write("one.fa", random_records("q", 1, 120, 1));
  write("other.fa", random_records("s", 1, 150, 2));
  const std::vector<std::string> z = {"--stats",
                                      "zvalue",
                                      "--shuffles",
                                      "40",
                                      "--quiet",
                                      "--outfmt",
                                      "6 qseqid sseqid score zscore zscore_se"};
  const auto run = [&](std::vector<std::string> words) {
    words.insert(words.end(), z.begin(), z.end());
    const CommandResult result = alnus(std::move(words));
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result.out;
  };
  const std::string aligned = run({"align", "one.fa", "other.fa"});
  EXPECT_EQ(run({"align", "one.fa", "other.fa", "-t", "1"}), aligned);
  EXPECT_EQ(run({"allpairs", "one.fa", "--against", "other.fa"}), aligned);
  EXPECT_THAT(run({"search", "q.fa", "db.fa", "--evalue", "1e9", "--max-target-seqs", "1000"}),
              HasSubstr(aligned));
  for (const char* mode : {"global", "semiglobal"})
    EXPECT_TRUE(std::isfinite(std::stod(first_row(run({"align", "one.fa", "other.fa", "--mode", mode}))[3])));
}

TEST_F(Statistics, ReportsTellMethodParametersAndDatabase) {
  const std::string comments = search({"--outfmt", "7"}).out;
  EXPECT_THAT(comments, HasSubstr("# Statistics: spouge, lambda 0.267, K 0.041, alpha 1.9"));
  EXPECT_THAT(comments,
              HasSubstr(" residues, adjusted to the composition of both sequences, low-complexity regions "
                        "masked\n"));
  EXPECT_THAT(
      search({"--outfmt", "0", "--composition", "scale", "--low-complexity", "none"}).out,
      HasSubstr(" residues, scaled by the composition of the query, low-complexity regions not masked\n"));
  EXPECT_THAT(search({"--outfmt", "0", "--stats", "regression"}).out,
              HasSubstr("\nStatistics: regression: mean "));
  EXPECT_THAT(
      alnus({"align", "q.fa", "q.fa", "--stats", "zvalue", "--shuffles", "20", "--outfmt", "7", "--quiet"})
          .out,
      HasSubstr("# Statistics: zvalue, 20 shuffles of query and subject each\n"));
}

TEST_F(Statistics, UnusualQueriesAreWorthLess) {
  write("odd.fa", ">odd\n" + std::string(40, 'K') + "LEEKLKKEEL" + std::string(40, 'E') + "\n");
  write("db2.fa",
        random_records("s", 50, 300, 5) + ">rich\n" + std::string(30, 'K') + std::string(30, 'E') + "\n");
  const auto evalue = [&](std::vector<std::string> more) {
    std::vector<std::string> words = {
        "search", "odd.fa",           "db2.fa", "--quiet", "--outfmt", "6 evalue", "--max-target-seqs",
        "1",      "--low-complexity", "none"};
    words.insert(words.end(), more.begin(), more.end());
    return std::stod(alnus(std::move(words)).out);
  };
  for (const char* method : {"spouge", "karlin"})
    EXPECT_GT(evalue({"--stats", method, "--composition", "scale"}),
              10 * evalue({"--stats", method, "--composition", "none"}));
}

// This scoring allows only ungapped alignments of equal letters. Their lengths do not vary, so that there is
// no finite-size correction.
TEST_F(Statistics, ScoringsWithoutVariationAreJudgedByKarlin) {
  write("d.fa", ">d\nACGTTGCAACGTAGCTAGCATCGACTAGCAT\n");
  const CommandResult result = alnus({"search", "d.fa", "d.fa", "--alphabet", "dna", "--match", "7",
                                      "--mismatch", "-3000", "--gap-open", "30000", "--gap-extend", "3000",
                                      "--stats", "spouge", "--outfmt", "7 evalue", "--quiet"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("# Statistics: karlin, "));
  EXPECT_THAT(result.out, Not(HasSubstr("nan")));
}

TEST_F(Statistics, ALedgerKnowsTheSearchSpace) {
  const auto run = [&](std::vector<std::string> more) {
    std::vector<std::string> words = {"allpairs", "q.fa",      "--checkpoint", "ledger",
                                      "-o",       "pairs.tsv", "--quiet"};
    words.insert(words.end(), more.begin(), more.end());
    return alnus(std::move(words));
  };
  EXPECT_EQ(run({"--searchsp", "1e20"}).exit_code, 0);
  const CommandResult other = run({"--searchsp", "1e21"});
  EXPECT_EQ(other.exit_code, 1);
  EXPECT_THAT(other.err, HasSubstr("the statistics differ"));
  EXPECT_EQ(run({"--searchsp", "1e20"}).exit_code, 0);
}

TEST_F(Statistics, AFixedSearchSpaceLetsARunBeExtended) {
  write("more.fa", random_records("r", 2, 120, 9));
  const auto run = [&](std::vector<std::string> more) {
    std::vector<std::string> words = {"allpairs", "q.fa", "--checkpoint", "ledger", "-o", "pairs.tsv"};
    words.insert(words.end(), more.begin(), more.end());
    return alnus(std::move(words));
  };
  EXPECT_EQ(run({"--dbsize", "100000"}).exit_code, 0);
  const CommandResult added = run({"--dbsize", "100000", "--add", "more.fa"});
  EXPECT_EQ(added.exit_code, 0) << added.err;
  EXPECT_EQ(lines(read("pairs.tsv")).size(), 10u);
}

TEST_F(Statistics, ThePictureOfGlobalScoresHasNegativeOnes) {
  const CommandResult result = search({"--mode", "global", "--score-plot", "scores.svg"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(read("scores.svg"), HasSubstr(">-"));
}

TEST_F(Statistics, ThePictureTellsThatHitsAreLimited) {
  const auto note = [&](const std::string& most) {
    EXPECT_EQ(search({"--max-target-seqs", most, "--evalue", "1e6", "--score-plot", "scores.svg"}).exit_code,
              0);
    const std::string svg = read("scores.svg");
    const std::size_t begin = svg.find(">At most ");
    return begin == std::string::npos ? "" : svg.substr(begin + 1, svg.find('<', begin) - begin - 1);
  };
  EXPECT_EQ(note("2"),
            "At most 2 hits are reported of a query (max-target-seqs); 3 queries have that many, and "
            "further hits may be among the other pairs.");
  EXPECT_EQ(note("700"), "") << "every pair is a hit";
  EXPECT_EQ(note("5000"), "");

  std::string parts;
  for (const std::string part : {"1/2", "2/2"}) {
    const std::string name = "part" + part.substr(0, 1);
    EXPECT_EQ(search({"--max-target-seqs", "2", "--evalue", "1e6", "--score-plot", "scores.svg", "--part",
                      part, "-o", name})
                  .exit_code,
              0);
  }
  EXPECT_EQ(alnus({"merge", "part1", "part2", "-o", "rows", "--score-plot", "merged.svg"}).exit_code, 0);
  note("2");
  EXPECT_EQ(read("merged.svg"), read("scores.svg"));
}

TEST_F(Statistics, ThePictureIsCompleteAndTheHitsAreTheSame) {
  const std::string hits = search({}).out;
  EXPECT_EQ(search({"--score-plot", "scores.svg"}).out, hits);
  const std::string svg = read("scores.svg");
  EXPECT_THAT(svg, HasSubstr("<svg"));
  EXPECT_THAT(svg, HasSubstr("3 queries and 700 subjects"));
  EXPECT_THAT(svg, HasSubstr("</svg>"));
}

}  // namespace
}  // namespace alnus::test

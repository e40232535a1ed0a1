// alnus bench papers: the papers' figures, the databases that it makes, and what it measures.
#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/cli_fixture.h"
#include "cli/replaced_options.h"
#include "support/sequences.h"

namespace alnus::test {
namespace {

using ::testing::AnyOf;
using ::testing::ContainsRegex;
using ::testing::Ge;
using Json = nlohmann::json;

const Json& named(const Json& all, const char* key, const std::string& name) {
  return *std::ranges::find(all, name, [&](const Json& one) { return one[key].get<std::string>(); });
}

class BenchPapers : public CliTest {
 protected:
  BenchPapers() {
    Random random(1);
    std::string fasta;
    for (std::size_t length = 1400; length >= 20; length -= 10)
      fasta += fmt::format(">s{}\n{}\n", length, decode(random_sequence(random, length)));
    write("s.fa", fasta);
  }
  CommandResult bench(const std::vector<std::string>& more, const std::string& source = "s.fa") const {
    return alnus(with_options({"bench", "papers", source, "--devices", "cpu", "--part", "0.0002"}, more));
  }
  Json json(std::vector<std::string> more, const std::string& source = "s.fa") const {
    more.emplace_back("--json");
    const CommandResult result = bench(more, source);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return Json::parse(result.out);
  }
};

TEST_F(BenchPapers, HasTheFiguresOfEveryTable) {
  const Json papers = json({})["papers"];
  const auto series = [&](const std::string& paper, const std::string& table, const std::string& title) {
    return named(named(named(papers, "name", paper)["tables"], "name", table)["series"], "title", title);
  };
  struct Printed {
    const char *paper, *table, *series;
    std::size_t rows, row;
    std::vector<std::string> labels, figures;
  };
  for (const Printed& expected :
       {Printed{"sw-cuda-2008", "Table 1", "Liu", 5, 4, {"P58229", "511"}, {"533"}},
        {"sw-cuda-2008", "Table 2", "SW-Cuda, one GPU", 5, 0, {"O29181", "63"}, {"2.98", "1849"}},
        {"sw-cuda-2008", "Table 3", "SW-Cuda, two GPUs", 11, 5, {"P10318", "362"}, {"7.57", "3450"}},
        {"band-sweep-2009", "Figure 4", "LR, one GPU", 37, 36, {"1000"}, {"~7.5"}},
        {"band-sweep-2009", "Synthetic databases", "LR, one GPU", 2, 1, {"identical"}, {"8.67"}},
        {"cudaswpp2-2010", "Table 1", "SIMT, gaps 10-2k", 20, 19, {"Q9UKN1", "5478"}, {"45.62", "16.5"}},
        {"cudaswpp2-2010", "Table 2", "Partitioned, gaps 40-3k", 20, 0, {"P02232", "144"}, {"1.09", "19.4"}},
        {"gpu-pairalign-2011", "Table 3", "CPU, Farrar", 18, 2, {"51", "12000"}, {"210.806"}},
        {"gpu-pairalign-2011", "Table 4", "1 GPU", 18, 17, {"1103", "1600"}, {"2.478"}},
        {"gpu-pairalign-2011", "Table 5", "4 GPUs", 18, 17, {"1103", "1600"}, {"158.70", "3.963"}},
        {"gpu-pairalign-2011", "Table 6", "2 GPUs", 3, 2, {"SW"}, {"93.89", "1.939"}},
        {"gpu-pairalign-2011", "Figure 6", "SW", 4, 0, {"16"}, {"2.15"}},
        {"gpu-pairalign-2011",
         "Table 7",
         "1 Fermi GPU",
         36,
         12,
         {"global NW", "51", "4000"},
         {"5.68", "1.87"}},
        {"gpu-pairalign-2011", "Table 8", "semiglobal NW", 12, 5, {"154", "6000"}, {"9.39", "1.52"}},
        {"prefix-max-scan-2011", "Table III", "Our method", 7, 6, {"8k", "100"}, {"76.13"}}}) {
    SCOPED_TRACE(fmt::format("{}, {}, {}", expected.paper, expected.table, expected.series));
    const Json found = series(expected.paper, expected.table, expected.series);
    ASSERT_EQ(found["rows"].size(), expected.rows);
    EXPECT_EQ(found["rows"][expected.row]["labels"], expected.labels);
    EXPECT_EQ(found["rows"][expected.row]["paper"], expected.figures);
  }
}

TEST_F(BenchPapers, MeasuresWhatTheDevicesAllow) {
  const Json papers = json({})["papers"];
  std::size_t measured = 0;
  for (const Json& paper : papers)
    for (const Json& table : paper["tables"])
      for (const Json& series : table["series"])
        for (const Json& row : series["rows"]) {
          EXPECT_TRUE(row["method"].is_null());
          if (row["alnus"].is_null()) continue;
          ++measured;
          EXPECT_THAT(row["alnus"]["seconds"].size(), AnyOf(1u, 3u));  // short work is run three times
          EXPECT_LT(row["alnus"]["part"], 0.05);
          EXPECT_NEAR(row["alnus"]["gcups"].get<double>(),
                      row["alnus"]["cells"].get<double>() / row["alnus"]["median_s"].get<double>() / 1e9,
                      1e-9);
        }
  EXPECT_EQ(measured, 5u + 5 + 11 + 37 + 2 + 4 * 20 + 4 * 20 + 3 * 18 + 3 + 3 * 4 + 2 * 36 + 3 * 12 + 7);

  const Json& pairs = named(papers, "name", "gpu-pairalign-2011")["tables"];
  const Json& scores = named(pairs, "name", "Table 8")["series"][1]["rows"][0]["alnus"];
  const Json& alignments = named(pairs, "name", "Table 7")["series"][0]["rows"][12]["alnus"];
  EXPECT_EQ(scores["cells"], alignments["cells"]);  // both: mode global, length 51, 4,000 sequences
  EXPECT_DOUBLE_EQ(scores["BT share"].get<double>(),
                   alignments["median_s"].get<double>() / scores["median_s"].get<double>());
  const Json& queries = named(papers, "name", "sw-cuda-2008")["tables"][0]["series"][0];
  std::uint64_t cells = 0;
  for (const Json& row : queries["rows"]) cells += row["alnus"]["cells"].get<std::uint64_t>();
  EXPECT_EQ(queries["alnus_batch"]["cells"], cells);
  const Json& batch = queries["alnus_batch"];
  EXPECT_NEAR(batch["MCUPS"].get<double>() * 0x1p20, batch["gcups"].get<double>() * 1e9, 1);
}

TEST_F(BenchPapers, DatabasesHaveThePapersNumbersOfResidues) {
  const auto first_of = [&](const Json& report, std::size_t table, std::size_t row) {
    return report["papers"][0]["tables"][table]["series"][0]["rows"][row]["alnus"];
  };
  const std::vector<std::string> band_sweep = {"--paper", "band-sweep-2009"};
  const Json report = json(band_sweep);
  const Json drawn = first_of(report, 0, 0);
  EXPECT_EQ(drawn["subjects"]["sequences"], 78);  // 0.0002 of the paper's 388,517
  EXPECT_EQ(drawn["subjects"]["residues"], 24'902);
  EXPECT_EQ(drawn["subjects"]["longest"], 999);
  EXPECT_EQ(drawn["cells"], 10 * 24'902);
  const Json random = first_of(report, 1, 0), identical = first_of(report, 1, 1);
  for (const Json& synthetic : {random, identical}) {
    EXPECT_EQ(synthetic["subjects"]["sequences"], 16);
    EXPECT_EQ(synthetic["subjects"]["residues"], 16'000);
    EXPECT_EQ(synthetic["subjects"]["longest"], 1000);
  }
  EXPECT_NE(random["checksum"], identical["checksum"]);

  EXPECT_EQ(first_of(json(band_sweep), 0, 36)["checksum"], first_of(report, 0, 36)["checksum"]);
  ASSERT_EQ(alnus({"makedb", "s.fa", "-o", "s.alnus"}).exit_code, 0);
  EXPECT_EQ(first_of(json(band_sweep, "s.alnus"), 0, 36)["checksum"], first_of(report, 0, 36)["checksum"]);
  const Json shorter = first_of(json({"--paper", "sw-cuda-2008"}), 2, 0);
  EXPECT_EQ(shorter["subjects"]["sequences"], 42);  // 0.0002 of the paper's 208,005
  EXPECT_EQ(shorter["subjects"]["residues"], 75'841'138ULL * 42 / 208'005);
}

TEST_F(BenchPapers, TablesAreMarkdown) {
  const CommandResult result = bench({"--paper", "prefix-max-scan-2011", "--runs", "2"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  for (const char* text :
       {"# The papers' tables, measured again\n", "\ndevice     cpu: ", "source     s.fa: 139 sequences, ",
        "runs       2 of each\n", "of each database and set 0.02% of the sequences",
        "## prefix-max-scan-2011\n\nY.-K. Chang, D.-Y. Chen: *Fast Sequence Alignment Method",
        "### Table III: runtime by the length", "- Here: BLOSUM62, gaps 0/4, local, scores.\n",
        "\n| DBseq length | # of DBseq | CUDASW++ first kernel ms | CUDASW++ second kernel ms | ",
        " | single CPU thread ms | paper ms | ",  // the method's name follows if the build has the method
        " ms | alnus ms | ", "part |\n|--------------|-----------:|",
        "| 8k           |        100 |                   246.88 |                     85.70 | ",
        " |              4680.05 |    76.13 | "})
    EXPECT_THAT(result.out, HasSubstr(text));
  EXPECT_THAT(result.out, HasSubstr(" |   1% |\n"));
  EXPECT_THAT(result.err, HasSubstr("prefix-max-scan-2011: 7 measurements in "));
}

TEST_F(BenchPapers, TellsHowItMeasured) {
  const std::string searches = bench({"--paper", "band-sweep-2009"}).out;
  EXPECT_THAT(
      searches,
      HasSubstr("runs       1 of each; of work of fewer than 10.0 billion cells, by alnus 2.0 trillion, the "
                "middle one of 3 after one that is not measured\n"));
  EXPECT_THAT(searches, HasSubstr("BLOSUM62, gaps 8/2, "));
  EXPECT_THAT(searches, ContainsRegex(R"(\| +4\.65 \| +- \| +[0-9.]+ \| +- \| +[0-9.]+ \| +- \|)"));
  EXPECT_THAT(searches, ContainsRegex(R"(\| +>6 \| +- \| +[0-9.]+ \| +- \| +- \| +- \|)"));
  EXPECT_THAT(searches, Not(HasSubstr(" distinct |")));
  const std::string sets = bench({"--paper", "gpu-pairalign-2011"}).out;
  EXPECT_THAT(sets, ContainsRegex(" alnus/[a-z-]+ \\| distinct \\| +part \\|\n"));
  EXPECT_THAT(sets, ContainsRegex("\n\\| 51 +\\| +12000 [^\n]* \\| +2 \\| +[0-9.e-]+% \\|\n"));
}

TEST_F(BenchPapers, WhatTakesAMomentRunsForTenthsOfASecond) {
  const std::vector<std::string> all_of_it = {"--paper", "prefix-max-scan-2011", "--part", "1"};
  const Json papers = json(all_of_it)["papers"];
  for (const Json& row : named(papers[0]["tables"][0]["series"], "title", "Our method")["rows"])
    EXPECT_THAT(row["alnus"]["seconds"].size(), AnyOf(3U, Ge(150U)));  // 3 runs if one takes more than 2 ms
  EXPECT_THAT(bench(all_of_it).out,
              HasSubstr(" not measured, or of those of 0.3 s where one takes less than 2 ms\n"));
}

TEST_F(BenchPapers, MistakesAreNamed) {
  const auto expect = [&](std::vector<std::string> options, int exit_code, const std::string& says) {
    const CommandResult result = bench(options);
    EXPECT_EQ(result.exit_code, exit_code);
    EXPECT_EQ(result.out, "");
    EXPECT_THAT(result.err, HasSubstr(says));
  };
  expect({"--paper", "cudasw-2010"}, 1, "did you mean cudaswpp2-2010?");
  expect({"--part", "0"}, 1, "--part takes a number from 1e-06 to 1");
  expect({"--method", "auto"}, 1, "alnus bench papers has no option '--method'");
  expect({"--devices", "cuda:77"}, 3, "cuda:77");
  write("hollow.fa", ">h1\n>h2\n");
  const CommandResult hollow = bench({}, "hollow.fa");
  EXPECT_EQ(hollow.exit_code, 2);
  EXPECT_THAT(hollow.err, HasSubstr("hollow.fa has no residues to draw from"));
  const CommandResult without_gpu = shell("CUDA_VISIBLE_DEVICES= \"$1\" bench papers s.fa");
  EXPECT_EQ(without_gpu.exit_code, 3);
  EXPECT_THAT(without_gpu.err, HasSubstr("use --devices cpu"));
}

}  // namespace
}  // namespace alnus::test

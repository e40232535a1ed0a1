// Names of outputs: a name that promises another format is refused, in upper and lower case and by every
// option that names an output.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>
#include <string>
#include <vector>

#include "cli/cli_fixture.h"

namespace alnus::test {
namespace {

class OutputNames : public CliTest {
 protected:
  OutputNames() { write("in.fa", ">a\nMKVLAWQRYTGGHEAGAWGHEE\n>b\nMKHLAWERYTNNPAWHEAEWW\n"); }

  static std::vector<std::string> joined(std::vector<std::string> words,
                                         const std::vector<std::string>& more) {
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  void expect_refused(const std::vector<std::string>& arguments, const std::string& message) const {
    const CommandResult result = alnus(arguments);
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_THAT(result.err, HasSubstr(message));
    EXPECT_EQ(files(), std::set<std::string>{"in.fa"});
  }

  const std::vector<std::string> search_ = {"search", "in.fa", "in.fa", "--stats", "none"},
                                 pairs_ = {"allpairs", "in.fa", "--stats", "none"};
};

TEST_F(OutputNames, FormatsThatAlnusDoesNotWrite) {
  for (const std::string ending :
       {".XLSX", ".pdf", ".parquet", ".png", ".BAM", ".fastq", ".tsv.bz2", ".TSV.BZ2", ".zip", ".xlsx.gz",
        ".gff3", ".numbers", ".ods", ".pages", ".mtx"})
    expect_refused({"align", "in.fa", "in.fa", "-o", "hits" + ending}, "hits" + ending + ": ");
  for (const std::string name : {"hits.xlsx", "hits.Html"})
    for (const std::vector<std::string>& command :
         {joined(search_, {"-o", name}), joined(search_, {"--dry-run", "-o", name}),
          joined(search_, {"--score-plot", name}), joined(search_, {"--part", "1/2", "-o", name}),
          std::vector<std::string>{"align", "in.fa", "in.fa", "-o", name}, joined(pairs_, {"-o", name}),
          joined(pairs_, {"--matrix-out", name}), joined(pairs_, {"--phylip", name}),
          joined(pairs_, {"--edges", name, "--edge-threshold", "1"}),
          joined(pairs_, {"--part", "1/2", "-o", name}),
          std::vector<std::string>{"makedb", "in.fa", "-o", name}})
      expect_refused(command, name + ": ");
  expect_refused(
      joined(search_, {"-o", "hits.xlsx"}),
      "hits.xlsx: alnus writes no spreadsheets (.xlsx), but programs for spreadsheets open tables with "
      "commas: choose a name in .csv (rows also need --outfmt 10).");
  expect_refused(joined(search_, {"-o", "hits.pdf"}), "alnus writes no pages (.pdf). Its reports are text");
  expect_refused(joined(search_, {"-o", "hits.html"}),
                 ".html promises an HTML report. Name the file .tsv, and the report by --report.");
  expect_refused(joined(search_, {"--report", "hits.html.gz"}), "an HTML report is not compressed");
  expect_refused(joined(search_, {"--outfmt", "6", "-o", "hits.md"}), ".md promises a report");
  expect_refused(joined(pairs_, {"--phylip", "t.nwk"}), "alnus makes no trees (.nwk)");
  expect_refused(joined(pairs_, {"--edges", "e.graphml", "--edge-threshold", "1"}),
                 "e.graphml: alnus writes networks as tables, not as .graphml.");
}

TEST_F(OutputNames, FormatsOfOtherOutputs) {
  const auto expect = [&](const std::string& format, const std::string& name, const std::string& message) {
    expect_refused(joined(search_, {"--outfmt", format, "-o", name}), name + ": " + message);
    expect_refused(joined(search_, {"--outfmt", format, "--dry-run", "-o", name}), name + ": " + message);
  };
  expect("6", "h.CSV",
         "this output is a table with tabs, and .csv promises a table with commas. Choose --outfmt "
         "10, or name the file .tsv.");
  expect("7", "h.csv.GZ", "this output is a table with tabs");
  expect("10", "h.tsv",
         "this output is a table with commas, and .tsv promises a table with tabs. Choose --outfmt 6, "
         "or name the file .csv.");
  expect("0", "h.tsv.zst", "this output is a report, and .tsv promises");
  expect("srspair", "h.sam", "this output is a report, and .sam promises SAM. Choose --outfmt sam,");
  expect("sam", "h.Fasta", "this output is SAM, and .fasta promises FASTA. Name the file .sam.");
  expect("jsonl", "h.xml", "this output is JSON lines, and .xml promises BLAST's XML");
  expect("5", "h.json", "this output is BLAST's XML, and .json promises JSON lines");
  expect("6", "h.npy", "this output is a table with tabs, and .npy promises a matrix in NumPy's format");
  expect("6", "h.svg", "this output is a table with tabs, and .svg promises a picture in SVG");
  expect("6", "h.alnus", "this output is a table with tabs, and .alnus promises a database");

  expect_refused(joined(search_, {"--score-plot", "p.csv"}),
                 "p.csv: this output is a picture in SVG, and .csv");
  expect_refused(
      joined(search_, {"--part", "1/2", "-o", "p.tsv"}),
      "p.tsv: this output is a part of a job, and .tsv promises a table with tabs. Name the file without "
      "an ending.");
  expect_refused(joined(search_, {"--part", "1/2", "-o", "p.gz"}),
                 "p.gz: a part of a job is not compressed.");
  expect_refused(joined(pairs_, {"--part", "1/2", "--edges", "e", "--edge-threshold", "1", "-o", "p.TSV"}),
                 "p.TSV: this output is a part of a job");
  expect_refused(joined(pairs_, {"--edges", "e.phy", "--edge-threshold", "1"}),
                 "e.phy: this output is a table with tabs, and .phy promises");
  expect_refused(joined(pairs_, {"--phylip", "d.CSV"}), "d.CSV: this output is a matrix in PHYLIP's format");
  expect_refused(joined(pairs_, {"--matrix-out", "m.Npy.Gz"}),
                 "a matrix is written in NumPy's format, or as a table for spreadsheets, not as .gz");
  expect_refused(joined(pairs_, {"--matrix-out", "m.NPZ"}),
                 "a matrix is written in NumPy's format, or as a table for spreadsheets, not as .npz");
  expect_refused({"makedb", "in.fa", "-o", "db.GZ"}, "db.GZ: a database is not compressed");
  expect_refused({"makedb", "in.fa", "-o", "db.fasta"}, "db.fasta: this output is a database");
}

TEST_F(OutputNames, OfAMerge) {
  for (const char* part : {"1/2", "2/2"})
    ASSERT_EQ(
        alnus(joined(search_, {"--part", part, "-o", std::string("p") + part[0], "--outfmt", "6"})).exit_code,
        0);
  for (const std::string name : {"h.xlsx", "h.CSV", "h.sam"}) {
    const CommandResult result = alnus({"merge", "p1", "p2", "-o", name});
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_THAT(result.err, HasSubstr(name + ": "));
  }
  EXPECT_EQ(files(), (std::set<std::string>{"in.fa", "p1", "p2"}));
}

TEST_F(OutputNames, CaseDoesNotMatter) {
  const std::string rows = alnus(search_).out;
  ASSERT_EQ(alnus(joined(search_, {"-o", "rows.TSV.GZ"})).exit_code, 0);
  ASSERT_EQ(alnus(joined(search_, {"-o", "rows.tsv.Zst"})).exit_code, 0);
  EXPECT_EQ(shell("gzip -dc < rows.TSV.GZ").out, rows);
  EXPECT_EQ(shell("zstd -dcq < rows.tsv.Zst").out, rows);
  ASSERT_EQ(alnus(joined(pairs_, {"--edges", "e.CSV", "--edge-threshold", "1"})).exit_code, 0);
  EXPECT_THAT(read("e.CSV"), testing::StartsWith("a,b,"));
  ASSERT_EQ(alnus(joined(pairs_, {"--matrix-out", "m.NPY", "--phylip", "d.PHY"})).exit_code, 0);
  ASSERT_EQ(alnus(joined(search_, {"--score-plot", "p.SVG", "--outfmt", "10", "-o", "rows.Csv"})).exit_code,
            0);
  ASSERT_EQ(alnus({"makedb", "in.fa", "-o", "db.ALNUS"}).exit_code, 0);
  EXPECT_EQ(alnus({"search", "in.fa", "db.ALNUS", "--stats", "none"}).out, rows);
}

TEST_F(OutputNames, OtherNamesMayHoldAnything) {
  for (const std::string name : {"rows", "rows.txt", "rows.m8", "rows.out.gz", "xlsx", "tsv", "rows.csv.old"})
    for (const std::string format : {"6", "10", "0", "sam"})
      EXPECT_EQ(alnus(joined(search_, {"--outfmt", format, "-o", name})).exit_code, 0) << name;
  EXPECT_EQ(alnus(joined(search_, {"--outfmt", "jsonl", "-o", "rows.json"})).exit_code, 0);
}

}  // namespace
}  // namespace alnus::test

// --strand: which strands of DNA are aligned, and how the formats print rows of the minus strand.
#include <nlohmann/json.hpp>
#include <sstream>

#include "alnus/text.h"
#include "cli/cli_fixture.h"
#include "support/strands_reference.h"

namespace alnus::test {
namespace {

const std::string kGenome =
    "GGATCACAGTCTACACTGCTCACTCCAACCCCGGCCCCTGAGTCCGAGGAGAGGGTGCTTCAGAGTATGTATACCACTGGGTAGGATACG";

std::string turned(const std::string& letters) {
  return decode(other_strand(encode(letters, AlphabetKind::dna)), AlphabetKind::dna);
}

using Words = std::vector<std::string>;
const Words kUnadjusted = {"--composition", "none", "--low-complexity", "none"};

class Strands : public CliTest {
 protected:
  Strands() {
    write("genome.fa", ">chr1\n" + kGenome + "\n");
    // The read "gapped" lacks a base of the genome, and has another base changed.
    std::string gapped = kGenome.substr(22, 24) + kGenome.substr(47, 25);
    gapped[9] = 'T';
    write("reads.fa", ">forward\n" + kGenome.substr(10, 30) + "\n>reverse\n" +
                          turned(kGenome.substr(45, 30)) + "\n>gapped\n" + turned(gapped) +
                          "\n>palindrome\nGTATAC\n");
    write("proteins.fa", ">p\nMKWVTFISLLFLFSSAYS\n");
  }
  static std::vector<std::string> dna(const std::string& command, const std::string& columns) {
    std::vector<std::string> words = {command, "reads.fa", "genome.fa", "--alphabet", "dna"};
    words.insert(words.end(), {"--match", "2", "--mismatch", "-3", "--gap-open", "5", "--gap-extend", "2",
                               "--quiet", "--outfmt", columns});
    return words;
  }
  std::string run(const std::string& command, const std::string& columns,
                  const std::vector<std::string>& more = {}) const {
    std::vector<std::string> words = dna(command, columns);
    words.insert(words.end(), more.begin(), more.end());
    const CommandResult result = alnus(words);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(result.err, "");
    return result.out;
  }
};

TEST_F(Strands, ASearchFindsReadsOfBothStrands) {
  const std::string columns = "6 qseqid sstrand qstart qend sstart send score";
  EXPECT_EQ(run("search", columns),
            "forward\tplus\t1\t30\t11\t40\t60\n"
            "reverse\tminus\t1\t30\t75\t46\t60\n"
            "gapped\tminus\t1\t49\t72\t23\t86\n"
            "palindrome\tplus\t1\t6\t69\t74\t12\n");
  EXPECT_EQ(run("search", columns, {"--strand", "both"}), run("search", columns));
}

// Rows are as blastn prints them. tests/differential/blastn_test.py compares alnus with blastn.
TEST_F(Strands, RowsRunAlongTheQueryAsItWasGiven) {
  const std::string rows =
      run("search", "6 qseqid qstart qend sstart send length mismatch gapopen qseq sseq btop cigar");
  const std::string reverse = turned(kGenome.substr(45, 30));
  EXPECT_THAT(rows,
              HasSubstr("reverse\t1\t30\t75\t46\t30\t0\t0\t" + reverse + "\t" + reverse + "\t30\t30=\n"));
  EXPECT_THAT(rows,
              HasSubstr("gapped\t1\t49\t72\t23\t50\t1\t1\t"
                        "ATACATACTCTGAAGCACCCTCTCC-CGGACTCAGGGGCCAGGGTTGGAG\t"
                        "ATACATACTCTGAAGCACCCTCTCCTCGGACTCAGGGGCCGGGGTTGGAG\t25-T14AG9\t25=1D14=1X9=\n"));
  EXPECT_THAT(run("search", "6 qseqid qstart qend sstart send evalue bitscore", kUnadjusted),
              HasSubstr("gapped\t1\t49\t72\t23\t1.30e-20\t78.8\n"));
}

TEST_F(Strands, ThePresetBlastnScoresAndCountsAsBlastn) {
  const std::string of_gapped = "gapped\t1\t49\t72\t23\t86\t6.48e-21\t78.8\n",
                    of_both = "gapped\t1\t49\t72\t23\t86\t1.30e-20\t78.8\n",
                    columns = "6 qseqid qstart qend sstart send score evalue bitscore";
  const CommandResult preset = alnus({"search", "reads.fa", "genome.fa", "--alphabet", "dna", "--preset",
                                      "blastn", "--quiet", "--outfmt", columns});
  EXPECT_EQ(preset.exit_code, 0) << preset.err;
  EXPECT_THAT(preset.out, HasSubstr(of_gapped));
  const auto unadjusted = [&](const std::string& command, const std::string& outfmt, Words more) {
    more.insert(more.end(), kUnadjusted.begin(), kUnadjusted.end());
    return run(command, outfmt, more);
  };
  EXPECT_THAT(unadjusted("search", columns, {"--count-strands", "one"}), HasSubstr(of_gapped));
  EXPECT_THAT(unadjusted("search", columns, {"--strand", "minus"}), HasSubstr(of_gapped));
  EXPECT_THAT(unadjusted("search", columns, {}), HasSubstr(of_both));
  EXPECT_THAT(unadjusted("align", columns, {"--all", "--strand", "both", "--dbsize", "90,1"}),
              HasSubstr(of_both));
  // An option overrides the preset.
  EXPECT_THAT(run("search", columns, {"--preset", "blastn", "--count-strands", "aligned"}),
              HasSubstr(of_both));
}

TEST_F(Strands, TheEffectiveSearchSpaceIsThatOfTheStrandsThatCount) {
  const std::string one = ", effective search space 2016,", both = ", effective search space 4032,";
  EXPECT_THAT(run("search", "7 evalue"), HasSubstr(both));
  EXPECT_THAT(run("search", "7 evalue", {"--strand", "plus"}), HasSubstr(one));
  EXPECT_THAT(run("search", "7 evalue", {"--preset", "blastn"}), HasSubstr(one));
  EXPECT_THAT(run("search", "5", {"--detail", "alignment"}),
              HasSubstr("<Statistics_eff-space>4032</Statistics_eff-space>"));
}

TEST_F(Strands, ALedgerKnowsWhichStrandsCount) {
  const auto run_again = [&](std::vector<std::string> more) {
    std::vector<std::string> words = {"allpairs", "reads.fa", "--alphabet", "dna",          "--preset",
                                      "blastn",   "--strand", "both",       "--dbsize",     "90,1",
                                      "--quiet",  "-o",       "pairs.tsv",  "--checkpoint", "ledger"};
    words.insert(words.end(), more.begin(), more.end());
    return alnus(std::move(words));
  };
  EXPECT_EQ(run_again({}).exit_code, 0);
  const CommandResult other = run_again({"--count-strands", "aligned"});
  EXPECT_EQ(other.exit_code, 1);
  EXPECT_THAT(other.err, HasSubstr("the statistics differ"));
  EXPECT_EQ(run_again({"--count-strands", "one"}).exit_code, 0) << "the preset's choice, in words";
}

TEST_F(Strands, OneStrandIsAlignedIfItIsChosen) {
  const std::string columns = "6 qseqid sstrand sstart send score";
  const std::string plus = run("search", columns, {"--strand", "plus"}),
                    minus = run("search", columns, {"--strand", "minus"});
  EXPECT_THAT(plus, HasSubstr("forward\tplus\t11\t40\t60\n"));
  EXPECT_THAT(plus, Not(HasSubstr("minus")));
  EXPECT_THAT(minus, HasSubstr("reverse\tminus\t75\t46\t60\n"));
  EXPECT_THAT(minus, HasSubstr("palindrome\tminus\t74\t69\t12\n"));
  EXPECT_THAT(minus, Not(HasSubstr("plus")));
}

TEST_F(Strands, AlignAndAllpairsAlignThePlusStrandUnlessAsked) {
  for (const char* command : {"align", "allpairs"}) {
    const std::vector<std::string> other =
        command == std::string("align") ? std::vector<std::string>{"--all"} : std::vector<std::string>{};
    std::vector<std::string> words = dna(command, "6 qseqid sstrand sstart send score");
    if (other.empty()) words.insert(words.begin() + 2, "--against");
    words.insert(words.end(), other.begin(), other.end());
    const std::string usual = alnus(words).out;
    EXPECT_THAT(usual, HasSubstr("forward\tplus\t11\t40\t60\n"));
    EXPECT_THAT(usual, Not(HasSubstr("minus")));
    words.insert(words.end(), {"--strand", "both"});
    const CommandResult both = alnus(words);
    EXPECT_EQ(both.exit_code, 0) << both.err;
    EXPECT_THAT(both.out, HasSubstr("forward\tplus\t11\t40\t60\n"));
    EXPECT_THAT(both.out, HasSubstr("reverse\tminus\t75\t46\t60\n"));
    EXPECT_THAT(both.out, HasSubstr("palindrome\tplus\t69\t74\t12\n"));
  }
}

TEST_F(Strands, ProteinsHaveNoMinusStrand) {
  const CommandResult usual =
      alnus({"search", "proteins.fa", "proteins.fa", "--outfmt", "6 qseqid sstrand", "--quiet"});
  EXPECT_EQ(usual.out, "p\tNA\n");
  EXPECT_EQ(alnus({"search", "proteins.fa", "proteins.fa", "--strand", "plus", "--quiet"}).exit_code, 0);
  for (const char* strand : {"minus", "both"}) {
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"search", "proteins.fa", "proteins.fa"},
          {"search", "proteins.fa", "proteins.fa", "--dry-run"},
          {"align", "proteins.fa", "proteins.fa"},
          {"allpairs", "proteins.fa"},
          {"bench", "search", "proteins.fa", "proteins.fa", "--devices", "cpu", "--runs", "1"}}) {
      std::vector<std::string> with = words;
      with.insert(with.end(), {"--strand", strand});
      const CommandResult result = alnus(with);
      EXPECT_EQ(result.exit_code, 1) << words[0] << result.err;
      EXPECT_THAT(result.err,
                  HasSubstr("proteins.fa is read as proteins, which have one strand; --strand is for "
                            "nucleotides. Add --alphabet dna, or leave --strand out."))
          << words[0];
      EXPECT_EQ(result.out, "");
    }
  }
}

TEST_F(Strands, AnotherWordIsAnError) {
  const CommandResult result =
      alnus({"search", "reads.fa", "genome.fa", "--alphabet", "dna", "--strand", "minsu"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("minus"));
}

TEST_F(Strands, BothStrandsAreCellsOfTheSummaryOfTheDryRunAndOfTheBenchmark) {
  std::vector<std::string> words = {"search", "reads.fa", "genome.fa", "--alphabet",
                                    "dna",    "--stats",  "none"};
  const std::uint64_t cells = (30 + 30 + 49 + 6) * kGenome.size();
  EXPECT_THAT(alnus(words).err, HasSubstr("4 pairs, " + std::to_string(2 * cells) + " cells"));
  words.push_back("--dry-run");
  EXPECT_THAT(alnus(words).out, HasSubstr("pairs: 4\ncells: " + format_count(2 * cells) + "\n"));
  words.insert(words.end(), {"--strand", "minus"});
  EXPECT_THAT(alnus(words).out, HasSubstr("pairs: 4\ncells: " + format_count(cells) + "\n"));
  const auto benched = [&](const std::vector<std::string>& more) {
    std::vector<std::string> bench = {"bench",     "search", "reads.fa", "genome.fa", "--alphabet", "dna",
                                      "--devices", "cpu",    "--runs",   "1",         "--json"};
    bench.insert(bench.end(), more.begin(), more.end());
    const CommandResult result = alnus(bench);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return nlohmann::json::parse(result.out)["lines"].back();
  };
  EXPECT_EQ(benched({})["checksum"], benched({"--strand", "both"})["checksum"]);
  EXPECT_NE(benched({})["checksum"], benched({"--strand", "plus"})["checksum"]);
}

TEST_F(Strands, ThePairwiseReportCountsTheSubjectDown) {
  const std::string report = run("search", "0");
  EXPECT_THAT(report, HasSubstr(" Strand=Plus/Plus\n\nQuery  1   CTACACTGCTCACTCCAACCCCGGCCCCTG  30\n"));
  EXPECT_THAT(report,
              HasSubstr(" Strand=Plus/Minus\n\nQuery  1   " + turned(kGenome.substr(45, 30)) + "  30\n"));
  EXPECT_THAT(report, HasSubstr("\nSbjct  75  " + turned(kGenome.substr(45, 30)) + "  46\n"));
  EXPECT_THAT(report, HasSubstr("\nQuery  1   ATACATACTCTGAAGCACCCTCTCC-CGGACTCAGGGGCCAGGGTTGGAG  49\n"
                                "           ||||||||||||||||||||||||| |||||||||||||| |||||||||\n"
                                "Sbjct  72  ATACATACTCTGAAGCACCCTCTCCTCGGACTCAGGGGCCGGGGTTGGAG  23\n"));
}

TEST_F(Strands, SrspairCountsTheSubjectDown) {
  const std::string report = run("search", "srspair");
  EXPECT_THAT(report, HasSubstr("\nreverse            1 " + turned(kGenome.substr(45, 30)) + "     30\n"));
  EXPECT_THAT(report, HasSubstr("\nchr1              75 " + turned(kGenome.substr(45, 30)) + "     46\n"));
  // In mode semiglobal sequences are shown whole.
  const std::string whole = run("search", "srspair", {"--mode", "semiglobal", "--strand", "minus"});
  EXPECT_THAT(whole, HasSubstr("\nchr1              90 " + turned(kGenome).substr(0, 50) + "     41\n"));
  EXPECT_THAT(whole, HasSubstr("\nchr1              40 " + turned(kGenome).substr(50) + "      1\n"));
}

TEST_F(Strands, JsonLinesHaveTheColumnsOfTables) {
  const std::string lines = run("search", "jsonl");
  std::istringstream text(lines);
  std::vector<nlohmann::json> rows;
  for (std::string line; std::getline(text, line);) rows.push_back(nlohmann::json::parse(line));
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_EQ(rows[0]["sstrand"], "plus");
  EXPECT_EQ(rows[0]["sstart"], 11);
  EXPECT_EQ(rows[1]["sstrand"], "minus");
  EXPECT_EQ(rows[1]["sstart"], 75);
  EXPECT_EQ(rows[1]["send"], 46);
  EXPECT_EQ(rows[1]["qstart"], 1);
  EXPECT_EQ(rows[1]["qend"], 30);
  EXPECT_EQ(rows[2]["cigar"], "25=1D14=1X9=");
}

TEST_F(Strands, LessDetailPrintsWhatIsKnown) {
  EXPECT_THAT(run("search", "6 qseqid sstrand score qend send", {"--detail", "score"}),
              HasSubstr("reverse\tminus\t60\tNA\tNA\n"));
  const std::string ends = run("search", "6 qseqid sstrand score qend send", {"--detail", "ends"});
  EXPECT_THAT(ends, HasSubstr("forward\tplus\t60\t30\t40\n"));
  // On the minus strand qend and send are where the computed alignment begins, which is not known.
  EXPECT_THAT(ends, HasSubstr("reverse\tminus\t60\tNA\tNA\n"));
}

TEST_F(Strands, SameBytesWithEveryThreadCountAndDatabaseFile) {
  const std::string expected = run("search", "6 std sstrand btop", {"-t", "1"});
  EXPECT_EQ(run("search", "6 std sstrand btop", {"-t", "4"}), expected);
  ASSERT_EQ(alnus({"makedb", "genome.fa", "--alphabet", "dna", "-o", "genome.alnus"}).exit_code, 0);
  std::vector<std::string> words = dna("search", "6 std sstrand btop");
  words[2] = "genome.alnus";
  EXPECT_EQ(alnus(words).out, expected);
}

TEST_F(Strands, QueriesAsTheyComeAreAlignedOnBothStrands) {
  std::vector<std::string> words = dna("search", "6 std sstrand btop");
  const std::string expected = alnus(words).out;
  words[1] = "-";
  words.push_back("--interactive");
  RunOptions options;
  options.input = read("reads.fa");
  EXPECT_EQ(alnus(words, options).out, expected);
  EXPECT_THAT(expected, HasSubstr("minus"));
}

TEST_F(Strands, ARunDoesNotGoOnWithAnotherStrand) {
  std::vector<std::string> words = {"allpairs",     "reads.fa", "--alphabet", "dna",      "--stats",  "none",
                                    "--checkpoint", "ledger",   "-o",         "rows.tsv", "--strand", "both"};
  ASSERT_EQ(alnus(words).exit_code, 0);
  EXPECT_EQ(alnus(words).exit_code, 0);
  for (const char* other : {"plus", "minus"}) {
    words.back() = other;
    const CommandResult result = alnus(words);
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_THAT(result.err, HasSubstr("strand"));
  }
}

}  // namespace
}  // namespace alnus::test

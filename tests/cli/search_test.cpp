// alnus search: from input files to rows.
#include <algorithm>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/cli_fixture.h"
#include "cli/replaced_options.h"

namespace alnus::test {
namespace {

// HEAGAWGHEE and PAWHEAE are the pair of Durbin et al. 1998, chapter 2, with BLOSUM50 and linear gaps of 8.
// The statistics of this scoring are not published, and a calibration would take longer than these tests.
const std::vector<std::string> kDurbin = {"--matrix",     "BLOSUM50", "--gap-open", "0",
                                          "--gap-extend", "8",        "--stats",    "none"};

class Search : public CliTest {
 protected:
  Search() {
    write("q.fa", ">q1 first query\nHEAGAWGHEE\n");
    write("db.fa", ">s1 the subject\nPAWHEAE\n>s2\nCCCCC\n>s3\nPAWHEAE\n");
  }
  CommandResult search(std::vector<std::string> more, bool durbin = true) const {
    std::vector<std::string> arguments = {"search", "q.fa", "db.fa", "-t", "1"};
    if (durbin) arguments.insert(arguments.end(), kDurbin.begin(), kDurbin.end());
    arguments = with_options(std::move(arguments), more);
    return alnus(std::move(arguments));
  }
};

TEST_F(Search, RowsOfAKnownAlignment) {
  const CommandResult result = search({"--outfmt",
                                       "6 qseqid sseqid score qstart qend sstart send cigar nident gaps "
                                       "evalue"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  // The alignment is AWGHE over AW-HE, and scores 5 + 15 - 8 + 10 + 6.
  EXPECT_EQ(result.out,
            "q1\ts1\t28\t5\t9\t2\t5\t2=1I2=\t4\t1\tNA\n"
            "q1\ts3\t28\t5\t9\t2\t5\t2=1I2=\t4\t1\tNA\n");
  EXPECT_THAT(result.err, HasSubstr("2 hits listed, 1 pair left out."));
  EXPECT_THAT(result.err, HasSubstr("1 query, 3 subjects, 3 pairs, 190 cells in "));
  EXPECT_THAT(result.err, HasSubstr("GCUPS"));
}

TEST_F(Search, DefaultsAreProteinBlosum62AndBlastsColumns) {
  const CommandResult result = search({"--evalue", "1000"}, false);
  EXPECT_EQ(result.exit_code, 0);
  // AWGHE over AW-HE scores 4 + 11 - 12 + 8 + 5, one more than AW over AW (4 + 11).
  EXPECT_THAT(result.out, ::testing::MatchesRegex("q1\ts1\t[0-9.]+\t[0-9]+\t.*\nq1\ts3\t.*\n"));
  const std::string line = result.out.substr(0, result.out.find('\n'));
  EXPECT_EQ(std::count(line.begin(), line.end(), '\t'), 11);
  EXPECT_THAT(result.err, Not(HasSubstr("warning")));
}

TEST_F(Search, TiesAtTheCutAreLogged) {
  const CommandResult result = search({"--max-target-seqs", "1", "--outfmt", "6 qseqid sseqid"});
  EXPECT_EQ(result.out, "q1\ts1\n");
  EXPECT_THAT(result.err,
              HasSubstr("Ties at the cut: in 1 query ('q1') a subject that is not listed scores as "
                        "high as the last one listed; the database's order decided.\n"));
  EXPECT_THAT(result.err, Not(HasSubstr("no hit")));
}

TEST_F(Search, QueriesWithoutHitsAreNamed) {
  const auto log = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments = {"--min-score", "20"};
    arguments = with_options(std::move(arguments), more);
    return search(arguments).err;
  };
  write("q.fa", ">q1\nPAWHEAE\n>q2\nDDD\n");
  EXPECT_THAT(log({}), HasSubstr("alnus: 1 query ('q2') has no hit.\n"));
  write("q.fa", ">q1\nDD\n>q2\nPAWHEAE\n>\nDD\n>q4 of a family\nDDD\n");
  EXPECT_THAT(log({}), HasSubstr("alnus: 3 queries ('q1', NA, 'q4') have no hit.\n"));
  write("q.fa", ">q1\nDD\n>q2\nDD\n>q3\nDD\n>q4\nDD\n");
  EXPECT_THAT(log({}), HasSubstr("alnus: 4 queries (such as 'q1', 'q2', 'q3') have no hit.\n"));
  EXPECT_EQ(log({"--quiet"}), "");
}

TEST_F(Search, AColumnThatComesAgainIsAFieldOfItsOwn) {
  const std::string set = ALNUS_SOURCE_DIR "/tests/data/outsiders/repeated_column.fasta";
  const auto fields = [&](const std::string& format, char separator) {
    const CommandResult result = alnus({"search", set, set, "--outfmt", format});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_NE(result.out, "");
    std::set<std::ptrdiff_t> counts;
    std::istringstream lines(result.out);
    for (std::string line; std::getline(lines, line);)
      if (!line.starts_with('#')) counts.insert(1 + std::ranges::count(line, separator));
    return counts;
  };
  EXPECT_EQ(fields("6 qseqid sseqid qseqid", '\t'), std::set<std::ptrdiff_t>{3});
  EXPECT_EQ(fields("6 std qacc", '\t'), std::set<std::ptrdiff_t>{13});
  EXPECT_EQ(fields("7 std std", '\t'), std::set<std::ptrdiff_t>{24});
  EXPECT_EQ(fields("10 qseqid query", ','), std::set<std::ptrdiff_t>{2});
}

TEST_F(Search, ATableWithTabsIsNotNamedCsv) {
  for (const char* name : {"hits.csv", "hits.csv.gz"})
    for (const std::string format : {"6", "6 qseqid", "7"}) {
      const CommandResult result = search({"-o", name, "--outfmt", format});
      EXPECT_EQ(result.exit_code, 1);
      EXPECT_THAT(result.err,
                  HasSubstr(std::string(name) +
                            ": this output is a table with tabs, and .csv promises a table with commas. "
                            "Choose --outfmt 10, or name the file .tsv."));
    }
  EXPECT_EQ(search({"-o", "hits.csv", "--outfmt", "10 qseqid sseqid"}).exit_code, 0);
  EXPECT_EQ(read("hits.csv"), "q1,s1\nq1,s3\n");
  EXPECT_EQ(files(), (std::set<std::string>{"q.fa", "db.fa", "hits.csv"}));
}

// No theory gives E-values in global mode: a warning for those who gave a highest one, else a message.
TEST_F(Search, EvaluesOfGlobalModeAreAWarningOnlyIfAHighestOneIsGiven) {
  const CommandResult without = search({"--mode", "global"}, false);
  EXPECT_THAT(without.err, HasSubstr("alnus: There are no E-values for mode global"));
  EXPECT_THAT(without.err, ::testing::Not(HasSubstr("warning: There are no E-values")));
  EXPECT_THAT(without.err, ::testing::Not(HasSubstr("does not filter")));
  const CommandResult with = search({"--mode", "global", "--evalue", "5"}, false);
  EXPECT_THAT(with.err, HasSubstr("warning: There are no E-values for mode global"));
  EXPECT_THAT(with.err, HasSubstr("and --evalue does not filter"));
}

TEST_F(Search, MinScoreIsInTheMatrixUnits) {
  const std::vector<std::string> columns = {"--outfmt", "6 sseqid score"};
  EXPECT_EQ(search({"--min-score", "28", "--outfmt", "6 sseqid score"}).out, "s1\t28\ns3\t28\n");
  EXPECT_EQ(search({"--min-score", "28.5", "--outfmt", "6 sseqid score"}).out, "");
  // With gaps of 7.5 the score is 28.5. Inside, the library computes with doubled scores, which are integers.
  const auto half = [&](const char* lowest) {
    return alnus({"search", "q.fa", "db.fa", "--matrix", "BLOSUM50", "--gap-open", "0", "--gap-extend", "7.5",
                  "--stats", "none", "--min-score", lowest, "--outfmt", "6 sseqid score", "--quiet"});
  };
  EXPECT_EQ(half("28.5").out, "s1\t28.5\ns3\t28.5\n");
  EXPECT_EQ(half("28.51").out, "");
  EXPECT_EQ(half("28.5").err, "");
}

TEST_F(Search, LessDetailPrintsNotAvailable) {
  EXPECT_EQ(search({"--detail", "score", "--max-target-seqs", "1", "--outfmt", "6 score qend qstart"}).out,
            "28\tNA\tNA\n");
  EXPECT_EQ(search({"--detail", "ends", "--max-target-seqs", "1", "--outfmt", "6 score qend qstart"}).out,
            "28\t9\tNA\n");
  const CommandResult report = search({"--detail", "score", "--outfmt", "0"});
  EXPECT_EQ(report.exit_code, 1);
  EXPECT_THAT(report.err, HasSubstr("--detail alignment"));
}

TEST_F(Search, EveryFormatNamesTheSubject) {
  for (const char* format : {"0", "5", "6", "7", "10", "srspair", "sam", "jsonl"}) {
    const CommandResult result = search({"--outfmt", format});
    EXPECT_EQ(result.exit_code, 0) << format << result.err;
    EXPECT_THAT(result.out, HasSubstr("s1")) << format;
  }
}

TEST_F(Search, HeaderNamesTheColumnsOfATable) {
  EXPECT_EQ(search({"--header", "--outfmt", "6 query sseqid score"}).out,
            "qseqid\tsseqid\tscore\nq1\ts1\t28\nq1\ts3\t28\n");
  EXPECT_EQ(search({"--outfmt", "10 sseqid score", "--header", "--min-score", "99"}).out, "sseqid,score\n");
  const CommandResult result = search({"--header", "--outfmt", "7"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("--header is a line of column names above the rows of a table: choose "
                                    "--outfmt 6 or 10."));
}

TEST_F(Search, XmlHasTheBoundOfEvalues) {
  EXPECT_THAT(search({"--outfmt", "5", "--evalue", "1000"}, false).out,
              HasSubstr("<Parameters_expect>1000</Parameters_expect>"));
  EXPECT_THAT(search({"--outfmt", "5"}, false).out, HasSubstr("<Parameters_expect>10</Parameters_expect>"));
  const CommandResult result = search({"--outfmt", "5", "--gap-extend", "0.5"}, false);
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("BLAST XML"));
}

TEST_F(Search, OutputFileIsWrittenAndCompressed) {
  EXPECT_EQ(search({"-o", "hits.tsv", "--outfmt", "6 sseqid"}).exit_code, 0);
  EXPECT_EQ(read("hits.tsv"), "s1\ns3\n");
  EXPECT_EQ(search({"-o", "hits.tsv.gz", "--outfmt", "6 sseqid"}).exit_code, 0);
  EXPECT_EQ(shell("gzip -dc hits.tsv.gz").out, "s1\ns3\n");
  EXPECT_EQ(files(), (std::set<std::string>{"q.fa", "db.fa", "hits.tsv", "hits.tsv.gz"}));
}

TEST_F(Search, DatabaseFileGivesTheSameRows) {
  const std::string expected = search({}).out;
  ASSERT_EQ(alnus({"makedb", "db.fa", "-o", "db.alnus"}).exit_code, 0);
  std::vector<std::string> arguments = {"search", "q.fa", "db.alnus"};
  arguments.insert(arguments.end(), kDurbin.begin(), kDurbin.end());
  EXPECT_EQ(alnus(arguments).out, expected);
  EXPECT_NE(expected, "");
}

TEST_F(Search, StandardInputAndCompressedInput) {
  const std::string expected = search({"--quiet"}).out;
  std::vector<std::string> arguments = {"search", "-", "db.fa"};
  arguments.insert(arguments.end(), kDurbin.begin(), kDurbin.end());
  RunOptions options;
  options.input = read("q.fa");
  EXPECT_EQ(alnus(arguments, options).out, expected);
  ASSERT_EQ(shell("gzip -c db.fa > packed").exit_code, 0);
  arguments[1] = "q.fa";
  arguments[2] = "packed";
  EXPECT_EQ(alnus(arguments).out, expected);
}

TEST_F(Search, SameBytesWithEveryThreadCountAndInstructionSet) {
  const std::string expected = search({}).out;
  EXPECT_EQ(search({"-t", "3"}).out, expected);
  const auto devices = nlohmann::json::parse(alnus({"devices", "--json"}).out);
  const auto& isas = devices.at(0).at("instruction_sets");
  ASSERT_FALSE(isas.empty());
  for (const auto& isa : isas) EXPECT_EQ(search({"--isa", isa}).out, expected) << isa;
}

TEST_F(Search, DryRunComputesNothing) {
  const CommandResult result = search({"--dry-run", "-o", "hits.tsv"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, HasSubstr("pairs: 3\ncells: 190\nexpected time: less than a second on "));
  EXPECT_THAT(result.out, HasSubstr("output rows: at most 3\noutput bytes: about "));
  EXPECT_EQ(files(), (std::set<std::string>{"q.fa", "db.fa"}));
}

TEST_F(Search, MatrixFromAFile) {
  write(
      "twos.txt", "# equal letters 2, others -1\n   " + [] {
        constexpr std::string_view kLetters = "ARNDCQEGHILKMFPSTWYV";
        std::string text;
        for (const char column : kLetters) text += std::string(" ") + column;
        for (const char row : kLetters) {
          text += std::string("\n") + row;
          for (const char column : kLetters) text += row == column ? " 2" : " -1";
        }
        return text + "\n";
      }());
  const CommandResult result = search(
      {"--matrix", "twos.txt", "--gap-open", "0", "--gap-extend", "1", "--outfmt", "6 sseqid score"}, false);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, "s1\t8\ns3\t8\n");  // AWGHE-E over AW-HEAE: five matches of 2, two gaps of 1
}

TEST_F(Search, OddLettersAndEmptyRecordsAreOneWarningEach) {
  write("q.fa", ">q1\nHEAGAWGHEE\n>q2\n\n>q3\nAW1!2\n");
  const CommandResult result = search({"--outfmt", "6 qseqid sseqid"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.err, HasSubstr("warning: 1 record of q.fa (record 2, 'q2') without a sequence."));
  EXPECT_THAT(result.err, HasSubstr("of q.fa (in record 3, 'q3') outside the protein alphabet, read as X."));
  EXPECT_THAT(result.out, Not(HasSubstr("q2")));
}

TEST_F(Search, NoHitIsNoError) {
  write("q.fa", ">q1\nWWWWW\n");
  write("db.fa", ">s1\nCCCCC\n");
  const CommandResult result = search({});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.out, "");
}

class Alphabets : public CliTest {
 protected:
  Alphabets() {
    write("dna.fa", ">d1\nACGTTGCAACGGATCTACGATTACGACTAGCATCAGC\n");
    write("protein.fa", ">p1\nMKVLAHEAGAWGHEEKLMNPQRSTVWYF\n");
  }
};

TEST_F(Alphabets, NucleotidesWhenAskedForOrGuessed) {
  for (const char* word : {"dna", "auto"}) {
    const CommandResult result =
        alnus({"search", "dna.fa", "dna.fa", "--alphabet", word, "--outfmt", "6 score pident"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(result.out, "185\t100.000\n");  // 37 matches of 5
    EXPECT_THAT(result.err, Not(HasSubstr("warning")));
  }
  EXPECT_EQ(alnus({"search", "dna.fa", "dna.fa", "--alphabet", "dna", "--match", "1", "--mismatch", "-3",
                   "--outfmt", "6 score"})
                .out,
            "37\n");
}

TEST_F(Alphabets, ADatabaseKnowsItsOwn) {
  ASSERT_EQ(alnus({"makedb", "dna.fa", "-o", "dna.alnus", "--alphabet", "auto"}).exit_code, 0);
  EXPECT_EQ(alnus({"search", "dna.fa", "dna.alnus", "--outfmt", "6 score"}).out, "185\n");
  const CommandResult protein = alnus({"search", "protein.fa", "dna.alnus"});
  EXPECT_EQ(protein.exit_code, 1);
  EXPECT_THAT(protein.err, HasSubstr("no nucleotides"));
  const CommandResult contradiction = alnus({"search", "dna.fa", "dna.alnus", "--alphabet", "protein"});
  EXPECT_EQ(contradiction.exit_code, 1);
  EXPECT_THAT(contradiction.err, HasSubstr("holds dna sequences"));
}

TEST_F(Alphabets, NucleotideQueriesAgainstProteins) {
  ASSERT_EQ(alnus({"makedb", "protein.fa", "-o", "protein.alnus"}).exit_code, 0);
  for (const char* database : {"protein.alnus", "protein.fa"}) {
    const CommandResult result = alnus({"search", "dna.fa", database});
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_THAT(result.err, HasSubstr("dna.fa looks like dna"));
    EXPECT_EQ(alnus({"search", "dna.fa", database, "--alphabet", "protein"}).exit_code, 0);
  }
  EXPECT_EQ(alnus({"search", "dna.fa", "protein.fa", "--alphabet", "auto"}).exit_code, 1);
  const CommandResult other = alnus({"search", "protein.fa", "dna.fa"});
  EXPECT_EQ(other.exit_code, 0);
  EXPECT_THAT(other.err, HasSubstr("warning: dna.fa looks like dna and is aligned as protein"));
  const CommandResult both = alnus({"search", "dna.fa", "dna.fa"});
  EXPECT_EQ(both.exit_code, 1);
  EXPECT_THAT(both.err, HasSubstr("error: dna.fa looks like dna, and would be aligned as proteins. Choose "
                                  "--alphabet dna, or --alphabet protein if these are proteins."));
  EXPECT_EQ(alnus({"allpairs", "dna.fa"}).exit_code, 1);
}

// A gene against proteins: a message says that alnus does not translate. With --alphabet dna all commands
// refuse the proteins and say it, too. With --alphabet auto the message comes again.
TEST_F(Alphabets, AGeneAgainstProteinsIsToldThatAlnusDoesNotTranslate) {
  const CommandResult gene = alnus({"search", "dna.fa", "protein.fa"});
  EXPECT_THAT(gene.err,
              HasSubstr("alnus does not translate: to compare genes with proteins, translate the genes"));
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"search", "dna.fa", "protein.fa"},
        {"align", "--all", "dna.fa", "protein.fa"},
        {"allpairs", "dna.fa", "--against", "protein.fa"},
        {"allpairs", "protein.fa"},
        {"search", "protein.fa", "dna.fa"},
        {"makedb", "dna.fa", "protein.fa", "-o", "made.alnus"}}) {
    std::vector<std::string> as_dna = arguments;
    as_dna.insert(as_dna.end(), {"--alphabet", "dna"});
    const CommandResult result = alnus(as_dna);
    EXPECT_NE(result.exit_code, 0) << ::testing::PrintToString(as_dna);
    EXPECT_EQ(result.out, "");
    EXPECT_THAT(result.err, HasSubstr("letters of protein.fa are no nucleotides, and would be read as N"));
    EXPECT_THAT(result.err, HasSubstr("alnus does not translate"));
  }
  EXPECT_FALSE(files().contains("made.alnus"));
  RunOptions options;
  options.input = read("protein.fa");
  const CommandResult stream = alnus(
      {"search", "-", "dna.fa", "--interactive", "--alphabet", "dna", "--match", "1", "--mismatch", "-3"},
      options);
  EXPECT_EQ(stream.exit_code, 1);
  EXPECT_THAT(stream.err, HasSubstr("letters of standard input, record 1"));
  const CommandResult guessed = alnus({"search", "dna.fa", "protein.fa", "--alphabet", "auto"});
  EXPECT_THAT(guessed.err, HasSubstr("alnus does not translate"));
}

TEST_F(Alphabets, ADatabaseIsNotCompressed) {
  const CommandResult result = alnus({"makedb", "protein.fa", "-o", "protein.alnus.gz"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("protein.alnus.gz: a database is not compressed"));
  EXPECT_FALSE(files().contains("protein.alnus.gz"));
}

TEST_F(Alphabets, MakedbOfNucleotidesAsksForTheAlphabet) {
  const CommandResult result = alnus({"makedb", "dna.fa", "-o", "made.alnus"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(
      result.err,
      HasSubstr("error: dna.fa looks like dna, and would become a database of proteins. Choose --alphabet "
                "dna, or --alphabet protein if these are proteins."));
  EXPECT_FALSE(files().contains("made.alnus"));
  for (const char* alphabet : {"dna", "protein", "auto"})
    EXPECT_EQ(alnus({"makedb", "dna.fa", "-o", "made.alnus", "--alphabet", alphabet}).exit_code, 0)
        << alphabet;
}

TEST_F(Search, SaysWhichQueriesHaveAsManyHitsAsAreListed) {
  write("q.fa", ">q1\nMKVLAWHEAG\n>q2\nPPPPPPPP\n");
  write("db.fa", ">s1\nMKVLAWHEAG\n>s2\nMKVLAWHEAGA\n>s3\nMKVLAWHEAGC\n");
  const std::vector<std::string> search = {"search", "q.fa", "db.fa", "--min-score", "20", "--evalue", "1e9"};
  const auto log_of = [&](std::vector<std::string> more) {
    more.insert(more.begin(), search.begin(), search.end());
    return alnus(more).err;
  };
  const std::string told =
      "1 query ('q1') has as many hits as --max-target-seqs 2 allows: further hits may be "
      "left out.";
  EXPECT_THAT(log_of({"--max-target-seqs", "2"}), HasSubstr(told));
  EXPECT_THAT(log_of({"--max-target-seqs", "2"}), HasSubstr("left out (--max-target-seqs 2, --evalue 1"));
  EXPECT_THAT(log_of({"--max-target-seqs", "3"}), HasSubstr("left out (--evalue 1"));
  EXPECT_THAT(log_of({"--max-target-seqs", "3"}),
              Not(HasSubstr("further hits")));  // there are no more subjects
  EXPECT_THAT(log_of({}), Not(HasSubstr("further hits")));
  for (const char* part : {"1/2", "2/2"})
    log_of({"--max-target-seqs", "2", "--part", part, "-o", part[0] == '1' ? "p1" : "p2"});
  EXPECT_THAT(alnus({"merge", "p1", "p2", "-o", "rows"}).err, HasSubstr(told));
  const CommandResult stream =
      shell("\"$1\" search - db.fa --min-score 20 --evalue 1e9 --max-target-seqs 2 --interactive < q.fa");
  EXPECT_THAT(stream.err, HasSubstr(told));
}

}  // namespace
}  // namespace alnus::test

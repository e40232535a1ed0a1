// Help, version, and the messages about unknown words and wrong arguments.
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/cli_fixture.h"

namespace alnus::test {
namespace {

class Help : public CliTest {
 protected:
  CommandResult help_of(const std::string& command) const {
    std::istringstream text(command + " --help");
    return alnus({std::istream_iterator<std::string>(text), {}});
  }
};

const std::vector<std::string> kCommands = {
    "search", "align",     "allpairs", "cluster", "split", "verify",       "audit",          "makedb",
    "dbinfo", "calibrate", "devices",  "pages",   "bench", "bench search", "bench allpairs", "bench evalues"};

TEST_F(Help, ListsTheCommands) {
  const CommandResult result = alnus({"--help"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.err, "");
  for (const char* command : {"search", "align", "cluster", "split", "audit", "verify", "makedb", "dbinfo",
                              "calibrate", "devices", "bench", "--version", "Usage: alnus"})
    EXPECT_THAT(result.out, HasSubstr(command));
}

TEST_F(Help, WithoutACommandItIsAnError) {
  const CommandResult result = alnus({});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(result.out, "");
  EXPECT_THAT(result.err, HasSubstr("No command was given"));
  EXPECT_THAT(result.err, HasSubstr("Usage: alnus COMMAND"));
}

TEST_F(Help, EveryCommandHasUsageDefaultsAndAnExample) {
  for (const std::string& command : kCommands) {
    const CommandResult result = help_of(command);
    EXPECT_EQ(result.exit_code, 0) << command;
    EXPECT_THAT(result.out, HasSubstr("Usage: alnus " + command));
    EXPECT_THAT(result.out, HasSubstr("Example:\n  alnus " + command));
  }
  const std::string search = alnus({"search", "--help"}).out;
  for (
      const char* text :
      {"QUERIES DB",  "Hits:",      "Scoring:",     "Output:",      "Machine:",         "--max-target-seqs N",
       "[500]",       "--evalue X", "[10]",         "--min-score",  "--mode",           "--matrix",
       "--match",     "--mismatch", "--gap-open",   "--gap-extend", "--gap-convention", "--preset",
       "--free-ends", "--detail",   "--outfmt",     "-o, --output", "-t, --threads",    "--devices",
       "--isa",       "--method",   "--memory",     "[8G]",         "--device-memory",  "--dry-run",
       "--quiet",     "--alphabet", "--interactive"})
    EXPECT_THAT(search, HasSubstr(text));
  EXPECT_THAT(alnus({"makedb", "--help"}).out, HasSubstr("alnus makedb [options] IN... -o NAME.alnus"));
}

TEST_F(Help, AGroupOfCommandsAloneListsThem) {
  const CommandResult result = alnus({"bench"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.err, "");
  EXPECT_EQ(result.out, help_of("bench").out);
  EXPECT_THAT(result.out, HasSubstr("Commands:\n  search "));
}

TEST_F(Help, LinesAreNoLongerThanAHundredColumns) {
  for (const std::string& command : kCommands) {
    std::istringstream lines(help_of(command).out);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100u) << line;
  }
}

TEST_F(Help, Version) {
  const CommandResult result = alnus({"--version"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out,
              ::testing::MatchesRegex("alnus [0-9]+\\.[0-9]+\\.[0-9]+( .commit [0-9a-f]+(-dirty)?.)?\n"));
}

TEST_F(Help, TheVersionOfACloneHasItsCommit) {
  const CommandResult clone = shell("git -C " ALNUS_SOURCE_DIR " rev-parse --short=12 HEAD");
  if (clone.exit_code != 0) GTEST_SKIP() << "the sources are no clone";
  EXPECT_THAT(alnus({"--version"}).out,
              ::testing::MatchesRegex("alnus [0-9.]+ .commit [0-9a-f]+(-dirty)?.\n"));
}

TEST_F(Help, VersionForPrograms) {
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"--version", "--json"}, {"--json", "-V"}}) {
    const CommandResult result = alnus(words);
    EXPECT_EQ(result.exit_code, 0);
    const nlohmann::json told = nlohmann::json::parse(result.out);
    const nlohmann::json& commit = told.at("commit");
    const std::string of = commit.is_null() ? "" : " (commit " + commit.get<std::string>() + ")";
    EXPECT_EQ("alnus " + told.at("alnus").get<std::string>() + of + "\n", alnus({"--version"}).out);
    EXPECT_THAT(told.at("compiler").get<std::string>(), ::testing::MatchesRegex("(GCC|Clang) [0-9.]+"));
    for (const char* library : {"CLI11", "fmt", "libsodium", "nlohmann_json", "xxHash", "zlib", "zstd"})
      EXPECT_THAT(told.at("libraries").at(library).get<std::string>(),
                  ::testing::MatchesRegex("[0-9]+[.][0-9.]+"))
          << library;
    EXPECT_TRUE(told.at("cuda").is_null() || told.at("cuda").is_string());
    EXPECT_EQ(told.at("backends"), nlohmann::json::parse(alnus({"devices", "--json"}).out));
  }
}

struct Mistake {
  std::vector<std::string> arguments;
  int exit_code;
  std::string says;
};

// ctest names a test by its command. Words that are empty or have blanks are quoted.
void PrintTo(const Mistake& mistake, std::ostream* out) {
  *out << "alnus";
  for (const std::string& word : mistake.arguments)
    *out << ' ' << (word.empty() || word.find(' ') != word.npos ? "'" + word + "'" : word);
}

class Mistakes : public Help, public ::testing::WithParamInterface<Mistake> {};

TEST_P(Mistakes, AreNamed) {
  write("q.fa", ">q\nMKVLA\n");
  const CommandResult result = alnus(GetParam().arguments);
  EXPECT_EQ(result.exit_code, GetParam().exit_code);
  EXPECT_EQ(result.out, "");
  EXPECT_THAT(result.err, HasSubstr("alnus: error: "));
  EXPECT_THAT(result.err, HasSubstr(GetParam().says));
  EXPECT_EQ(files(), std::set<std::string>{"q.fa"});
}

INSTANTIATE_TEST_SUITE_P(
    Commands, Mistakes,
    ::testing::Values(
        Mistake{{"serach", "q.fa", "q.fa"}, 1, "There is no command 'serach'; did you mean search?"},
        Mistake{{"--help", "makdb"}, 1, "did you mean makedb?"},
        Mistake{{"--versoin"}, 1, "did you mean --version?"},
        Mistake{{"--threads", "2", "search", "q.fa", "q.fa"},
                1,
                "stands after the command: alnus search --threads"},
        Mistake{{"search", "--gap-opne", "5", "q.fa", "q.fa"},
                1,
                "no option '--gap-opne'; did you mean --gap-open?"},
        Mistake{{"search", "--gap-opne=5", "q.fa", "q.fa"},
                1,
                "no option '--gap-opne'; did you mean --gap-open?"},
        Mistake{{"search", "--max-target", "5", "q.fa", "q.fa"}, 1, "did you mean --max-target-seqs?"},
        Mistake{{"align", "--evalue", "5", "q.fa", "q.fa"}, 1, "--evalue needs the size of a search"},
        Mistake{{"search", "q.fa"}, 1, "DB is missing"}, Mistake{{"search"}, 1, "QUERIES and DB are missing"},
        Mistake{{"search", "q.fa", "q.fa", "q.fa"}, 1, "does not take the argument 'q.fa'"},
        Mistake{{"makedb", "q.fa"}, 1, "--output is missing"},
        Mistake{{"makedb", "q.fa", "-o", "-"}, 1, "cannot be written to standard output"},
        Mistake{{"align", "q.fa"}, 1, "needs a second file"},
        Mistake{{"align", "--all", "--pairs", "x", "q.fa", "q.fa"}, 1, "either --all or --pairs"},
        Mistake{{"search", "-", "-"}, 1, "Only one input can be -"},
        Mistake{{"align", "-", "-"}, 1, "Only one input can be -"},
        Mistake{{"search", "q.fa", "q.fa", "-t"}, 1, "Option --threads needs a value"},
        Mistake{{"bench", "serach", "q.fa", "q.fa"}, 1, "There is no command 'serach'; did you mean search?"},
        Mistake{{"bench", "--runs", "3"}, 1, "stands after the command: alnus bench search --runs"},
        Mistake{{"bench", "--runs", "3", "search", "q.fa", "q.fa"},
                1,
                "stands after the command: alnus bench search --runs"},
        Mistake{{"bench", "search", "--gap-opne", "5", "q.fa", "q.fa"},
                1,
                "alnus bench search has no option '--gap-opne'; did you mean --gap-open?"},
        Mistake{{"bench", "search", "q.fa"}, 1, "DB is missing; see alnus bench search --help"},
        Mistake{{"search", "q.fa", "q.fa", "--evalue="}, 1, "Option '--evalue' has an empty value"},
        Mistake{{"search", "q.fa", "q.fa", "--evalue", ""}, 1, "Option '--evalue' has an empty value"},
        Mistake{{"search", "q.fa", "q.fa", "-o", ""}, 1, "Option '-o' has an empty value"},
        Mistake{{"frobnicate"}, 1, "There is no command 'frobnicate'; choose one of search, align, "},
        Mistake{{"search", "--frobnicate", "q.fa", "q.fa"},
                1,
                "alnus search has no option '--frobnicate'; see alnus search --help."},
        Mistake{{"search", "--checkpoint", "d", "q.fa", "q.fa"},
                1,
                "alnus search has no option '--checkpoint'; write --part I/N: the parts that are done stay, "
                "and alnus merge makes the output of all of them."},
        Mistake{{"align", "--checkpoint", "d", "q.fa", "q.fa"},
                1,
                "alnus align has no option '--checkpoint'; there is no equivalent; see alnus align --help."},
        Mistake{{"-t8", "search", "q.fa", "q.fa"}, 1, "-t8 stands after the command: alnus search -t8 ..."},
        Mistake{{"search", "---", "q.fa", "q.fa"}, 1, "has no option '---'"}));

// Options that users of other programs type first.
INSTANTIATE_TEST_SUITE_P(
    OtherPrograms, Mistakes,
    ::testing::Values(
        Mistake{{"search", "q.fa", "q.fa", "-outfmt", "6"}, 1, "no option '-outfmt'; write --outfmt FORMAT."},
        Mistake{{"search", "q.fa", "q.fa", "--tree", "x"}, 1, "no option '--tree'; programs for trees read"},
        Mistake{
            {"search", "q.fa", "q.fa", "--translate"}, 1, "no option '--translate'; alnus does not trans"},
        Mistake{{"heatmap", "q.fa"}, 1, "pictures are drawn in Python (alnus.plot)"},
        Mistake{{"tree", "q.fa"}, 1, "what alnus allpairs SEQS --phylip FILE writes"},
        Mistake{{"search", "q.fa", "q.fa", "-out", "x"}, 1, "no option '-out'; write -o FILE."},
        Mistake{{"search", "q.fa", "q.fa", "-ox.tsv"}, 1, "a blank stands before the value: -o x.tsv."},
        Mistake{{"search", "q.fa", "q.fa", "-o5"}, 1, "a blank stands before the value: -o 5."},
        Mistake{{"search", "q.fa", "q.fa", "-t=8"}, 1, "a blank stands before the value: -t 8."},
        Mistake{{"search", "q.fa", "q.fa", "-tq"}, 1, "a blank stands before the value: -t q."},
        Mistake{{"search", "q.fa", "q.fa", "-num_threads", "4"}, 1, "'-num_threads'; write -t N."},
        Mistake{{"search", "q.fa", "q.fa", "-threads=4"}, 1, "'-threads=4'; write --threads N."},
        Mistake{{"search", "q.fa", "q.fa", "-max_target_seqs", "5"}, 1, "write --max-target-seqs N."},
        Mistake{{"search", "q.fa", "q.fa", "--max_target_seqs", "5"}, 1, "write --max-target-seqs N."},
        Mistake{{"search", "q.fa", "q.fa", "-quiet"}, 1, "'-quiet'; write --quiet."},
        Mistake{{"search", "q.fa", "q.fa", "-e", "1"}, 1, "'-e'; write --evalue X."},
        Mistake{{"search", "q.fa", "q.fa", "-e1"}, 1, "'-e1'; write --evalue X."},
        Mistake{{"search", "q.fa", "q.fa", "--max-seqs", "9"}, 1, "write --max-target-seqs N."},
        Mistake{{"search", "q.fa", "q.fa", "--sensitive"}, 1, "every pair is aligned"},
        Mistake{{"align", "q.fa", "--self"}, 1, "'--self'; alnus allpairs SEQS compares"},
        Mistake{{"allpairs", "q.fa", "--guide-tree", "x"}, 1, "writes; quicktree is one of them."},
        Mistake{{"search", "q.fa", "q.fa", "--outfmt", "6 scovs"}, 1, "did you mean scov?"},
        Mistake{{"search", "q.fa", "q.fa", "--format-output", "query"}, 1, "write --outfmt FORMAT."},
        Mistake{{"align", "q.fa", "q.fa", "-gapopen", "5"}, 1, "'-gapopen'; write --gap-open N."},
        Mistake{
            {"align", "q.fa", "q.fa", "-num_alignments", "5"}, 1, "there is no equivalent; see alnus align"},
        Mistake{
            {"search", "q.fa", "q.fa", "-comp_based_stats", "0"}, 1, "0 is --composition none; adjust, the"},
        Mistake{{"search", "q.fa", "q.fa", "-seg", "no"}, 1, "'-seg'; no is --low-complexity none, and"},
        Mistake{{"search", "q.fa", "q.fa", "-dust", "no"}, 1, "'-dust'; no is --low-complexity none, and"},
        Mistake{{"search", "q.fa", "q.fa", "-task", "blastp-short"}, 1, "--matrix PAM30 --gap-open 9"},
        Mistake{{"search", "q.fa", "q.fa", "-s", "7.5"}, 1, "alnus is exact: there is no sensitivity"},
        Mistake{{"search", "q.fa", "q.fa", "-f", "6"},
                1,
                "DIAMOND's -f is --outfmt FORMAT, FASTA's is --gap-open N."},
        Mistake{{"search", "q.fa", "q.fa", "-v", "5"}, 1, "'-v'; write --max-target-seqs N."},
        Mistake{{"search", "q.fa", "q.fa", "-b", "5"}, 1, "'-b'; write --max-target-seqs N."},
        Mistake{{"search", "q.fa", "q.fa", "-a", "1"}, 1, "'-a'; write -t N."},
        Mistake{{"-v"}, 1, "alnus --version tells it."},
        Mistake{{"search", "q.fa", "q.fa", "-max_hsps", "1"}, 1, "--max-hsps"},
        Mistake{{"allpairs", "q.fa", "--id", "30"}, 1, "'--id'; write --min-identity X, in percent."},
        Mistake{{"allpairs", "q.fa", "--min-seq-id", "0.3"}, 1, "write --min-identity X, in percent."},
        Mistake{{"allpairs", "q.fa", "-c", "0.8"}, 1, "'-c'; write --min-coverage X, in percent."},
        Mistake{{"allpairs", "q.fa", "--cov-mode", "1"}, 1, "write --coverage-of WORD."},
        Mistake{{"search", "q.fa", "q.fa", "--id", "30"}, 1, "write --min-identity X, in percent."},
        Mistake{{"search", "q.fa", "q.fa", "--qcov_hsp_perc", "30"}, 1, "--coverage-of query, in percent."},
        Mistake{{"align", "q.fa", "q.fa", "--subject-cover", "30"}, 1, "--coverage-of subject, in percent."},
        Mistake{{"makedb", "-in", "q.fa", "-out", "x.alnus"}, 1, "alnus makedb IN... -o NAME.alnus"},
        Mistake{{"search", "-query", "q.fa", "-db", "q.fa", "-outfmt", "6 std", "-evalue", "1"},
                1,
                "alnus search does not have these options:\n"
                "  '-query'  the queries are the first file: alnus search QUERIES DB.\n"
                "  '-db'  the database is the second file: alnus search QUERIES DB.\n"
                "  '-outfmt'  write --outfmt FORMAT.\n"
                "  '-evalue'  write --evalue X.\n"},
        Mistake{{"blastp", "-query", "q.fa", "-db", "q.fa"}, 1, "write alnus search QUERIES DB."},
        Mistake{{"blastn", "q.fa"}, 1, "write alnus search QUERIES DB --alphabet dna --preset blastn."},
        Mistake{{"diamond", "blastp", "-q", "q.fa"}, 1, "write alnus search QUERIES DB."},
        Mistake{{"mmseqs", "easy-search", "q.fa"}, 1, "write alnus search QUERIES DB."},
        Mistake{{"needle", "q.fa", "q.fa"}, 1, "write alnus align A B --preset emboss-needle."},
        Mistake{{"water"}, 1, "--preset emboss-water"}, Mistake{{"ssearch36"}, 1, "--preset ssearch"},
        Mistake{{"makeblastdb", "-in", "q.fa"}, 1, "write alnus makedb IN... -o NAME.alnus."},
        Mistake{{"tblastn"}, 1, "alnus does not translate"}));

TEST_F(Help, ShortOptionsTakeNumbersAtOnce) {
  write("q.fa", ">q\nMKVLA\n");
  const std::string usual = alnus({"search", "q.fa", "q.fa", "--evalue", "1e9", "-t", "2"}).out;
  ASSERT_NE(usual, "");
  EXPECT_EQ(alnus({"search", "q.fa", "q.fa", "--evalue", "1e9", "-t2"}).out, usual);
  EXPECT_EQ(alnus({"search", "-t2", "--evalue=+1e9", "q.fa", "q.fa"}).out, usual);
  EXPECT_EQ(alnus({"search", "q.fa", "q.fa", "--evalue", "1e9", "--gap-open", "+11"}).out, usual);
}

std::vector<Mistake> value_mistakes() {
  std::vector<Mistake> mistakes;
  const auto add = [&](const std::string& option, const std::string& value, const std::string& says,
                       int code = 1) {
    mistakes.push_back({{"search", "q.fa", "q.fa", option, value}, code, says});
  };
  add("--mode", "lcal", "did you mean local?");
  add("--mode", "glocal", "did you mean semiglobal?");
  add("--matrix", "BLOSM62", "did you mean BLOSUM62?");
  add("--matrix", "./none.txt", "./none.txt");
  add("--matrix", "MIQS", "There is no matrix 'MIQS'; choose one of BLOSUM45");
  add("--preset", "blast", "did you mean blastp?");
  add("--gap-convention", "embos", "did you mean emboss?");
  add("--alphabet", "protien", "did you mean protein?");
  add("--detail", "scores", "did you mean score?");
  add("--outfmt", "6 qseqd", "did you mean qseqid?");
  add("--outfmt", "jsnl", "did you mean jsonl?");
  add("--outfmt", "xml",
      "'xml' is no output format. 6 is a table, 7 a table with comments, 10 CSV, 5 BLAST's XML");
  add("--outfmt", "6 std staxids", "alnus has no taxonomy");
  add("--devices", "gpu", "did you mean cuda?");
  add("--devices", "cuda:0", "cuda:0", 3);
  add("--isa", "avx", "did you mean avx2?");
  add("--method", "interseqq", "did you mean interseq?");
  add("--free-ends", "qbegin,qnd", "Free ends");
  add("--match", "2", "nucleotides");
  add("--gap-open", "-3", "not below 0");
  add("--gap-extend", "1e2", "not '1e2'");
  add("--gap-extend", "0.0000001", "--gap-extend has at most 6 decimals, not as many as '0.0000001'.");
  add("--threads", "4x", "--threads takes a whole number from 1 to 65536, not '4x'");
  add("--threads", "0", "--threads takes");
  add("--max-target-seqs", "0", "--max-target-seqs takes");
  add("--evalue", "-1", "--evalue takes");
  add("--evalue", "nan", "--evalue takes");
  add("--min-score", "high", "--min-score takes");
  for (const char* size : {"8X", "G", "-1G", "0", "1.5", "1e9", "8 G", "99999999999G", "1.5.5G"})
    add("--memory", size, "--memory takes a number of bytes such as 512M, 8G or 1.5G");
  add("--device-memory", "much", "--device-memory takes");
  return mistakes;
}
INSTANTIATE_TEST_SUITE_P(Values, Mistakes, ::testing::ValuesIn(value_mistakes()));

TEST_F(Help, SizesWithoutAUnitAreNotTiny) {
  write("q.fa", ">q\nMKVLA\n");
  for (const char* option : {"--memory", "--device-memory"}) {
    const CommandResult result = alnus({"search", "q.fa", "q.fa", option, "4000"});
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_THAT(result.err,
                HasSubstr(std::string(option) + " 4000 is 4,000 bytes, which is too little. Write a "
                                                "unit, such as 4G or 4M."));
  }
  EXPECT_THAT(alnus({"search", "q.fa", "q.fa", "--memory", "16"}).err, HasSubstr("such as 16G or 16M."));
  EXPECT_EQ(alnus({"makedb", "q.fa", "-o", "db.alnus", "--memory", "4000"}).exit_code, 1);
}

TEST_F(Help, AnOptionOfOneValueIsGivenOnce) {
  write("q.fa", ">q\nMKVLA\n");
  const auto refusal = [&](std::vector<std::string> arguments) {
    const CommandResult result = alnus(std::move(arguments));
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_EQ(result.out, "");
    return result.err;
  };
  EXPECT_THAT(refusal({"search", "q.fa", "q.fa", "-o", "a", "--output", "b"}),
              HasSubstr("--output is given twice, and takes one value. Leave out one of them."));
  EXPECT_THAT(refusal({"search", "q.fa", "q.fa", "--evalue", "1", "--evalue=2", "--evalue", "3"}),
              HasSubstr("--evalue is given 3 times, and takes one value. Leave out all but one."));
  EXPECT_THAT(refusal({"allpairs", "q.fa", "--phylip", "a", "--phylip", "b"}),
              HasSubstr("--phylip is given twice"));
  EXPECT_THAT(refusal({"align", "q.fa", "q.fa", "-t", "1", "-t2"}), HasSubstr("--threads is given twice"));
  EXPECT_THAT(refusal({"makedb", "q.fa", "-o", "a", "-o", "b"}), HasSubstr("--output is given twice"));
  EXPECT_THAT(refusal({"merge", "p", "--outfmt", "6", "--outfmt", "7"}),
              HasSubstr("--outfmt is given twice"));
  EXPECT_EQ(files().count("a") + files().count("b"), 0U);
  EXPECT_EQ(alnus({"search", "q.fa", "q.fa", "--quiet", "--quiet"}).exit_code, 0);  // --quiet takes no value
}

TEST_F(Help, AnOptionDoesNotTakeTheNextOneForItsValue) {
  write("q.fa", ">q\nMKVLA\n");
  const CommandResult result = shell("\"$1\" allpairs q.fa --threads $NOT_SET --part 1/2 -o p");
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(result.err, "alnus: error: Option --threads needs a value, and --part stands in its place.\n");
  EXPECT_EQ(alnus({"search", "q.fa", "q.fa", "-o", "--none", "--quiet"}).exit_code, 0);
  EXPECT_EQ(files().count("--none"), 1U);
}

TEST_F(Help, SizesAreUnderstood) {
  write("q.fa", ">q\nMKVLA\n");
  for (const char* size : {"8G", "512M", "1.5G", "100000000", "900000k", "0.5t"})
    EXPECT_EQ(alnus({"search", "q.fa", "q.fa", "--memory", size}).exit_code, 0) << size;
}

TEST_F(Help, DevicesAsTextAndAsJson) {
  const CommandResult text = alnus({"devices"});
  EXPECT_EQ(text.exit_code, 0);
  EXPECT_THAT(text.out, HasSubstr("portable"));
  EXPECT_THAT(text.out, HasSubstr("--method:"));
  const CommandResult json = alnus({"devices", "--json"});
  EXPECT_EQ(json.exit_code, 0);
  const auto backends = nlohmann::json::parse(json.out);
  ASSERT_EQ(backends.size(), 2u);
  EXPECT_EQ(backends[0]["name"], "cpu");
  EXPECT_TRUE(backends[0]["available"]);
  EXPECT_EQ(backends[0]["instruction_sets"].back(), "portable");
  EXPECT_EQ(backends[1]["name"], "cuda");
  if (!backends[1]["available"].get<bool>()) {
    EXPECT_NE(backends[1]["reason"], "");
    EXPECT_THAT(text.out, HasSubstr("not available: " + backends[1]["reason"].get<std::string>()));
  }
}

}  // namespace
}  // namespace alnus::test

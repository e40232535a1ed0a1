// Tables of hundreds of wrong inputs and options. Each is refused with its exit code and a message that names
// it, and leaves no file behind. Usually every ninth is tried; ALNUS_FULL_TESTS=1 tries all:
//   ALNUS_FULL_TESTS=1 build/release/tests/cli_test --gtest_filter='BadInputs*'
#include <cstdlib>
#include <functional>

#include "cli/cli_fixture.h"
#include "support/compression.h"

namespace alnus::test {
namespace {

using Words = std::vector<std::string>;

struct BadCase {
  Words arguments;
  int exit_code = 1;
  Words says;  // texts that the message must have
};

class BadInputs : public CliTest {
 protected:
  BadInputs() {
    write("good.fa", ">g1\nMKVLAHEAGAWGHEE\n>g2\nPAWHEAE\n");
    write("dna.fa", ">d1\nACGTACGTTACG\n>d2\nACGTTACG\n");
    write("good.matrix", matrix("1", "-1"));
    EXPECT_EQ(alnus({"makedb", "good.fa", "-o", "good.alnus", "--quiet"}).exit_code, 0);
  }

  // The text of a matrix of the twenty amino acids: `equal` on the diagonal, `other` elsewhere.
  static std::string matrix(const std::string& equal, const std::string& other) {
    const std::string letters = "ARNDCQEGHILKMFPSTWYV";
    std::string text;
    for (const char letter : letters) text += std::string(" ") + letter;
    for (const char row : letters) {
      text += std::string("\n") + row;
      for (const char column : letters) text += " " + (row == column ? equal : other);
    }
    return text + "\n";
  }

  void expect_refused(const std::vector<BadCase>& cases) const {
    const char* full = std::getenv("ALNUS_FULL_TESTS");
    const std::size_t step = full != nullptr && std::string(full) == "1" ? 1 : 9;
    const std::set<std::string> before = files();
    ASSERT_GT(cases.size(), step);
    for (std::size_t i = 0; i < cases.size(); i += step) {
      const BadCase& bad = cases[i];
      SCOPED_TRACE(::testing::PrintToString(bad.arguments));
      const CommandResult result = alnus(bad.arguments);
      EXPECT_EQ(result.exit_code, bad.exit_code) << result.err;
      EXPECT_EQ(result.out, "");
      EXPECT_THAT(result.err, HasSubstr("alnus: error: "));
      EXPECT_THAT(result.err, Not(HasSubstr("Internal error")));
      EXPECT_LT(result.err.size(), 2000u);
      for (const std::string& text : bad.says) EXPECT_THAT(result.err, HasSubstr(text));
      ASSERT_EQ(files(), before) << result.err;
    }
  }
};

TEST_F(BadInputs, SequenceFiles) {
  using namespace std::string_literals;
  const std::string good = read("good.fa");
  const std::vector<std::pair<std::string, std::string>> kinds = {
      {"empty", ""},
      {"newlines", "\n\n\r\n"},
      {"blanks", "   \t \n"},
      {"comments", "; nothing\n;\n"},
      {"bare", "MKVLA\n"},
      {"digits", "12345\n"},
      {"json", "{\"id\": 1}\n"},
      {"html", "<!DOCTYPE html>\n<html>\n"},
      {"genbank", "LOCUS       AB000001\nORIGIN\n"},
      {"nul_first", "\0>g\nMKV\n"s},
      {"nul_header", ">g\0h\nMKV\n"s},
      {"nul_sequence", ">g\nMK\0V\n"s},
      {"escape", ">g\nMK\x1b[2JV\n"},
      {"latin1", ">g\nMK\xe9V\n"},
      {"utf8", ">g\nMK\xc3\xa9V\n"},
      {"del", ">g\x7fh\nMKV\n"},
      {"bell", ">\a\nMKV\n"},
      {"utf16le", "\xff\xfe>\0g\0\n\0M\0"s},
      {"utf16be", "\xfe\xff\0>\0g\0\n\0M"s},
      {"utf32le", "\xff\xfe\0\0>\0\0\0g\0\0\0"s},
      {"utf32be", "\0\0\xfe\xff\0\0\0>"s},
      {"utf16_bare", ">\0g\0\n\0M\0K\0"s},
      {"half_fastq", "@g\nMKV\n"},
      {"fastq_no_plus", "@g\nMKV\nIII\n"},
      {"fastq_cut", "@g\nMKV\n+\nII"},
      {"fastq_few", "@g\nMKV\n+\nII\n@h\nMKV\n+\nIII\n"},
      {"fastq_many", "@g\nMKV\n+\nIIII\n"},
      {"fastq_bytes", "@g\nMKV\n+\nI\x01I\n"},
      {"fastq_then_fasta", "@g\nMKV\n+\nIII\n>h\nMKV\n"},
      {"gzip_cut", gzip(good).substr(0, 20)},
      {"gzip_head", gzip(good).substr(0, 2)},
      {"gzip_flipped",
       [&] {
         std::string bytes = gzip(good);
         bytes[bytes.size() - 6] ^= 1;
         return bytes;
       }()},
      {"gzip_and_more", gzip(good) + "more"},
      {"gzip_of_nothing", gzip("")},
      {"gzip_of_garbage", gzip("MKV")},
      {"gzip_twice", gzip(gzip(good))},
      {"gzip_of_database", gzip(read("good.alnus"))},
      {"gzip_of_zstd", gzip(zstd(good))},
      {"zstd_of_gzip", zstd(gzip(good))},
      {"gzip_of_utf16", gzip("\xff\xfe>\0g\0"s)},
      {"zstd_cut", zstd(good).substr(0, 12)},
      {"zstd_head", zstd(good).substr(0, 4)},
      {"zstd_flipped",
       [&] {
         std::string bytes = zstd(good);
         bytes.back() ^= 1;
         return bytes;
       }()},
      {"zstd_and_more", zstd(good) + "more"},
      {"xz", "\xfd\x37zXZ\0\0"s},
      {"bzip2", "BZh91AY&SY"},
      {"zip", "PK\x03\x04\x14"},
      {"lz4", "\x04\x22\x4d\x18\x60"},
      {"compress", "\x1f\x9d\x90"},
      {"elf",
       "\x7f"
       "ELF\x02\x01\x01"},
      {"png", "\x89PNG\r\n\x1a\n"}};
  std::vector<BadCase> cases;
  const auto add = [&](const std::string& name) {
    const Words out = {"-o", "out.tsv"};
    cases.push_back({both({"search", name, "good.fa"}, out), 1, {name}});
    cases.push_back({both({"search", "good.fa", name}, out), 2, {name}});
    cases.push_back({both({"align", "--all", name, "good.fa"}, out), 1, {name}});
    cases.push_back({both({"align", "--all", "good.fa", name}, out), 1, {name}});
    cases.push_back({both({"allpairs", name}, out), 1, {name}});
    cases.push_back({both({"allpairs", "good.fa", "--against", name}, out), 1, {name}});
    cases.push_back({{"allpairs", name, "--matrix-out", "out.npy"}, 1, {name}});
    cases.push_back({{"makedb", "good.fa", name, "-o", "out.alnus"}, 1, {name}});
    cases.push_back({{"search", name, "good.alnus", "--score-plot", "out.svg"}, 1, {name}});
  };
  for (const auto& [kind, bytes] : kinds) {
    write("bad_" + kind, bytes);
    add("bad_" + kind);
  }
  std::filesystem::create_directory(path("bad_folder"));
  std::filesystem::create_symlink("nowhere", path("bad_link"));
  std::filesystem::create_symlink("bad_loop", path("bad_loop"));
  for (const char* name : {"bad_folder", "bad_link", "bad_loop", "bad_missing", "good.fa/below", "no/such"})
    add(name);
  expect_refused(cases);
}

TEST_F(BadInputs, MatrixFiles) {
  using namespace std::string_literals;
  const std::string good = matrix("4", "-1");
  const auto with = [&](const std::string& value) { return matrix(value, "-1"); };
  const std::vector<std::pair<std::string, std::string>> kinds = {
      {"empty", ""},
      {"blank", "\n \n"},
      {"comments", "# nothing\n"},
      {"words", "this is no matrix\n"},
      {"header", " A R N D\n"},
      {"two_letters", "   A R\nA  4 -1\nR -1  5\n"},
      {"row_missing", good.substr(0, good.rfind("\nV") + 1)},
      {"row_twice", good + good.substr(good.rfind("\nV") + 1)},
      {"column_twice", " A" + good},
      {"short_row", good.substr(0, good.size() - 3) + "\n"},
      {"long_row", good.substr(0, good.size() - 1) + " 1\n"},
      {"digit_letter", "1" + good.substr(1)},
      {"value_word", with("four")},
      {"value_nan", with("nan")},
      {"value_inf", with("inf")},
      {"value_exponent", with("1e2")},
      {"value_hex", with("0x4")},
      {"value_comma", with("0,5")},
      {"value_signs", with("+-4")},
      {"value_sign", with("-")},
      {"value_point", with(".")},
      {"value_decimals", with("0.1234567")},
      {"value_32767", with("32767")},
      {"value_32768", with("32768")},
      {"value_minus_32767", matrix("4", "-32767")},
      {"value_32766_5", with("32766.5")},
      {"value_large", with("99999999999999999999")},
      {"value_8191_99", with("8191.99")},
      {"scales", matrix("4.5", "-9999.9999")},
      {"nul", "\0"s + good},
      {"utf16", "\xff\xfe"s + good},
      {"xml", "<?xml version=\"1.0\"?>\n"},
      {"gzip_cut", gzip(good).substr(0, 30)},
      {"gzip_twice", gzip(gzip(good))},
      {"xz", "\xfd\x37zXZ\0\0"s}};
  std::vector<BadCase> cases;
  const auto add = [&](const std::string& name) {
    for (const std::string& spelled : {name, "./" + name}) {
      cases.push_back({{"search", "good.fa", "good.fa", "--matrix", spelled, "-o", "out.tsv"}, 1, {name}});
      cases.push_back({{"align", "good.fa", "good.fa", "--matrix=" + spelled, "-o", "out.tsv"}, 1, {name}});
      cases.push_back({{"allpairs", "good.fa", "--matrix", spelled, "--phylip", "out.phy"}, 1, {name}});
      cases.push_back({{"calibrate", "--matrix", spelled, "--no-cache"}, 1, {name}});
    }
  };
  for (const auto& [kind, bytes] : kinds) {
    write("bad_" + kind, bytes);
    add("bad_" + kind);
  }
  std::filesystem::create_directory(path("bad_folder"));
  for (const char* name : {"bad_folder", "no/such"}) add(name);
  expect_refused(cases);
}

TEST_F(BadInputs, ListsOfPairsAndBackgrounds) {
  using namespace std::string_literals;
  std::vector<BadCase> cases;
  const std::vector<std::pair<std::string, std::string>> lists = {
      {"one_id", "g1\n"},
      {"unknown", "g1\tg9\n"},
      {"unknown_query", "x\tg1\n"},
      {"header", "query\tsubject\ng1\tg2\n"},
      {"csv", "g1,g2\n"},
      {"nul", "g1\tg\0002\n"s},
      {"utf16", "\xff\xfeg\0001\0\t\0"s},
      {"second_line", "g1 g2\ng1\n"},
      {"gzip_cut", gzip("g1\tg2\n").substr(0, 15)},
      {"carriage", "g1 g2\rg1\r"}};
  for (const auto& [kind, bytes] : lists) {
    const std::string name = "list_" + kind;
    write(name, bytes);
    cases.push_back({{"align", "good.fa", "--pairs", name, "-o", "out.tsv"}, 1, {name}});
    cases.push_back({{"align", "good.fa", "good.fa", "--pairs", name, "-o", "out.tsv"}, 1, {name}});
  }
  write("list_good", "g1\tg2\n");
  write("twice.fa", ">g1\nMKV\n>g1\nMKV\n>g2\nMK\n");
  cases.push_back(
      {{"align", "twice.fa", "--pairs", "list_good", "-o", "out.tsv"}, 1, {"several records 'g1'"}});
  const std::vector<std::pair<std::string, std::string>> backgrounds = {{"letters", "AR 0.5\n"},
                                                                        {"unknown", "1 0.5\n"},
                                                                        {"negative", "A -1\n"},
                                                                        {"word", "A much\n"},
                                                                        {"twice", "A 1\nA 1\n"},
                                                                        {"zero", "A 0\nR 0\n"},
                                                                        {"three", "A 1 1\n"},
                                                                        {"nan", "A nan\n"},
                                                                        {"inf", "A inf\n"},
                                                                        {"alone", "A\n"},
                                                                        {"ambiguous", "X 1\n"},
                                                                        {"empty", ""},
                                                                        {"nul", "A \0001\n"s},
                                                                        {"large", "A 1e999\n"},
                                                                        {"utf16",
                                                                         "\xff\xfe"
                                                                         "A\0"s}};
  for (const auto& [kind, bytes] : backgrounds) {
    const std::string name = "background_" + kind;
    write(name, bytes);
    cases.push_back({{"calibrate", "--background", name, "--no-cache"}, 1, {name}});
    cases.push_back({{"calibrate", "--background", name, "--json", "--quiet"}, 1, {name}});
  }
  expect_refused(cases);
}

TEST_F(BadInputs, Values) {
  const Words no_counts = {
      "",   "-1", "0",  "1.5", "1e3", "x",   "0x10", "+-3", "1 ", " 1", "99999999999999999999",
      "%s", "1,", "--", "٣",   "nan", "1;2", "$(3)"};
  const Words no_sizes = {"",    "8X",           "G",      "-1G",  "0",   "1.5", "1e9",
                          "8 G", "99999999999G", "1.5.5G", "+-1G", "1GB", "x"};
  const Words no_evalues = {"",      "-1",    "nan", "inf", "1e",   "x",  "1,5",
                            "0x1p3", "1e400", "+-3", "1 ",  "-0.1", "--1"};
  const Words no_scores = {"",    "1e2", "x",   "nan", "+-3", "1.2.3", "--3",
                           "0x3", "3 ",  "1,5", "inf", "-",   "3-4"};
  const Words no_percents = {"", "-1", "101", "x", "nan", "50%", "+-3", "1e", "100.001"};
  const Words no_words = {"x",     "none,x",         "qwertyuiop", "\x1b[2J", "%n%n",
                          "../..", "auto,auto,auto", "é",          "0x1"};
  std::vector<BadCase> cases;
  const auto add = [&](const Words& command, const std::string& option, const Words& values) {
    const std::string name = option.substr(option.find_first_not_of('-'));
    for (const std::string& value : values) {
      cases.push_back({both(command, {option, value}), 1, {}});
      if (!value.empty()) cases.push_back({both(command, {option + "=" + value}), 1, {}});
    }
    cases.push_back({both(command, {option}), 1, {name}});
    cases.push_back({both(command, {option + "="}), 1, {name}});
  };
  const Words search = {"search", "good.fa", "good.fa"}, allpairs = {"allpairs", "good.fa"},
              align = {"align", "good.fa", "good.fa"};
  for (const Words& command : {search, allpairs, align}) {
    for (const char* option : {"--threads", "--shuffles", "--dbsize"}) add(command, option, no_counts);
    for (const char* option : {"--memory", "--device-memory"}) add(command, option, no_sizes);
    for (const char* option : {"--gap-open", "--gap-extend"}) add(command, option, no_scores);
    add(command, "--searchsp", no_evalues);
    for (const char* option :
         {"--mode", "--matrix", "--preset", "--gap-convention", "--alphabet", "--detail", "--outfmt",
          "--devices", "--isa", "--method", "--mask", "--stats", "--shuffle", "--strand"})
      add(command, option, no_words);
  }
  add(search, "--max-target-seqs", no_counts);
  add(both(search, {"--quiet"}), "--evalue", no_evalues);
  add(both(allpairs, {"--quiet"}), "--evalue", no_evalues);
  add(both(align, {"--quiet", "--dbsize", "1000"}), "--evalue", no_evalues);
  for (const Words& command : {search, allpairs, align}) add(command, "--min-score", no_scores);
  for (const Words& command : {search, allpairs, align}) add(command, "--min-identity", no_percents);
  for (const Words& command : {search, align}) add(command, "--max-hsps", no_counts);
  add(align, "--min-coverage", no_percents);
  add(search, "--min-length", no_counts);
  add(both(search, {"--min-coverage", "50"}), "--coverage-of", no_words);
  add(both(align, {"--min-identity", "50"}), "--identity", no_words);
  add(both(allpairs, {"--edges", "out.edges"}), "--edge-threshold", no_scores);
  for (const char* option : {"--matrix-value", "--identity"}) add(allpairs, option, no_words);
  add(both(allpairs, {"--matrix-out", "out.npy"}), "--matrix-type", no_words);
  add({"makedb", "good.fa", "-o", "out.alnus"}, "--memory", no_sizes);
  add({"makedb", "good.fa", "-o", "out.alnus"}, "--alphabet", no_words);
  add({"makedb", "good.fa", "-o", "out.alnus"}, "--mask", no_words);
  add({"calibrate", "--no-cache"}, "--precision", {"", "0", "1", "-0.01", "x", "nan", "0.01x"});
  expect_refused(cases);
}

TEST_F(BadInputs, OptionsTogether) {
  std::filesystem::create_directory(path("folder"));
  const Words search = {"search", "good.fa", "good.fa"}, allpairs = {"allpairs", "good.fa"};
  std::vector<BadCase> cases;
  const auto refuse = [&](const Words& command, const Words& more, const Words& says, int code = 1) {
    cases.push_back({both(command, more), code, says});
  };
  refuse(search, {"--free-ends", "qbegin"}, {"Free ends"});
  refuse(search, {"--mode", "global", "--free-ends", "middle"}, {"'middle'"});
  refuse(search, {"--match", "2"}, {"nucleotides"});
  refuse(search, {"--alphabet", "dna", "--match", "0", "--mismatch", "-1"}, {"above 0"});
  refuse(search, {"--alphabet", "dna", "--match", "2", "--mismatch", "3"}, {"not above 0"});
  refuse(search, {"--alphabet", "dna", "--match", "32768"}, {"too large"});
  refuse(search, {"--alphabet", "dna", "--matrix", "BLOSUM62"}, {"BLOSUM62"});
  refuse(search, {"--alphabet", "dna", "--match", "2", "--matrix", "NUC44"}, {"not both"});
  refuse(search, {"--matrix", "NUC44"}, {"NUC44"});
  refuse(search, {"--gap-open", "1", "--gap-extend", "5", "--gap-convention", "emboss"}, {"extend cost 5"});
  refuse(search, {"--gap-open", "32768"}, {"too large"});
  refuse(search, {"--mode", "global", "--stats", "spouge"}, {"--stats"});
  refuse(search, {"--stats", "none", "--evalue", "1"}, {"--evalue"});
  refuse(search, {"--stats", "none", "--composition", "scale"}, {"--composition"});
  refuse(search, {"--stats", "spouge", "--shuffles", "20"}, {"--shuffles"});
  refuse(search, {"--outfmt", "0 qseqid"}, {"takes no columns"});
  refuse(search, {"--outfmt", "6 staxids"}, {"no taxonomy"});
  refuse(search, {"--outfmt", "7 std,sscinames"}, {"no taxonomy"});
  refuse(search, {"--interactive", "-o", "out.tsv"}, {"--interactive"});
  refuse(search, {"--interactive", "--dry-run"}, {"--dry-run"});
  refuse(search, {"-o", "out.svg", "--score-plot", "out.svg"}, {"out.svg"});
  refuse(search, {"-o", "no/out.tsv"}, {"no/out.tsv"}, 255);
  refuse(search, {"-o", "folder"}, {"folder"}, 255);
  refuse(search, {"-o", "good.fa/out.tsv"}, {"good.fa/out.tsv"}, 255);
  refuse(search, {"-o", std::string(300, 'o')}, {"ooo"}, 255);
  refuse(search, {"--score-plot", "no/out.svg"}, {"no/out.svg"}, 255);
  refuse(search, {"--devices", "cpu,cpu"}, {"--devices"});
  refuse(search, {"--devices", "cpu:1"}, {"--devices"});
  refuse(search, {"good.fa"}, {"'good.fa'"});
  for (const Words& command : {search, Words{"align", "good.fa", "good.fa"}}) {
    refuse(command, {"--max-hsps", "0"}, {"--max-hsps"});
    refuse(command, {"--max-hsps", "many"}, {"--max-hsps", "or all", "'many'"});
    refuse(command, {"--max-hsps", "2", "--mode", "global"}, {"--max-hsps 2", "--mode"});
    refuse(command, {"--max-hsps", "all", "--mode", "semiglobal"}, {"--max-hsps all", "--min-score"});
    refuse(command, {"--max-hsps", "2", "--detail", "ends"}, {"--max-hsps 2", "--detail alignment"});
    refuse(command, {"--min-identity", "101"}, {"--min-identity"});
    refuse(command, {"--min-coverage", "50", "--detail", "score"}, {"--min-coverage", "--detail alignment"});
    refuse(command, {"--coverage-of", "query"}, {"--coverage-of", "--min-coverage"});
    refuse(command, {"--identity", "longer"}, {"--identity", "--min-identity"});
  }
  refuse({"align", "good.fa", "good.fa"}, {"--evalue", "1"}, {"--evalue", "--dbsize"});
  refuse({"search", "good.fa"}, {}, {"DB is missing"});
  refuse({"search", "", "good.fa"}, {}, {"''"});
  refuse({"search", "good.fa", ""}, {}, {"''"});
  refuse({"search", "-", "-"}, {}, {"Only one input"});
  refuse({"align", "good.fa"}, {}, {"second file"});
  refuse({"align", "good.fa", "good.fa"}, {"--all", "--pairs", "x"}, {"--pairs"});
  refuse({"align", "good.fa", "good.alnus"}, {"--alphabet", "dna"}, {"good.alnus"});
  refuse({"makedb", "good.fa"}, {}, {"--output is missing"});
  refuse({"makedb", "good.fa", "-o", "-"}, {}, {"standard output"});
  refuse({"makedb", "good.fa", "-o", "no/x.alnus"}, {}, {"no/x.alnus"}, 2);
  refuse({"makedb", "good.fa", "-o", "folder"}, {}, {"folder"}, 2);
  refuse({"dbinfo", "good.fa"}, {}, {"good.fa"}, 2);
  refuse({"dbinfo", "none.alnus", "--verify"}, {}, {"none.alnus"}, 2);
  refuse(allpairs, {"--edges", "out.edges"}, {"--edge-threshold"});
  refuse(allpairs, {"--edge-threshold", "3"}, {"--edge"});
  refuse(allpairs, {"--add", "good.fa"}, {"--checkpoint"});
  refuse(allpairs, {"--add", "good.fa", "--against", "good.fa"}, {"--add"});
  refuse(allpairs, {"--square"}, {"--matrix-out"});
  refuse(allpairs, {"--matrix-out", "out.npy", "--matrix-type", "int32"}, {"--matrix-type"});
  refuse(allpairs, {"--phylip", "out.phy", "--against", "good.fa"}, {"--phylip"});
  refuse(allpairs, {"--matrix-out", "no/out.npy"}, {"no/out.npy"}, 255);
  refuse(allpairs, {"--identity-range", "--outfmt", "sam"}, {"--identity-range"});
  expect_refused(cases);
}

}  // namespace
}  // namespace alnus::test

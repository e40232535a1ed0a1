// Inputs that are missing, damaged or hostile: the message names them, the exit code is right, and no file is
// left behind.
#include "cli/cli_fixture.h"

namespace alnus::test {
namespace {

class BadInput : public CliTest {
 protected:
  BadInput() { write("good.fa", ">g1\nMKVLAHEAGAWGHEE\n>g2\nPAWHEAE\n"); }

  // Expects that every command that reads sequences refuses the file with a message that has all texts of
  // `says`.
  void expect_refused(const std::string& name, const std::vector<std::string>& says) const {
    const std::set<std::string> before = files();
    const std::vector<std::pair<std::vector<std::string>, int>> commands = {
        {{"search", name, "good.fa", "-o", "out.tsv"}, 1},
        {{"search", "good.fa", name, "-o", "out.tsv"}, 2},
        {{"align", "--all", name, "good.fa", "-o", "out.tsv"}, 1},
        {{"align", "--all", "good.fa", name, "-o", "out.tsv"}, 1},
        {{"makedb", "good.fa", name, "-o", "out.alnus"}, 1}};
    for (const auto& [arguments, code] : commands) {
      const CommandResult result = alnus(arguments);
      EXPECT_EQ(result.exit_code, code) << ::testing::PrintToString(arguments) << result.err;
      EXPECT_EQ(result.out, "");
      EXPECT_THAT(result.err, HasSubstr("alnus: error: "));
      EXPECT_THAT(result.err, HasSubstr(name));
      EXPECT_LT(result.err.size(), 600u);
      for (const std::string& text : says) EXPECT_THAT(result.err, HasSubstr(text));
      EXPECT_EQ(files(), before);
    }
  }
};

TEST_F(BadInput, MissingFile) { expect_refused("none.fa", {"No such file or directory"}); }

TEST_F(BadInput, Directory) {
  std::filesystem::create_directory(path("folder"));
  expect_refused("folder", {"directory"});
}

TEST_F(BadInput, EmptyFile) {
  write("empty.fa", "");
  expect_refused("empty.fa", {"no sequences", "(it has 0 bytes)"});
  write("line.fa", "\n");
  expect_refused("line.fa", {"no sequences", "(it has 1 byte)"});
}

TEST_F(BadInput, NoHeader) {
  write("bare.fa", "MKVLA\nHEAG\n");
  expect_refused("bare.fa", {"byte"});
}

TEST_F(BadInput, BinaryGarbage) {
  std::string garbage;
  for (int i = 0; i < 5000; ++i) garbage += static_cast<char>(i * 2654435761U >> 13);
  write("garbage.fa", garbage);
  expect_refused("garbage.fa", {"byte"});
}

TEST_F(BadInput, NulBytes) {
  write("nul.fa", std::string(">r1\nMKV\n>r2\nMK\0LA\n", 19));
  expect_refused("nul.fa", {"record 2", "byte 14"});
}

// Files of public reports in which other programs swallowed a record.
TEST_F(BadInput, RecordsThatWouldBeSwallowed) {
  const auto outsiders = [](const std::string& name) {
    return read_file(std::string(ALNUS_SOURCE_DIR) + "/tests/data/outsiders/" + name);
  };
  write("glued.fa", outsiders("glued.fasta"));
  expect_refused("glued.fa", {"record 1 ('a'), line 2, byte 31", "line of its own"});
  write("feed.fa", outsiders("form_feed.fasta"));
  expect_refused("feed.fa", {"record 1 ('a'), line 3, byte 15"});
  write("mixed.fa", outsiders("mixed.fa"));
  expect_refused("mixed.fa", {"record 1 ('a'), line 3", "begins with '@'"});
  ASSERT_EQ(shell("printf '>a\nMKV' | gzip > two.gz; printf '>b\nMKV\n' | gzip >> two.gz").exit_code, 0);
  expect_refused("two.gz", {"record 1 ('a'), line 2, byte 6"});
  for (const char* command : {"cat glued.fa | \"$1\" search - good.fa", "\"$1\" allpairs glued.fa",
                              "\"$1\" allpairs good.fa --against glued.fa --outfmt 6",
                              "\"$1\" search - good.fa --interactive < glued.fa"}) {
    const CommandResult result = shell(command);
    EXPECT_EQ(result.exit_code, 1) << command << result.err;
    EXPECT_THAT(result.err, HasSubstr("record 1 ('a'), line 2, byte 31: the sequence has a '>'"));
  }
  write("indented.fa", outsiders("indented.fasta"));
  EXPECT_EQ(alnus({"align", "indented.fa", "indented.fa", "--mode", "global", "--outfmt", "6 qseqid qlen",
                   "--quiet"})
                .out,
            "a\t10\nb\t10\n");
}

TEST_F(BadInput, HeadersWithoutTheirMark) {
  std::string letters;
  for (int i = 0; i < 20; ++i) letters += "MKVLAHEAGAWGHEE\n";
  write("lost.fa", ">r1\n" + letters + "sp|P12345|NAME_HUMAN Protein kinase OS=Homo sapiens\n" + letters);
  expect_refused("lost.fa", {"record 1 ('r1'), line 22, byte 326", "lost its '>'"});
  const CommandResult piped = shell("\"$1\" search - good.fa --interactive < lost.fa");
  EXPECT_EQ(piped.exit_code, 1);
  EXPECT_THAT(piped.err, HasSubstr("lost its '>'"));
}

TEST_F(BadInput, LettersInHeadersAlone) {
  write("headers.fa", ">r1 MKVLAHEAGAWGHEE\n>r2 PAWHEAE\n");
  expect_refused("headers.fa", {"all 2 records have a header and no letters"});
}

TEST_F(BadInput, FilesOfOfficePrograms) {
  write("word.docx", "PK\x03\x04" + std::string(26, '.') + "[Content_Types].xml");
  expect_refused("word.docx", {"Word, Excel, LibreOffice, Pages or Numbers", "plain text"});
  write("word.rtf", "{\\rtf1\\ansi\n>a\nMKV\n");
  expect_refused("word.rtf", {"RTF of a word processor", "plain text"});
}

TEST_F(BadInput, NumbersAndSigns) {
  write("colours.fa", ">c\nT0120301230\n");
  expect_refused("colours.fa", {"record 1 ('c'), line 2", "1 letter and 10 digits"});
  write("peptides.fa", ">p\nPEPT(ph)IDEM(ox)R\n");
  expect_refused("peptides.fa", {"record 1 ('p'), line 2", "4 characters that no sequence has"});
}

TEST_F(BadInput, AlignmentsAndOtherFormats) {
  write("family.sto", "# STOCKHOLM 1.0\n\ng1 MKV-LA\n//\n");
  expect_refused("family.sto",
                 {"an alignment in Stockholm format", "neither alignments nor profiles", "FASTA"});
  write("family.aln", "CLUSTAL O(1.2.4) multiple sequence alignment\n\n\ng1 MKV-LA\n");
  expect_refused("family.aln", {"an alignment in Clustal format"});
  write("gene.gb", "LOCUS       SCU49845     5028 bp    DNA             PLN       21-JUN-1999\n");
  expect_refused("gene.gb", {"GenBank entries", "seqret"});
}

// Gaps are removed, and a file that looks like an alignment is told of in every command.
TEST_F(BadInput, AlignedFastaIsTakenAsSequences) {
  write("family.fa", ">f1\nMKV-LAHEAGAWGHEE\n>f2\nMKVALAHEAG--GHEE\n");
  const std::string gaps = "gap letters",
                    says =
                        "family.fa looks like an alignment, because all its 2 records have 16 "
                        "columns. alnus takes them as 2 sequences without gaps";
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"search", "family.fa", "good.fa"},
        {"search", "good.fa", "family.fa"},
        {"align", "family.fa", "family.fa"},
        {"allpairs", "family.fa"},
        {"makedb", "family.fa", "-o", "f.alnus"}}) {
    const CommandResult result = alnus(arguments);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_THAT(result.err, HasSubstr("3 gap letters of family.fa"));
    const std::size_t first = result.err.find(says);
    EXPECT_NE(first, std::string::npos) << ::testing::PrintToString(arguments) << result.err;
    EXPECT_EQ(result.err.find(says, first + 1), std::string::npos) << "once";
  }
}

TEST_F(BadInput, HundredMegabytesInOneLineWithoutAHeader) {
  write("line.fa", std::string(100'000'000, 'A'));
  expect_refused("line.fa", {"byte"});
}

TEST_F(BadInput, TruncatedGzipAndZstd) {
  std::string records;
  for (int i = 0; i < 3000; ++i) records += ">r" + std::to_string(i * 7919) + "\nMKVLAHEAGAWGHEE\n";
  write("whole.fa", records);
  ASSERT_EQ(shell("gzip -c whole.fa > whole.gz && head -c 5000 whole.gz > cut.gz").exit_code, 0);
  expect_refused("cut.gz", {"truncated"});
  if (shell("command -v zstd").exit_code != 0) GTEST_SKIP() << "no zstd program here";
  ASSERT_EQ(shell("zstd -q -c whole.fa > whole.zst && head -c 3000 whole.zst > cut.zst").exit_code, 0);
  expect_refused("cut.zst", {"truncated"});
}

TEST_F(BadInput, EmptyRecordsAreAWarning) {
  write("hollow.fa", ">r1\n>r2\nPAWHEAE\n");
  const CommandResult result =
      alnus({"search", "hollow.fa", "hollow.fa", "--evalue", "1e9", "--outfmt", "6 qseqid sseqid"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.out, "r2\tr2\n");
  EXPECT_THAT(result.err, HasSubstr("warning: 1 record of hollow.fa (record 1, 'r1') without a sequence."));
}

TEST_F(BadInput, ALongLineIsASequenceLikeAnyOther) {
  write("long.fa", ">long\n" + std::string(2'000'000, 'G') + "PAWHEAE\n");
  const CommandResult result = alnus({"search", "good.fa", "long.fa", "--detail", "ends", "--evalue", "1e9",
                                      "--outfmt", "6 qseqid score send", "--max-target-seqs", "1"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out,
              HasSubstr("g2\t44\t2000007\n"));  // PAWHEAE with itself scores 7+4+11+8+5+4+5
}

class BadMatrix : public BadInput {};

TEST_F(BadMatrix, MissingLetter) {
  write("matrix.txt", "   A R\nA  4 -1\nR -1  5\n");
  const CommandResult result =
      alnus({"search", "good.fa", "good.fa", "--matrix", "matrix.txt", "-o", "out.tsv"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("matrix.txt"));
  EXPECT_THAT(result.err, HasSubstr("N"));
  EXPECT_EQ(files(), (std::set<std::string>{"good.fa", "matrix.txt"}));
}

TEST_F(BadMatrix, NoMatrixAtAll) {
  write("matrix.txt", "this is no matrix\n");
  const CommandResult result = alnus({"search", "good.fa", "good.fa", "--matrix", "matrix.txt"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("matrix.txt"));
  EXPECT_THAT(result.err, HasSubstr("line 1"));
}

TEST_F(BadMatrix, AnEmptyFileIsCalledEmpty) {
  for (const char* text : {"", "\n\n", "# only a comment\n"}) {
    write("matrix.txt", text);
    const CommandResult result = alnus({"search", "good.fa", "good.fa", "--matrix", "matrix.txt"});
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_THAT(result.err, HasSubstr("Matrix matrix.txt is empty"));
  }
}

TEST_F(BadMatrix, GapCosts) {
  const auto error = [&](std::vector<std::string> options) {
    options.insert(options.begin(), {"search", "good.fa", "good.fa", "-o", "out.tsv"});
    const CommandResult result = alnus(options);
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_EQ(files(), std::set<std::string>{"good.fa"});
    return result.err;
  };
  EXPECT_THAT(error({"--gap-open", "-3"}), HasSubstr("not below 0"));
  EXPECT_THAT(error({"--gap-extend", "-0.5"}), HasSubstr("not below 0"));
  EXPECT_THAT(error({"--gap-open", "1", "--gap-extend", "5", "--gap-convention", "emboss"}),
              HasSubstr("The gap extend cost 5 is above the gap open cost 1"));
  EXPECT_THAT(error({"--gap-open", "40000"}), HasSubstr("too large"));
}

TEST_F(BadInput, TwoInputsOfADatabaseAreNamedAsTheyAreKnown) {
  write("dna.fa", ">d\nACGTACGTACGTACGT\n");
  RunOptions options;
  options.input = read("good.fa");
  const CommandResult result =
      alnus({"makedb", "dna.fa", "-", "--alphabet", "auto", "-o", "x.alnus"}, options);
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("dna.fa looks like dna and standard input does not."));
}

class BadDatabase : public BadInput {
 protected:
  BadDatabase() {
    std::string records;
    for (int i = 0; i < 400; ++i) records += ">r" + std::to_string(i) + "\nMKVLAHEAGAWGHEE\n";
    write("db.fa", records);
    EXPECT_EQ(alnus({"makedb", "db.fa", "-o", "db.alnus", "--quiet"}).exit_code, 0);
    bytes_ = read("db.alnus");
  }

  void expect_refused(const std::string& bytes, const std::string& says) const {
    write("bad.alnus", bytes);
    const std::set<std::string> before = files();
    for (const std::vector<std::string>& arguments :
         {std::vector<std::string>{"search", "good.fa", "bad.alnus", "-o", "out.tsv"},
          {"search", "good.fa", "bad.alnus"},
          {"dbinfo", "bad.alnus", "--verify"}}) {
      const CommandResult result = alnus(arguments);
      EXPECT_EQ(result.exit_code, 2) << result.err;
      EXPECT_EQ(result.out, "");
      EXPECT_THAT(result.err, HasSubstr("bad.alnus"));
      EXPECT_THAT(result.err, HasSubstr(says));
      EXPECT_EQ(files(), before);
    }
  }

  std::string bytes_;
};

TEST_F(BadDatabase, Missing) {
  EXPECT_EQ(alnus({"search", "good.fa", "none.alnus"}).exit_code, 2);
  EXPECT_EQ(alnus({"dbinfo", "none.alnus"}).exit_code, 2);
}

TEST_F(BadDatabase, Truncated) {
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{5}, std::size_t{4000}, bytes_.size() / 2, bytes_.size() - 1})
    expect_refused(bytes_.substr(0, size), "");
}

TEST_F(BadDatabase, Foreign) {
  expect_refused("BLAST database, or so\n", "no alnus database");
  expect_refused(read("db.fa"), "no alnus database");
}

TEST_F(BadDatabase, CompressedOrFromAPipe) {
  const CommandResult packed = shell("gzip -c db.alnus > db.alnus.gz; \"$1\" search good.fa db.alnus.gz");
  EXPECT_EQ(packed.exit_code, 2) << packed.err;
  EXPECT_THAT(packed.err,
              HasSubstr("db.alnus.gz: it is a database of alnus makedb that was compressed by gzip"));
  const CommandResult piped = shell("cat db.alnus | \"$1\" search good.fa -");
  EXPECT_EQ(piped.exit_code, 2) << piped.err;
  EXPECT_THAT(piped.err, HasSubstr("standard input: it is a database of alnus makedb. Give its file"));
}

TEST_F(BadDatabase, OfANewerVersion) {
  std::string newer = bytes_;
  newer[8] = 99;
  expect_refused(newer, "99");
}

// A search checks what it reads, so that damaged residues never become hits.
TEST_F(BadDatabase, BitFlipsEverywhere) {
  ASSERT_EQ(alnus({"dbinfo", "db.alnus", "--verify"}).exit_code, 0);
  for (const std::size_t place : {std::size_t{20}, std::size_t{100}, std::size_t{4096},
                                  std::size_t{4096 + 3000}, bytes_.size() / 2, bytes_.size() - 8}) {
    std::string flipped = bytes_;
    flipped[place] = static_cast<char>(flipped[place] ^ 4);
    expect_refused(flipped, "");
  }
}

TEST_F(BadDatabase, UnderAnotherNameItIsStillOne) {
  write("renamed", bytes_.substr(0, 5000));
  EXPECT_EQ(alnus({"search", "good.fa", "renamed"}).exit_code, 2);
}

}  // namespace
}  // namespace alnus::test

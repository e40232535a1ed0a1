// Records that would be swallowed by the one before, records that are no sequences, proteins that are read as
// DNA, and files of other formats are errors. Each names the record and the line.
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sstream>
#include <string>
#include <vector>

#include "alnus/error.h"
#include "io/sequence_reader.h"
#include "support/compression.h"
#include "support/sequences.h"
#include "support/temp_dir.h"

namespace alnus::io {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr auto kProtein = AlphabetKind::protein;
constexpr auto kDna = AlphabetKind::dna;

class SwallowedRecords : public ::testing::Test {
 protected:
  // Returns the records as "header=letters", or the message of the error as the only element.
  std::vector<std::string> read(std::string_view text, AlphabetKind alphabet = kProtein) {
    try {
      SequenceReader reader(directory_.write_file("in", text), alphabet, {}, pool_);
      const SequenceSet set = reader.read_some();
      counts_ = reader.counts();
      columns_ = reader.alignment_columns();
      std::vector<std::string> all;
      for (SequenceSet::Index i = 0; i < set.size(); ++i)
        all.push_back(std::string(set[i].header) + "=" + test::decode(set[i].residues, set.alphabet()));
      return all;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::input);
      return {error.what()};
    }
  }
  static std::string outsiders(const std::string& name) {
    std::ifstream file(std::string(ALNUS_SOURCE_DIR) + "/tests/data/outsiders/" + name, std::ios::binary);
    EXPECT_TRUE(file) << name;
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
  }

  ThreadPool pool_{1};
  test::TempDir directory_;
  ReadCounts counts_;
  std::uint64_t columns_ = 0;
};

TEST_F(SwallowedRecords, FilesJoinedWithoutALineEnd) {
  const auto glued = ElementsAre(AllOf(HasSubstr("record 1 ('a'), line 2, byte 31: the sequence has a '>'"),
                                       HasSubstr("need a line end between them")));
  const std::string text = outsiders("glued.fasta");
  EXPECT_THAT(read(text), glued);
  const std::size_t end = text.find('>', 1);
  EXPECT_THAT(read(test::gzip(text.substr(0, end)) + test::gzip(text.substr(end))), glued) << "members";
  EXPECT_THAT(read(test::zstd(text)), glued);
  EXPECT_THAT(read(">a\nMKV@b\nACGT\n+\nIIII\n"),
              ElementsAre(HasSubstr("line 2, byte 6: the sequence has a '@'")));
  EXPECT_THAT(read(">a\nMKV\n>b\nMKV>"), ElementsAre(HasSubstr("record 2 ('b'), line 4, byte 13:")));
  EXPECT_THAT(
      read("@a\nACGT\n+\nIIII@b\nACGT\n+\nIIII\n", kDna),
      ElementsAre(AllOf(HasSubstr("record 1 ('a'), line 4"), HasSubstr("need a line end between them"))));
  EXPECT_THAT(read("@a\nACGT\n+\nIIII>b\nACGT\n", kDna), ElementsAre(HasSubstr("4 letters and 6 qualities")));
  EXPECT_THAT(read("@a\nAC>T\n+\nIIII\n", kDna), ElementsAre(HasSubstr("record 1 ('a'), line 2, byte 5:")));
}

TEST_F(SwallowedRecords, FastaAndFastqInOneFile) {
  EXPECT_THAT(read(outsiders("mixed.fa"), kDna),
              ElementsAre(AllOf(HasSubstr("record 1 ('a'), line 3, byte 8:"), HasSubstr("begins with '@'"),
                                HasSubstr("as two files"))));
  EXPECT_THAT(read("@a\nACGT\n+\nIIII\n>b\nACGT\n", kDna),
              ElementsAre(AllOf(HasSubstr("record 2, line 5, byte 15:"), HasSubstr("FASTA follows FASTQ"))));
  EXPECT_THAT(read("@a\nACGT\n>b\nACGT\n", kDna),
              ElementsAre(AllOf(HasSubstr("line 3, byte 8:"), HasSubstr("begins with '>'"))));
  EXPECT_THAT(read(">a\nACGT\n+\nIIII\n", kDna),
              ElementsAre(AllOf(HasSubstr("line 3, byte 8:"), HasSubstr("begins with '+'"))))
      << "FASTQ whose '@' was replaced by '>'";
}

TEST_F(SwallowedRecords, BlanksBeforeAHeaderAreIgnored) {
  EXPECT_THAT(read(outsiders("indented.fasta")), ElementsAre("a=MKVLAWQRYT", "b=MKHLAWERYT"));
  EXPECT_THAT(read(">a\nMKV\n\t >b\n ; a comment\n  WW\n \t\n>c\nM"), ElementsAre("a=MKV", "b=WW", "c=M"));
  EXPECT_THAT(read("  @a\n  ACGT\n  +\n  IIII\n  @b\n  A\n  +\n  I\n", kDna), ElementsAre("a=ACGT", "b=A"));
  EXPECT_THAT(read(outsiders("form_feed.fasta")),
              ElementsAre(HasSubstr("record 1 ('a'), line 3, byte 15: the sequence has a '>'")));
  EXPECT_THAT(read(">a\nMKV\n\v>b\nMKV\n"), ElementsAre(HasSubstr("record 1 ('a'), line 3, byte 8:")));
}

TEST_F(SwallowedRecords, WhatIsNoSequenceIsRefusedAndAFewSignsAreNot) {
  EXPECT_THAT(read(">a\nM%K!V+\n"), ElementsAre("a=MXKXVX")) << "three signs";
  EXPECT_THAT(read(">a\nM%K!V+\n~\n"), ElementsAre(AllOf(HasSubstr("record 1 ('a'), line 2, byte 4:"),
                                                         HasSubstr("3 letters and 4 characters"))));
  EXPECT_THAT(read(">a\n" + std::string(40, 'M') + "$$$$\n")[0], HasSubstr("=MMM")) << "a tenth are not more";
  EXPECT_THAT(read(">a\n" + std::string(40, 'M') + "$$$$$\n"), ElementsAre(HasSubstr("5 characters")));
  EXPECT_THAT(read(">a\nMK????????V*****\n"), ElementsAre("a=MKXXXXXXXXV*****"))
      << "signs of missing residues";
  EXPECT_THAT(read(">a\nPEPT(ph)IDEM(ox)R\n"), ElementsAre(HasSubstr("4 characters that no sequence has")));
  EXPECT_THAT(
      read(">good\nMKV\n>a\nT0123012301\n>b\nM\n"),
      ElementsAre(AllOf(HasSubstr("record 2 ('a'), line 4, byte 14:"), HasSubstr("1 letter and 10 digits"))))
      << "colours";
  EXPECT_THAT(read(">a\n40 40 38 2\n"), ElementsAre(HasSubstr("0 letters and 7 digits"))) << "qualities";
  EXPECT_THAT(read(">a\n        1 ACGTACGTAC ACGTACGTAC\n       21 ACGT\n")[0],
              HasSubstr("a=ACGTACGTACACGT"));
  EXPECT_THAT(read("@a\nAC$$$$GT\n+\nIIIIIIII\n", kDna), ElementsAre(HasSubstr("line 2, byte 5:")));
}

// A header without its '>' would be taken for letters of the record before it.
TEST_F(SwallowedRecords, HeadersThatHaveLostTheirMark) {
  const std::string protein = "MKVLAHEAGAWGHEEMKVLAHEAGAWGHEEMKVLAHEAGAWGHEEMKVLAHEAGAWGHEE\n";
  const std::string record = ">a\n" + protein + protein + protein;
  for (const std::string header :
       {"sp|P12345|NAME_HUMAN Protein kinase OS=Homo sapiens", "sp|P12345|NAME_HUMAN", "lcl|actin_human",
        "NP_000001.1 hypothetical protein [Homo sapiens]", "actin, cytoplasmic", "ENSP01 pep:known", "seq_1",
        "  sp|INS|INS", "# from the second plate"}) {
    for (const std::string end : {"\n", "\r\n", "\n\n", "\r"})
      EXPECT_THAT(read(record + header + end + protein),
                  ElementsAre(AllOf(HasSubstr("record 1 ('a'), line 5, byte "), HasSubstr("lost its '>'"))))
          << header;
    EXPECT_THAT(read(record + header), ElementsAre(HasSubstr("lost its '>'"))) << "at the end of the file";
  }
  EXPECT_THAT(read(record + "x|y_z k\n" + protein + ">b\nMKV\n"),
              ElementsAre(HasSubstr("line 5, byte 187:")));
  EXPECT_THAT(read(">a\nMKV\n>b\n" + protein + "c|d e\n" + protein),
              ElementsAre(HasSubstr("record 2 ('b'), line 5")));
}

TEST_F(SwallowedRecords, LettersInBlocksWithNumbersAndSlipsAreNoHeaders) {
  const std::string block = "MKVLAHEAGA";
  for (const std::string& line : std::vector<std::string>{
           "1 " + block + " " + block + " 20", "   1 mkvlaheaga mkvlaheaga\n  21 mkv*", block + "|" + block,
           "MK!VV1L", block + "_" + block + " 61", "1 " + block + "#", block + "/" + block + "/" + block,
           block + ":" + block, block + "  ", block + "-- .. " + block, block + "\r\n" + block + "\r",
           "_" + block + "_", block + "_" + block + "_" + block,
           block + " " + block + " ~~" + block.substr(2), block + " MKV_LAHEAG " + block,
           block + " MKV#LAHEAG MK", "Supplementary", "human insulin receptor"})
    EXPECT_THAT(read(">a\n" + block + block + "\n" + line + "\n>b\nMKV\n"), ::testing::SizeIs(2)) << line;
}

TEST_F(SwallowedRecords, LettersThatAllStandInHeadersAreMissed) {
  EXPECT_THAT(read(">seq1 MKVLAHEAG\n"),
              ElementsAre(AllOf(HasSubstr("holds no sequences: the only record has a header and no letters"),
                                HasSubstr("below the header"))));
  EXPECT_THAT(read(">seq1 MKVLAHEAG\n>seq2 MKVLAHEAG\n\n>seq3\n---\n"),
              ElementsAre(HasSubstr("all 3 records have a header and no letters")));
  EXPECT_THAT(read("@a 1:N:0\n\n+\n\n@b\n\n+\n\n", kDna), ElementsAre("a 1:N:0=", "b=")) << "trimmed reads";
  EXPECT_THAT(read(">a title\n-----\n"), ElementsAre("a title=")) << "an empty row of an alignment";
  EXPECT_THAT(read(">a MKV\n>b\nM\n"), ElementsAre("a MKV=", "b=M"));
  EXPECT_THAT(read(">a\n>b\n"), ElementsAre("a=", "b=")) << "nothing, written by a program";
}

TEST_F(SwallowedRecords, ProteinsReadAsDnaAreRefused) {
  EXPECT_THAT(read(">a\nMKVLAHEAGAWGHEE\n", kDna),
              ElementsAre(AllOf(HasSubstr("4 of the 15 letters of"), HasSubstr("no nucleotides"),
                                HasSubstr("alnus does not translate"))));
  EXPECT_THAT(read(">a\nACGTEF\n", kDna), ElementsAre("a=ACGTNN")) << "a slip";
  EXPECT_THAT(read(">a\nACGT\n>b\nEFLQPACGTAACGTACGTA\n", kDna),
              ElementsAre(HasSubstr("5 of the 23 letters")));
  EXPECT_THAT(read(">a\nACGTXXXXXXXXXX\n>b\nACIGGITGIAI\n", kDna),
              ElementsAre("a=ACGTNNNNNNNNNN", "b=ACNGGNTGNAN"))
      << "masked letters and inosine";
  EXPECT_THAT(read("@a\n....\n+\n!!!!\n", kDna), ElementsAre("a=NNNN"));
}

TEST_F(SwallowedRecords, AnAlignmentIsKnown) {
  read(">a\nMK-VL\n>b\nMKAVL\n>c\n--AV.\n");
  EXPECT_EQ(columns_, 5u);
  EXPECT_EQ(counts_.gaps_removed, 4u);
  for (const char* text : {">a\nMK-VL\n", ">a\nMKVVL\n>b\nMKAVL\n", ">a\nMK-VL\n>b\nMKAV\n"}) {
    read(text);
    EXPECT_EQ(columns_, 0u) << text;
  }
}

TEST_F(SwallowedRecords, OtherFormatsAreNamed) {
  const auto says = [&](std::string_view text, const std::string& what, const std::string& instead) {
    EXPECT_THAT(read(text),
                ElementsAre(AllOf(HasSubstr("line 1"), HasSubstr("it holds " + what), HasSubstr(instead))));
  };
  says("# STOCKHOLM 1.0\n\na MK-V\n//\n", "an alignment in Stockholm format", "esl-reformat");
  says(test::gzip("# STOCKHOLM 1.0\n"), "an alignment in Stockholm format",
       "neither alignments nor profiles");
  says("CLUSTAL W (1.83) multiple sequence alignment\n\n", "an alignment in Clustal format", "as FASTA");
  says("CLUSTAL", "an alignment in Clustal format", "as FASTA");
  says("MUSCLE (3.8) multiple sequence alignment\n", "an alignment in Clustal format", "as FASTA");
  says("#NEXUS\nbegin data;\n", "an alignment in NEXUS format", "as FASTA");
  says(" 5 42\nTurkey    AAGCTNGGGC\n", "an alignment in PHYLIP format", "as FASTA");
  says("!!AA_MULTIPLE_ALIGNMENT 1.0\n", "an alignment in GCG's MSF format", "as FASTA");
  says("LOCUS       SCU49845     5028 bp    DNA\n", "GenBank entries", "seqret");
  says("ID   X56734; SV 1; linear; mRNA;\n", "EMBL or UniProt entries", "seqret");
  says("HEADER    OXYGEN TRANSPORT\n", "PDB entries", "seqret");
  says(">P1;CRAB_ANAPL\nALPHA CRYSTALLIN B CHAIN\n  MDITIHNPLI*\n", "PIR entries", "seqret");
  says("@HD\tVN:1.6\tSO:unsorted\n@SQ\tSN:x\tLN:5\n", "alignments of reads in SAM format", "samtools");
  says("BAM\x01xyz", "alignments of reads in BAM format", "samtools");
  says("HMMER3/f [3.3.2 | Nov 2020]\n", "a profile in HMMER's format", "hmmsearch");
  says("##gff-version 3\n", "GFF and no sequences", "file of sequences");
  says("<!DOCTYPE html>\n", "a web page and no sequences", "file of sequences");
  says("{\\rtf1\\ansi >a", "RTF of a word processor", "plain text");
  says("{\"id\": 1}\n", "JSON and no sequences", "file of sequences");
  says("name,sequence\np1,MKV\n", "a table. alnus reads FASTA", "write for each row a line");
  says("\"p1\";\"MKV\"\n", "a table. alnus reads FASTA", "write for each row a line");
  EXPECT_THAT(read("MKVLA\nHEAG\n"),
              ElementsAre(AllOf(HasSubstr("begins with the character 'M'"),
                                HasSubstr("Put a line before each sequence that begins with '>'"))));
  for (const char* text : {"Sequences of kinases, downloaded from UniProt\n", "5 42;\n",
                           "\x7f"
                           "ELF\x02,\x01\n",
                           "Dear all\n"})
    EXPECT_THAT(read(text), ElementsAre(HasSubstr("Give a sequence file"))) << text;
  EXPECT_THAT(read("5 42 7\n"), ElementsAre(HasSubstr("begins with the character '5'")));
  EXPECT_THAT(read(std::string(5000, 'A')), ElementsAre(HasSubstr("begins with the character 'A'")));
  EXPECT_THAT(read(">P1\nMKV\n@"), ElementsAre(HasSubstr("line 3"))) << "no PIR";
}

// If these texts were no errors, marks of ends, quotes of tables and tags would be read as N and X, and
// digits beside them would be left out.
TEST_F(SwallowedRecords, TextAroundASequence) {
  const auto says = [&](std::string_view text, const char* what, const char* advice) {
    EXPECT_THAT(read(text, kDna), ElementsAre(AllOf(HasSubstr(what), HasSubstr(advice)))) << text;
  };
  says(">P1\n5'-CAGTCTGATCGCGCTAGATC-3'\n",
       "record 1 ('P1'), line 2, byte 5: the sequence has a quotation mark (')",
       "the marks of ends, as in 5'-ACGT-3'");
  says(">P1\n\"ACGTACGT\"\n", "byte 4: the sequence has a quotation mark (\")",
       "the quotes of a table's fields");
  says(">P1\n`ACGTACGT`\n", "a quotation mark (`)", "Leave out");
  says(">P1\nACGTACGT<br>\n", "byte 12: the sequence has a '<', which no sequence has", "tags of a web page");
  says(">P1\n5\xe2\x80\xb2-ACGT-3\xe2\x80\xb2\n", "a prime, as in 5\xe2\x80\xb2, which no sequence has",
       "plain ASCII");
  says(">P1\nACGT\xe2\x80\x8b\n", "byte 8: the sequence has a zero-width space",
       "web pages and word processors");
  says(">P1\nAC\n\xef\xbb\xbf>P2\nAC\n", "line 3, byte 7: the sequence has a byte order mark", "plain ASCII");
  says(">P1\nAC\xe2\x80\x9eGT\n", "a quotation mark, which no sequence has", "plain ASCII");
  says(">P1\nAC\xc3\xa9\n", "the byte 0xc3 of a character that is no ASCII", "plain ASCII");
  says(">P1\nAC\x02\n", "the byte 0x02, which is no letter", "damaged");
}

TEST_F(SwallowedRecords, LettersBehindNamesAlone) {
  for (const char* text : {">p1;MKVLAHEAG\n>p2;MKV\n", ">p1,MKVLAHEAG\n>p2,MKV\n", ">p1\tMKVLAHEAG\n"})
    EXPECT_THAT(read(text), ElementsAre(HasSubstr("Letters stand on the lines below the header"))) << text;
  for (const char* text : {">a;size=3;\n", ">a;size=3\n", ">a,\n", ">a\n"})
    EXPECT_THAT(read(text), ElementsAre(::testing::EndsWith("="))) << text;
}

}  // namespace
}  // namespace alnus::io

#include "io/sequence_reader.h"

#include <algorithm>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <vector>

#include "alnus/error.h"
#include "io/byte_source.h"
#include "standard_input.h"
#include "support/compression.h"
#include "support/sequences.h"
#include "support/temp_dir.h"

namespace alnus::io {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr auto kProtein = AlphabetKind::protein;
constexpr auto kDna = AlphabetKind::dna;

// Returns the records as "header=letters".
std::vector<std::string> records(const SequenceSet& set) {
  std::vector<std::string> all;
  for (SequenceSet::Index i = 0; i < set.size(); ++i)
    all.push_back(std::string(set[i].header) + "=" + test::decode(set[i].residues, set.alphabet()));
  return all;
}

class SequenceReaderTest : public ::testing::Test {
 protected:
  std::vector<std::string> read(std::string_view text, std::optional<AlphabetKind> alphabet = kProtein,
                                Masking masking = {}) {
    path_ = directory_.write_file("in.fasta", text);
    SequenceReader reader(path_, alphabet, masking, pool_);
    const SequenceSet set = reader.read_some();
    counts_ = reader.counts();
    EXPECT_EQ(set.origin(), path_);
    EXPECT_EQ(set.size(), counts_.records);
    EXPECT_EQ(set.total_residues(), counts_.residues);
    return records(set);
  }
  // Returns the message of the error that reading throws, or "".
  std::string message(std::string_view text, AlphabetKind alphabet = kProtein) {
    try {
      read(text, alphabet);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::input);
      EXPECT_THAT(error.what(), HasSubstr(path_));
      return error.what();
    }
    return "";
  }

  // The thread that reads holds the only permit, which the thread that reads ahead needs too.
  ThreadPool pool_{1};
  const ThreadPool::Permit permit_{pool_};
  test::TempDir directory_;
  std::string path_;
  ReadCounts counts_;
};

TEST_F(SequenceReaderTest, Fasta) {
  EXPECT_THAT(read(">a first one\nMKV\nLAA\n>b\nwWw*\n"), ElementsAre("a first one=MKVLAA", "b=wWw*"));
  EXPECT_EQ(counts_.unknown_bytes + counts_.gaps_removed + counts_.empty_records + counts_.unnamed_records,
            0u);
  EXPECT_THAT(read(">a\nMKV"), ElementsAre("a=MKV")) << "without a last line end";
  EXPECT_THAT(read("\n \n\t>a\n\n\nM K\n\nV\n\n"), ElementsAre("a=MKV")) << "blank lines";
  EXPECT_THAT(read("; comment\n;another\n>a\nMK\n; inside\nV\n;last"), ElementsAre("a=MKV"));
  EXPECT_THAT(read("\xef\xbb\xbf>a\nMK\n"), ElementsAre("a=MK")) << "byte order mark";
  EXPECT_THAT(message(">a\nMK>V\n"), HasSubstr("line 2, byte 5: the sequence has a '>'")) << "no header";
}

TEST_F(SequenceReaderTest, LineEndsOfEverySystem) {
  const std::vector<std::string> expected = {"a title=MKVLAA", "b=WW", "=", "c="};
  for (const std::string end : {"\n", "\r\n", "\r", "\n\n", "\r\r\n"}) {
    const std::string text =
        ">a title" + end + "MKV" + end + "LAA" + end + ">b" + end + "WW" + end + ">" + end + ">c" + end;
    EXPECT_EQ(read(text), expected);
    EXPECT_EQ(read(text.substr(0, text.size() - end.size())), expected);
  }
  const std::vector<std::string> fastq = {"a x=ACGT", "b=GG"};
  for (const std::string end : {"\n", "\r\n", "\r"}) {
    const std::string text = "@a x" + end + "ACGT" + end + "+" + end + "IIII" + end + "@b" + end + "GG" +
                             end + "+b" + end + "@+" + end;
    EXPECT_EQ(read(text, kDna), fastq);
    EXPECT_EQ(read(text.substr(0, text.size() - end.size()), kDna), fastq);
  }
}

TEST_F(SequenceReaderTest, Fastq) {
  EXPECT_THAT(read("@a one\nACGT\n+\nII!~\n@b\nNn\n+b\n@@\n", kDna), ElementsAre("a one=ACGT", "b=Nn"));
  EXPECT_THAT(read("@a\nACGT\nAC\n+a\n@III\n+I\n@b\nA\n+\nI\n", kDna), ElementsAre("a=ACGTAC", "b=A"))
      << "several lines";
  EXPECT_THAT(read("@a\nACGT\nAC\n+a\nI\nI\n\nIIII\n", kDna), ElementsAre("a=ACGTAC"));
  EXPECT_THAT(read("@a\n\n+\n\n@b\n+\n@c\nA\n+\nI\n\n\n@d\n\n+", kDna), ElementsAre("a=", "b=", "c=A", "d="))
      << "empty ones";
  EXPECT_EQ(counts_.empty_records, 3u);
  EXPECT_THAT(read("@a\nA.-T\n+\nIIII\n", kDna), ElementsAre("a=ANNT")) << "old programs write '.' for N";
  EXPECT_EQ(counts_.unknown_bytes, 2u);
  EXPECT_EQ(counts_.gaps_removed, 0u);
}

TEST_F(SequenceReaderTest, QualitiesAreKeptIfTheyAreWanted) {
  const auto qualities = [&](std::string_view text, Qualities wanted) {
    SequenceReader reader(directory_.write_file("in", text), kDna, {.lower = true}, pool_, StopFlag::never(),
                          wanted);
    const SequenceSet set = reader.read_some();
    EXPECT_EQ(set.arrays().qualities.size(), wanted == Qualities::kept ? set.total_residues() : 0);
    std::vector<std::string> all;
    for (SequenceSet::Index i = 0; i < set.size(); ++i) all.emplace_back(set[i].quality);
    return all;
  };
  const std::string fastq = "@a\nACgt\nA.\n+\n@!I~\n \t\n+ I\n@b\n\n+\n@c\r\n1 AC\r\n+c\r\n>;\r\n";
  EXPECT_THAT(qualities(fastq, Qualities::kept), ElementsAre("@!I~+I", "", ">;"));
  EXPECT_THAT(qualities(fastq, Qualities::dropped), ElementsAre("", "", ""));
}

TEST_F(SequenceReaderTest, FastaHasNoQualities) {
  SequenceReader reader(directory_.write_file("in", ">a\nACGT\n"), kDna, {}, pool_, StopFlag::never(),
                        Qualities::kept);
  const SequenceSet set = reader.read_some();
  EXPECT_EQ(set[0].quality, "");
  EXPECT_TRUE(set.arrays().qualities.empty());
}

TEST_F(SequenceReaderTest, BytesThatAreNoLetters) {
  EXPECT_THAT(read(">a\n 1 MKV LAA\t10\n\v\f11 WWW\n"), ElementsAre("a=MKVLAAWWW")) << "blanks and digits";
  EXPECT_EQ(counts_.unknown_bytes, 0u);
  EXPECT_THAT(read(">a\nM-K..V\n>b\n---\n"), ElementsAre("a=MKV", "b=")) << "gaps";
  EXPECT_EQ(counts_.gaps_removed, 6u);
  EXPECT_EQ(counts_.empty_records, 1u);
  EXPECT_THAT(read(">a\nM?K!V+~\n"), ElementsAre("a=MXKXVXX")) << "punctuation";
  EXPECT_EQ(counts_.unknown_bytes, 4u);
  EXPECT_THAT(read(">a\nACuUgEq*\n", kDna), ElementsAre("a=ACtTgNnN")) << "letters of another alphabet";
  EXPECT_EQ(counts_.unknown_bytes, 3u);
}

TEST_F(SequenceReaderTest, EveryByteInASequence) {
  const std::string skipped = " \t\v\f0123456789", gaps = "-.", markers = ">@", quotes = "'\"`<";
  for (int code = 0; code < 256; ++code) {
    const char byte = static_cast<char>(code);
    const std::string text = std::string(">a\nMK") + byte + "V\n";
    if (byte == '\n' || byte == '\r') continue;
    if (byte < ' ' && skipped.find(byte) == std::string::npos) {
      EXPECT_THAT(message(text), AllOf(HasSubstr("byte 5:"), HasSubstr("record 1 ('a')"))) << code;
    } else if (markers.find(byte) != std::string::npos) {
      EXPECT_THAT(message(text),
                  AllOf(HasSubstr("record 1 ('a'), line 2, byte 5:"), HasSubstr("line of its own")));
    } else if (quotes.find(byte) != std::string::npos) {
      EXPECT_THAT(message(text),
                  AllOf(HasSubstr("record 1 ('a'), line 2, byte 5:"), HasSubstr("which no sequence has")));
    } else if (byte == '\x7f') {
      EXPECT_THAT(message(text), HasSubstr("byte 0x7f")) << code;
    } else {
      const bool counts = skipped.find(byte) == std::string::npos && gaps.find(byte) == std::string::npos;
      EXPECT_EQ(read(text)[0].size(), counts ? 6u : 5u) << code;
      EXPECT_EQ(counts_.unknown_bytes, counts && !Alphabet::protein().is_known(byte)) << code;
    }
  }
}

TEST_F(SequenceReaderTest, Headers) {
  EXPECT_THAT(read(">  sp|P1|X  a title \t \r\nM\n>\nK\n> \t\nV\n"),
              ElementsAre("sp|P1|X  a title=M", "=K", "=V"));
  EXPECT_EQ(counts_.unnamed_records, 2u);
  EXPECT_THAT(read(">a\ttab \xc3\xa9\x01"
                   "b\nM\n"),
              ElementsAre("a\ttab \xc3\xa9\x01"
                          "b=M"))
      << "UTF-8, and NCBI's Control-A";
  const std::string title(2'000'000, 't');
  EXPECT_THAT(read(">a " + title + "\nM\n"), ElementsAre("a " + title + "=M"));
}

TEST_F(SequenceReaderTest, EmptyRecordsAreKept) {
  EXPECT_THAT(read(">a\n>b\n\n>c\nM\n>d"), ElementsAre("a=", "b=", "c=M", "d="));
  EXPECT_EQ(counts_.empty_records, 3u);
}

TEST_F(SequenceReaderTest, NoSequences) {
  for (const std::string text : {"", "\n", " \r\n\t\n", "; only a comment", ";\n;\n", "\xef\xbb\xbf"})
    EXPECT_THAT(message(text), HasSubstr("no sequences")) << text;
  EXPECT_THAT(message(test::gzip("")), HasSubstr("no sequences"));
}

TEST_F(SequenceReaderTest, FilesThatCannotBeRead) {
  const auto error_of = [this](const std::string& path) -> std::string {
    try {
      SequenceReader reader(path, kProtein, {}, pool_);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::input);
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(error_of(directory_.file("missing")),
              AllOf(HasSubstr(directory_.file("missing")), HasSubstr("No such file")));
  EXPECT_THAT(error_of(directory_.path().string()), HasSubstr("directory"));
}

TEST_F(SequenceReaderTest, NoHeader) {
  EXPECT_THAT(message("MKVLAA\n>a\nMKV\n"),
              AllOf(HasSubstr("record 1, line 1, byte 0:"), HasSubstr("character 'M'"), HasSubstr("header")));
  EXPECT_THAT(message("\n\n  #a\n"), AllOf(HasSubstr("line 3, byte 4:"), HasSubstr("'#'")));
  EXPECT_THAT(message("; comment\nLCBO\nMKV\n"), HasSubstr("byte 10:"));
  EXPECT_THAT(message(std::string("\0\0>a\nM", 6)), AllOf(HasSubstr("byte 0:"), HasSubstr("NUL byte")));
  EXPECT_THAT(message("\x7f"
                      "ELF"),
              HasSubstr("byte 0x7f"));
}

TEST_F(SequenceReaderTest, BinaryGarbage) {
  EXPECT_THAT(message(std::string(">a\nMKV\n>b c\nMK\0V\n", 17)),
              AllOf(HasSubstr("record 2 ('b')"), HasSubstr("byte 14:"), HasSubstr("NUL byte")));
  EXPECT_THAT(
      message(std::string(">a\nMKV\n>b\0c\nMKV\n", 17)),
      AllOf(HasSubstr("record 2 ('b')"), HasSubstr("byte 9:"), HasSubstr("header"), HasSubstr("NUL")));
  EXPECT_THAT(message(">a\nM\xc2\xa0V\n"),
              AllOf(HasSubstr("byte 4:"), HasSubstr("a no-break space, which no sequence has")));
  EXPECT_THAT(message(">a\nM\x1bV\n"), HasSubstr("byte 0x1b"));
  EXPECT_THAT(message(">a\x1b[2J\nMV\n"), AllOf(HasSubstr("byte 2:"), Not(HasSubstr("\x1b"))));
  // The bad byte comes after several blocks.
  const std::string good = ">a\n" + std::string(3'000'000, 'M') + "\n";
  EXPECT_THAT(message(good + ">b\nMK\x02"), AllOf(HasSubstr("record 2 ('b')"), HasSubstr("byte 3000009:")));
}

TEST_F(SequenceReaderTest, BadFastq) {
  EXPECT_THAT(message("@a\nACGT\n+\nIII\n@b\nA\n+\nI\n"),
              AllOf(HasSubstr("record 1 ('a')"), HasSubstr("4 letters and 3 qualities")));
  EXPECT_THAT(message("@a\nACGT\n+\nIIIII\n"), HasSubstr("4 letters and 5 qualities"));
  EXPECT_THAT(message("@a\nACGT\nAC\n+\nIIII\nIII\n"), HasSubstr("6 letters and 7 qualities"));
  EXPECT_THAT(message("@a\nACGT\n+\nIIII\n@b\nACGT\n@c\nA\n"),
              AllOf(HasSubstr("record 2 ('b')"), HasSubstr("byte 23:"), HasSubstr("'+'")));
  EXPECT_THAT(message("@a\nA\n+\nI\n>b\nA\n"),
              AllOf(HasSubstr("record 2,"), HasSubstr("byte 9:"), HasSubstr("'>'")));
  EXPECT_THAT(message("@a\nAC\n+\nI\x01\n"), AllOf(HasSubstr("byte 9:"), HasSubstr("0x01")));
  EXPECT_THAT(message("@a\n12\n+\nII\n"), HasSubstr("next header"));
  for (const std::string text :
       {"@", "@b", "@b\n", "@b\nAC", "@b\nAC\n", "@b\nAC\n+", "@b\nAC\n+b\n", "@b\nAC\n+\nI"}) {
    EXPECT_THAT(message("@a\nA\n+\nI\n" + text),
                AllOf(HasSubstr("record 2"), HasSubstr("ends in the middle")))
        << text;
  }
}

TEST_F(SequenceReaderTest, CompressedInput) {
  const std::string text = ">a\nMKV\n>b\n" + std::string(1'000'000, 'W') + "\n";
  const std::vector<std::string> expected = read(text);
  const std::string half = text.substr(0, 500'000), rest = text.substr(500'000);
  for (const std::string& packed : {test::gzip(text), test::gzip(half) + test::gzip(rest), test::bgzf(text),
                                    test::zstd(text), test::zstd(half) + test::zstd(rest)}) {
    EXPECT_TRUE(read(packed) == expected);
    EXPECT_THAT(message(packed.substr(0, packed.size() - 3)), HasSubstr("truncated"));
  }
  EXPECT_THAT(message(test::gzip(">a\nMKV\n>b\nM\x03")), HasSubstr("byte 11:")) << "of the uncompressed text";
}

TEST_F(SequenceReaderTest, StandardInput) {
  const std::string text = ">a\n" + std::string(2'000'000, 'A') + "\n>b\nCGT\n";
  for (const std::string& bytes : {text, test::gzip(text)}) {
    const test::StandardInput input(bytes);
    SequenceReader reader("-", std::nullopt, {}, pool_);
    EXPECT_EQ(reader.alphabet(), kDna);
    const SequenceSet set = reader.read_some();
    ASSERT_EQ(set.size(), 2u);
    EXPECT_EQ(set.length(0), 2'000'000u);
    EXPECT_EQ(set.origin(), "standard input");
  }
  const test::StandardInput input("");
  EXPECT_THAT([&] { SequenceReader("-", kProtein, {}, pool_).read_some(); },
              ::testing::ThrowsMessage<Error>(HasSubstr("standard input holds no sequences")));
}

TEST_F(SequenceReaderTest, GuessesTheAlphabet) {
  const auto guess = [&](std::string_view text) {
    return SequenceReader(directory_.write_file("guess", text), std::nullopt, {}, pool_).alphabet();
  };
  EXPECT_EQ(guess(">MKVLAARNDCQEGHILKMFPSTWYV\nACGTUNacgtun\n"), kDna) << "headers do not count";
  EXPECT_EQ(guess(">a\nMKVLAARNDC\n"), kProtein);
  EXPECT_EQ(guess(">a\nACGTACGTAR\n"), kDna) << "nine of ten";
  EXPECT_EQ(guess(">a\nACGTACGTRR\n"), kProtein);
  EXPECT_EQ(guess("@a\nACGT\n+\nEFIL\n@b\nAC\n+\nEE\n"), kDna) << "qualities do not count";
  EXPECT_EQ(guess(">a\n"), kProtein);
  EXPECT_EQ(guess(""), kProtein);
  EXPECT_EQ(guess(test::zstd(">a\nACGT\n")), kDna);
  EXPECT_THAT(read(">a\nACXU\n>b\n" + std::string(2'000'000, 'G'), std::nullopt)[0], "a=ACNT");
  EXPECT_EQ(counts_.unknown_bytes, 1u);
}

TEST_F(SequenceReaderTest, MasksLowerCase) {
  const Masking lower{.lower = true};
  const std::string fasta = ">a\nMKvl\nAa-R\n>b\nmkv\n>c\nMKV\n";
  for (const std::string& text : {fasta, test::gzip(fasta), test::zstd(fasta)}) {
    EXPECT_THAT(read(text, kProtein, lower), ElementsAre("a=MKXXAXR", "b=XXX", "c=MKV"));
    EXPECT_EQ(counts_.masked.residues, 6u);
    EXPECT_EQ(counts_.masked.sequences, 2u);
    EXPECT_THAT(read(text), ElementsAre("a=MKvlAaR", "b=mkv", "c=MKV"));
    EXPECT_EQ(counts_.masked.residues, 0u);
  }
  EXPECT_THAT(read("@a\nACgt\n+\nIIII\n", kDna, lower), ElementsAre("a=ACNN"));
  EXPECT_THAT(read(">a\nacgtACGT\n", std::nullopt, lower), ElementsAre("a=NNNNACGT")) << "guessed before";
}

TEST_F(SequenceReaderTest, MasksLowComplexity) {
  const Masking seg{.seg = true};
  const std::string text = ">a\nMKVLAARNDCWE\nQQQQQQQ\nQQQQQQQ\n>b\nMKVLAARNDCWE\n";
  EXPECT_THAT(read(text, kProtein, seg), ElementsAre("a=MKVLAARNDCWEXXXXXXXXXXXXXX", "b=MKVLAARNDCWE"));
  EXPECT_EQ(counts_.masked.residues, 14u);
  EXPECT_EQ(counts_.masked.sequences, 1u);
  SequenceReader reader(path_, kProtein, seg, pool_);
  EXPECT_EQ(records(reader.read_some(1)).front(), "a=MKVLAARNDCWEXXXXXXXXXXXXXX");
  EXPECT_EQ(records(reader.read_some(1)).front(), "b=MKVLAARNDCWE");
  EXPECT_THAT([&] { read(">a\nACGTACGT\n", std::nullopt, seg); },
              ::testing::ThrowsMessage<Error>(HasSubstr("in.fasta holds dna")));
}

TEST_F(SequenceReaderTest, MasksLowComplexityOfDna) {
  const Masking dust{.dust = true};
  EXPECT_THAT(read(">a\nACGTCAGG\nTTTTTTT\nTTT\n", kDna, dust), ElementsAre("a=ACGTCAGGNNNNNNNNNN"));
  EXPECT_THAT([&] { read(">a\nMKVLAARN\n", std::nullopt, dust); },
              ::testing::ThrowsMessage<Error>(HasSubstr("in.fasta is read as proteins")));
}

TEST_F(SequenceReaderTest, ResemblesDna) {
  const auto resembles = [&](std::string_view text, AlphabetKind alphabet, Masking masking) {
    SequenceReader reader(directory_.write_file("dna", text), alphabet, masking, pool_);
    reader.read_some();
    return reader.resembles_dna();
  };
  const std::string dna = ">a\nACGTACGTACGTACGTTTTTTTTTTTTTTTTTTTTTTTTTTTTT\n";
  EXPECT_TRUE(resembles(dna, kDna, {}));
  EXPECT_TRUE(resembles(dna, kProtein, {}));
  EXPECT_TRUE(resembles(dna, kProtein, {.seg = true})) << "though all of it is masked";
  EXPECT_FALSE(resembles(">a\nMKVLAARNDC\n", kProtein, {}));
  EXPECT_FALSE(resembles(">a\n", kProtein, {}));
}

// Nine of ten letters must be nucleotides, of the first half million.
TEST_F(SequenceReaderTest, AShareOfNucleotidesResemblesDna) {
  for (const std::size_t all : {1, 9, 10, 11, 19, 20, 100})
    for (std::size_t others = 0; others <= all && others < 13; ++others) {
      test::Residues residues = test::repeat("ACGTUNacgtun", all);
      std::fill_n(residues.begin(), others, Alphabet::protein().encode('L'));
      EXPECT_EQ(resembles_dna(residues, kProtein), 10 * others <= all) << others << " of " << all;
    }
  EXPECT_FALSE(resembles_dna({}, kProtein));
  constexpr std::size_t kLooked = 1 << 19;
  test::Residues residues = test::repeat("A", 2 * kLooked);
  std::fill(residues.begin() + kLooked - kLooked / 10, residues.end(), Alphabet::protein().encode('W'));
  EXPECT_TRUE(resembles_dna(residues, kProtein));
  residues[0] = Alphabet::protein().encode('W');
  EXPECT_FALSE(resembles_dna(residues, kProtein));
}

TEST_F(SequenceReaderTest, InPieces) {
  std::string text;
  std::vector<std::string> expected;
  for (std::size_t i = 0; i < 5000; ++i) {
    const std::string letters(i * 7919 % 400, "ACDEFG"[i % 6]);
    expected.push_back(fmt::format("s{} title={}", i, letters));
    text += fmt::format(">s{} title\n{}\n", i, letters);
  }
  path_ = directory_.write_file("in.fasta", text);
  for (const std::uint64_t most : {0, 1, 100, 1000, 100'000, 100'000'000}) {
    SequenceReader reader(path_, kProtein, {}, pool_);
    std::vector<std::string> all;
    for (SequenceSet set = reader.read_some(most); !set.empty(); set = reader.read_some(most)) {
      const std::uint64_t bytes = set.total_residues() + set.arrays().headers.size() + 16 * set.size();
      EXPECT_LT(bytes, most + 500);
      for (std::string& record : records(set)) all.push_back(std::move(record));
    }
    EXPECT_TRUE(all == expected) << most;
    EXPECT_EQ(reader.counts().records, 5000u);
    EXPECT_TRUE(reader.read_some(most).empty());
  }
}

TEST_F(SequenceReaderTest, PiecesBeforeAnErrorAreGood) {
  SequenceReader reader(directory_.write_file("in.fasta", ">a\nMKV\n>b\nM\x02\n"), kProtein, {}, pool_);
  EXPECT_THAT(records(reader.read_some(1)), ElementsAre("a=MKV"));
  EXPECT_THROW(reader.read_some(1), Error);
}

TEST_F(SequenceReaderTest, LineOf100Megabytes) {
  constexpr std::size_t kSize = 100'000'000;
  std::string text = ">long\n" + std::string(kSize, 'W') + "\n>next\nMKV\n";
  text[6] = text[kSize + 5] = 'm';
  const SequenceSet set =
      SequenceReader(directory_.write_file("long.fasta", text), kProtein, {}, pool_).read_some();
  ASSERT_EQ(set.size(), 2u);
  ASSERT_EQ(set.length(0), kSize);
  EXPECT_EQ(test::decode(set.residues(0).first(3)), "mWW");
  EXPECT_EQ(test::decode(set.residues(0).last(3)), "WWm");
  EXPECT_EQ(test::decode(set.residues(1)), "MKV");
}

}  // namespace
}  // namespace alnus::io

// What SequenceReader's tests cannot check: results do not depend on where the bytes are cut into pieces.
#include "io/sequence_parser.h"

#include <gtest/gtest.h>
#include <limits>
#include <string>

#include "alnus/error.h"
#include "io/growing_array.h"
#include "support/sequences.h"

namespace alnus::io {
namespace {

// Returns everything that was read, or the error, as text.
std::string outcome(std::string_view text, std::size_t piece, std::uint64_t enough) {
  SequenceParser parser(AlphabetKind::dna, "in.fasta", EmptyLine::skipped, Qualities::kept);
  std::string result;
  const auto take = [&] {
    const SequenceSet set = parser.take();
    for (SequenceSet::Index i = 0; i < set.size(); ++i)
      result += std::string(set[i].header) + "=" + test::decode(set[i].residues, AlphabetKind::dna) + " " +
                std::string(set[i].quality) + "\n";
  };
  try {
    while (!text.empty()) {
      const std::size_t size = std::min(piece, text.size());
      const std::size_t taken = parser.feed(text.substr(0, size), enough);
      text.remove_prefix(taken);
      if (taken < size) take();
    }
    parser.finish();
    take();
  } catch (const Error& error) {
    result = error.what();
  }
  result += std::to_string(parser.alignment_columns()) + " " + std::to_string(parser.letters().foreign) + " ";
  const ReadCounts& counts = parser.counts();
  for (const std::uint64_t count : {counts.records, counts.residues, counts.unknown_bytes,
                                    counts.gaps_removed, counts.empty_records, counts.unnamed_records})
    result += std::to_string(count) + " ";
  for (const NotedRecords* noted : {&parser.notes().digits, &parser.notes().not_utf8})
    result += std::to_string(noted->count) + " " + noted->id + " ";
  return result;
}

TEST(SequenceParser, CutsDoNotMatter) {
  const std::string texts[] = {
      ">a first\r\nAC-GT\r\n\r\nAC?GT\r\n>\r\n> b\r\nA\r\n",
      "\xef\xbb\xbf;comment\r>a\r\rACGT\rAC\r>b\r;x\rACGT",
      "\n;c\n>a title\nACGT 10\nACGT 20\n>b\n\n>c",
      "@a\r\nACGT\r\n+\r\nIIII\r\n@b\r\nAC\r\nGT\r\n+b\r\nII\r\nII\r\n\r\n@c\r\n\r\n+\r\n\r\n",
      "@a\nACGT\nA.\n+\n@@@@\n+I\n@b\nA\n+\nI",
      "@a\rAC\rGT\r+\rIIII\r\r@b\r+\r",
      std::string(">a\nACGT\n>b x\nAC\0GT\n", 19),
      std::string(">a\nACGT\n>b\0x\nACGT\n", 18),
      "@a\nACGT\n+\nIII\n",
      "@a\r\nACGT\r\n+\r\nIIIII\r\n",
      "@a\nACGT\nAC\n+\nIIII\nI\x02",
      "@a\nACGT\n@b\n",
      "@a\nACGT\n+\nIIII\nACGT\n",
      "\r\n\r\nACGT",
      "@a\r\nAC\r\n+\r\nI",
      ">a\nAC>b\nGT\n",
      ">a\nACGT\n@b\nACGT\n+\nIIII\n",
      ">a\nACGT\n+\nIIII\n",
      "@a\nACGT\n>b\nACGT\n",
      "@a\nACGT\n+\nIIII\n>b\nACGT\n",
      "  >a\r\n  AC-GT\r\n \t\r\n  ; c\r\n\t>b\r\n  ACGT\r\n",
      "  @a\n  ACGT\n  +\n  IIII\n",
      ">a\nAC%%GT;;;\n>b\nAC\n",
      ">a\nT0123\n20123\n",
      ">a\nELFQ\n>b\nEEEE",
      ">a\nACGT\nAC|GT TG\nAC\n>b\nAC\n",
      ">a\nACGT\nacc_1\nAC\n",
      ">a\nACGT\nACC_GT=AC",
      ">a\nAC_ \n GT\nAC 1\n2 GT|\n>b\nA1C\n",
      ">a\nACGT1\nAC\n>b\n 1ACGT\n>c\n1 AC 2 GT 3\n>d\nA\n1\nC12\n",
      "@a\nACGT 1|A\n+\nIIIIII\n",
      ">M\xc3\xbc\nAC\n>M\xfc\nAC\n",
      ">a\nAC\xe2\x80\x8bGT\n>b\n\xe2\x80\x8b$$\n",
      ">a\nAC\xc2\xa0\n>b\nAC\n",
      ">a\nAC\xe2\x80",
      ">a\r\n \xc2\xa0GT\xe2\r\n>b\r\nAC\r\n",
      "@a\nAC\xe2\x80\x8b\n+\nIII\n@b\nAC\n+\nII\n",
      ">a\nAC\xe2\n>b\nAC\n",
      ">a\n\n>b ACGT\n",
      "@a\n\n+\n\n",
      ">P1;X\nname\nACGT*\n",
      "@HD\tVN:1.6\n",
      "# STOCKHOLM 1.0\r\nACGT",
      " 5 42\nACGT",
      "LOCUS       " + std::string(100, 'x') + "\n",
      "CLUSTAL"};
  for (const std::string& text : texts) {
    const std::uint64_t all = std::numeric_limits<std::uint64_t>::max();
    const std::string expected = outcome(text, text.size(), all);
    for (std::size_t piece = 1; piece < text.size(); ++piece)
      EXPECT_EQ(outcome(text, piece, all), expected) << text << " in pieces of " << piece;
    for (const std::uint64_t enough : {1, 30, 60}) {
      for (std::size_t piece = 1; piece <= text.size(); ++piece)
        EXPECT_EQ(outcome(text, piece, enough), expected) << text << " enough at " << enough;
    }
  }
}

TEST(SequenceParser, SearchForLineEndsIsLinear) {
  // There are line ends of one kind only. The search for the other kind must not go through the whole piece
  // again for each line.
  for (const char* end : {"\n", "\r"}) {
    std::string text = ">a\n";
    for (int line = 0; line < 2'000'000; ++line) text += end;
    for (int line = 0; line < 500'000; ++line) text += std::string("ACGT") + end;
    SequenceParser parser(AlphabetKind::dna, "in.fasta");
    EXPECT_EQ(parser.feed(text, 1), text.size());
    parser.finish();
    EXPECT_EQ(parser.counts().residues, 2'000'000u);
  }
}

TEST(GrowingArray, KeepsWhatWasAdded) {
  GrowingArray<char> array;
  EXPECT_TRUE(array.span().empty());
  std::string expected;
  for (std::size_t i = 0; i < 3000; ++i) {
    const std::string piece(i % 37, static_cast<char>('a' + i % 26));
    piece.copy(array.room(piece.size() + 5), piece.size());
    array.added(piece.size());
    expected += piece;
  }
  EXPECT_EQ(std::string(array.span().begin(), array.span().end()), expected);
  array.shrink_to_fit();
  EXPECT_EQ(std::string(array.span().begin(), array.span().end()), expected);
}

}  // namespace
}  // namespace alnus::io

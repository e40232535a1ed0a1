// Notes of odd records: which records are odd, and which of several a warning names.
#include "io/record_notes.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <string>
#include <string_view>
#include <utility>

#include "support/sequences.h"

namespace alnus::io {
namespace {

TEST(RecordNotes, TheFirstRecordOfTheFileIsNamedInAnyOrder) {
  NotedRecords records;
  records.add(7, "seventh");
  records.add(2, "second");
  records.add(5, "fifth");
  EXPECT_EQ(records.count, 3U);
  EXPECT_EQ(records.number, 2U);
  EXPECT_EQ(records.id, "second");
}

std::string shuffled(test::Random& random, std::string letters) {
  for (std::size_t k = letters.size(); k > 1; --k) std::swap(letters[k - 1], letters[test::below(random, k)]);
  return letters;
}

std::size_t count_of(std::string_view text, std::string_view letters) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [&](char letter) { return letters.find(letter) != letters.npos; }));
}

// The rule as io/record_notes.h has it.
bool is_gene(std::string_view text) {
  const std::size_t known = text.size() - count_of(text, "N");
  bool has_all = true;
  for (const char* base : {"A", "C", "G", "TU"}) has_all &= 50 * count_of(text, base) >= known;
  return known >= 50 && has_all && count_of(text.substr(0, 8), "ACGTUNX") >= 6 &&
         10 * count_of(text, "ACGTURYKMSWBDHVN") >= 9 * text.size() &&
         4 * count_of(text, "ACGTU") >= 3 * known;
}

// Random records near every limit of the rule.
TEST(RecordNotes, GenesLookLikeNucleotides) {
  test::Random random(1);
  const auto around = [&](std::size_t limit) { return limit + test::below(random, 3) - (limit > 0 ? 1 : 0); };
  int genes = 0;
  for (int round = 0; round < 20'000; ++round) {
    const std::size_t unknown = test::below(random, 4), known = 49 + test::below(random, round % 2 ? 4 : 60),
                      others = around((known + unknown) / 10), bases = around((3 * known + 3) / 4),
                      rarest = around(known / 50);
    std::string text = std::string(unknown, 'N') + std::string(others, "LEX"[round % 3]);
    const std::string rare(rarest, "ACGTU"[round % 5]);
    text += rare;
    const std::string usual = round % 5 == 0   ? "CGT"
                              : round % 5 == 1 ? "AGU"
                              : round % 5 == 2 ? "ACTU"
                                               : "ACG";
    for (std::size_t k = rarest; k < bases; ++k) text += usual[k % usual.size()];
    while (text.size() < known + unknown) text += "RYKMSWBDHV"[text.size() % 10];
    text = shuffled(random, text);
    const bool expected = is_gene(text);
    genes += expected;
    test::Residues residues = test::encode(text);
    EXPECT_EQ(look_like_nucleotides(residues), expected) << text;
    residues = test::with_random_case(random, residues);
    EXPECT_EQ(look_like_nucleotides(residues), expected) << text;
  }
  EXPECT_GT(genes, 500);
  EXPECT_LT(genes, 15'000);
  for (std::size_t size = 0; size < 8; ++size)
    EXPECT_FALSE(look_like_nucleotides(test::encode(std::string("ACGTACGT").substr(0, size))));
}

TEST(RecordNotes, NamesOfAminoAcidsLookLikeThreeLetterCode) {
  const auto looks = [](const std::string& text) { return look_like_three_letter_code(test::encode(text)); };
  const auto times = [](std::size_t count, const std::string& unit) {
    std::string text;
    while (text.size() < 3 * count) text += unit;
    return text.substr(0, 3 * count);
  };
  EXPECT_FALSE(looks(""));
  EXPECT_FALSE(looks(times(9, "MetLysVal")));
  EXPECT_TRUE(looks(times(10, "MetLysVal")));
  EXPECT_TRUE(looks(times(11, "METlysVaL")));
  EXPECT_FALSE(looks(times(10, "MetLysVal") + "M"));
  EXPECT_FALSE(looks(times(10, "MetLysVal") + "Me"));
  EXPECT_FALSE(looks(times(20, "MetLys"))) << "two names";
  EXPECT_FALSE(looks(times(20, "Met")));
  for (std::size_t at = 0; at < 30; ++at) {
    std::string changed = times(10, "MetLysVal");
    changed[at] = 'W';
    EXPECT_FALSE(looks(changed)) << changed;
  }
  const std::string names = "AlaArgAsnAspCysGlnGluGlyHisIleLeuLysMetPheProSerThrTrpTyrValAsxGlxXaaSecPylTer";
  for (std::size_t at = 0; at < names.size(); at += 3)
    EXPECT_TRUE(looks(times(9, "MetLysVal") + names.substr(at, 3))) << names.substr(at, 3);
}

TEST(RecordNotes, ARepeatedIdIsFoundAmongManyOthers) {
  RepeatedIds ids;
  EXPECT_FALSE(ids.add(""));
  EXPECT_FALSE(ids.add("")) << "records without an id are left out";
  std::size_t added = 0;
  const auto add = [&](std::size_t number) {
    EXPECT_FALSE(ids.is_full()) << added;
    ++added;
    return ids.add("id" + std::to_string(number));
  };
  for (std::size_t number = 0; added + 2 <= RepeatedIds::kMostRecords; ++number) {
    ASSERT_FALSE(add(number)) << number;
    ASSERT_TRUE(add(number * 7 % (number + 1))) << number;
  }
  EXPECT_TRUE(ids.is_full());
  EXPECT_FALSE(ids.add("id0")) << "nothing is looked for behind the first records";
}

TEST(RecordNotes, OfASetNameItsOddRecords) {
  const std::string gene = "ACGTACGTACGTACGTACGTACGTACGTACGTACGTACGTACGTACGTACGT",
                    code = "MetLysValMetLysValMetLysValMetLysVal";
  for (const AlphabetKind kind : {AlphabetKind::protein, AlphabetKind::dna}) {
    SequenceSetBuilder builder(kind);
    for (const auto& [id, letters] : {std::pair<std::string, std::string>{"a", "MKV"},
                                      {"b", ""},
                                      {"c", gene},
                                      {"d", code},
                                      {"a", "MKV"},
                                      {"b", gene}})
      builder.add_text(id, letters);
    const RecordNotes notes = notes_of(builder.finish());
    const bool protein = kind == AlphabetKind::protein;
    EXPECT_EQ(notes.empty.count, 1u);
    EXPECT_EQ(notes.empty.number, 2u);
    EXPECT_EQ(notes.nucleotides.count, protein ? 2u : 0u);
    EXPECT_EQ(notes.nucleotides.number, protein ? 3u : 0u);
    EXPECT_EQ(notes.three_letter.count, protein ? 1u : 0u);
    EXPECT_EQ(notes.three_letter.number, protein ? 4u : 0u);
    EXPECT_EQ(notes.repeated.count, 2u);
    EXPECT_EQ(notes.repeated.number, 5u);
    EXPECT_EQ(notes.repeated.id, "a");
  }
}

}  // namespace
}  // namespace alnus::io

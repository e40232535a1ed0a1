// Blank sequences, and that they are nobody's neighbours whatever devices keep back.
#include "engine/blank_sequences.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "support/device_check.h"
#include "support/engine_call.h"
#include "support/fake_device.h"

namespace alnus::engine {
namespace {

using test::FoundRow;
using test::scoring_of;

SequenceSet set_of(const std::vector<std::string>& sequences, AlphabetKind alphabet = AlphabetKind::protein) {
  SequenceSetBuilder builder(alphabet, "set");
  for (const std::string& letters : sequences)
    builder.add("s" + std::to_string(builder.size()), test::encode(letters, alphabet));
  return builder.finish();
}

TEST(BlankSequences, HaveNoKnownLetter) {
  const SequenceSet proteins = set_of({"", "A", "XXX", "xX", "XXA", "N", "*", "BZJ"});
  const BlankSequences of_one(AllPairs(proteins, nullptr, false), StopFlag::never());
  const SequenceSet dna = set_of({"NNN", "n", "NNR", "A", ""}, AlphabetKind::dna);
  const BlankSequences of_dna(AllPairs(dna, nullptr, false), StopFlag::never());
  std::string found;
  for (SequenceSet::Index i = 0; i < proteins.size(); ++i) found += of_one.row(i) ? '1' : '0';
  EXPECT_EQ(found, "10110000");
  EXPECT_EQ(of_one.columns(), 3u);
  EXPECT_TRUE(of_one.either(0, 1));
  EXPECT_TRUE(of_one.either(1, 3));
  EXPECT_FALSE(of_one.either(1, 4));
  found.clear();
  for (SequenceSet::Index i = 0; i < dna.size(); ++i) found += of_dna.column(i) ? '1' : '0';
  EXPECT_EQ(found, "11001");
  EXPECT_FALSE(BlankSequences().either(0, 0));
  const SomeOfSet blank = blanks_of(proteins.part(1, 8), StopFlag::never());
  EXPECT_EQ(blank.count, 2u);
  EXPECT_EQ(blank.first, 1u);
}

TEST(BlankSequences, HalfUnknownAreThoseWithAKnownResidueToo) {
  const SequenceSet proteins = set_of({"MKV", "", "XX", "CXXXXXXF", "CXF", "CX", "XAXAX"});
  const SomeOfSet some = half_unknown_of(proteins, StopFlag::never());
  EXPECT_EQ(some.count, 3u);
  EXPECT_EQ(some.first, 3u);
  EXPECT_EQ(half_unknown_of(proteins.part(0, 2), StopFlag::never()).count, 0u);
}

TEST(BlankSequences, OfTwoSetsAreThoseOfEach) {
  const SequenceSet rows = set_of({"A", "X"}), columns = set_of({"", "A", "X"});
  const BlankSequences blanks(AllPairs(rows, &columns, false), StopFlag::never());
  EXPECT_TRUE(blanks.either(0, 0));
  EXPECT_FALSE(blanks.either(0, 1));
  EXPECT_TRUE(blanks.either(1, 1));
  EXPECT_EQ(blanks.columns(), 2u);
}

// A gap costs so little that pairs with empty sequences have the highest scores.
TEST(BlankSequences, AreNotAmongTheNearest) {
  const SequenceSet set = set_of({"AAAA", "", "WWWW", "", "CCCC", "XXXX", "AAAW", "", "x"});
  const AllPairs pairs(set, nullptr, false, {}, AllPairs::Rows::whole);
  for (const PairValue value : {PairValue::score, PairValue::score_distance, PairValue::distance})
    for (const bool keeps_to_the_limit : {false, true}) {
      AllPairsOptions options;
      options.nearest = {{value}, 3};
      if (value != PairValue::distance) options.fields.detail = Detail::score;
      const test::FakeDevices devices({test::FakeBehaviour{.keeps_to_the_limit = keeps_to_the_limit}});
      test::EngineCall call(devices.pointers);
      std::vector<FoundRow> rows;
      all_pairs(pairs, scoring_of({Mode::global}, {0, 0}), options, {}, call,
                [&](const Stripe& stripe, const StripeState&) { test::append(rows, stripe.listed); });
      EXPECT_EQ(rows.size(), 4u * 3) << "value " << static_cast<int>(value);
      for (const FoundRow& row : rows)
        for (const auto index : {row.query, row.subject}) EXPECT_TRUE(index % 2 == 0 && index < 8) << index;
    }
}

TEST(BlankSequences, AllUnknownAreThoseWithLetters) {
  const SequenceSet proteins = set_of({"", "MKV", "X", "XA", "", "xX"});
  const SomeOfSet some = all_unknown_of(proteins, StopFlag::never());
  EXPECT_EQ(some.count, 2u);
  EXPECT_EQ(some.first, 2u);
  EXPECT_EQ(all_unknown_of(set_of({"", "A"}), StopFlag::never()).count, 0u);
}

// Long sequences are read in pieces of 2^20 residues. The known residues of these are the first or the last.
TEST(BlankSequences, EveryResidueOfLongSequencesCounts) {
  constexpr std::size_t kPiece = 1 << 20;
  std::vector<test::Residues> sequences;
  for (const std::size_t length : {kPiece - 1, kPiece, kPiece + 1, 2 * kPiece})
    for (const bool known_first : {true, false}) {
      test::Residues& one = sequences.emplace_back(test::repeat("X", length));
      (known_first ? one.front() : one.back()) = 0;
    }
  sequences.push_back(test::repeat("X", kPiece + 1));
  const SequenceSet set = test::make_set(sequences);
  const SomeOfSet blank = blanks_of(set, StopFlag::never()), half = half_unknown_of(set, StopFlag::never());
  EXPECT_EQ(blank.count, 1u);
  EXPECT_EQ(blank.first, 8u);
  EXPECT_EQ(half.count, 8u);
  EXPECT_EQ(half.first, 0u);
}

}  // namespace
}  // namespace alnus::engine

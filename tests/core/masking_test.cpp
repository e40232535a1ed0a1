#include "core/masking.h"

#include <chrono>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <thread>
#include <vector>

#include "alnus/error.h"
#include "support/sequences.h"

namespace alnus {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr auto kProtein = AlphabetKind::protein;
constexpr auto kDna = AlphabetKind::dna;

SequenceSet set_of(std::initializer_list<std::string_view> sequences, AlphabetKind kind = kProtein) {
  SequenceSetBuilder builder(kind, "in.fasta");
  for (const std::string_view letters : sequences)
    builder.add_text("name", letters, std::string(letters.size(), 'I'));
  return builder.finish();
}

std::vector<std::string> masked(const SequenceSet& set, Masking masking, MaskCounts* counts = nullptr) {
  MaskCounts own;
  ThreadPool pool(2);
  const SequenceSet copy = masked_copy(set, masking, counts != nullptr ? *counts : own, pool);
  EXPECT_EQ(copy.origin(), set.origin());
  std::vector<std::string> sequences;
  for (SequenceSet::Index i = 0; i < copy.size(); ++i) {
    EXPECT_EQ(copy[i].header, set[i].header);
    EXPECT_EQ(copy[i].quality, set[i].quality);
    sequences.push_back(test::decode(copy.residues(i), copy.alphabet()));
  }
  return sequences;
}

TEST(Masking, LowerCase) {
  MaskCounts counts;
  const SequenceSet set = set_of({"MKvlaAR", "", "MKV", "xX*b"});
  EXPECT_THAT(masked(set, {.lower = true}, &counts), ElementsAre("MKXXXAR", "", "MKV", "XX*X"));
  EXPECT_EQ(counts.residues, 5u);
  EXPECT_EQ(counts.sequences, 2u);
  EXPECT_EQ(test::decode(set.residues(0)), "MKvlaAR") << "the set itself is as it was";
  EXPECT_THAT(masked(set_of({"ACgtNn"}, kDna), {.lower = true}), ElementsAre("ACNNNN"));
}

TEST(Masking, LowComplexity) {
  MaskCounts counts;
  const std::string run(20, 'Q'), hidden(20, 'X');
  const SequenceSet set = set_of({run + "mkvlaARNDC", "MKVLAARNDC", run});
  EXPECT_THAT(masked(set, {.seg = true}, &counts), ElementsAre(hidden + "mkvlaARNDC", "MKVLAARNDC", hidden));
  EXPECT_EQ(counts.residues, 40u);
  EXPECT_EQ(counts.sequences, 2u);
}

TEST(Masking, LowComplexityOfDna) {
  MaskCounts counts;
  const std::string run(20, 'T'), hidden(20, 'N');
  const SequenceSet set = set_of({run + "acgtcagg", "ACGTCAGG", "NN" + run}, kDna);
  EXPECT_THAT(masked(set, {.dust = true}, &counts),
              ElementsAre(hidden + "acgtcagg", "ACGTCAGG", "NN" + hidden));
  EXPECT_EQ(counts.residues, 40u);
  EXPECT_EQ(counts.sequences, 2u);
}

// Each method masks what it masks alone: X or N from one method hides nothing from the other.
TEST(Masking, Both) {
  EXPECT_THAT(masked(set_of({"QQQqqqQQQqqqQQQMKVLARWEf"}), {.lower = true, .seg = true}),
              ElementsAre("XXXXXXXXXXXXXXXMKVLARWEX"));
  EXPECT_THAT(masked(set_of({"AAAaaaaAAAaaaAACGTCAGGc"}, kDna), {.lower = true, .dust = true}),
              ElementsAre("NNNNNNNNNNNNNNNCGTCAGGN"));
}

TEST(Masking, NothingIsAsked) {
  MaskCounts counts;
  EXPECT_THAT(masked(set_of({"QQQQQQQQQQQQQQQQmkv"}), {}, &counts), ElementsAre("QQQQQQQQQQQQQQQQmkv"));
  EXPECT_EQ(counts.residues, 0u);
}

// Masking on three threads gives what masking each sequence by itself gives.
TEST(Masking, ManySequences) {
  ThreadPool pool(3);
  test::Random random(3);
  SequenceSetBuilder builder(kProtein);
  for (int k = 0; k < 20'000; ++k)
    builder.add("", test::with_random_case(random, test::random_sequence(random, 200, 4 + k % 12)));
  const SequenceSet set = builder.finish();
  MaskCounts counts, expected;
  const SequenceSet all = masked_copy(set, {.lower = true, .seg = true}, counts, pool);
  for (SequenceSet::Index i = 0; i < set.size(); ++i) {
    test::Residues alone(set.residues(i).begin(), set.residues(i).end());
    const std::array<std::uint64_t, 2> offsets = {0, alone.size()};
    expected += mask(alone, offsets, kProtein, {.lower = true, .seg = true}, pool);
    ASSERT_TRUE(std::ranges::equal(all.residues(i), alone)) << i;
  }
  EXPECT_EQ(counts.residues, expected.residues);
  EXPECT_EQ(counts.sequences, expected.sequences);
}

TEST(Masking, CanBeStopped) {
  SequenceSetBuilder builder(kProtein);
  for (int k = 0; k < 2000; ++k) builder.add_text("", "QQQQQQQQQQQQQQQQQQQQmkvlaARNDCMKVLAARNDC");
  const SequenceSet set = builder.finish();
  ThreadPool pool(3);
  MaskCounts counts;
  StopFlag stop;
  stop.request();
  EXPECT_THROW(masked_copy(set, {.lower = true, .seg = true}, counts, pool, stop), Interrupted);
  for (const int microseconds : {10, 100, 300, 1000}) {
    StopFlag soon;
    ThreadPool::Task stopper = pool.start([&] {
      std::this_thread::sleep_for(std::chrono::microseconds(microseconds));
      soon.request();
    });
    try {
      EXPECT_EQ(masked_copy(set, {.seg = true}, counts, pool, soon).size(), set.size());
    } catch (const Interrupted&) {
      EXPECT_TRUE(soon.requested());
    }
  }
  EXPECT_EQ(test::decode(set.residues(1999)), "QQQQQQQQQQQQQQQQQQQQmkvlaARNDCMKVLAARNDC");
  counts = {};
  masked_copy(set, {.seg = true}, counts, pool);
  EXPECT_EQ(counts.sequences, set.size());
}

TEST(Masking, OfALongSequenceCanBeStopped) {
  SequenceSetBuilder builder(kProtein);
  builder.add("", test::Residues(std::size_t{40} << 20, 3));
  const SequenceSet set = builder.finish();
  ThreadPool pool(1);
  for (const Masking masking : {Masking{.lower = true}, Masking{.seg = true}, Masking{.dust = true}}) {
    StopFlag stop;
    ThreadPool::Task stopper = pool.start([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      stop.request();
    });
    MaskCounts counts;
    EXPECT_THROW(masked_copy(set, masking, counts, pool, stop), Interrupted);
  }
}

TEST(Masking, SegIsForProteins) {
  const Masking seg{.seg = true};
  EXPECT_NO_THROW(seg.check(kProtein, "p.fasta"));
  EXPECT_NO_THROW(Masking{.lower = true}.check(kDna, "d.fasta"));
  EXPECT_THAT([&] { seg.check(kDna, "d.fasta"); },
              ::testing::ThrowsMessage<Error>(
                  testing::AllOf(HasSubstr("d.fasta holds dna"), HasSubstr("choose mask dust"))));
}

TEST(Masking, DustIsForDna) {
  const Masking dust{.dust = true};
  EXPECT_NO_THROW(dust.check(kDna, "d.fasta"));
  EXPECT_THAT([&] { dust.check(kProtein, "p.fasta"); },
              ::testing::ThrowsMessage<Error>(testing::AllOf(HasSubstr("p.fasta is read as proteins"),
                                                             HasSubstr("choose mask seg, or alphabet dna"))));
}

TEST(Masking, Names) {
  EXPECT_EQ(Masking{}.name(), "none");
  EXPECT_EQ((Masking{.lower = true, .seg = true}.name()), "lower,seg");
  EXPECT_EQ(Masking{.dust = true}.name(), "dust");
  EXPECT_EQ((Masking{.lower = true, .dust = true}.name()), "lower,dust");
}

}  // namespace
}  // namespace alnus

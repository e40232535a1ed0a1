// Relations on devices beside the host: the pairs are those that the host finds.
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "engine/all_pairs_driver.h"
#include "support/all_pairs_result.h"
#include "support/fake_device.h"
#include "support/related_options.h"
#include "support/sequences.h"

namespace alnus::engine {
namespace {

using test::FakeBehaviour;
using test::FakeDevices;

const char* const kLists[] = {"whole:30", "part:40,related:1", "score:15", "score-distance:120",
                              "related:5,whole:20,score-distance:30,part:50,score:20"};

// Relatives of different lengths, repeats, and an empty sequence.
SequenceSet relatives(AlphabetKind kind, std::uint32_t count) {
  test::Random random(3);
  const std::size_t letters = kind == AlphabetKind::dna ? 4 : 20;
  const test::Residues ancestor = test::random_sequence(random, 60, letters);
  std::vector<test::Residues> all = {{}, test::Residues(20, 1)};
  while (all.size() < count) {
    test::Residues one = test::relative(random, ancestor, 1 + test::below(random, 20), 4);
    for (Residue& residue : one) residue = static_cast<Residue>(residue % letters);
    one.resize(std::min<std::size_t>(one.size(), 15 + test::below(random, 50)));
    all.push_back(one);
  }
  return test::make_set(all, kind);
}

std::vector<SparseValue> found_on(const std::vector<FakeBehaviour>& behaviours, const AllPairs& pairs,
                                  const Scoring& scoring, const AllPairsOptions& options) {
  const FakeDevices devices(behaviours);
  const test::AllPairsResult result = test::all_pairs_on(devices.pointers, pairs, scoring, options);
  EXPECT_EQ(result.listed.size(), 0u);
  return result.sparse;
}

TEST(RelationsOnDevices, AreThoseOfTheHost) {
  for (const AlphabetKind kind : {AlphabetKind::protein, AlphabetKind::dna}) {
    const SequenceSet set = relatives(kind, 24), other = set.part(3, 15);
    const Scoring scoring = make_scoring({.mode = "global", .alphabet = kind});
    for (const SequenceSet* against : {static_cast<const SequenceSet*>(nullptr), &other}) {
      const AllPairs pairs(set, against, false);
      for (const char* list : kLists) {
        SCOPED_TRACE(std::string(list) + (kind == AlphabetKind::dna ? " of DNA" : ""));
        const AllPairsOptions options = test::related_options(set, list, scoring);
        const std::vector<SparseValue> expected =
            found_on({{.concurrency = 2, .computes_on_host = true}}, pairs, scoring, options);
        EXPECT_GT(expected.size(), 5u);
        for (const FakeBehaviour& behaviour :
             {FakeBehaviour{}, FakeBehaviour{.overlaps = true, .hands_over_scores = true, .packs = true},
              FakeBehaviour{.bytes_per_pair = 1 << 24, .hands_over_scores = true}})
          EXPECT_EQ(found_on({behaviour, behaviour}, pairs, scoring, options), expected);
      }
    }
  }
}

// Each stripe may have one row only.
TEST(RelationsOnDevices, AnyStripesMakeTheSamePairs) {
  const SequenceSet set = relatives(AlphabetKind::protein, 24);
  const Scoring scoring = make_scoring({});
  const AllPairs pairs(set, nullptr, false);
  for (const char* list : kLists) {
    AllPairsOptions options = test::related_options(set, list, scoring);
    const std::vector<SparseValue> expected = found_on({{}}, pairs, scoring, options);
    options.stripe_cells = 1;
    EXPECT_EQ(found_on({{}}, pairs, scoring, options), expected) << list;
    const FakeDevices devices;
    EXPECT_GE(test::all_pairs_on(devices.pointers, pairs, scoring, options).stripes.size(), 20u) << list;
    options.stripe_cells = 1e13;
    options.memory_bytes = 1;
    EXPECT_EQ(found_on({{}}, pairs, scoring, options), expected) << list << ", in no memory";
  }
}

// Many short relatives: regions of 600,000 pairs, in which the first sieve of `whole` leaves many, and
// regions of very many rows.
TEST(RelationsOnDevices, LargeRegions) {
  test::Random random(5);
  std::vector<test::Residues> all;
  for (int k = 0; k < 4100; ++k) {
    test::Residues one =
        test::relative(random, test::random_sequence(random, 4 + test::below(random, 8), 8), 1, 1);
    all.push_back(one);
  }
  const SequenceSet set = test::make_set(all, AlphabetKind::protein), few = set.part(0, 40),
                    some = set.part(100, 1250), others = set.part(1300, 2450);
  const Scoring scoring = make_scoring({});
  const std::pair<const SequenceSet*, const SequenceSet*> both[] = {{&some, &others}, {&set, &few}};
  for (const auto& [rows, columns] : both) {
    const AllPairs pairs(*rows, columns, false);
    const AllPairsOptions options = test::related_options(set, "whole:50", scoring);
    const auto expected = found_on({{.computes_on_host = true}}, pairs, scoring, options);
    EXPECT_GT(expected.size(), 20u);
    for (const bool scores : {false, true})
      EXPECT_TRUE(found_on({{.hands_over_scores = scores}}, pairs, scoring, options) == expected)
          << rows->size();
  }
}

TEST(RelationsOnDevices, ABrokenDeviceIsReplaced) {
  const SequenceSet set = relatives(AlphabetKind::protein, 24);
  const Scoring scoring = make_scoring({});
  const AllPairs pairs(set, nullptr, false);
  const AllPairsOptions options = test::related_options(set, kLists[4], scoring);
  const std::vector<SparseValue> expected = found_on({{}}, pairs, scoring, options);
  for (const int fail_from : {0, 1, 5})
    EXPECT_EQ(found_on({{.fail_from = fail_from}, {}}, pairs, scoring, options), expected) << fail_from;
}

}  // namespace
}  // namespace alnus::engine

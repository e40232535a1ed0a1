// rows_of_pairs() gives the alignments of several_alignments_reference(), those of both strands in one list.
#include "engine/pair_rows.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <limits>

#include "core/aligned_pairs.h"
#include "support/device_check.h"
#include "support/engine_call.h"
#include "support/scorings.h"
#include "support/sequences.h"

namespace alnus::test {
namespace {

using engine::FirstRow;
using engine::PairRows;

constexpr std::int32_t kAny = std::numeric_limits<std::int32_t>::min();
constexpr std::uint64_t kMemory = 1 << 24;

struct Expected {
  SequenceSet::Index query;  // the strand
  Alignment alignment;
};

// Returns the alignments of a pair, best first, at most `most`. `strand`: the first strand of the query.
std::vector<Expected> all_alignments(const StrandedSet& strands, SequenceSet::Index strand,
                                     std::span<const Residue> subject, const Scoring& scoring,
                                     std::size_t most) {
  std::vector<Expected> all;
  for (SequenceSet::Index k = 0; k < strands_of_each(strands.strands()); ++k) {
    const auto query = strands.set().residues(strand + k);
    for (Alignment& alignment : several_alignments_reference(query, subject, scoring, most))
      if (alignment.score > score_of_nothing(scoring, query.size()))
        all.push_back({strand + k, std::move(alignment)});
  }
  std::ranges::stable_sort(all, std::ranges::greater{}, [](const Expected& e) { return e.alignment.score; });
  if (all.size() > most) all.resize(most);
  return all;
}

engine::AlignedPair aligned_pair(const Alignment& alignment) {
  return {.score = alignment.score,
          .query_begin = alignment.query_begin,
          .query_end = alignment.query_end,
          .subject_begin = alignment.subject_begin,
          .subject_end = alignment.subject_end,
          .counts = {},
          .cigar = alignment.cigar};
}

void expect_reference(const SequenceSet& queries, const SequenceSet& subjects, const Scoring& scoring,
                      Strands chosen, std::uint32_t most, std::int32_t lowest) {
  const StrandedSet strands(queries, chosen, StopFlag::never());
  std::vector<std::vector<Expected>> expected;
  std::vector<engine::AlignedPair> first;
  std::vector<FirstRow> pairs;
  for (SequenceSet::Index query = 0; query < queries.size(); ++query)
    for (SequenceSet::Index subject = 0; subject < subjects.size(); ++subject) {
      auto all = all_alignments(strands, strands.first(query), subjects.residues(subject), scoring, most);
      if (all.empty()) continue;
      pairs.push_back({all.front().query, subject, nullptr, {}, {}, lowest});
      expected.push_back(std::move(all));
    }
  first.reserve(pairs.size());
  for (std::size_t k = 0; k < pairs.size(); ++k)
    pairs[k].first = &first.emplace_back(aligned_pair(expected[k].front().alignment));

  EngineCall call({});
  const PairRows found = engine::rows_of_pairs(strands, subjects, scoring, pairs, most, kMemory, call);
  std::size_t next = 0;
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    // The first row is listed whatever it scores.
    const auto is_low = [&](const Expected& e) { return e.alignment.score < lowest; };
    expected[k].erase(std::remove_if(expected[k].begin() + 1, expected[k].end(), is_low), expected[k].end());
    for (std::size_t n = 0; n < expected[k].size(); ++n, ++next) {
      ASSERT_LT(next, found.rows.size());
      const auto& [query, alignment] = expected[k][n];
      const engine::PairRow& row = found.rows[next];
      EXPECT_EQ(row.pair, k);
      EXPECT_EQ(row.subject, pairs[k].subject);
      EXPECT_EQ(row.query, query) << k << ' ' << n;
      const engine::AlignedPair& aligned = row.aligned;
      EXPECT_EQ(aligned.hsp, static_cast<std::int32_t>(n) + 1);
      EXPECT_EQ(aligned.score, alignment.score);
      EXPECT_EQ(aligned.query_begin, alignment.query_begin);
      EXPECT_EQ(aligned.query_end, alignment.query_end);
      EXPECT_EQ(aligned.subject_begin, alignment.subject_begin);
      EXPECT_EQ(aligned.subject_end, alignment.subject_end);
      EXPECT_EQ(to_string(aligned.cigar), to_string(alignment.cigar));
      if (n > 0) {
        EXPECT_EQ(aligned.counts, count(alignment, strands.set().residues(query),
                                        subjects.residues(pairs[k].subject), scoring.matrix));
      }
    }
  }
  EXPECT_EQ(next, found.rows.size());
}

// A sequence that has copies of some units, a little changed.
Residues with_copies(Random& random, const std::vector<Residues>& units) {
  Residues all;
  for (int k = 0; k < 6; ++k) {
    const Residues& unit = units[below(random, units.size())];
    const Residues copy = relative(random, unit, 12, 2),
                   between = random_sequence(random, below(random, 20), 4);
    all.insert(all.end(), copy.begin(), copy.end());
    all.insert(all.end(), between.begin(), between.end());
  }
  for (Residue& residue : all) residue &= 3;
  return all;
}

TEST(RowsOfPairs, OfEachChoiceOfStrands) {
  Random random{3};
  std::vector<Residues> units{random_sequence(random, 25, 4), random_sequence(random, 15, 4)};
  const Scoring local = dna("2", "-3", "5", "2");
  std::vector<Residues> queries, subjects;
  for (int k = 0; k < 3; ++k) {
    queries.push_back(with_copies(random, units));
    subjects.push_back(with_copies(random, units));
    Residues other = with_copies(random, units);  // its reverse complement has the copies
    std::ranges::reverse(other);
    for (Residue& residue : other) residue = residue ^ 3;
    subjects.push_back(other);
  }
  const Residues palindrome = encode("GAATTCGAATTC", AlphabetKind::dna);  // both strands score the same
  queries.push_back(palindrome);
  subjects.push_back(concatenate({palindrome, palindrome}));
  const SequenceSet query_set = make_set(queries, AlphabetKind::dna),
                    subject_set = make_set(subjects, AlphabetKind::dna);
  for (const Strands strands : {Strands::plus, Strands::minus, Strands::both})
    for (const Mode mode : {Mode::local, Mode::semiglobal}) {
      Scoring scoring = local;
      scoring.mode = mode;
      if (mode == Mode::semiglobal) scoring.free_ends = FreeEnds::all();
      for (const std::int32_t lowest : {kAny, 25})
        ASSERT_NO_FATAL_FAILURE(
            expect_reference(query_set, subject_set, scoring, strands, lowest == kAny ? 5 : 20, lowest));
    }
}

TEST(RowsOfPairs, OfProteinsInSmallMemory) {
  Random random{4};
  const Residues unit = random_sequence(random, 40);
  const std::vector<Residues> repeats{concatenate({unit, relative(random, unit, 9, 3), unit}),
                                      random_sequence(random, 30)};
  const SequenceSet set = make_set(repeats);
  ASSERT_NO_FATAL_FAILURE(
      expect_reference(set, set, scoring_of({Mode::local}, {11, 1}), Strands::plus, 10, kAny));
}

TEST(RowsOfPairs, OfAnEmptyAlignmentThereAreNone) {
  const SequenceSet queries = make_set(std::vector<Residues>{encode("WWW")}),
                    subjects = make_set(std::vector<Residues>{encode("PPP")});
  const Scoring scoring = scoring_of({Mode::local}, {11, 1});
  const engine::AlignedPair nothing{
      .query_begin = 0, .query_end = 0, .subject_begin = 0, .subject_end = 0, .counts = {}, .cigar = {}};
  const std::vector<FirstRow> pairs{{0, 0, &nothing, {}, {}, kAny}};
  EngineCall call({});
  const StrandedSet strands(queries, Strands::plus, StopFlag::never());
  EXPECT_EQ(engine::rows_of_pairs(strands, subjects, scoring, pairs, 5, kMemory, call).rows.size(), 1u);
}

TEST(RowsOfPairs, AreInterrupted) {
  const SequenceSet set = make_set(std::vector<Residues>{encode("ACDEFGHIKLACDEFGHIKL")});
  const Scoring scoring = scoring_of({Mode::local}, {11, 1});
  const Alignment best = align_reference(set.residues(0), set.residues(0), scoring, Detail::alignment);
  const engine::AlignedPair first = aligned_pair(best);
  const std::vector<FirstRow> pairs{{0, 0, &first, {}, {}, kAny}};
  EngineCall call({});
  call.progress().stop.request();
  const StrandedSet strands(set, Strands::plus, StopFlag::never());
  EXPECT_THROW(engine::rows_of_pairs(strands, set, scoring, pairs, 5, kMemory, call), Interrupted);
}

}  // namespace
}  // namespace alnus::test

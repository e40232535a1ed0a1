// Searches and alignments that list several alignments of a pair.
#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <utility>
#include <vector>

#include "core/aligned_pairs.h"
#include "core/strands.h"
#include "engine/adjusted_scores.h"
#include "engine/align_driver.h"
#include "engine/search_driver.h"
#include "support/device_check.h"
#include "support/engine_call.h"
#include "support/fake_device.h"
#include "support/strands_reference.h"

namespace alnus::engine {
namespace {

using test::EngineCall;
using test::FakeDevices;
using test::FoundHits;
using test::FoundRow;

// Returns sequences that share copies of a few units.
SequenceSet with_repeats(unsigned seed, int count, AlphabetKind kind) {
  test::Random random(seed), of_units(1);
  const std::size_t letters = kind == AlphabetKind::dna ? 4 : 20;
  std::vector<test::Residues> units, all;
  for (int k = 0; k < 4; ++k) units.push_back(test::random_sequence(of_units, 30, letters));
  for (int k = 0; k < count; ++k) {
    test::Residues one = test::random_sequence(random, 1 + test::below(random, 20), letters);
    for (std::size_t copies = test::below(random, 5); copies > 0; --copies) {
      test::Residues unit = units[test::below(random, units.size())];
      for (int change = 0; change < 4; ++change)
        unit[test::below(random, unit.size())] = static_cast<Residue>(test::below(random, letters));
      if (kind == AlphabetKind::dna && test::below(random, 2)) unit = test::other_strand(unit);
      one.insert(one.end(), unit.begin(), unit.end());
    }
    all.push_back(std::move(one));
  }
  return test::make_set(all, kind);
}

// Returns the rows of a pair as they are listed: its alignments on the strands, best first, with coordinates
// as rows have them.
std::vector<FoundRow> reference_rows(const SequenceSet& queries, const SequenceSet& subjects, IndexPair pair,
                                     const Scoring& scoring, Strands strands, std::size_t most) {
  const auto query = queries.residues(pair.query), subject = subjects.residues(pair.subject);
  std::vector<FoundRow> rows;
  const auto add = [&](std::span<const Residue> strand, bool is_minus) {
    for (Alignment& one : several_alignments_reference(strand, subject, scoring, most)) {
      const AlignmentCounts counts = count(one, strand, subject, scoring.matrix);
      if (is_minus && one.score > 0) {
        const auto length = static_cast<std::int32_t>(strand.size());
        one.query_begin = length - std::exchange(one.query_end, length - one.query_begin);
      }
      rows.push_back({pair.query, pair.subject, std::move(one), counts});
    }
  };
  if (strands != Strands::minus) add(query, false);
  if (strands != Strands::plus) add(test::other_strand(query), true);
  std::ranges::stable_sort(rows, std::ranges::greater{}, [](const FoundRow& r) { return r.alignment.score; });
  // An empty alignment is a row only if it is the first one.
  const auto empty = std::ranges::find(rows, 0, [](const FoundRow& row) { return row.alignment.score; });
  rows.erase(std::max(empty, rows.begin() + 1), rows.end());
  if (rows.size() > most) rows.resize(most);
  return rows;
}

struct Case {
  AlphabetKind kind;
  Strands strands;
};

class MaxHsps : public testing::TestWithParam<Case> {
 protected:
  const Scoring scoring_ = GetParam().kind == AlphabetKind::dna
                               ? make_scoring({.preset = "blastn", .alphabet = AlphabetKind::dna})
                               : make_scoring({});
  const SequenceSet queries_ = with_repeats(2, 8, GetParam().kind),
                    subjects_ = with_repeats(3, 30, GetParam().kind);
  const FakeDevices devices_{{{.concurrency = 2, .dawdle = true}, {}}};

  std::vector<FoundRow> search(const SearchOptions& options, std::vector<std::int32_t>* hsps = nullptr) {
    EngineCall call(devices_.pointers);
    FoundHits found;
    const SearchSummary summary =
        engine::search(queries_, test::sorted(subjects_), scoring_, options, call, [&](SearchBatch& batch) {
          found.take(batch);
          if (hsps != nullptr) hsps->insert(hsps->end(), batch.rows.hsp.begin(), batch.rows.hsp.end());
        });
    std::size_t pairs = 0;
    for (std::size_t k = 0; k < found.rows.size(); ++k)
      pairs += k == 0 || found.rows[k].query != found.rows[k - 1].query ||
               found.rows[k].subject != found.rows[k - 1].subject;
    EXPECT_EQ(summary.hits, pairs) << "hits are pairs, not rows";
    return found.rows;
  }
  // Returns the strand that a row is on, as an index of the stranded set, and the row's alignment along it.
  std::pair<SequenceSet::Index, Alignment> along_strand(const FoundRow& row,
                                                        const StrandedSet& strands) const {
    const SequenceSet::Index first = strands.first(row.query);
    const auto length = static_cast<std::int32_t>(queries_.length(row.query));
    Alignment reversed = row.alignment;
    reversed.query_begin = length - std::exchange(reversed.query_end, length - reversed.query_begin);
    for (SequenceSet::Index k = 0; k < strands_of_each(strands.strands()); ++k) {
      const Alignment& along = strands.strand(first + k) == Strand::plus ? row.alignment : reversed;
      if (rescore(along, strands.set().residues(first + k), subjects_.residues(row.subject), scoring_) ==
          row.alignment.score)
        return {first + k, along};
    }
    ADD_FAILURE() << "the row has another score than its alignment";
    return {first, row.alignment};
  }
  SearchOptions options(std::uint32_t max_hsps) const {
    SearchOptions options;
    options.asked.strands = GetParam().strands;
    options.asked.max_hsps = max_hsps;
    return options;
  }
};

TEST_P(MaxHsps, AlignListsTheRowsOfEachPair) {
  constexpr std::uint32_t kMost = 6;
  EngineCall call(devices_.pointers);
  std::vector<FoundRow> found, expected;
  std::vector<std::int32_t> hsps, numbers;
  RowOptions options{.max_hsps = kMost};
  options.fields.strands = GetParam().strands;
  options.fields.hsps = true;
  align_all(test::sorted(queries_), test::sorted(subjects_), scoring_, options, call,
            [&](const Columns& rows) {
              test::append(found, rows);
              hsps.insert(hsps.end(), rows.hsp.begin(), rows.hsp.end());
            });
  for (SequenceSet::Index query = 0; query < queries_.size(); ++query)
    for (SequenceSet::Index subject = 0; subject < subjects_.size(); ++subject) {
      const auto rows =
          reference_rows(queries_, subjects_, {query, subject}, scoring_, GetParam().strands, kMost);
      expected.insert(expected.end(), rows.begin(), rows.end());
      for (std::size_t k = 0; k < rows.size(); ++k) numbers.push_back(static_cast<std::int32_t>(k) + 1);
    }
  EXPECT_EQ(found, expected);
  EXPECT_EQ(hsps, numbers);
  EXPECT_GT(found.size(), 2 * std::size_t{queries_.size()} * subjects_.size());
}

// Without statistics the lowest score chooses the rows.
TEST_P(MaxHsps, SearchListsTheRowsOfEachHit) {
  SearchOptions one = options(1), several = options(5);
  const int lowest = GetParam().kind == AlphabetKind::dna ? 18 : 40;
  one.min_score = several.min_score = lowest * scoring_.scale;
  std::vector<std::int32_t> hsps;
  const std::vector<FoundRow> hits = search(one), found = search(several, &hsps);
  std::vector<FoundRow> expected;
  for (const FoundRow& hit : hits)
    for (FoundRow& row :
         reference_rows(queries_, subjects_, {hit.query, hit.subject}, scoring_, GetParam().strands, 5))
      if (row.alignment.score >= *one.min_score) expected.push_back(std::move(row));
  EXPECT_EQ(found, expected);
  EXPECT_GT(found.size(), hits.size() + 10);
  EXPECT_EQ(std::ranges::count(hsps, 1), static_cast<std::ptrdiff_t>(hits.size()));
}

// Queries are read and aligned ahead of the batch whose rows are made.
TEST_P(MaxHsps, ManyBatchesHaveTheSameRows) {
  SearchOptions whole = options(5);
  whole.statistics = test::published_statistics(scoring_, subjects_);
  whole.statistics.composition = Composition::adjust;
  whole.statistics.low_complexity = LowComplexity::statistics;
  SearchOptions in_batches = whole;
  in_batches.memory_bytes = 1 << 16;
  EXPECT_EQ(search(in_batches), search(whole));
  EngineCall call(devices_.pointers);
  std::size_t batches = 0;
  const auto stop_at_the_third = [&](SearchBatch& /*batch*/) {
    if (++batches == 3) call.progress().stop.request();
  };
  EXPECT_THROW(
      engine::search(queries_, test::sorted(subjects_), scoring_, in_batches, call, stop_at_the_third),
      Interrupted);
  EXPECT_EQ(batches, 3u);
}

class JudgedRows : public MaxHsps {
 protected:
  void expect_rows(double limit);
};

void JudgedRows::expect_rows(double limit) {
  SearchOptions one = options(1), several = options(5);
  for (SearchOptions* each : {&one, &several}) {
    each->asked.evalue = limit;
    each->statistics = test::published_statistics(scoring_, subjects_);
    each->statistics.composition = Composition::adjust;
    each->statistics.low_complexity = LowComplexity::statistics;
  }
  std::vector<std::int32_t> hsps;
  const std::vector<FoundRow> hits = search(one);
  std::vector<FoundRow> found = search(several, &hsps);
  const StrandedSet strands(queries_, GetParam().strands, StopFlag::never());
  const AdjustedScores adjusted(strands.set(), subjects_, scoring_, several.statistics);
  EngineCall call(devices_.pointers);
  std::vector<FoundRow> expected, may_be_missing;
  for (const FoundRow& hit : hits) {
    expected.push_back(hit);
    const auto rows =
        reference_rows(queries_, subjects_, {hit.query, hit.subject}, scoring_, GetParam().strands, 5);
    std::map<SequenceSet::Index, std::vector<ResiduePair>> before;  // by strand: what earlier rows align
    for (std::size_t k = 0; k < rows.size(); ++k) {
      FoundRow row = rows[k];
      const auto [strand, along] = along_strand(row, strands);
      std::vector<ResiduePair>& barred = before[strand];
      std::ranges::stable_sort(barred, {}, &ResiduePair::subject);
      AdjustedScores::Part part{
          {strand, row.subject},
          rows.front().alignment.score,
          along.score,
          {static_cast<std::size_t>(along.query_begin), static_cast<std::size_t>(along.query_end)},
          {static_cast<std::size_t>(along.subject_begin), static_cast<std::size_t>(along.subject_end)}};
      part.barred = [&] {
        std::vector<ResiduePair> within;
        for (const ResiduePair& one : barred)
          if (one.query >= part.query.begin && one.query < part.query.end &&
              one.subject >= part.subject.begin && one.subject < part.subject.end)
            within.push_back(one);
        return within;
      };
      const double score = adjusted.within({&part, 1}, call).front();
      for_each_aligned_pair(along, [&](std::size_t i, std::size_t j) { barred.push_back({i, j}); });
      if (k == 0) continue;
      const auto judge = stats::judge_of(strands.set().residues(strand),
                                         several.statistics.model(several.statistics.method), scoring_);
      const Significance significance = judge->of(score, subjects_.length(row.subject));
      if (*significance.evalue > limit) continue;
      row.bits = significance.bits;
      row.evalue = significance.evalue;
      const AdjustedScores::Candidate pair{{strand, row.subject}, rows.front().alignment.score};
      const std::vector<double> scale = adjusted.predicted_scales({&pair, 1}, call);
      const auto passes = [&](double unadjusted, double most) {
        return *judge->of(unadjusted, subjects_.length(row.subject)).evalue <= most;
      };
      const bool is_candidate =
          passes(along.score, candidate_evalue(several.statistics, scoring_, limit)) &&
          (scale.empty() || passes(scale.front() * along.score, predicted_evalue(limit)));
      (is_candidate ? expected : may_be_missing).push_back(std::move(row));
    }
  }
  std::erase_if(found, [&](const FoundRow& row) { return std::ranges::count(may_be_missing, row) > 0; });
  EXPECT_EQ(found, expected);
  EXPECT_GT(found.size(), hits.size() + 5);
}

// With E-values each row has its own, of the best adjusted score in its rectangle, and is left out if that is
// above the limit. It may also be left out if its unadjusted score fails one of the first two tests of
// candidates. The first rows stay as they are.
TEST_P(JudgedRows, EachByItself) {
  for (const double limit : {1e-3, 1.0}) {
    SCOPED_TRACE(limit);
    expect_rows(limit);
  }
}

const auto cases =
    testing::Values(Case{AlphabetKind::protein, Strands::plus}, Case{AlphabetKind::dna, Strands::plus},
                    Case{AlphabetKind::dna, Strands::minus}, Case{AlphabetKind::dna, Strands::both});
std::string name_of(const testing::TestParamInfo<Case>& info) {
  return info.param.kind == AlphabetKind::protein ? std::string("Proteins")
                                                  : "Dna_" + std::string(word_of(info.param.strands));
}
INSTANTIATE_TEST_SUITE_P(Sequences, MaxHsps, cases, name_of);
INSTANTIATE_TEST_SUITE_P(Sequences, JudgedRows, cases, name_of);

}  // namespace
}  // namespace alnus::engine

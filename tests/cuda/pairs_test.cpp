// The kernels for lists of pairs, called directly: ends and alignments equal those of align_reference().
#include "cuda/kernels/pairs.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

#include "cuda/kernels/trace.h"
#include "cuda/on_device.h"
#include "support/device_check.h"
#include "support/sequences.h"

namespace alnus::test {
namespace {

using namespace cuda;

struct SequencePair {
  Residues query, subject;
};

struct Setup {
  std::uint32_t stride = 1;
  int warps = warps_of(2);
  std::uint32_t more_room = 0;  // for how many pairs more than there are the kernels get room
  std::uint64_t team_cells = 40'000;
  bool long_passes = false;
};

// The sequences of pairs in device memory. The residues of `stride` sequences alternate: residue k of one
// sequence is followed by residue k of the next.
class DevicePairs {
 public:
  DevicePairs(const std::vector<SequencePair>& pairs, std::uint32_t stride)
      : stride_(stride), residues_(interleave(pairs)) {
    for (std::size_t k = 0; k < pairs.size(); ++k)
      pairs_.push_back({sequence(2 * k, pairs[k].query), sequence(2 * k + 1, pairs[k].subject)});
  }
  const std::vector<DevicePair>& pairs() const { return pairs_; }

 private:
  std::vector<Residue> interleave(const std::vector<SequencePair>& pairs) {
    std::vector<Residue> packed;
    std::size_t number = 0;
    const auto add = [&](const Residues& residues) {
      const std::size_t lane = number++ % stride_;
      if (lane == 0) group_ = packed.size();
      firsts_.push_back(group_ + lane);
      packed.resize(std::max(packed.size(), group_ + residues.size() * stride_), 0xff);
      for (std::size_t k = 0; k < residues.size(); ++k)
        packed[group_ + k * stride_ + lane] = residues[k] & kCodeMask;
    };
    for (const auto& [query, subject] : pairs) {
      add(query);
      add(subject);
    }
    return packed;
  }
  DeviceSequence sequence(std::size_t number, const Residues& residues) const {
    return {residues_.data() + firsts_[number], stride_, static_cast<std::uint32_t>(residues.size())};
  }

  std::uint32_t stride_;
  std::size_t group_ = 0;
  std::vector<std::size_t> firsts_;
  OnDevice<Residue> residues_;
  std::vector<DevicePair> pairs_;
};

std::vector<Alignment> align(const std::vector<DevicePair>& pairs, const Scoring& scoring,
                             const Setup& setup = {}) {
  const auto count = static_cast<std::uint32_t>(pairs.size()), most = count + setup.more_room;
  std::uint32_t longest = 0;
  for (const DevicePair& pair : pairs)
    if (pair.query.length > kPassRows) longest = std::max(longest, pair.subject.length);

  const OnDevice<DevicePair> pairs_there(pairs);
  const OnDevice<DeviceScoring> scoring_there(std::vector{device_scoring(scoring)});
  const OnDevice<std::uint32_t> count_there(std::vector{count}), counter(1), stop(std::vector{0U});
  const OnDevice<std::byte> workspace(workspace_bytes(longest, setup.warps));
  const OnDevice<PairEnds> ends_there(most);
  require(launch_ends({.pairs = pairs_there.data(),
                       .count = setup.more_room > 0 ? count_there.data() : nullptr,
                       .most = most,
                       .team_cells = setup.team_cells,
                       .long_passes = setup.long_passes,
                       .scoring = scoring_there.data(),
                       .longest_subject = longest,
                       .ends = ends_there.data(),
                       .workspace = workspace.data(),
                       .counter = counter.data(),
                       .warps = setup.warps,
                       .stop = stop.data()},
                      nullptr));
  const std::vector<PairEnds> ends = ends_there.read();
  for (std::uint32_t k = count; k < most; ++k)
    EXPECT_EQ(ends[k].score, static_cast<std::int32_t>(0xa5a5a5a5));

  std::vector<std::uint64_t> offsets;
  std::uint64_t bytes = 0;
  for (std::uint32_t k = 0; k < count; ++k) {
    offsets.push_back(bytes);
    bytes += trace_bytes(ends[k].query_end, ends[k].subject_end);
  }
  const OnDevice<std::uint64_t> offsets_there(offsets), total_runs(1);
  const OnDevice<std::byte> trace(bytes);
  const OnDevice<PairPath> paths_there(count);
  const TraceLaunch work{.pairs = pairs_there.data(),
                         .ends = ends_there.data(),
                         .offsets = offsets_there.data(),
                         .count = count,
                         .team_cells = setup.team_cells,
                         .scoring = scoring_there.data(),
                         .longest_subject = longest,
                         .paths = paths_there.data(),
                         .total_runs = total_runs.data(),
                         .trace = trace.data(),
                         .workspace = workspace.data(),
                         .counter = counter.data(),
                         .warps = setup.warps,
                         .stop = stop.data()};
  require(launch_trace(work, nullptr));
  const OnDevice<std::uint32_t> cigars_there(total_runs.read()[0]);
  require(launch_cigars(work, cigars_there.data(), nullptr));

  const std::vector<PairPath> paths = paths_there.read();
  const std::vector<std::uint32_t> cigars = cigars_there.read();
  std::vector<Alignment> alignments;
  for (std::uint32_t k = 0; k < count; ++k) {
    Alignment& added = alignments.emplace_back();
    added.score = ends[k].score;
    added.query_begin = paths[k].query_begin;
    added.query_end = ends[k].query_end;
    added.subject_begin = paths[k].subject_begin;
    added.subject_end = ends[k].subject_end;
    for (std::uint32_t run = 0; run < paths[k].runs; ++run)
      added.cigar.emplace_back().packed = cigars.at(paths[k].first_run + run);
  }
  return alignments;
}

testing::AssertionResult equal_reference(const std::vector<SequencePair>& pairs, const Scoring& scoring,
                                         const std::vector<Setup>& setups = {{}}) {
  std::vector<Alignment> expected;
  for (const auto& [query, subject] : pairs)
    expected.push_back(align_reference(query, subject, scoring, Detail::alignment));
  for (const Setup& setup : setups) {
    const DevicePairs there(pairs, setup.stride);
    const std::vector<Alignment> actual = align(there.pairs(), scoring, setup);
    for (std::size_t k = 0; k < pairs.size(); ++k) {
      if (actual[k] == expected[k]) continue;
      return testing::AssertionFailure()
             << describe(scoring, Detail::alignment) << ", stride " << setup.stride << ", " << setup.warps
             << " warps, pair " << k << ": " << pairs[k].query.size() << " x " << pairs[k].subject.size()
             << "\nis       " << describe(actual[k]) << "\nshall be " << describe(expected[k]);
    }
  }
  return testing::AssertionSuccess();
}

constexpr Gaps kGaps[] = {{11, 1}, {0, 4}, {0, 0}, {3, 0}, {1, 5}, {60, 20}};

class Pairs : public testing::TestWithParam<ModeAndEnds> {
 protected:
  Scoring scoring(Gaps gaps) const { return scoring_of(GetParam(), gaps); }
};

TEST_P(Pairs, LengthsAroundThoseOfLanesAndPasses) {
  Random random(1);
  std::vector<SequencePair> pairs;
  for (const std::size_t m : {700, 257, 256, 255, 33, 32, 31, 1, 0})
    for (const std::size_t n : {700, 257, 256, 255, 33, 32, 31, 1, 0})
      pairs.push_back({random_sequence(random, m), random_sequence(random, n)});
  for (const Gaps gaps : kGaps)
    EXPECT_TRUE(equal_reference(
        pairs, scoring(gaps),
        {{.stride = 1, .team_cells = 0, .long_passes = true}, {.stride = 4, .team_cells = UINT64_MAX}}));
}

TEST_P(Pairs, RelativesWithGaps) {
  Random random(2);
  std::vector<SequencePair> pairs;
  for (const std::size_t length : {600, 515, 300, 264, 100, 40}) {
    for (const std::size_t spacing : {3, 10, 40}) {
      const Residues ancestor = random_sequence(random, length);
      pairs.push_back({relative(random, ancestor, spacing, 20), relative(random, ancestor, spacing, 20)});
    }
    const Residues within = random_sequence(random, length / 3);
    const auto flank = [&] { return random_sequence(random, below(random, 200)); };
    pairs.push_back({concatenate({flank(), within, flank()}), concatenate({flank(), within, flank()})});
  }
  for (const Gaps gaps : kGaps) EXPECT_TRUE(equal_reference(pairs, scoring(gaps)));
}

// In most cells of the dynamic programming matrices of these pairs, several paths have the best score.
TEST_P(Pairs, FewLettersAndRepeats) {
  Random random(3);
  std::vector<SequencePair> pairs;
  for (const std::size_t letters : {1, 2, 3})
    for (const std::size_t m : {270, 64, 9})
      for (const std::size_t n : {260, 50, 7})
        pairs.push_back({random_sequence(random, m, letters), random_sequence(random, n, letters)});
  for (const char* query : {"A", "AC", "ACW", "WWWWWWWWWWG"})
    for (const char* subject : {"A", "CA", "WAC", "GWWWWWWW"})
      pairs.push_back({repeat(query, 262), repeat(subject, 130)});
  // In the next pair, two cells in which the alignment may end have the same score and belong to one lane.
  // The cell in the earlier column is computed in the later pass.
  const Residues one_part = repeat("WC", 40), other_part = repeat("CW", 40);
  pairs.push_back({concatenate({one_part, repeat("G", kPassRows - 40), other_part}),
                   concatenate({other_part, repeat("D", 50), one_part})});
  const auto zero = [](int, int) { return 0; };
  const auto one = [](int query, int subject) { return query == subject ? 1 : -1; };
  for (const Gaps gaps : kGaps) {
    EXPECT_TRUE(equal_reference(pairs, scoring(gaps)));
    EXPECT_TRUE(equal_reference(pairs, scoring_of(GetParam(), gaps, matrix_of(zero))));
    EXPECT_TRUE(equal_reference(pairs, scoring_of(GetParam(), gaps, matrix_of(one))));
  }
}

// Letters that score alike are not equal, and the case of a letter does not matter.
TEST_P(Pairs, LettersThatScoreAsOthersAndLowerCase) {
  Random random(4);
  std::vector<SequencePair> pairs = {{encode("MKUCOKJLLIacdUOJ"), encode("mkcUkoljliACDuoj")},
                                     {encode("UUUUUCCCCC"), encode("CCCCCUUUUU")}};
  for (const std::size_t length : {290, 120, 20}) {
    const Residues ancestor = random_sequence(random, length, 27);
    pairs.push_back(
        {with_random_case(random, ancestor), with_random_case(random, relative(random, ancestor, 8, 5))});
  }
  for (const Gaps gaps : kGaps) EXPECT_TRUE(equal_reference(pairs, scoring(gaps), {{.stride = 4}}));
}

TEST_P(Pairs, MatricesThatAreNotSymmetricAndScoresBeyond16Bits) {
  Random random(5);
  std::vector<SequencePair> pairs;
  for (const std::size_t length : {520, 250, 90, 12}) {
    const Residues ancestor = random_sequence(random, length, 27);
    pairs.push_back({ancestor, relative(random, ancestor, 10, 9)});
    pairs.push_back({random_sequence(random, length, 27), random_sequence(random, 300, 27)});
  }
  for (const int highest : {9, 3000, 32766}) {
    const auto any = [&](int, int) { return static_cast<int>(below(random, 2 * highest)) - highest; };
    const auto likes_itself = [&](int query, int subject) {
      return query == subject ? highest : any(query, subject);
    };
    for (const Gaps gaps : {Gaps{highest / 2, highest / 9}, {0, highest}, {highest, 0}}) {
      EXPECT_TRUE(equal_reference(pairs, scoring_of(GetParam(), gaps, matrix_of(any))));
      EXPECT_TRUE(equal_reference(pairs, scoring_of(GetParam(), gaps, matrix_of(likes_itself))));
    }
  }
}

// Each warp aligns several pairs, and uses its part of the workspace again.
TEST_P(Pairs, FewWarpsManyPairs) {
  Random random(6);
  std::vector<SequencePair> pairs = {{random_sequence(random, 30), random_sequence(random, 3000)},
                                     {random_sequence(random, 2100), random_sequence(random, 20)}};
  for (std::size_t length = 600; length > 5; length -= length / 8 + 1) {
    const Residues ancestor = random_sequence(random, length);
    pairs.push_back({relative(random, ancestor, 20, 5), ancestor});
  }
  EXPECT_TRUE(equal_reference(pairs, scoring({11, 1}),
                              {{.warps = 1}, {.warps = 3}, {.warps = 6, .more_room = 100}, {.warps = 999}}));
}

// Several warps compute a pair as a team, and wait for each other's columns. The waits must end with all
// lengths.
TEST_P(Pairs, TeamsOfManyPasses) {
  Random random(7);
  std::vector<SequencePair> pairs;
  for (const std::size_t m : {2600, 1300, 1024, 1025, 300, 5})
    for (const std::size_t n : {1, 15, 16, 17, 40, 500, 1500})
      pairs.push_back({random_sequence(random, m), random_sequence(random, n)});
  for (const std::uint64_t team_cells : {0, 100'000})
    EXPECT_TRUE(equal_reference(pairs, scoring({11, 1}),
                                {{.warps = 4, .team_cells = team_cells},
                                 {.warps = 12, .more_room = 50, .team_cells = team_cells},
                                 {.team_cells = team_cells, .long_passes = true}}));
}

INSTANTIATE_TEST_SUITE_P(Cuda, Pairs, testing::ValuesIn(all_modes()),
                         [](const auto& info) { return name_of(info.param); });

using InGlobalMode = Pairs;
INSTANTIATE_TEST_SUITE_P(Cuda, InGlobalMode, testing::Values(ModeAndEnds{Mode::global}));

TEST_P(InGlobalMode, NoPairsAtAll) {
  EXPECT_TRUE(align({}, scoring({11, 1})).empty());
  EXPECT_TRUE(align({}, scoring({11, 1}), {.more_room = 5}).empty());
}

// The gaps are longer than a CigarRun can hold. For a sequence with stride 0 one byte is all of its residues.
TEST_P(InGlobalMode, RunsLongerThanTheLongest) {
  const OnDevice<Residue> residue(std::vector<Residue>{3});
  const DeviceSequence empty{residue.data(), 0, 0}, huge{residue.data(), 0, CigarRun::kLongest + 6};
  const std::vector<Alignment> alignments =
      align({{empty, huge}, {huge, empty}}, scoring_of(GetParam(), {11, 1}));
  const auto size = static_cast<std::int32_t>(huge.length);
  using Runs = std::vector<CigarRun>;
  EXPECT_EQ(alignments[0],
            (Alignment{-11 - size, 0, 0, 0, size,
                       Runs{{CigarOp::deletion, 6}, {CigarOp::deletion, CigarRun::kLongest}}}));
  EXPECT_EQ(alignments[1],
            (Alignment{-11 - size, 0, size, 0, 0,
                       Runs{{CigarOp::insertion, 6}, {CigarOp::insertion, CigarRun::kLongest}}}));
}

}  // namespace
}  // namespace alnus::test

// The kernel that gives each pass of a long pair a warp of its own, called directly: scores equal those of
// align_reference().
#include "cuda/kernels/long_scores.h"

#include <algorithm>
#include <climits>
#include <gtest/gtest.h>
#include <utility>
#include <vector>

#include "cuda/emulated.h"
#include "cuda/long_subjects.h"
#include "cuda/on_device.h"
#include "support/device_check.h"
#include "support/sequences.h"

namespace alnus::test {
namespace {

using namespace cuda;

// Queries, and subjects that lie side by side in fours, as Packing4 tells. The first `before` subjects are
// left out: column 0 is the subject after them.
struct Sequences {
  std::vector<Residues> queries, subjects;
  std::uint32_t before = 1;
};

class LongScoresOf {
 public:
  LongScoresOf(const Sequences& sequences, const Scoring& scoring)
      : rows_(static_cast<std::uint32_t>(sequences.queries.size())),
        columns_(static_cast<std::uint32_t>(sequences.subjects.size()) - sequences.before),
        first_column_(sequences.before),
        scoring_(std::vector{device_scoring(scoring)}),
        offsets_(offsets(sequences.queries)),
        queries_(codes(sequences.queries)),
        places_(places(sequences.subjects)),
        lengths_(lengths(sequences.subjects)),
        packed_(packed(sequences.subjects)) {
    for (const Residues& query : sequences.queries)
      longest_query_ = std::max(longest_query_, static_cast<std::uint32_t>(query.size()));
    longest_subject_ = static_cast<std::uint32_t>(sequences.subjects[first_column_].size());
  }

  // Launches the kernel, and returns the scores as [row * columns + column]. `lowest` is the value of all
  // scores before the launch. A stop word of 1 requests a stop.
  std::vector<std::int32_t> run(std::int32_t lowest, int multiprocessors, std::uint32_t stop_word = 0) {
    const OnDevice<std::int32_t> scores(std::vector<std::int32_t>(std::size_t{rows_} * columns_, lowest));
    const OnDevice<std::uint32_t> stop(std::vector{stop_word});
    LongScores work{
        .sequences = {.query_offsets = offsets_.data(),
                      .queries = queries_.data(),
                      .places = places_.data(),
                      .lengths = lengths_.data(),
                      .packed = packed_.data(),
                      .first_column = first_column_},
        .rows = rows_,
        .columns = columns_,
        .longest_query = longest_query_,
        .longest_subject = longest_subject_,
        .scoring = scoring_.data(),
        .scores = scores.data(),
        .stride = columns_,
        .workspace = nullptr,
        .stop = stop.data(),
    };
    const OnDevice<std::byte> workspace(bytes_of_long_scores(work));
    work.workspace = workspace.data();
    require(launch_long_scores(work, multiprocessors, nullptr));
    return scores.read();
  }

 private:
  static std::vector<std::uint64_t> offsets(const std::vector<Residues>& sequences) {
    std::vector<std::uint64_t> all{0};
    for (const Residues& residues : sequences) all.push_back(all.back() + residues.size());
    return all;
  }
  static std::vector<std::uint8_t> codes(const std::vector<Residues>& sequences) {
    std::vector<std::uint8_t> all;
    for (const Residues& residues : sequences)
      for (const Residue residue : residues) all.push_back(residue & kCodeMask);
    return all;
  }
  static std::vector<std::uint32_t> lengths(const std::vector<Residues>& sequences) {
    std::vector<std::uint32_t> all;
    for (const Residues& residues : sequences) all.push_back(static_cast<std::uint32_t>(residues.size()));
    return all;
  }
  static std::vector<std::uint64_t> places(const std::vector<Residues>& sequences) {
    std::vector<std::uint64_t> all;
    std::uint64_t place = 0;
    for (std::size_t k = 0; k < sequences.size(); k += kSubjects) {
      all.push_back(place);
      place += sequences[k].size() * kSubjects;
    }
    return all;
  }
  static std::vector<std::uint8_t> packed(const std::vector<Residues>& sequences) {
    std::vector<std::uint8_t> all;
    for (std::size_t k = 0; k < sequences.size(); k += kSubjects)
      for (std::size_t column = 0; column < sequences[k].size(); ++column)
        for (std::size_t number = k; number < k + kSubjects; ++number)
          all.push_back(number < sequences.size() && column < sequences[number].size()
                            ? sequences[number][column] & kCodeMask
                            : 0);
    return all;
  }

  std::uint32_t rows_, columns_, first_column_, longest_query_ = 0, longest_subject_ = 0;
  OnDevice<DeviceScoring> scoring_;
  OnDevice<std::uint64_t> offsets_;
  OnDevice<std::uint8_t> queries_;
  OnDevice<std::uint64_t> places_;
  OnDevice<std::uint32_t> lengths_;
  OnDevice<std::uint8_t> packed_;
};

class LongPairs : public testing::TestWithParam<ModeAndEnds> {
 protected:
  // Returns queries of no pass to several passes (of 512 rows), and subjects, of which one is a relative of
  // the longest query.
  static Sequences sequences() {
    Random random(11);
    Sequences all;
    using Lengths = std::vector<std::size_t>;
    const Residues ancestor = random_sequence(random, 1100);
    for (const std::size_t length :
         kEmulated ? Lengths{1025, 520, 512, 1, 0} : Lengths{1100, 1025, 513, 512, 40, 1, 0})
      all.queries.push_back(length == 1025 ? random_sequence(random, length)
                                           : Residues(ancestor.begin(), ancestor.begin() + length));
    for (const std::size_t length : kEmulated ? Lengths{90, 70, 33, 32, 1} : Lengths{900, 700, 64, 33, 32, 1})
      all.subjects.push_back(random_sequence(random, length));
    // The relative has residues on both sides of the end of the first pass.
    const int first = kEmulated ? 490 : 300, end = kEmulated ? 530 : 1000;
    all.subjects[1] = relative(random, Residues(ancestor.begin() + first, ancestor.begin() + end), 20, 20);
    std::ranges::sort(all.subjects, std::greater(), &Residues::size);
    return all;
  }
};

TEST_P(LongPairs, ScoresAreTheReferences) {
  const Sequences all = sequences();
  for (const Gaps gaps : {Gaps{11, 1}, {0, 0}, {60, 20}}) {
    const Scoring scoring = scoring_of(GetParam(), gaps);
    const std::int32_t lowest = scoring.mode == Mode::local ? 0 : INT_MIN;
    std::vector<std::int32_t> expected;
    for (const Residues& query : all.queries)
      for (std::size_t subject = all.before; subject < all.subjects.size(); ++subject)
        expected.push_back(align_reference(query, all.subjects[subject], scoring, Detail::score).score);
    LongScoresOf scores(all, scoring);
    // One multiprocessor has fewer warps than there are passes.
    for (const int multiprocessors : {1, 4}) EXPECT_EQ(scores.run(lowest, multiprocessors), expected);
  }
}

// The rows between passes of all pairs, and the progress of each pass, must fit the memory. If they do not,
// half of the subjects are left to the other kernel, in whole quads.
TEST(LongSubjectsCut, ToTheMemory) {
  for (const std::uint32_t rows : {1U, 3U})
    for (const std::uint32_t columns : {4U, 8U, 12U, 20U, 100U})
      for (const std::uint32_t query : {0U, 1U, 511U, 512U, 513U, 1024U, 1025U})
        for (const std::uint32_t subject : {1U, 900U}) {
          LongScores work{};
          work.rows = rows;
          work.columns = columns;
          work.longest_query = query;
          work.longest_subject = subject;
          const std::uint64_t pairs = std::uint64_t{rows} * columns,
                              passes = std::max(1U, (query + kLongPassRows - 1) / kLongPassRows),
                              bytes = bytes_of_long_scores(work), words = 1 + pairs * passes;
          EXPECT_EQ(bytes, (words + words % 2) * 4 + pairs * subject * 8);  // H and F are aligned
          EXPECT_EQ(LongSubjects(2, bytes).cut(work).columns, columns);
          EXPECT_EQ(LongSubjects(2, bytes - 1).cut(work).columns, columns / 2 / kSubjects * kSubjects);
          EXPECT_EQ(LongSubjects(2, 0).cut(work).columns, 0U);
          work.columns = 0;
          EXPECT_EQ(LongSubjects(2, 0).cut(work).columns, 0U);
        }
}

// With a stop word of 1 the kernel returns before it has computed the scores. (CudaStop tests stops while
// warps wait for each other.)
TEST_P(LongPairs, AStopBeforeTheLaunchEndsThem) {
  const Scoring scoring = scoring_of(GetParam(), {11, 1});
  LongScoresOf scores(sequences(), scoring);
  EXPECT_NE(scores.run(INT_MIN, 1, 1), scores.run(INT_MIN, 1, 0));
}

INSTANTIATE_TEST_SUITE_P(Cuda, LongPairs, testing::ValuesIn(all_modes()),
                         [](const auto& info) { return name_of(info.param); });

}  // namespace
}  // namespace alnus::test

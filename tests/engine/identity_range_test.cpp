// The identity ranges of co-optimal alignments, compared with all alignments one by one.
#include "engine/identity_range.h"

#include <array>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <limits>
#include <optional>
#include <span>

#include "alnus/error.h"
#include "core/second_objective.h"
#include "engine/align_list.h"
#include "engine/registry.h"
#include "support/device_check.h"
#include "support/engine_call.h"

namespace alnus::engine {
namespace {

using namespace alnus::test;

// Values of `largest` (identity_range.h): devices get no pair whose sums may exceed it. With 300, pairs of
// larger sums are computed by two runs on devices, or without devices; with 0 all are computed without
// devices.
constexpr double kLargest[] = {1e9, 300, 0};
constexpr double kBothWays[] = {1e9, 0};  // with devices and without them
constexpr Denominator kAll[] = {Denominator::alignment, Denominator::ungapped, Denominator::shorter,
                                Denominator::longer,    Denominator::mean,     Denominator::with_end_gaps};

bool less(const Fraction& a, const Fraction& b) {
  return a.numerator * b.denominator < b.numerator * a.denominator;
}

// Goes through all paths of the dynamic programming matrix, once for all denominators.
class EveryAlignment {
 public:
  EveryAlignment(const Residues& query, const Residues& subject, const Scoring& scoring)
      : query_(query), subject_(subject), scoring_(scoring), m_(query.size()), n_(subject.size()) {
    for (std::size_t i = 0; i <= m_; ++i)
      for (std::size_t j = 0; j <= n_; ++j)
        if (local() || (i == 0 && j == 0) || (j == 0 && free().query_begin) ||
            (i == 0 && free().subject_begin))
          visit({i, j});
  }
  std::int64_t best() const { return best_; }
  // If the best local score is 0, nothing is aligned.
  IdentityRange range(Denominator by) const {
    return local() && best_ == 0 ? IdentityRange{} : ranges_[static_cast<std::size_t>(by)];
  }

 private:
  struct Path {
    std::size_t i, j;
    std::int64_t score = 0, matches = 0, aligned = 0, gaps = 0;
    char last = 'M';
  };
  bool local() const { return scoring_.mode == Mode::local; }
  const FreeEnds& free() const { return scoring_.free_ends; }

  void visit(const Path& path) {
    const bool last_row = path.i == m_, last_column = path.j == n_;
    if (local() || (last_row && last_column) || (last_row && free().subject_end) ||
        (last_column && free().query_end))
      end(path);
    if (!last_row && !last_column) {
      Path next = path;
      const Residue q = query_[next.i++], s = subject_[next.j++];
      next.score += scoring_.matrix.value(q, s);
      next.matches += (q & kCodeMask) == (s & kCodeMask);
      ++next.aligned;
      next.last = 'M';
      visit(next);
    }
    if (!last_column) visit(gap(path, 'D'));
    if (!last_row) visit(gap(path, 'I'));
  }
  Path gap(Path path, char kind) const {
    path.score -= scoring_.extend + (path.last == kind ? 0 : scoring_.open);
    ++path.gaps;
    ++(kind == 'D' ? path.j : path.i);
    path.last = kind;
    return path;
  }
  void end(const Path& path) {
    if (found_ && path.score < best_) return;
    for (const Denominator by : kAll) {
      IdentityRange& range = ranges_[static_cast<std::size_t>(by)];
      const Fraction identity = identity_of(path, by);
      if (!found_ || path.score > best_) range = {identity, identity};
      if (less(identity, range.lowest)) range.lowest = identity;
      if (less(range.highest, identity)) range.highest = identity;
    }
    found_ = true;
    best_ = path.score;
  }
  Fraction identity_of(const Path& path, Denominator by) const {
    const auto m = static_cast<std::int64_t>(m_), n = static_cast<std::int64_t>(n_);
    if (path.matches == 0) return {0, 1};
    switch (by) {
      case Denominator::alignment:
        return {path.matches, path.aligned + path.gaps};
      case Denominator::ungapped:
        return {path.matches, path.aligned};
      case Denominator::shorter:
        return {path.matches, std::min(m, n)};
      case Denominator::longer:
        return {path.matches, std::max(m, n)};
      case Denominator::mean:
        return {2 * path.matches, m + n};
      case Denominator::with_end_gaps:
        return {path.matches, m + n - path.aligned};
    }
    return {};
  }

  const Residues &query_, &subject_;
  const Scoring& scoring_;
  const std::size_t m_, n_;
  bool found_ = false;
  std::int64_t best_ = 0;
  std::array<IdentityRange, kDenominators> ranges_;
};

// Computes the identity ranges of the pairs queries[i], subjects[i] on the CPU.
class Ranges {
 public:
  Ranges(const std::vector<Residues>& queries, const std::vector<Residues>& subjects, const Scoring& scoring)
      : scoring_(scoring), devices_(make_devices({.devices = "cpu", .threads = 2})) {
    Device* const device = devices_.front().get();
    call_.emplace(std::span(&device, 1));
    scheduler_.emplace(*call_, sorted(make_set(queries)), sorted(make_set(subjects)),
                       Problem{scoring, Detail::score});
    const std::vector<Position> rows = positions_of(scheduler_->rows()),
                                columns = positions_of(scheduler_->columns());
    for (std::size_t i = 0; i < queries.size(); ++i) pairs_.push_back({rows[i], columns[i]});
    for (const AlignedPair& aligned : align_list(*scheduler_, pairs_, {scoring, Detail::score}).pairs)
      scores_.push_back(aligned.score);
  }
  const std::vector<std::int32_t>& scores() const { return scores_; }
  std::vector<IdentityRange> by(Denominator denominator, double largest) {
    return identity_ranges(*scheduler_, pairs_, scores_, scoring_, denominator, largest);
  }
  Progress& progress() { return call_->progress(); }

 private:
  const Scoring scoring_;
  const std::vector<std::unique_ptr<Device>> devices_;
  std::optional<EngineCall> call_;
  std::optional<Scheduler> scheduler_;
  std::vector<PositionPair> pairs_;
  std::vector<std::int32_t> scores_;
};

std::vector<Residues> random_set(Random& random, std::size_t count, std::size_t longest,
                                 std::size_t letters) {
  std::vector<Residues> set;
  for (std::size_t i = 0; i < count; ++i)
    set.push_back(with_random_case(random, random_sequence(random, below(random, longest + 1), letters)));
  return set;
}

// Returns scorings with which many alignments of a pair have the same score.
std::vector<Scoring> scorings_with_ties(const ModeAndEnds& mode) {
  const auto matrix = [](int match, int mismatch) {
    return matrix_of([=](int query, int subject) { return query == subject ? match : mismatch; });
  };
  // Each letter scores as well with one other letter as with itself.
  const SubstitutionMatrix alike =
      matrix_of([](int query, int subject) { return query / 2 == subject / 2 ? 2 : -1; });
  return {scoring_of(mode, {1, 1}, alike),         scoring_of(mode, {0, 1}, matrix(1, -1)),
          scoring_of(mode, {0, 1}, matrix(2, -2)), scoring_of(mode, {1, 0}, matrix(1, 0)),
          scoring_of(mode, {0, 0}, matrix(1, -1)), scoring_of(mode, {2, 1}, matrix(0, 0))};
}

void expect_equal(const IdentityRange& found, const IdentityRange& expected, const std::string& where) {
  for (const auto end : {&IdentityRange::lowest, &IdentityRange::highest}) {
    EXPECT_GT((found.*end).denominator, 0) << where;
    EXPECT_FALSE(less(found.*end, expected.*end) || less(expected.*end, found.*end))
        << where << (end == &IdentityRange::lowest ? "lowest " : "highest ")
        << fmt::format("{}/{}, expected {}/{}", (found.*end).numerator, (found.*end).denominator,
                       (expected.*end).numerator, (expected.*end).denominator);
  }
}

// Compares the ranges of the pairs queries[i], subjects[i] with those of all alignments. Returns how many
// pairs have alignments of different identity.
int expect_every(const std::vector<Residues>& queries, const std::vector<Residues>& subjects,
                 const Scoring& scoring, std::span<const double> largest) {
  Ranges ranges(queries, subjects, scoring);
  std::vector<EveryAlignment> every;
  for (std::size_t i = 0; i < queries.size(); ++i) {
    every.emplace_back(queries[i], subjects[i], scoring);
    EXPECT_EQ(ranges.scores()[i], every[i].best());
  }
  int different = 0;
  for (const Denominator by : kAll)
    for (const double most : largest) {
      const std::vector<IdentityRange> found = ranges.by(by, most);
      for (std::size_t i = 0; i < queries.size(); ++i) {
        const IdentityRange expected = every[i].range(by);
        different += less(expected.lowest, expected.highest);
        expect_equal(
            found[i], expected,
            fmt::format("{} {} {}, denominator {}, scores to {}: ", decode(queries[i]), decode(subjects[i]),
                        describe(scoring, Detail::score), static_cast<int>(by), most));
      }
    }
  return different;
}

// Returns all sequences of two letters with at most `longest` residues.
std::vector<Residues> all_sequences(std::size_t longest) {
  std::vector<Residues> all = {{}};
  for (std::size_t i = 0; all[i].size() < longest; ++i)
    for (const Residue letter : {0, 1}) {
      all.push_back(all[i]);
      all.back().push_back(letter);
    }
  return all;
}

class IdentityRanges : public testing::TestWithParam<ModeAndEnds> {};

// Some gaps cost nothing here, so co-optimal alignments may have gaps anywhere, also before both first
// residues.
TEST_P(IdentityRanges, AreThoseOfEveryAlignmentOfEverySmallPair) {
  std::vector<Residues> queries, subjects;
  for (const Residues& query : all_sequences(3))
    for (const Residues& subject : all_sequences(3)) {
      queries.push_back(query);
      subjects.push_back(subject);
    }
  const SubstitutionMatrix plain =
                               matrix_of([](int query, int subject) { return query == subject ? 1 : -1; }),
                           uneven = matrix_of([](int query, int subject) { return 2 * query - subject; });
  int different = 0;
  for (const SubstitutionMatrix& matrix : {plain, uneven})
    for (const Gaps gaps : {Gaps{0, 0}, Gaps{1, 0}, Gaps{0, 1}})
      different += expect_every(queries, subjects, scoring_of(GetParam(), gaps, matrix), kBothWays);
  EXPECT_GT(different, 1000);
}

TEST_P(IdentityRanges, AreThoseOfEveryAlignment) {
  Random random(1);
  int different = 0;
  for (const std::size_t letters : {2, 4})
    for (const Scoring& scoring : scorings_with_ties(GetParam())) {
      const std::vector<Residues> queries = random_set(random, 40, 5, letters),
                                  subjects = random_set(random, 40, 6, letters);
      different += expect_every(queries, subjects, scoring, kLargest);
    }
  EXPECT_GT(different, 100);
}

// If p / q is the highest identity, the highest value of q * matches - p * length over the co-optimal
// alignments is 0: one alignment has this identity, and none a higher one. The lowest identity is checked
// likewise.
TEST_P(IdentityRanges, OfLongerSequencesAreAttainedAndNotPassed) {
  Random random(2);
  for (const Scoring& scoring : scorings_with_ties(GetParam())) {
    const std::vector<Residues> queries = random_set(random, 10, 80, 4),
                                subjects = random_set(random, 10, 60, 4);
    Ranges ranges(queries, subjects, scoring);
    for (const Denominator by : {Denominator::alignment, Denominator::ungapped})
      for (const double largest : kLargest) {
        const std::vector<IdentityRange> found = ranges.by(by, largest);
        for (std::size_t i = 0; i < queries.size(); ++i) {
          if (scoring.mode == Mode::local && ranges.scores()[i] == 0) continue;
          const auto most_beyond = [&](const Fraction& identity, int sign) {
            const std::int64_t p = sign * identity.numerator, q = sign * identity.denominator;
            return best_of_both(queries[i], subjects[i], scoring,
                                {q - p, -p, by == Denominator::alignment ? -p : 0});
          };
          const BothObjectives none{ranges.scores()[i], 0};
          EXPECT_EQ(most_beyond(found[i].highest, 1), none);
          EXPECT_EQ(most_beyond(found[i].lowest, -1), none);
        }
      }
  }
}

INSTANTIATE_TEST_SUITE_P(, IdentityRanges, testing::ValuesIn(all_modes()),
                         [](const auto& info) { return name_of(info.param); });

// The best alignments have S over S and the other residues in gaps that cost nothing, so 1 of 1 to 4 columns
// is identical.
TEST(IdentityRangesOfProteins, DoNotDependOnTheDirectionWhereGapsCostNothing) {
  for (const ModeAndEnds& mode : main_modes())
    for (const double largest : kLargest) {
      Ranges ranges({encode("SQ"), encode("QS"), encode("DWS"), encode("SWD")},
                    {encode("DWS"), encode("SWD"), encode("SQ"), encode("QS")}, scoring_of(mode, {0, 0}));
      const std::vector<IdentityRange> found = ranges.by(Denominator::alignment, largest);
      for (std::size_t i = 0; i < found.size(); ++i)
        expect_equal(found[i], {{1, 4}, {1, mode.mode == Mode::global ? 4 : 1}},
                     fmt::format("{} {}: ", name_of(mode), i));
    }
}

TEST(IdentityRangesOfProteins, TheSameHoweverLargeScoresMayBe) {
  Random random(3);
  std::vector<Residues> queries, subjects;
  for (int i = 0; i < 6; ++i) {
    queries.push_back(random_sequence(random, 100 + 80 * static_cast<std::size_t>(i)));
    subjects.push_back(relative(random, queries.back(), 4, 8));
  }
  for (const ModeAndEnds& mode : main_modes()) {
    Ranges ranges(queries, subjects, scoring_of(mode, {11, 1}));
    for (const Denominator by : kAll) {
      std::vector<std::vector<IdentityRange>> found;
      std::vector<std::uint64_t> cells;  // computed by devices
      for (const double largest : {1e9, 2e5, 0.0}) {
        const std::uint64_t before = ranges.progress().cells_done;
        found.push_back(ranges.by(by, largest));
        cells.push_back(ranges.progress().cells_done - before);
      }
      EXPECT_GT(cells[1], cells[0]);
      EXPECT_EQ(cells[2], 0u);
      for (std::size_t i = 0; i < queries.size(); ++i) {
        expect_equal(found[1][i], found[0][i], name_of(mode) + ": ");
        expect_equal(found[2][i], found[0][i], name_of(mode) + ": ");
      }
    }
  }
}

TEST(IdentityRangesOfProteins, EndWhenTheyAreNoLongerWanted) {
  Ranges ranges({repeat("MKWV", 40)}, {repeat("MKWI", 40)}, scoring_of({Mode::global}, {11, 1}));
  ranges.progress().stop.request();
  EXPECT_THROW(ranges.by(Denominator::alignment, 0), Interrupted);
}

}  // namespace
}  // namespace alnus::engine

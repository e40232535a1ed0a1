// Random tiles on every version of the 16-bit kernel: all pairs that the sink wants are handed over, with the
// scores of align_reference().
#include <algorithm>
#include <cstdint>
#include <fmt/format.h>
#include <functional>
#include <gtest/gtest.h>
#include <limits>
#include <string>
#include <vector>

#include "cuda/cuda_device.h"
#include "support/device_check.h"
#include "support/sequences.h"

namespace alnus::test {
namespace {

template <class T>
T pick(Random& random, std::initializer_list<T> values) {
  return values.begin()[below(random, values.size())];
}

int between(Random& random, int lowest, int highest) {
  return lowest + static_cast<int>(below(random, static_cast<std::size_t>(highest - lowest + 1)));
}

Scoring random_scoring(Random& random) {
  const std::vector<ModeAndEnds> modes = all_modes();
  const ModeAndEnds mode = below(random, 3) ? ModeAndEnds{Mode::local} : modes[below(random, modes.size())];
  const auto scoring = [&](Gaps gaps, const SubstitutionMatrix& matrix) {
    return scoring_of(mode, gaps, matrix);
  };
  const SubstitutionMatrix blosum = SubstitutionMatrix::builtin("BLOSUM62");
  switch (below(random, 4)) {
    case 0:
      return scoring({11, 1}, blosum);
    case 1:
      return scoring({pick(random, {0, 3, 11, 60}), pick(random, {0, 1, 2, 4, 20})}, blosum);
    case 2: {  // any matrix
      const int lowest = between(random, -30, -1), highest = between(random, 0, 29);
      return scoring({between(random, 0, 39), between(random, 0, 7)},
                     matrix_of([&](int, int) { return between(random, lowest, highest); }));
    }
    default: {  // scores that soon exceed 16 bits
      const int match = pick(random, {300, 1000, 5000, 12000});
      return scoring({pick(random, {0, 500, 900}), pick(random, {1, 100, 124})},
                     matrix_of([&](int q, int s) { return q == s ? match : -between(random, 0, 16000); }));
    }
  }
}

// Most lengths are around the number of rows of a lane, of a group of lanes or of a pass; others are
// anything.
std::size_t random_length(Random& random, std::size_t longest) {
  const std::size_t lanes = pick(random, {1U, 8U, 16U, 32U}),
                    rows = pick(random, {9U, 12U, 16U, 18U, 24U, 30U, 32U});
  switch (below(random, 5)) {
    case 0:
      return std::min(longest, lanes * rows + below(random, 3) - 1);
    case 1:
      return below(random, 3);
    default:
      return below(random, longest + 1);
  }
}

// A few sequences of any length, or so many short ones that the kernel for short sequences computes them.
Workload random_workload(Random& random) {
  const bool many = below(random, 3) == 0;
  const std::size_t letters = pick(random, {1U, 2U, 4U, 20U, 20U, 27U}),
                    longest = below(random, many ? 32 : 330) + 1,
                    queries = many ? 32 + below(random, 40) : below(random, 6) + 1,
                    subjects = below(random, pick(random, {8U, 40U})) + 1;
  Workload work;
  while (work.queries.size() < queries)
    work.queries.push_back(random_sequence(random, random_length(random, longest), letters));
  while (work.subjects.size() < subjects) {
    const Residues& query = work.queries[below(random, queries)];
    const auto any = [&] { return random_sequence(random, random_length(random, longest), letters); };
    switch (below(random, 4)) {
      case 0:
        work.subjects.push_back(relative(random, query, 2 + below(random, 30), 20));
        break;
      case 1:
        work.subjects.push_back(concatenate({any(), query, any()}));
        break;
      default:
        work.subjects.push_back(any());
    }
  }
  for (std::size_t ties = pick(random, {0U, 0U, 20U}); ties > 0; --ties)
    work.subjects.push_back(work.subjects[below(random, work.subjects.size())]);
  // 1 GiB suffices for all of these subjects at once. 64 or 16 KiB, far less than any GPU has, may not.
  work.memory_bytes = pick(random, {std::uint64_t{1} << 30, std::uint64_t{1} << 16, std::uint64_t{1} << 14});
  return work;
}

// A sink that wants some of the pairs of each row.
class Hits : public Collect {
 public:
  Hits(Random& random, std::uint32_t rows)
      : limit_(pick(random, {0U, 0U, 1U, 2U, 10U, 1023U, 1025U, UINT32_MAX})) {
    const int highest = pick(random, {0, 40, 3000});
    constexpr std::int32_t kNone = std::numeric_limits<std::int32_t>::min();
    for (std::uint32_t row = 0; row < rows; ++row)
      floors_.push_back(below(random, 3) == 0 ? kNone : between(random, 0, highest));
  }
  std::uint32_t limit() const override { return limit_; }
  std::int32_t floor(Position row) const override { return floors_[row.value()]; }

  void check(const Tile& tile, const std::function<std::int32_t(const Pair&)>& score) const {
    EXPECT_EQ(calls, 1);
    EXPECT_TRUE(repeated.empty());
    EXPECT_TRUE(slack.empty());
    for (Position row = tile.row_range.begin; row < tile.row_range.end; ++row) {
      std::vector<std::int32_t> best;
      const auto pair_at = [&](Position column) {
        return Pair(tile.rows->index(row), tile.columns->index(column));
      };
      for (Position column = tile.column_range.begin; column < tile.column_range.end; ++column)
        best.push_back(score(pair_at(column)));
      std::ranges::sort(best, std::greater());
      std::int32_t wanted = limit_ == 0 ? std::numeric_limits<std::int32_t>::min() : floor(row);
      if (limit_ > 0 && best.size() >= limit_) wanted = std::max(wanted, best[limit_ - 1]);
      for (Position column = tile.column_range.begin; column < tile.column_range.end; ++column) {
        const Pair pair = pair_at(column);
        const auto hit = found.find(pair);
        if (hit != found.end())
          ASSERT_EQ(hit->second.score, score(pair)) << "pair " << pair.first << ", " << pair.second;
        else
          ASSERT_LT(score(pair), std::max(wanted, floor(row)))
              << "pair " << pair.first << ", " << pair.second << " is missing";
      }
    }
  }

 private:
  std::uint32_t limit_;
  std::vector<std::int32_t> floors_;
};

PositionRange random_part(Random& random, std::uint32_t size) {
  const auto a = static_cast<std::uint32_t>(below(random, size + 1)),
             b = static_cast<std::uint32_t>(below(random, size + 1));
  return positions(std::min(a, b), std::max(a, b));
}

class RandomSearches : public testing::TestWithParam<std::string> {};

TEST_P(RandomSearches, FindWhatIsWanted) {
  for (unsigned seed = 1; seed <= 8; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    Random random(seed);
    const Scoring scoring = random_scoring(random);
    const Workload work = random_workload(random);
    const auto device = cuda::make_cuda_device({0, GetParam(), work.memory_bytes});
    if (!device->declines({scoring, Detail::score}).empty()) continue;
    const auto score = [&](const Pair& pair) {
      return align_reference(work.queries[pair.first], work.subjects[pair.second], scoring, Detail::score)
          .score;
    };
    const LoadedWorkload loaded(*device, work);
    Tile tile = loaded.tile();
    for (const bool part : {false, true}) {
      if (part) {
        tile.row_range = random_part(random, loaded.rows().size());
        tile.column_range = random_part(random, loaded.columns().size());
      }
      Hits hits(random, loaded.rows().size());
      device->run(tile, {scoring, Detail::score}, hits);
      hits.check(tile, score);
      if (HasFailure()) return;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(CudaEmulation, RandomSearches, testing::ValuesIn(cuda::methods()),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace alnus::test

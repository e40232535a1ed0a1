// Subjects side by side in lanes: each has a place of its own, and its residues and its result are there.
#include "cpu/batches.h"

#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <memory>
#include <vector>

#include "alnus/error.h"
#include "cpu/pool.h"
#include "support/sequences.h"

namespace alnus::test {
namespace {

constexpr double kNeverAlone = std::numeric_limits<double>::infinity();

SortedSequences subjects_of(Random& random, const std::vector<std::size_t>& lengths) {
  std::vector<Residues> sequences;
  for (const std::size_t length : lengths)
    sequences.push_back(with_random_case(random, random_sequence(random, length)));
  return SortedSequences(make_set(sequences));
}

std::vector<Position> positions_of_all(const SortedSequences& subjects) {
  std::vector<Position> positions;
  for (Position position = subjects.begin(); position < subjects.end(); ++position)
    positions.push_back(position);
  return positions;
}

// Checks that the subjects of a batch do not share places, that each has as many blocks as it needs, and that
// the longest lane has as many as the batch. Counts how often each position is in the batch.
void expect_places(const cpu::Batch& batch, const SortedSequences& subjects,
                   const std::vector<Position>& positions, const cpu::BatchShape& shape,
                   std::vector<int>& found) {
  std::vector<std::int32_t> ends(static_cast<std::size_t>(shape.lanes));
  for (const cpu::Segment& segment : batch.segments) {
    ASSERT_GE(segment.lane, 0);
    ASSERT_LT(segment.lane, shape.lanes);
    ASSERT_EQ(positions[segment.entry], segment.position);
    ++found[segment.position.value()];
    const auto length = static_cast<std::int32_t>(subjects.length(segment.position));
    EXPECT_GE(segment.blocks * shape.block_columns, length);
    EXPECT_LT((segment.blocks - 1) * shape.block_columns, length) << "a block less does not suffice";
    std::int32_t& end = ends[static_cast<std::size_t>(segment.lane)];
    EXPECT_EQ(segment.first_block, end);
    end = segment.first_block + segment.blocks;
  }
  EXPECT_EQ(std::ranges::max(ends), batch.blocks);
}

// Packs a batch and looks at each byte: it is a residue's code, or padding.
void expect_residues(const cpu::Batch& batch, const SortedSequences& subjects, const cpu::BatchShape& shape) {
  const auto lanes = static_cast<std::size_t>(shape.lanes);
  const auto columns = static_cast<std::size_t>(batch.blocks * shape.block_columns);
  std::vector<std::uint8_t> packed(lanes * columns, 99), expected(lanes * columns, cpu::kPadLetter);
  cpu::pack(subjects, batch, shape, packed.data(), StopFlag::never());
  for (const cpu::Segment& segment : batch.segments) {
    const auto residues = subjects.residues(segment.position);
    const auto first = static_cast<std::size_t>(segment.first_block * shape.block_columns);
    for (std::size_t k = 0; k < residues.size(); ++k)
      expected[(first + k) * lanes + static_cast<std::size_t>(segment.lane)] = residues[k] & kCodeMask;
  }
  EXPECT_EQ(packed, expected);
}

// A kernel stops wherever a lane begins its next subject, and writes the results of all lanes. The result of
// a subject is that of its lane at the stop where it ends or, behind it, at the next one that counts for the
// lane.
void expect_stops(const cpu::Batch& batch, const cpu::BatchShape& shape) {
  const auto lanes = static_cast<std::size_t>(shape.lanes);
  const cpu::BatchStops stops(batch, shape.lanes);
  std::vector<std::int32_t> blocks{batch.blocks};
  for (const cpu::Segment& segment : batch.segments)
    if (segment.first_block > 0) blocks.push_back(segment.first_block);
  std::ranges::sort(blocks);
  blocks.erase(std::unique(blocks.begin(), blocks.end()), blocks.end());
  ASSERT_EQ(static_cast<std::size_t>(stops.count()), blocks.size());
  for (std::size_t k = 0; k < blocks.size(); ++k) {
    EXPECT_EQ(stops.stops()[k].block, blocks[k]);
    EXPECT_EQ(stops.stops()[k].restart == nullptr, k + 1 == blocks.size());
    for (std::size_t lane = 0; k + 1 < blocks.size() && lane < lanes; ++lane) {
      const bool begins = std::ranges::any_of(batch.segments, [&](const cpu::Segment& segment) {
        return static_cast<std::size_t>(segment.lane) == lane && segment.first_block == blocks[k];
      });
      EXPECT_EQ(stops.stops()[k].restart[lane], begins ? 0xff : 0);
    }
  }
  for (std::size_t k = 0; k < batch.segments.size(); ++k) {
    const cpu::Segment& segment = batch.segments[k];
    const bool is_followed = std::ranges::any_of(batch.segments, [&](const cpu::Segment& other) {
      return other.lane == segment.lane && other.first_block > segment.first_block;
    });
    const std::int32_t end = is_followed ? segment.first_block + segment.blocks : batch.blocks;
    const auto stop = static_cast<std::size_t>(std::ranges::find(blocks, end) - blocks.begin());
    EXPECT_EQ(stops.result_of(k), stop * lanes + static_cast<std::size_t>(segment.lane));
  }
}

TEST(Batches, HaveEverySubjectOnceWithItsResiduesAndItsResult) {
  Random random(1);
  for (const std::int32_t lanes : {4, 8, 16, 64})
    for (const std::int32_t block_columns : {4, 16})
      for (const std::size_t count : {0, 1, 3, 4, 5, 15, 16, 17, 63, 64, 65, 200}) {
        std::vector<std::size_t> lengths;
        for (std::size_t k = 0; k < count; ++k)
          lengths.push_back(1 + below(random, k % 5 == 0 ? 300 : k % 5 == 1 ? 65 : 20));
        const SortedSequences subjects = subjects_of(random, lengths);
        const std::vector<Position> positions = positions_of_all(subjects);
        for (const double alone : {kNeverAlone, 0.3, 0.0}) {
          const cpu::BatchShape shape{lanes, block_columns, alone};
          const cpu::BatchPlan plan = cpu::plan_batches(subjects, positions, shape);
          std::vector<int> found(count);
          for (const Position position : plan.singles) ++found[position.value()];
          EXPECT_TRUE(alone > 0 || plan.batches.empty());
          EXPECT_TRUE(alone < kNeverAlone || plan.singles.empty());
          for (const cpu::Batch& batch : plan.batches) {
            ASSERT_NO_FATAL_FAILURE(expect_places(batch, subjects, positions, shape, found));
            expect_residues(batch, subjects, shape);
            ASSERT_NO_FATAL_FAILURE(expect_stops(batch, shape));
          }
          EXPECT_EQ(found, std::vector<int>(count, 1)) << lanes << " lanes, " << alone;
        }
      }
}

// Equal lengths fill all lanes but those of the last batch. Short subjects fill the lanes beside long ones.
TEST(Batches, LanesAreFull) {
  Random random(2);
  for (const std::int32_t lanes : {8, 64}) {
    const cpu::BatchShape shape{lanes, 4, kNeverAlone};
    for (const std::size_t count : {1, 63, 64, 65, 128, 129}) {
      const SortedSequences subjects = subjects_of(random, std::vector<std::size_t>(count, 40));
      const auto plan = cpu::plan_batches(subjects, positions_of_all(subjects), shape);
      EXPECT_EQ(plan.batches.size(),
                (count + static_cast<std::size_t>(lanes) - 1) / static_cast<std::size_t>(lanes));
      for (const cpu::Batch& batch : plan.batches) EXPECT_EQ(batch.blocks, 10);
    }
    std::vector<std::size_t> lengths(static_cast<std::size_t>(lanes) / 2, 4000);
    lengths.insert(lengths.end(), 5 * static_cast<std::size_t>(lanes), 400);
    const SortedSequences subjects = subjects_of(random, lengths);
    EXPECT_EQ(cpu::plan_batches(subjects, positions_of_all(subjects), shape).batches.size(), 1u);
  }
}

// One subject is so much longer than the others that most lanes of its batch would be empty.
TEST(Batches, ALoneLongSubjectIsAlignedAlone) {
  Random random(3);
  std::vector<std::size_t> lengths(300, 40);
  lengths[17] = 30'000;
  const SortedSequences subjects = subjects_of(random, lengths);
  const auto plan = cpu::plan_batches(subjects, positions_of_all(subjects), {16, 4, 0.2});
  EXPECT_EQ(plan.singles, std::vector<Position>{Position(0)});
  EXPECT_EQ(plan.batches.size(), 19u);
}

TEST(Batches, PackingEndsWhenAStopIsRequested) {
  Random random(4);
  const SortedSequences subjects = subjects_of(random, {50, 40});
  const cpu::BatchShape shape{8, 4, kNeverAlone};
  const auto plan = cpu::plan_batches(subjects, positions_of_all(subjects), shape);
  StopFlag stop;
  stop.request();
  std::vector<std::uint8_t> letters(8 * 52);
  EXPECT_THROW(cpu::pack(subjects, plan.batches.at(0), shape, letters.data(), stop), Interrupted);
}

TEST(AlignedBuffers, GrowToWhatIsAskedForAndKeepIt) {
  cpu::AlignedBuffer buffer;
  std::uint8_t last = 0;
  for (const std::uint64_t bytes : {1, 4095, 4096, 4097, 8192, 8193, 100'000}) {
    std::uint8_t* const data = buffer.at_least(bytes);
    ASSERT_NE(data, nullptr);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(data) % 4096, 0u);
    std::fill_n(data, bytes, ++last);
    for (const std::uint64_t no_more : {bytes, std::uint64_t{1}, std::uint64_t{0}}) {
      ASSERT_EQ(buffer.at_least(no_more), data);
      EXPECT_EQ(data[0], last);
      EXPECT_EQ(data[bytes - 1], last);
    }
  }
}

TEST(Pools, KeepSomeIdleWorkersAndDestroyTheOthers) {
  using Worker = std::shared_ptr<int>;
  const Worker counted = std::make_shared<int>(0);
  const auto make = [&] { return std::make_unique<Worker>(counted); };
  const auto alive = [&] { return counted.use_count() - 1; };
  cpu::Pool<Worker> pool(2);
  std::vector<std::unique_ptr<Worker>> taken;
  for (int k = 0; k < 4; ++k) taken.push_back(pool.take(make));
  EXPECT_EQ(alive(), 4);
  const Worker* const last = taken[1].get();
  for (auto& worker : taken) pool.put_back(std::move(worker));
  EXPECT_EQ(alive(), 2);
  EXPECT_EQ(pool.take(make).get(), last) << "the one whose memory was used last";
  EXPECT_EQ(alive(), 1) << "it was not put back";
  const auto idle = pool.take(make), made = pool.take(make);
  EXPECT_EQ(alive(), 2);
}

}  // namespace
}  // namespace alnus::test

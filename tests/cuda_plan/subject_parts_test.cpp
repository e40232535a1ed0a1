// How the subjects of a slab, which are on the GPU together, are divided into parts, one for each launch:
// with much and with little memory for the rows that one pass of a query hands to the next.
#include "cuda/subject_parts.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <memory>
#include <utility>
#include <vector>

#include "cuda/tuning.h"
#include "support/device_check.h"
#include "support/sequences.h"

namespace alnus::test {
namespace {

using cuda::Goal;
using cuda::Part;
using cuda::Parts;
using cuda::SlabRange;

constexpr int kMultiprocessors = 132;
constexpr std::uint64_t kMuch = 1ULL << 36;
constexpr double kLongRun = 1e13;  // cells

// A slab of subjects with these lengths, which must decrease.
class Subjects {
 public:
  explicit Subjects(std::vector<std::uint32_t> lengths)
      : lengths_(std::move(lengths)), places_(lengths_.size() / cuda::kSubjects + 1) {
    std::vector<Residues> all;
    for (const std::uint32_t length : lengths_) all.push_back(Residues(length, Residue{0}));
    sequences_ = std::make_shared<const SortedSequences>(make_set(all));
  }

  // Returns the parts of the subjects from `begin` on, for queries of these lengths in mode local.
  Parts parts(std::uint64_t bytes_of_rows, const std::vector<std::uint32_t>& queries, double cells = kLongRun,
              cuda::Packing packing = cuda::Packing::two_queries, std::uint64_t span = 0,
              std::uint32_t begin = 0) const {
    cuda::PartMaker maker(kMultiprocessors, bytes_of_rows);
    const cuda::Slab slab{sequences_->all(), nullptr, nullptr, nullptr, {lengths_, places_}};
    return maker.make({.queries = {queries, 26, 200'000},
                       .packing = packing,
                       .shape = {},
                       .goal = Goal::coarse,
                       .wide_goal = Goal::local,
                       .extend = 1,
                       .span = span,
                       .cells = cells},
                      *sequences_, slab, {begin, size()}, begin);
  }
  std::uint32_t size() const { return static_cast<std::uint32_t>(lengths_.size()); }
  double residues(SlabRange part) const {
    return static_cast<double>(sequences_->residues({Position(part.begin), Position(part.end)}));
  }

 private:
  std::vector<std::uint32_t> lengths_;
  std::vector<std::uint64_t> places_;
  std::shared_ptr<const SortedSequences> sequences_;
};

std::vector<std::uint32_t> lengths_from(std::uint32_t longest, std::uint32_t shortest, std::uint32_t count) {
  std::vector<std::uint32_t> all;
  for (std::uint32_t k = 0; k < count; ++k) all.push_back(longest - (longest - shortest) * k / count);
  return all;
}

// Expects that the parts have each subject from `begin` on once, in order, and that wide parts have a strip
// for each of their subjects. (With 32 lanes a warp takes one subject, and no subject is cut into windows.)
void expect_all_subjects(const Parts& parts, std::uint32_t size, std::uint32_t begin = 0) {
  std::uint32_t next = begin;
  for (const Part& part : parts.all) {
    EXPECT_LT(part.stream, cuda::kPartStreams);
    EXPECT_EQ(part.subjects.begin, next);
    next = part.subjects.end;
    EXPECT_EQ(part.blocks > 0, part.subjects.size() > 0);
    if (next > parts.narrow_begin) continue;
    EXPECT_EQ(part.strips.size(), part.subjects.size());
    for (std::size_t k = 0; k < part.strips.size(); ++k)
      ASSERT_EQ(part.strips[k].column, part.subjects.begin + k - begin);
  }
  EXPECT_EQ(next, size);
}

std::uint64_t bytes_of_rows(const Parts& parts) {
  std::uint64_t bytes = 0;
  for (const Part& part : parts.all) bytes += part.all_boundary_entries() * sizeof(uint2);
  return bytes;
}

TEST(SubjectParts, WideNarrowAndTheShortest) {
  const Subjects subjects(lengths_from(9000, 100, 4000));
  const Parts parts = subjects.parts(kMuch, {3000, 2000, 700});
  ASSERT_EQ(parts.all.size(), 3U);
  expect_all_subjects(parts, subjects.size());
  EXPECT_EQ(parts.narrow_begin, parts.all[0].subjects.end);
  EXPECT_GT(parts.all[0].shape.lanes, cuda::kNarrowLanes);
  EXPECT_EQ(parts.all[1].shape.lanes, cuda::kNarrowLanes);
  // The part of the shortest subjects runs after the wide part, while the narrow part runs beside these two.
  EXPECT_EQ(parts.all[0].stream, parts.all[2].stream);
  EXPECT_NE(parts.all[0].stream, parts.all[1].stream);
  const double narrow = subjects.residues({parts.narrow_begin, subjects.size()});
  EXPECT_NEAR(subjects.residues(parts.all[2].subjects) / narrow, cuda::kLastPart, 0.01);
  // In a run of few cells the shortest subjects are no part of their own.
  const Parts few = subjects.parts(kMuch, {3000, 2000, 700}, 1e9);
  expect_all_subjects(few, subjects.size());
  EXPECT_EQ(few.all[2].subjects.size(), 0U);
}

TEST(SubjectParts, WithLittleMemoryTheLongestAreAPartOfTheirOwn) {
  std::vector<std::uint32_t> lengths = lengths_from(9000, 600, 4000);
  lengths.resize(20'000, 500);
  const Subjects subjects(lengths);
  const std::vector<std::uint32_t> queries{3000, 2000, 700};
  const Parts all = subjects.parts(kMuch, queries);
  for (const std::uint64_t part_of_memory : {8, 20}) {
    const std::uint64_t memory = bytes_of_rows(all) / part_of_memory;
    const Parts parts = subjects.parts(memory, queries);
    ASSERT_EQ(parts.all.size(), 3U);
    expect_all_subjects(parts, subjects.size());
    EXPECT_EQ(parts.narrow_begin, parts.all[1].subjects.end);
    EXPECT_LE(bytes_of_rows(parts), memory);
    EXPECT_GT(bytes_of_rows(parts), memory - memory / 4);
    // All three run side by side, with thread blocks in proportion to their residues.
    const auto blocks_of_residue = [&](const Part& part) {
      return part.blocks / subjects.residues(part.subjects);
    };
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_NE(parts.all[k].stream, parts.all[(k + 1) % 3].stream);
      EXPECT_NEAR(blocks_of_residue(parts.all[k]) / blocks_of_residue(parts.all[0]), 1, 0.2);
    }
    // A single wide part would need rows as long as the longest subject in all of its thread blocks, so that
    // memory would suffice for fewer thread blocks.
    const std::uint64_t rows_of_longest = parts.all[0].boundary_entries * sizeof(uint2);
    EXPECT_GT(static_cast<std::uint64_t>(parts.all[0].blocks + parts.all[1].blocks),
              memory / rows_of_longest);
  }
}

// Just enough memory is as good as much, and with a byte less there are two wide parts.
TEST(SubjectParts, MemoryThatJustSuffices) {
  const Subjects subjects(lengths_from(9000, 100, 4000));
  const std::vector<std::uint32_t> queries{3000, 2000, 700};
  const Parts all = subjects.parts(kMuch, queries);
  const std::uint64_t needed = bytes_of_rows(all);
  const Parts enough = subjects.parts(needed, queries), less = subjects.parts(needed - 1, queries);
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_EQ(enough.all[k].subjects, all.all[k].subjects);
    EXPECT_EQ(enough.all[k].blocks, all.all[k].blocks);
  }
  EXPECT_EQ(less.narrow_begin, less.all[1].subjects.end);
  EXPECT_GT(less.all[1].subjects.size(), 0U);
}

// The last part has the shortest of the narrow subjects, in whole quads, with no more than kLastPart of their
// residues. With one quad more it would have more. Runs of fewer than kLongRunCells cells have no such part.
TEST(SubjectParts, TheLastPartIsAsLargeAsItMayBe) {
  for (const std::uint32_t count : {4U, 17U, 100U, 399U, 400U, 401U}) {
    const Subjects subjects(lengths_from(640, 600, count));
    const Parts parts = subjects.parts(kMuch, {300}, cuda::kLongRunCells);
    expect_all_subjects(parts, subjects.size());
    const SlabRange last = parts.all[2].subjects;
    const double most = cuda::kLastPart * subjects.residues({parts.narrow_begin, subjects.size()});
    EXPECT_LE(subjects.residues(last), most);
    EXPECT_TRUE(last.begin % cuda::kSubjects == 0 || last.size() == 0);
    EXPECT_GT(subjects.residues({last.begin - (last.begin + 3) % 4 - 1, subjects.size()}), most) << count;
    const Parts few = subjects.parts(kMuch, {300}, std::nextafter(cuda::kLongRunCells, 0));
    EXPECT_EQ(few.all[2].subjects.size(), 0U);
  }
}

// Two wide parts are cut where thread blocks in proportion to their residues, with rows as long as the
// longest subject of their part, need least memory.
TEST(SubjectParts, WidePartsAreCutWhereTheyNeedLeastMemory) {
  for (const std::uint64_t span : {0, 1500})
    for (const std::uint32_t begin : {0U, 3U}) {
      std::vector<std::uint32_t> lengths = lengths_from(9000, 2100, 202);
      std::ranges::transform(lengths, lengths.begin(),
                             [](std::uint32_t length) { return length / 900 * 900; });
      const Subjects subjects(lengths);
      const Parts parts =
          subjects.parts(1 << 20, {3000, 700}, kLongRun, cuda::Packing::two_queries, span, begin);
      const SlabRange first = parts.all[0].subjects, second = parts.all[1].subjects;
      const auto memory = [&](std::uint32_t from, std::uint32_t to) {
        const double columns =
            span > 0 ? std::min<double>(lengths[from], 2 * static_cast<double>(span)) : lengths[from];
        return columns * subjects.residues({from, to});
      };
      double least = memory(begin, second.end);
      for (std::uint32_t cut = (begin / 4 + 1) * 4; cut < second.end; cut += 4)
        least = std::min(least, memory(begin, cut) + memory(cut, second.end));
      EXPECT_EQ(first.begin, begin);
      ASSERT_GT(second.size(), 0U);
      EXPECT_EQ(second.begin % cuda::kSubjects, 0U);
      EXPECT_DOUBLE_EQ(memory(begin, second.begin) + memory(second.begin, second.end), least);
    }
}

// A wide part with few items for each thread block spreads its items, one for each multiprocessor at most.
TEST(SubjectParts, FewItemsAreSpread) {
  for (const std::uint32_t count : {1U, 16U, 17U, 400U, 16'896U, 16'897U}) {
    const Subjects subjects(std::vector<std::uint32_t>(count, 700));
    for (const cuda::Packing packing : {cuda::Packing::two_subjects, cuda::Packing::two_queries}) {
      const Parts parts = subjects.parts(kMuch, {3000}, 1e9, packing);
      const Part& wide = parts.all[0];
      const std::uint32_t per_item = wide.kernel.strips_per_item(),
                          items = (wide.strip_count + per_item - 1) / per_item *
                                  static_cast<std::uint32_t>(wide.chains.bins.size());
      const bool spreads = packing == cuda::Packing::two_subjects &&
                           items <= cuda::kFewItemsPerBlock * static_cast<std::uint32_t>(wide.blocks);
      EXPECT_EQ(wide.spread_items, spreads ? std::min<std::uint32_t>(items, kMultiprocessors) : 0) << count;
    }
  }
}

// With much memory subjects of up to 2048 residues are narrow, with little only subjects of up to 640: with
// the narrow shape a warp needs rows for four subjects.
TEST(SubjectParts, MemoryChoosesWhichSubjectsAreWide) {
  const std::vector<std::uint32_t> lengths = lengths_from(9000, 100, 4000);
  const Subjects subjects(lengths);
  const auto longest_narrow = [&](std::uint64_t memory) {
    return lengths[subjects.parts(memory, {3000, 2000, 700}).narrow_begin];
  };
  EXPECT_LE(longest_narrow(kMuch), cuda::kNarrowBelow);
  EXPECT_GT(longest_narrow(kMuch), cuda::kNarrowBelow - 20);
  EXPECT_LE(longest_narrow(1 << 20), cuda::kWideAbove);
  EXPECT_GT(longest_narrow(1 << 20), cuda::kWideAbove - 20);
}

TEST(SubjectParts, FromAnySubjectOn) {
  const Subjects subjects(lengths_from(9000, 100, 4000));
  for (const std::uint64_t memory : {kMuch, std::uint64_t{1} << 24})
    for (const std::uint32_t begin : {1U, 4U, 1001U, 3995U})
      expect_all_subjects(
          subjects.parts(memory, {3000, 2000, 700}, kLongRun, cuda::Packing::two_queries, 0, begin),
          subjects.size(), begin);
}

// All subjects are cut into windows of 1,000 columns (two spans), so that no division into parts would make
// the rows of a thread block shorter.
TEST(SubjectParts, WhereAllAreCutInWindowsTheyAreOnePart) {
  const Subjects subjects(lengths_from(9000, 2100, 400));
  const Parts parts = subjects.parts(1 << 20, {1500}, kLongRun, cuda::Packing::two_queries, 500);
  EXPECT_EQ(parts.all[0].subjects.end, subjects.size());
  EXPECT_GT(parts.all[0].boundary_entries, 0U);
  EXPECT_GT(parts.all[0].strip_count, subjects.size());
}

TEST(SubjectParts, WithHardlyAnyMemoryEachPartHasOneBlock) {
  const Subjects subjects(lengths_from(9000, 100, 1000));
  const Parts parts = subjects.parts(1, {3000, 2000, 700});
  expect_all_subjects(parts, subjects.size());
  for (const Part& part : parts.all) EXPECT_EQ(part.blocks, 1);
}

TEST(SubjectParts, WhereAllAreAsLongOrOneQuadIsWideNothingIsCut) {
  for (const std::uint32_t wide : {4U, 8U, 9U}) {
    std::vector<std::uint32_t> lengths(wide, 5000);
    lengths.resize(3000, 500);
    const Subjects subjects(lengths);
    const Parts parts = subjects.parts(1000, {3000, 2000, 700});
    expect_all_subjects(parts, subjects.size());
    EXPECT_EQ(parts.all[0].subjects.end, (wide + 3) / 4 * 4);
    EXPECT_EQ(parts.all[1].subjects.size(), 0U);
  }
  const Subjects narrow(std::vector<std::uint32_t>(500, 300));
  const Parts parts = narrow.parts(1000, {3000, 2000, 700});
  expect_all_subjects(parts, narrow.size());
  EXPECT_EQ(parts.narrow_begin, 0U);
}

// The counters that spread items over the multiprocessors (Spread) serve one launch of a slab.
TEST(SubjectParts, OnePartSpreadsItsItems) {
  const Subjects subjects(lengths_from(9000, 4000, 40));
  for (const std::uint64_t memory : {kMuch, std::uint64_t{1} << 20}) {
    const Parts parts = subjects.parts(memory, {3000}, 1e9, cuda::Packing::two_subjects);
    expect_all_subjects(parts, subjects.size());
    EXPECT_GT(parts.all[0].spread_items, 0U);
    if (memory < kMuch) {
      EXPECT_GT(parts.all[1].strips.size(), 0U);  // the second part is wide, too
    }
    EXPECT_EQ(parts.all[1].spread_items, 0U);
    EXPECT_EQ(parts.all[2].spread_items, 0U);
  }
}

}  // namespace
}  // namespace alnus::test

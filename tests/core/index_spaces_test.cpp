#include "core/index_spaces.h"

#include <gtest/gtest.h>
#include <numeric>
#include <type_traits>
#include <vector>

#include "core/device.h"
#include "core/first_position.h"

namespace alnus {
namespace {

using Index = SequenceSet::Index;

static_assert(std::is_trivially_copyable_v<Position> && sizeof(Position) == sizeof(std::uint32_t));
static_assert(std::is_trivially_copyable_v<PositionPair> && sizeof(PositionPair) == 2 * sizeof(Position));
static_assert(std::is_trivially_copyable_v<PairResult>);  // devices write pair results as bytes

// No kind of number is converted to another kind implicitly.
template <class From, class To>
constexpr bool kConverts = std::is_convertible_v<From, To>;
static_assert(!kConverts<Index, Position> && !kConverts<Position, Index>);
static_assert(!kConverts<Index, FileOrdinal> && !kConverts<FileOrdinal, Index>);
static_assert(!kConverts<Index, Rank> && !kConverts<Rank, Index>);
static_assert(!kConverts<Position, FileOrdinal> && !kConverts<FileOrdinal, Position>);
static_assert(!kConverts<Position, Rank> && !kConverts<Rank, Position>);
static_assert(!kConverts<FileOrdinal, Rank> && !kConverts<Rank, FileOrdinal>);
static_assert(!kConverts<PositionRange, IndexRange> && !kConverts<IndexRange, PositionRange>);
static_assert(!kConverts<PositionPair, IndexPair> && !kConverts<IndexPair, PositionPair>);

template <class A, class B>
concept Comparable = requires(A a, B b) {
  a < b;
}
|| requires(A a, B b) { a == b; };
static_assert(Comparable<Position, Position> && Comparable<Rank, Rank>);
static_assert(!Comparable<Index, Position> && !Comparable<Index, FileOrdinal> && !Comparable<Index, Rank>);
static_assert(!Comparable<Position, FileOrdinal> && !Comparable<Position, Rank>);
static_assert(!Comparable<FileOrdinal, Rank>);

// A call that takes one kind of number takes no other kind.
template <class Number>
concept IndexOfSet = requires(const SequenceSet& set, Number number) {
  set.length(number);
}
|| requires(const SequenceSet& set, Number number) { set.residues(number); }
|| requires(const SequenceSet& set, Number number) { set.file_ordinal(number); };
static_assert(IndexOfSet<Index> && !IndexOfSet<Position> && !IndexOfSet<FileOrdinal> && !IndexOfSet<Rank>);

template <class Number>
concept PositionOfSorted = requires(const SortedSequences& sorted, Number n) {
  sorted.index(n);
}
|| requires(const SortedSequences& sorted, Number n) { sorted.length(n); }
|| requires(const SortedSequences& sorted, Number n) { sorted.residues(n); }
|| requires(const SortedSequences& sorted, Number n) { sorted.residues_before(n); };
static_assert(PositionOfSorted<Position>);
static_assert(!PositionOfSorted<Index> && !PositionOfSorted<FileOrdinal> && !PositionOfSorted<Rank>);

template <class Number>
concept RowOfTile = requires(const Tile& tile, Number row) {
  tile.columns_of(row);
}
|| requires(const Sink& sink, Number row) { sink.floor(row); }
|| requires(const Sink& sink, Number row) { sink.takes_bounds(row); };
static_assert(RowOfTile<Position> && !RowOfTile<Index> && !RowOfTile<FileOrdinal> && !RowOfTile<Rank>);

// A distance can be added to a position. Two positions cannot be added, nor can anything be added to a rank.
template <class A, class B>
concept Addable = requires(A a, B b) {
  a + b;
};
static_assert(Addable<Position, std::uint32_t> && !Addable<Position, Position> && !Addable<Rank, unsigned>);

TEST(Position, CountsAndMeasuresDistances) {
  static_assert(Position(3) + 4 == Position(7) && Position(7) - 4 == Position(3));
  static_assert(Position(7) - Position(3) == 4);
  static_assert(Position() == Position(0) && Position(9).value() == 9);
  static_assert(Position(3) < Position(4) && Position(4) >= Position(4));
  Position position(5);
  EXPECT_EQ(position++, Position(5));
  EXPECT_EQ(++position, Position(7));
  EXPECT_EQ(position--, Position(7));
  EXPECT_EQ(--position, Position(5));
  EXPECT_EQ(position += 10, Position(15));
}

TEST(Position, FillsAndIsSorted) {
  std::vector<Position> all(4);
  std::iota(all.begin(), all.end(), Position(1));
  EXPECT_EQ(all, triangle_steps(4));
  EXPECT_TRUE(std::ranges::is_sorted(all));
}

TEST(RangeOf, HasASize) {
  static_assert(PositionRange{Position(3), Position(8)}.size() == 5);
  static_assert(IndexRange{4, 4}.size() == 0);
  EXPECT_EQ((PositionRange{}.size()), 0u);
  EXPECT_NE((PositionRange{Position(1), Position(2)}), (PositionRange{Position(1), Position(3)}));
}

TEST(PositionPair, IsOrderedByRowThenColumn) {
  EXPECT_LT((PositionPair{Position(1), Position(9)}), (PositionPair{Position(2), Position(0)}));
  EXPECT_LT((PositionPair{Position(1), Position(2)}), (PositionPair{Position(1), Position(3)}));
}

TEST(FirstPosition, BisectsRangesOfAnyNumber) {
  const PositionRange range{Position(10), Position(20)};
  EXPECT_EQ(first_position(range, [](Position p) { return p >= Position(13); }), Position(13));
  EXPECT_EQ(first_position(range, [](Position) { return true; }), range.begin);
  EXPECT_EQ(first_position(range, [](Position) { return false; }), range.end);
  EXPECT_EQ(first_position(IndexRange{0, 100}, [](Index i) { return i > 98; }), 99u);
}

}  // namespace
}  // namespace alnus

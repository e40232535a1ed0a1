// The pairs of a stripe of all pairs on their way to rows of the output, and the nearest pairs of each row
// (alnus::AllPairsOptions::top_k).
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

#include "engine/align_list.h"
#include "engine/all_pairs_driver.h"
#include "engine/call_state.h"
#include "engine/columns_builder.h"

namespace alnus::engine {

// A pair that passed the filter. i and j are indices: of one set, with i before j; of two sets, i in the
// first and j in the second. If only the nearest of each row are wanted, i is the row of the pair matrix and
// j its column.
struct ListedPair {
  SequenceSet::Index i = 0, j = 0;
  AlignedPair aligned;           // with i as the query: an insertion is an extra residue of i
  Strand strand = Strand::plus;  // minus: the reverse complement of the longer sequence was aligned
  bool mirrored = false;         // j was the query of the alignment
  double adjusted = 0;           // adjusted score in units of 1/scale, once it is known
};

// Bytes that a listed pair takes besides its CIGAR: in a list, and in a second one with the pointer by which
// it is put in order, or later in the output's Columns.
inline constexpr std::uint64_t kBytesOfListedPair =
    sizeof(ListedPair) + std::max<std::uint64_t>(sizeof(ListedPair) + sizeof(void*), kBytesOfRow);

// How near two sequences are; larger is nearer. The nearness is the pair's value, with distances negated. For
// scores and score distances it is a whole number, in units of 1/scale. The arguments are those of
// value_of().
double nearness(const MatrixValue& value, const Scoring& scoring, std::int32_t score, std::int32_t self_score,
                const AlignmentCounts& counts, std::size_t length, std::size_t other_length);

// A pair that may be kept. The pairs of a row are ranked by nearness, then by score, then by column
// (docs/ties.md).
struct NearPair {
  double nearness = 0;
  ListedPair pair;
  bool operator<(const NearPair& other) const;  // true if this one ranks before the other
};

// Keeps at most `count` pairs of each row. least() and take() may be called from any thread at any time.
class NearestPairs {
 public:
  using Index = SequenceSet::Index;
  // Approximate bytes of a row with `columns` columns of which `count` are kept.
  static std::uint64_t bytes_of_row(std::uint32_t count, std::uint64_t columns);

  NearestPairs(IndexRange rows, std::uint32_t count);

  // The lowest nearness with which a pair of this row may still be kept. It is -infinity at first and never
  // falls.
  double least(Index row) const { return least_[row - rows_.begin].load(std::memory_order_relaxed); }
  void take(std::span<const NearPair> pairs);
  // Returns the kept pairs, by row, the nearest of each row first. Empties the object. Uses the call's
  // threads, and waits for a permit to compute. Throws Interrupted when the call's stop is requested.
  std::vector<ListedPair> finish(CallState& call);

 private:
  void keep_best(std::vector<NearPair>& of_row) const;

  const IndexRange rows_;
  const std::uint32_t count_;
  std::vector<std::atomic<double>> least_;      // by row
  std::array<std::mutex, 64> locks_;            // lock r modulo their number guards row r of of_rows_
  std::vector<std::vector<NearPair>> of_rows_;  // by row; cut to count_ when over twice as many
};

}  // namespace alnus::engine

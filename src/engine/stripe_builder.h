// Collects the results of a stripe of all pairs, from tiles of any devices.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "engine/all_pairs.h"
#include "engine/listed_pair.h"
#include "engine/nearest_pairs.h"
#include "engine/self_scores.h"
#include "stats/evalue.h"

namespace alnus::engine {

// The results of a stripe take more memory than they may.
struct StripeTooLarge {};

// A sparse value takes these bytes: as it is collected, and in the order of the pairs.
inline constexpr std::uint64_t kBytesOfSparseValue = 2 * sizeof(SparseValue);

// The results of a stripe before they are columns.
struct RawStripe {
  std::vector<ListedPair> listed;                 // as in Stripe
  std::vector<std::shared_ptr<const void>> runs;  // of their CIGARs
  std::vector<ValueStripe> values;                // as in Stripe
  std::vector<SparseValue> sparse;                // as in Stripe
  std::uint64_t pairs = 0, empty = 0;             // as in Stripe
  std::uint64_t collected = 0;                    // pairs that the builder kept a list of
};

// Which sequences the queries and subjects of a run are: the first of each.
struct Origin {
  SequenceSet::Index queries, subjects;
  enum class Query : std::uint8_t { i, j, either } query;  // either: both are of one part of the set
  Strand strand = Strand::plus;                            // of the queries
};

// What a stripe has so far; filled from all threads.
class StripeBuilder {
 public:
  using Index = SequenceSet::Index;
  // `lowest`: by i, the lowest score with which a pair can pass the filter. `statistics`: by i, what tells
  // its E-value. `self_scores` is used where score distances are wanted.
  StripeBuilder(const AllPairs& pairs, const Scoring& scoring, const AllPairsOptions& options,
                IndexRange rows, std::span<const std::int32_t> lowest,
                std::span<const stats::ScoreJudgePtr> statistics, const SelfScores& self_scores,
                std::uint64_t most_bytes);

  // The lowest score of interest of a sequence i, and of any. That of a sequence may rise while its nearest
  // by score or score distance are collected.
  std::int32_t lowest(Index i) const;
  std::int32_t lowest() const;
  // How many pairs of a sequence i suffice, those of highest scores; 0: all that reach lowest(i).
  std::uint32_t most_of_row() const;

  // True if nothing is wanted of a pair but its values.
  bool wants_values_only() const { return !options_.collects() && !options_.cutoff && !options_.nearest; }
  // Keeps the values of a query with some subjects, where nothing else is wanted. From any thread.
  void keep_values(Index query, std::span<const Index> subjects, std::span<const std::int32_t> scores,
                   Origin::Query of_query, std::optional<bool> only_mirrored);

  // Some results, of one thread.
  class Part {
   public:
    explicit Part(StripeBuilder& builder)
        : builder_(builder), runs_(std::make_shared<std::vector<std::vector<CigarRun>>>()) {}
    // `mirror`: j was the query, on this strand.
    void add(Index i, Index j, bool mirror, Strand strand, const PairResult& result);
    void finish();  // throws StripeTooLarge

   private:
    // True if the pair is listed. Its values are kept either way.
    bool keep(Index i, Index j, bool mirror, const PairResult& result);
    // True if the pair passes, and may be among the nearest.
    bool keep_near(Index i, Index j, bool mirror, const PairResult& result) const;
    std::span<const CigarRun> copy(std::span<const CigarRun> cigar, bool mirror, Strand strand);

    StripeBuilder& builder_;
    std::vector<ListedPair> listed_;
    std::vector<SparseValue> sparse_;
    std::shared_ptr<std::vector<std::vector<CigarRun>>> runs_;
    std::uint64_t bytes_ = 0, empty_ = 0;
  };

  RawStripe finish();

 private:
  // In the stripe.
  Index row_of(Index i, Index j) const { return (pairs_.is_half() ? j : i) - rows_.begin; }
  Index column_of(Index i, Index j) const { return (pairs_.is_half() ? i : j) - columns_.begin; }
  std::uint64_t place_of(Index i, Index j) const {  // among the values
    return std::uint64_t{row_of(i, j)} * columns_.size() + column_of(i, j);
  }
  // True if a pair that scores at least the lowest score of interest passes the other filters, too.
  bool passes(Index i, Index j, bool mirror, const PairResult& result) const;
  // The value of a pair that scores at least the lowest score of interest, if it passes the cutoff.
  std::optional<SparseValue> sparse_value(Index i, Index j, const PairResult& result) const;
  // How near a pair is (engine/nearest_pairs.h).
  double nearness_of(Index i, Index j, std::int32_t score, const AlignmentCounts& counts) const;
  // The lowest score that passes the cutoff with any pair of the stripe's sequences, if scores tell.
  std::int32_t lowest_of_cutoff() const;
  // The lowest score of interest where a pair passes the filter from `passing` on: that, or the cutoff's if
  // nothing is listed and it is higher; any score where values of all pairs are wanted.
  std::int32_t lowest_wanted(std::int32_t passing) const;
  // Both throw StripeTooLarge.
  void take(std::vector<ListedPair> listed, std::shared_ptr<const void> runs, std::uint64_t bytes,
            std::uint64_t empty);
  void take(std::vector<SparseValue> sparse);
  void take_near(std::span<const ListedPair> listed);
  void grow(std::uint64_t bytes);

  const AllPairs& pairs_;
  const Scoring& scoring_;
  const AllPairsOptions& options_;
  const std::span<const std::int32_t> lowest_;
  const std::span<const stats::ScoreJudgePtr> statistics_;
  const SelfScores& self_scores_;
  const bool has_score_distances_;
  const std::int32_t lowest_of_all_;
  const std::uint64_t most_bytes_;
  const IndexRange rows_;
  const std::int32_t lowest_of_cutoff_;
  std::int32_t lowest_self_score_of_columns_ = 0;  // where the nearest by score distance are wanted
  IndexRange columns_;                             // of the values
  std::vector<std::shared_ptr<double[]>> values_;
  RawStripe stripe_;
  // Where the nearest are wanted, and can be chosen at once. E-values of adjusted scores are known later
  // only.
  std::optional<NearestPairs> nearest_;
  std::mutex mutex_;
  std::uint64_t bytes_ = 0;
  std::vector<std::vector<ListedPair>> parts_;
  std::vector<std::vector<SparseValue>> sparse_parts_;
};

}  // namespace alnus::engine

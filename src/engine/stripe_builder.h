// Collects the results of a stripe of all pairs, from tiles of any devices.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "engine/all_pairs_driver.h"
#include "engine/blank_sequences.h"
#include "engine/kept_sequences.h"
#include "engine/nearest_pairs.h"
#include "engine/pair_floors.h"
#include "stats/evalue.h"

namespace alnus::engine {

// The self score of each sequence, on the plus strand, in units of 1/scale; 0 for sequences that are in no
// pair, and kNoSelfScore for blank ones.
struct SelfScores {
  // By index. `columns` is empty with AllPairs::is_half(): `rows` has its scores, too.
  std::vector<std::int32_t> rows, columns;
  // The lower self score of row i and column j; kNoSelfScore if one of them is blank.
  std::int32_t lower(SequenceSet::Index i, SequenceSet::Index j) const {
    return std::min(rows[i], columns.empty() ? rows[j] : columns[j]);
  }
};

// Thrown if the results of a stripe take more memory than they may.
struct StripeTooLarge {};

// Bytes of a sparse value, which is held twice, as it is collected and in the order of the pairs, and of the
// pointer by which it is put in order.
inline constexpr std::uint64_t kBytesOfSparseValue = 2 * sizeof(SparseValue) + sizeof(void*);

// The results of a stripe before they are columns.
struct RawStripe {
  std::vector<ListedPair> listed;                 // as in Stripe
  std::vector<std::shared_ptr<const void>> runs;  // memory of the CIGARs of `listed`
  std::vector<ValueStripe> values;                // as in Stripe
  std::vector<SparseValue> sparse;                // as in Stripe
  std::uint64_t pairs = 0, empty = 0;             // as in Stripe
  std::uint64_t collected = 0;                    // pairs in the longer one of the builder's two lists
};

// Where the queries and subjects of a region lie. `queries`, `subjects`: the indices of the region's first
// query and first subject in their whole sets. `query`: whether the queries are i or j of their pairs
// (StripeBuilder).
struct Origin {
  SequenceSet::Index queries, subjects;
  enum class Query : std::uint8_t { i, j, either } query;  // either: queries and subjects are the same
  Strand strand = Strand::plus;                            // of the queries
  // For Query::either: true keeps only pairs whose query is j, false only pairs whose query is i; nullopt
  // keeps all.
  std::optional<bool> only_mirrored{};

  // True if j is the query of the pair of these indices.
  bool mirrors(SequenceSet::Index of_query, SequenceSet::Index of_subject) const {
    return query == Query::either ? of_query > of_subject : query == Query::j;
  }
  bool keeps(bool mirror) const { return !only_mirrored || mirror == *only_mirrored; }
};

// Collects the results of a stripe, from all threads. A pair (i, j) is by index: of one set
// (AllPairs::is_half) i is the column and j the row, otherwise i is the row and j the column.
class StripeBuilder {
 public:
  using Index = SequenceSet::Index;
  // `statistics`: by i, the judge of E-values, or null. `kept`: makes the second test of adjusted scores
  // (kPredictedFactor) of the pairs that reach the filter's E-value; null: the test is not made here.
  // `self_scores`: for score distances only.
  // `blanks`: for the nearest only. `most_bytes`: what the lists of a stripe may take, unless it has a single
  // row. All arguments given by reference, by pointer or as spans must outlive the object.
  StripeBuilder(const AllPairs& pairs, const Scoring& scoring, const AllPairsOptions& options,
                IndexRange rows, const PairFloors& floors, std::span<const stats::ScoreJudgePtr> statistics,
                const KeptSequences* kept, const SelfScores& self_scores, const BlankSequences& blanks,
                std::uint64_t most_bytes);

  // The lowest score of interest (min_score) of pairs of a sequence i, and of all pairs. That of a sequence
  // may rise while its nearest by score or score distance are collected.
  std::int32_t lowest(Index i) const;
  std::int32_t lowest() const;
  // A bound of the scores of interest of pairs whose sequence i has at least `length` residues, and j
  // `other`.
  std::int32_t lowest_of_lengths(std::size_t length, std::size_t other) const;
  // The number of pairs of a sequence i, those of highest scores, that suffice; 0: all pairs that reach
  // lowest(i) are needed.
  std::uint32_t most_of_row() const;

  // What lists of the stripe's pairs may take.
  std::uint64_t most_bytes() const { return most_bytes_; }

  // True if nothing is wanted of a pair but its values.
  bool wants_values_only() const { return !options_.collects() && !options_.cutoff && !options_.nearest; }
  // Keeps the values of a query's pairs with some subjects, if wants_values_only(). `query`, `subjects`:
  // indices. `scores`: of each subject. `origin`: of the pairs. May be called from any thread.
  void keep_values(Index query, std::span<const Index> subjects, std::span<const std::int32_t> scores,
                   Origin origin);

  // The results that one thread collects; finish() hands them to the builder.
  class Collected {
   public:
    explicit Collected(StripeBuilder& builder)
        : builder_(builder), runs_(std::make_shared<std::vector<std::vector<CigarRun>>>()) {}
    // Adds the result of pair (i, j). `mirror`: j was the query of the alignment. `strand`: the query's
    // strand.
    void add(Index i, Index j, bool mirror, Strand strand, const PairResult& result);
    void finish();  // throws StripeTooLarge

   private:
    // Keeps the values of the pair, and its sparse value if it has one. Returns true if the pair is listed.
    bool keep(Index i, Index j, bool mirror, const PairResult& result);
    // True if the pair passes the filter and may be among the nearest.
    bool keep_near(Index i, Index j, bool mirror, const PairResult& result) const;
    std::span<const CigarRun> copy(std::span<const CigarRun> cigar, bool mirror, Strand strand);

    StripeBuilder& builder_;
    std::vector<ListedPair> listed_;
    std::vector<SparseValue> sparse_;
    std::shared_ptr<std::vector<std::vector<CigarRun>>> runs_;
    std::uint64_t bytes_ = 0, empty_ = 0;
  };

  // These tell of what has been collected before finish() puts it in order: the pairs of the stripe (as
  // Stripe::pairs), those that are listed, and those in the longer one of the two lists. Not for the nearest.
  std::uint64_t pairs() const { return stripe_.pairs; }
  std::uint64_t listed() const;
  std::uint64_t collected() const;
  RawStripe finish(CallState& call);
  // Returns the nearest of each row among these pairs, which are all pairs that passed the filter.
  std::vector<ListedPair> nearest_of(std::span<const ListedPair> pairs, CallState& call) const;
  // Returns the sparse value of the pair; nullopt if the value does not pass the cutoff.
  std::optional<SparseValue> sparse_value(Index i, Index j, std::int32_t score,
                                          const AlignmentCounts& counts) const;

 private:
  // The row and the column of a pair, from the first row of the stripe and the first column of its values.
  Index row_of(Index i, Index j) const { return (pairs_.is_half() ? j : i) - rows_.begin; }
  Index column_of(Index i, Index j) const { return (pairs_.is_half() ? i : j) - columns_.begin; }
  std::uint64_t place_of(Index i, Index j) const {  // place in a ValueStripe
    return std::uint64_t{row_of(i, j)} * columns_.size() + column_of(i, j);
  }
  // The lower self score of the pair; 0 if there are no self scores, because no score distances are wanted.
  std::int32_t self_score(Index i, Index j) const {
    return self_scores_.rows.empty() ? 0 : self_scores_.lower(i, j);
  }
  // True if the pair, which scores at least floors_.of_row(i), passes all other filters, too.
  bool passes(Index i, Index j, bool mirror, const PairResult& result) const;
  // True if the pair has no E-value, or one that may be small enough once the score is adjusted.
  bool may_pass_evalue(Index i, Index j, std::int32_t score) const;
  bool may_pass_prediction(Index i, Index j, std::int32_t score) const;
  // How near a pair is (engine/nearest_pairs.h).
  double nearness_of(Index i, Index j, std::int32_t score, const AlignmentCounts& counts) const;
  // Returns the lowest score that passes the cutoff with some pair of the stripe's sequences; the lowest
  // int32 if the cutoff is not of scores or score distances.
  std::int32_t lowest_of_cutoff() const;
  // Returns the lowest score of interest, given that pairs pass the filter from `passing` on: `passing`; or
  // the cutoff's lowest score, if that is higher and nothing is listed; or the lowest int32, if values of
  // all pairs are wanted.
  std::int32_t lowest_wanted(std::int32_t passing) const;
  // Takes over what one thread has collected. Both take() and grow() throw StripeTooLarge.
  void take(std::vector<SparseValue> sparse);
  void take_near(std::span<const ListedPair> listed, NearestPairs& nearest) const;
  void grow(std::uint64_t bytes);

  const AllPairs& pairs_;
  const Scoring& scoring_;
  const AllPairsOptions& options_;
  const PairFloors& floors_;
  const std::span<const stats::ScoreJudgePtr> statistics_;
  const KeptSequences* const kept_;
  const SelfScores& self_scores_;
  const BlankSequences& blanks_;
  const std::uint64_t most_bytes_;
  const IndexRange rows_;
  const std::int32_t lowest_of_cutoff_;
  std::int32_t lowest_of_columns_ = 0;  // lowest self score; for the nearest by score distance
  IndexRange columns_;                  // columns of the values
  std::vector<std::shared_ptr<double[]>> values_;
  RawStripe stripe_;
  // Set if only the nearest are wanted and can be chosen here. If the filter needs E-values of adjusted
  // scores, which are known only later, StripeMaker chooses them.
  std::optional<NearestPairs> nearest_;
  std::mutex mutex_;
  std::uint64_t bytes_ = 0;
  std::vector<std::vector<ListedPair>> parts_;
  std::vector<std::vector<SparseValue>> sparse_parts_;
};

}  // namespace alnus::engine

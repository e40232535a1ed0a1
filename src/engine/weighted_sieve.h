// A sieve of the pairs of a region: it leaves those whose highest identity over their whole length may be
// high enough.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/chosen_pairs.h"
#include "engine/identity_bound.h"
#include "engine/planner.h"
#include "engine/stripe_regions.h"

namespace alnus::engine {

// Pairs go through three sieves, each of which leaves only pairs that may pass:
// - the longest common subsequence (IdentityBound);
// - the weighted score. A weighted scoring adds a weight to the score of each pair of identical residues: an
//   alignment that has the best score and n identical residues scores n times the weight more. The best
//   weighted score is thus at least n times the weight higher than the best score. The best score is 0 or
//   more, since ends of the sequences are free, so that n is at most the weighted score, divided by the
//   weight;
// - the difference of both scores: n is at most the difference, divided by the weight.
// Of 55,000 pairs of proteins that the first sieve left at 30 percent, the weighted score left 800, the
// difference 158, and 148 had an alignment of the best score with enough identical residues.
//
// Where the first sieve would leave many pairs (dense_columns.h), a GPU computes the weighted scores of all
// pairs at once.
class WeightedSieve {
 public:
  // A pair passes if its identical residues are at least `least` percent of the columns of its alignment, end
  // gaps counted. `bound` rules pairs out by the same percentage. The bound and the call must outlive the
  // object.
  WeightedSieve(const Scoring& scoring, double least, const IdentityBound& bound, CallState& call);

  // Returns the pairs of the region that all sieves leave, with their scores, in order. Adds to `kept` how
  // many pairs were kept meanwhile; they may take `most_bytes`. Throws StripeTooLarge, and as Scheduler::run
  // does.
  std::vector<ScoredPair> find(const PairRegion& region, Strand strand, std::uint64_t most_bytes,
                               std::uint64_t& kept) const;

 private:
  class Part;

  bool may_pass(const Part& part, const PositionPair& pair, std::int32_t identical) const;
  std::vector<Position> ends_by_length(const PairRegion& region) const;
  std::vector<ScoredPair> sieved(const PairRegion& region, Strand strand, std::span<const Position> all_ends,
                                 bool is_turned, std::uint64_t most_bytes, std::uint64_t& kept) const;
  std::vector<ScoredPair> chosen(const Part& part, const PairMatrix& matrix, const Problem& problem,
                                 std::int32_t unit, std::uint64_t most_bytes) const;
  std::vector<std::int32_t> floors_of(const SortedSequences& sequences, std::int32_t unit) const;
  std::vector<ScoredPair> passing(const Part& part, std::span<const PositionPair> pairs) const;

  const Scoring scoring_, weighted_;
  const double least_;
  const std::int32_t unit_;  // what a pair of identical residues adds to the weighted score
  const IdentityBound& bound_;
  CallState& call_;
};

}  // namespace alnus::engine

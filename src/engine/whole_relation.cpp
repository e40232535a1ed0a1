// The relation "whole": the identity over the whole length of two sequences.
//
// Pairs go through sieves, each of which leaves only pairs that may pass:
// - the longest common subsequence (IdentityBound);
// - a bound of the identical residues of all alignments that have the best score. Under a weighted scoring,
//   which adds `weight` to the score of each pair of identical residues, an alignment that has the best score
//   and n identical residues scores n * weight more. The best weighted score is thus at least n * weight
//   higher than the best score: n is at most their difference, divided by the weight. The best score is 0 or
//   more, since ends of the sequences are free, so that the weighted score alone is a first bound;
// - the highest identity of those alignments, exactly (identity_range.h).
// Of 55,000 pairs of proteins that the first sieve left at 30 percent, the weighted score alone left 800, the
// difference 158, and 148 had an alignment of the best score with enough identical residues.
#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "core/common_subsequence.h"
#include "core/strands.h"
#include "engine/chosen_pairs.h"
#include "engine/identity_bound.h"
#include "engine/list_scorer.h"
#include "engine/pair_identities.h"
#include "engine/relation_finder.h"
#include "engine/row_filter.h"
#include "engine/stripe_regions.h"

namespace alnus::engine {
namespace {

// What the weighted scoring adds for identical residues, in the matrix' units. With a low weight scores alone
// are a poor bound; with a high one fewer pairs fit 16 bits, and the difference is a poor bound.
constexpr std::int32_t kWeight = 3;

Scoring weighted(Scoring scoring) {
  scoring.matrix = scoring.matrix.weighted(1, kWeight * scoring.scale, 0);
  return scoring;
}

class WholeFinder : public RelationFinder {
 public:
  WholeFinder(const RelationInputs& inputs, std::size_t relation)
      : inputs_(inputs),
        relation_(relation),
        least_(inputs.options.relations[relation].relation.threshold),
        scoring_(inputs.options.relations[relation].scoring),
        weighted_(weighted(scoring_)),
        options_(options_of(inputs, least_)),
        bound_(options_, scoring_),
        regions_(inputs.pairs, scoring_, options_, inputs.call),
        identities_(inputs.pairs, inputs.call) {}

  std::uint64_t find(IndexRange rows, std::vector<SparseValue>& found) override {
    const std::uint64_t most_bytes = inputs_.most_bytes(rows);
    std::array<std::vector<PairIdentities::Pair>, 2> near;  // by strand
    std::uint64_t possible = 0;
    regions_.for_each_region(rows, [&](const PairRegion& region, const Scoring&) {
      for (const Strand strand : strands_of(options_.fields.strands)) {
        const std::vector<PositionPair> pairs = possible_pairs(region, strand, most_bytes);
        possible += pairs.size();
        add_near(region, strand, pairs, near[static_cast<std::size_t>(strand)]);
      }
    });
    const ExtraWork again(inputs_.call.progress);
    for (const Strand strand : strands_of(options_.fields.strands)) {
      const std::vector<PairIdentities::Pair>& on_strand = near[static_cast<std::size_t>(strand)];
      const std::vector<Fraction> highest =
          identities_.of(on_strand, strand, scoring_, options_.filter.denominator);
      for (std::size_t k = 0; k < on_strand.size(); ++k)
        if (is_at_least(highest[k], least_))
          found.push_back(inputs_.value_of(on_strand[k].indices, highest[k], relation_));
    }
    return possible;
  }

  double cells_at_a_time() const override { return bound_.cells_at_a_time(); }

 private:
  static AllPairsOptions options_of(const RelationInputs& inputs, double least) {
    AllPairsOptions options = inputs.without_relations(Detail::alignment);
    options.filter.min_identity = least;
    options.filter.denominator = Denominator::with_end_gaps;
    return options;
  }

  // True if so many identical residues suffice for two sequences of these lengths, if no column of their
  // alignment is wasted.
  bool may_pass(std::int32_t identical, std::size_t length, std::size_t other) const {
    const auto columns = static_cast<std::int64_t>(std::max(length, other));
    return columns > 0 && is_at_least({identical, columns}, least_);
  }

  // Adds those of the possible pairs that the second sieve leaves and that do not score higher on the other
  // strand.
  void add_near(const PairRegion& region, Strand strand, std::span<const PositionPair> possible,
                std::vector<PairIdentities::Pair>& near) {
    std::optional<ExtraWork> again;  // set if the first sieve has counted the pairs in the progress
    if (bound_.rules_out()) again.emplace(inputs_.call.progress);
    const SortedPtr &queries = region.queries.on(strand), &subjects = region.subjects.sorted;
    const auto scores_of = [&](std::span<const PositionPair> pairs, const Scoring& scoring) {
      return ListScorer(inputs_.call, queries, subjects, region.steps, pairs).scores(scoring);
    };
    const auto may_pass_by = [&](const PositionPair& pair, std::int32_t weighted) {
      return may_pass(weighted / (kWeight * scoring_.scale), queries->length(pair.row),
                      subjects->length(pair.column));
    };
    std::vector<std::int32_t> weighted = scores_of(possible, weighted_);
    std::vector<PositionPair> left;
    for (std::size_t k = 0; k < possible.size(); ++k)
      if (may_pass_by(possible[k], weighted[k])) {
        weighted[left.size()] = weighted[k];
        left.push_back(possible[k]);
      }
    const std::vector<std::int32_t> scores = scores_of(left, scoring_);
    std::vector<ScoredPair> scored;
    for (std::size_t k = 0; k < left.size(); ++k)
      if (may_pass_by(left[k], weighted[k] - scores[k]))
        scored.push_back({left[k].row, left[k].column, scores[k]});
    if (options_.fields.strands == Strands::both) keep_better(region, strand, scored);
    for (const ScoredPair& pair : scored) near.push_back({region.indices(pair.row, pair.column), pair.score});
  }

  // Returns the pairs that the first sieve leaves; all pairs if shortcuts are switched off.
  std::vector<PositionPair> possible_pairs(const PairRegion& region, Strand strand,
                                           std::uint64_t most_bytes) {
    const SortedPtr &queries = region.queries.on(strand), &subjects = region.subjects.sorted;
    if (!bound_.rules_out()) return all_pairs_of(region, most_bytes);
    ChosenPairs sieve = bound_.possible_pairs(*queries, *subjects, most_bytes, inputs_.call);
    const Problem common{subsequence_scoring(scoring_.matrix.alphabet()), Detail::score};
    Scheduler(inputs_.call, queries, subjects, common)
        .run({.shape = TileShape::staircase, .first_columns = region.steps}, common, sieve);
    if (sieve.too_many()) throw StripeTooLarge{};
    return sieve.pairs();
  }

  static std::vector<PositionPair> all_pairs_of(const PairRegion& region, std::uint64_t most_bytes) {
    constexpr std::uint64_t kBytesOfPair = 24;  // of a pair and its scores
    std::vector<PositionPair> pairs;
    const SortedSequences &rows = *region.queries.sorted, &columns = *region.subjects.sorted;
    for (Position row = rows.begin(); row < rows.end(); ++row) {
      for (Position column = region.steps[row.value()]; column < columns.end(); ++column)
        pairs.push_back({row, column});
      if (pairs.size() * kBytesOfPair > most_bytes) throw StripeTooLarge{};
    }
    return pairs;
  }

  // Removes the pairs that score higher on the other strand.
  void keep_better(const PairRegion& region, Strand strand, std::vector<ScoredPair>& near) {
    const SortedPtr& other = region.queries.on(strand == Strand::plus ? Strand::minus : Strand::plus);
    const std::vector<PositionPair> pairs = without_scores(near);
    const std::vector<std::int32_t> scores =
        ListScorer(inputs_.call, other, region.subjects.sorted, region.steps, pairs).scores(scoring_);
    std::size_t kept = 0;
    for (std::size_t k = 0; k < near.size(); ++k)
      if (near[k].score >= scores[k]) near[kept++] = near[k];
    near.resize(kept);
  }

  const RelationInputs inputs_;
  const std::size_t relation_;
  const double least_;  // percent
  const Scoring scoring_, weighted_;
  const AllPairsOptions options_;
  const IdentityBound bound_;
  StripeRegions regions_;
  PairIdentities identities_;
};

}  // namespace

std::unique_ptr<RelationFinder> whole_finder(const RelationInputs& inputs, std::size_t relation) {
  return std::make_unique<WholeFinder>(inputs, relation);
}

}  // namespace alnus::engine

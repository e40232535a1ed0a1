// The relation "whole": the identity over the whole length of two sequences.
//
// The sieves (weighted_sieve.h) leave few pairs, whose highest identities are then computed exactly
// (identity_range.h).
#include <algorithm>
#include <array>

#include "core/strands.h"
#include "engine/chosen_pairs.h"
#include "engine/identity_bound.h"
#include "engine/list_scorer.h"
#include "engine/pair_identities.h"
#include "engine/relation_finder.h"
#include "engine/row_filter.h"
#include "engine/stripe_regions.h"
#include "engine/weighted_sieve.h"

namespace alnus::engine {
namespace {

class WholeFinder : public RelationFinder {
 public:
  WholeFinder(const RelationInputs& inputs, std::size_t relation)
      : inputs_(inputs),
        relation_(relation),
        least_(inputs.options.relations[relation].relation.threshold),
        scoring_(inputs.options.relations[relation].scoring),
        options_(options_of(inputs, least_)),
        bound_(options_, scoring_),
        sieve_(scoring_, least_, bound_, inputs.call),
        regions_(inputs.pairs, scoring_, options_, inputs.call),
        identities_(inputs.pairs, inputs.call) {}

  std::uint64_t find(IndexRange rows, std::vector<SparseValue>& found) override {
    const std::uint64_t most_bytes = inputs_.most_bytes(rows);
    std::array<std::vector<PairIdentities::Pair>, 2> near;  // by strand
    std::uint64_t kept = 0;
    regions_.for_each_region(rows, [&](const PairRegion& region, const Scoring&) {
      for (const Strand strand : strands_of(options_.fields.strands)) {
        std::vector<ScoredPair> pairs = sieve_.find(region, strand, most_bytes, kept);
        const ExtraWork again(inputs_.call.progress);
        if (options_.fields.strands == Strands::both) keep_better(region, strand, pairs);
        for (const ScoredPair& pair : pairs)
          near[static_cast<std::size_t>(strand)].push_back(
              {region.indices(pair.row, pair.column), pair.score});
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
    return kept;
  }

  double cells_at_a_time() const override { return bound_.cells_at_a_time(); }

 private:
  static AllPairsOptions options_of(const RelationInputs& inputs, double least) {
    AllPairsOptions options = inputs.without_relations(Detail::alignment);
    options.filter.min_identity = least;
    options.filter.denominator = Denominator::with_end_gaps;
    return options;
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
  const Scoring scoring_;
  const AllPairsOptions options_;
  const IdentityBound bound_;
  const WeightedSieve sieve_;
  StripeRegions regions_;
  PairIdentities identities_;
};

}  // namespace

std::unique_ptr<RelationFinder> whole_finder(const RelationInputs& inputs, std::size_t relation) {
  return std::make_unique<WholeFinder>(inputs, relation);
}

}  // namespace alnus::engine

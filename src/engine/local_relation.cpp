// The relations "part" and "related": E-values of local alignments, in which either sequence may be the
// query. If both strands are aligned, the strand on which a pair scores higher counts, and plus of equal
// ones. The candidates of the pass are also offered to AllPairsOptions::first_hits, which may be all that is
// wanted of them.
#include <algorithm>
#include <limits>
#include <utility>

#include "core/strands.h"
#include "engine/chosen_pairs.h"
#include "engine/first_hits.h"
#include "engine/pair_identities.h"
#include "engine/query_side.h"
#include "engine/relation_finder.h"
#include "engine/row_filter.h"
#include "engine/stripe_regions.h"

namespace alnus::engine {
namespace {

// A pair whose score may be significant.
struct Candidate {
  IndexPair pair;  // indices i and j (StripeBuilder)
  std::int32_t score = 0;
  double evalue = std::numeric_limits<double>::infinity();  // the lower one of both directions
};

// Bytes of a candidate, and of what is made to judge it.
constexpr std::uint64_t kBytesOfCandidate = 128;

// The pair with the other one of its sequences as query.
IndexPair turned(const IndexPair& pair) { return {pair.subject, pair.query}; }

// Returns the candidate of this pair among sorted ones; null if it is not there.
const Candidate* find_pair(std::span<const Candidate> candidates, const IndexPair& pair) {
  const auto found = std::ranges::lower_bound(candidates, pair, {}, &Candidate::pair);
  return found != candidates.end() && found->pair == pair ? &*found : nullptr;
}

class LocalFinder : public RelationFinder {
 public:
  LocalFinder(const RelationInputs& inputs, std::vector<std::size_t> relations)
      : inputs_(inputs),
        relations_(std::move(relations)),
        scoring_(relations_.empty() ? first_hits()->search().scoring : of(relations_.front()).scoring),
        statistics_(relations_.empty() ? first_hits()->search().statistics
                                       : of(relations_.front()).statistics),
        options_(inputs.without_relations(Detail::score)),
        regions_(inputs.pairs, scoring_, options_, inputs.call),
        identities_(inputs.pairs, inputs.call),
        rows_(inputs.pairs.rows(), inputs.pairs.columns(), scoring_, statistics_, largest_evalue(false),
              stop()) {
    if (!inputs.pairs.one_set())
      columns_.emplace(inputs.pairs.columns(), inputs.pairs.rows(), scoring_, statistics_,
                       largest_evalue(true), stop());
  }

  std::uint64_t find(IndexRange rows, std::vector<SparseValue>& found) override {
    const std::uint64_t most_bytes = inputs_.most_bytes(rows);
    const std::span<const Strand> strands = strands_of(options_.fields.strands);
    std::vector<std::vector<Candidate>> by_strand(strands.size());
    regions_.for_each_region(rows, [&](const PairRegion& region, const Scoring&) {
      for (std::size_t k = 0; k < strands.size(); ++k)
        add_candidates(region, strands[k], most_bytes, by_strand[k]);
    });
    std::uint64_t kept = 0;
    for (std::vector<Candidate>& candidates : by_strand) {
      std::ranges::sort(candidates, {}, &Candidate::pair);
      kept += candidates.size();
    }
    if (strands.size() > 1) keep_better(by_strand[0], by_strand[1]);
    if (first_hits() != nullptr) offer_first_hits(by_strand);
    for (const std::size_t relation : relations_) find(relation, by_strand, found);
    return kept;
  }

  double cells_at_a_time() const override { return kScoredAtATime; }

 private:
  const ResolvedRelation& of(std::size_t relation) const { return inputs_.options.relations[relation]; }
  // The largest E-value of a pair that has the relation.
  double limit_of(std::size_t relation) const {
    const auto& [kind, threshold] = of(relation).relation;
    return kind == RelationKind::part ? kPartEvalue : threshold;
  }
  // The largest E-value of a pair that is wanted if a sequence of this side is the query; empty: none is.
  std::optional<double> largest_evalue(bool of_columns) const {
    std::optional<double> largest;
    for (const std::size_t relation : relations_) largest = std::max(largest.value_or(0), limit_of(relation));
    if (first_hits() != nullptr && first_hits()->search().columns_are_queries == of_columns)
      largest = std::max(largest.value_or(0), first_hits()->search().evalue);
    return largest;
  }
  FirstHits* first_hits() const { return inputs_.options.first_hits; }
  const StopFlag& stop() const { return inputs_.call.progress.stop; }
  QuerySide& as_columns() { return columns_ ? *columns_ : rows_; }

  // Adds the pairs of the region whose score may be significant in one of both directions.
  void add_candidates(const PairRegion& region, Strand strand, std::uint64_t most_bytes,
                      std::vector<Candidate>& candidates) {
    const SortedPtr &queries = region.queries.on(strand), &subjects = region.subjects.sorted;
    const QuerySide &of_rows = rows_, &of_columns = as_columns();
    ChosenPairs chosen(
        floors(region),
        [&](std::int32_t score, Position of_query, Position of_subject) {
          const IndexPair pair = region.indices(of_query, of_subject);
          return of_rows.is_candidate(pair, score) || of_columns.is_candidate(turned(pair), score);
        },
        most_bytes, inputs_.call);
    const Problem problem{scoring_, Detail::score};
    Scheduler(inputs_.call, queries, subjects, problem)
        .run({.shape = TileShape::staircase, .first_columns = region.steps}, problem, chosen);
    if (chosen.too_many()) throw StripeTooLarge{};
    for (const ScoredPair& pair : chosen.scored_pairs())
      candidates.push_back({region.indices(pair.row, pair.column), pair.score});
    if (candidates.size() * kBytesOfCandidate > most_bytes) throw StripeTooLarge{};
  }

  // Returns the lowest score of a candidate in each row of the region, where the row's sequence or that of a
  // column may be the query.
  std::vector<std::int32_t> floors(const PairRegion& region) {
    const bool row_is_i = region.query != Origin::Query::j;
    const QuerySide &of_rows = row_is_i ? rows_ : as_columns(), &of_columns = row_is_i ? as_columns() : rows_;
    const auto lowest = [](const QuerySide& side, const RankedSequences& sequences, Position position) {
      return side.lowest(sequences.first + sequences.sorted->index(position));
    };
    std::int32_t any = std::numeric_limits<std::int32_t>::max();
    const SortedSequences& subjects = *region.subjects.sorted;
    for (Position column = subjects.begin(); column < subjects.end(); ++column)
      any = std::min(any, lowest(of_columns, region.subjects, column));
    std::vector<std::int32_t> floors;
    const SortedSequences& queries = *region.queries.sorted;
    for (Position row = queries.begin(); row < queries.end(); ++row)
      floors.push_back(std::min(any, lowest(of_rows, region.queries, row)));
    return floors;
  }

  // Removes the candidates that score higher on the other strand. One that is no candidate there scores
  // lower there.
  static void keep_better(std::vector<Candidate>& plus, std::vector<Candidate>& minus) {
    const auto worse_than = [](const std::vector<Candidate>& others) {
      return [&others](const Candidate& candidate) {
        const Candidate* same = find_pair(others, candidate.pair);
        return same != nullptr && same->score > candidate.score;
      };
    };
    const std::vector<Candidate> all_plus = plus;
    std::erase_if(plus, worse_than(minus));
    std::erase_if(minus, worse_than(all_plus));
  }

  // Offers each pair on its better strand, plus if both strands score the same.
  void offer_first_hits(std::span<const std::vector<Candidate>> by_strand) {
    const bool by_columns = first_hits()->search().columns_are_queries;
    QuerySide& side = by_columns ? as_columns() : rows_;
    const std::span<const Strand> strands = strands_of(options_.fields.strands);
    for (std::size_t k = 0; k < strands.size(); ++k) {
      std::vector<AdjustedScores::Candidate> offered;
      for (const Candidate& candidate : by_strand[k]) {
        if (k > 0 && find_pair(by_strand[0], candidate.pair) != nullptr) continue;
        const IndexPair pair = by_columns ? turned(candidate.pair) : candidate.pair;
        offered.push_back({pair, candidate.score, side.judge(pair.query)});
      }
      first_hits()->offer(side, strands[k], offered, inputs_.call);
    }
  }

  // Adds the pairs that have one of the relations.
  void find(std::size_t relation, std::span<const std::vector<Candidate>> by_strand,
            std::vector<SparseValue>& found) {
    const std::span<const Strand> strands = strands_of(options_.fields.strands);
    std::vector<Candidate> significant;  // those of the strand before that pass
    for (std::size_t k = 0; k < strands.size(); ++k) {
      std::vector<Candidate> candidates = candidates_of(relation, by_strand[k]);
      judge(strands[k], limit_of(relation), candidates);
      // If both strands score the same, the plus strand decides about the E-value, as in a search.
      for (Candidate& candidate : candidates) {
        if (k == 0 || find_pair(by_strand[0], candidate.pair) == nullptr) continue;
        const Candidate* judged = find_pair(significant, candidate.pair);
        candidate.evalue = judged != nullptr ? judged->evalue : std::numeric_limits<double>::infinity();
      }
      std::erase_if(candidates, [&](const Candidate& one) { return !(one.evalue <= limit_of(relation)); });
      add(relation, strands[k], candidates, found);
      significant = std::move(candidates);
    }
  }

  // Returns those that may have the relation.
  std::vector<Candidate> candidates_of(std::size_t relation, std::span<const Candidate> candidates) {
    const double most = candidate_evalue(statistics_, scoring_, limit_of(relation));
    const QuerySide &of_rows = rows_, &of_columns = as_columns();
    std::vector<char> may_have(candidates.size());
    constexpr std::size_t kPiece = 1000;  // candidates that a thread takes at a time
    inputs_.call.for_each(candidates.size(), kPiece, [&](std::size_t k) {
      const auto& [pair, score, evalue] = candidates[k];
      may_have[k] = of_rows.evalue(pair, score) <= most || of_columns.evalue(turned(pair), score) <= most;
    });
    std::vector<Candidate> result;
    for (std::size_t k = 0; k < candidates.size(); ++k)
      if (may_have[k]) result.push_back(candidates[k]);
    return result;
  }

  // Adds the significant candidates of a strand that have the relation.
  void add(std::size_t relation, Strand strand, std::span<const Candidate> significant,
           std::vector<SparseValue>& found) {
    if (of(relation).relation.kind == RelationKind::related) {
      for (const Candidate& candidate : significant)
        found.push_back(inputs_.value_of(candidate.pair, candidate.evalue, relation));
      return;
    }
    const ExtraWork again(inputs_.call.progress);
    std::vector<PairIdentities::Pair> pairs;
    pairs.reserve(significant.size());
    for (const Candidate& candidate : significant) pairs.push_back({candidate.pair, candidate.score});
    const std::vector<Fraction> highest = identities_.of(pairs, strand, scoring_, Denominator::shorter);
    for (std::size_t k = 0; k < highest.size(); ++k)
      if (is_at_least(highest[k], of(relation).relation.threshold))
        found.push_back(inputs_.value_of(pairs[k].indices, highest[k], relation));
  }

  // Sets the E-values of the candidates, which are of this strand: infinity where tests of a search with this
  // limit (engine/adjusted_scores.h) find that they are too large.
  void judge(Strand strand, double limit, std::vector<Candidate>& candidates) {
    if (candidates.empty()) return;
    judge(
        strand, limit, rows_, [](const IndexPair& pair) { return pair; }, candidates);
    judge(strand, limit, as_columns(), turned, candidates);
  }

  // Lowers the E-values of the candidates to those of one direction. `pair_of` makes the pair of a query of
  // this side.
  template <class PairOf>
  void judge(Strand strand, double limit, QuerySide& side, const PairOf& pair_of,
             std::vector<Candidate>& candidates) {
    const double most = candidate_evalue(statistics_, scoring_, limit);
    std::vector<std::size_t> tried;  // numbers of candidates
    std::vector<AdjustedScores::Candidate> scored;
    for (std::size_t k = 0; k < candidates.size(); ++k) {
      const IndexPair pair = pair_of(candidates[k].pair);
      if (side.evalue(pair, candidates[k].score) > most) continue;
      tried.push_back(k);
      scored.push_back({pair, candidates[k].score, side.judge(pair.query)});
    }
    const std::vector<std::optional<double>> scores = side.judged_scores(strand, scored, limit, inputs_.call);
    for (std::size_t k = 0; k < tried.size(); ++k) {
      if (!scores[k]) continue;
      double& lower = candidates[tried[k]].evalue;
      lower = std::min(lower, side.evalue(scored[k].pair, *scores[k]));
    }
  }

  const RelationInputs inputs_;
  const std::vector<std::size_t> relations_;  // their numbers; they share scoring and statistics
  const Scoring& scoring_;
  const ResolvedStatistics& statistics_;
  const AllPairsOptions options_;
  StripeRegions regions_;
  PairIdentities identities_;
  QuerySide rows_;
  std::optional<QuerySide> columns_;  // of two sets only
};

}  // namespace

std::unique_ptr<RelationFinder> local_finder(const RelationInputs& inputs,
                                             std::vector<std::size_t> relations) {
  return std::make_unique<LocalFinder>(inputs, std::move(relations));
}

}  // namespace alnus::engine

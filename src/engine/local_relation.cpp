// The relations "part" and "related": E-values of local alignments, in which either sequence may be the
// query. If both strands are aligned, the strand on which a pair scores higher counts, and plus of equal
// ones.
#include <algorithm>
#include <limits>
#include <utility>

#include "core/strands.h"
#include "engine/adjusted_scores.h"
#include "engine/chosen_pairs.h"
#include "engine/pair_identities.h"
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

// The sequences of one side as queries.
struct Judged {
  std::vector<stats::ScoreJudgePtr> judges;  // null for empty sequences
  std::vector<std::int32_t> lowest;          // the lowest score of a candidate
};

class LocalFinder : public RelationFinder {
 public:
  LocalFinder(const RelationInputs& inputs, std::vector<std::size_t> relations)
      : inputs_(inputs),
        relations_(std::move(relations)),
        scoring_(of(relations_.front()).scoring),
        statistics_(of(relations_.front()).statistics),
        limit_(largest_evalue()),
        options_(inputs.without_relations(Detail::score)),
        regions_(inputs.pairs, scoring_, options_, inputs.call),
        identities_(inputs.pairs, inputs.call),
        rows_(judged(inputs.pairs.rows(), inputs.pairs.columns())),
        columns_(inputs.pairs.one_set() ? Judged{} : judged(inputs.pairs.columns(), inputs.pairs.rows())) {}

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
  double largest_evalue() const {
    double largest = 0;
    for (const std::size_t relation : relations_) largest = std::max(largest, limit_of(relation));
    return largest;
  }
  const StopFlag& stop() const { return inputs_.call.progress.stop; }
  const Judged& as_columns() const { return inputs_.pairs.one_set() ? rows_ : columns_; }

  Judged judged(const SequenceSet& queries, const SequenceSet& subjects) const {
    Judged side{judges_of(queries, statistics_, scoring_, stop()),
                std::vector<std::int32_t>(queries.size(), 1)};  // a score of 0 aligns nothing
    raise_to_candidates(queries, subjects, side.judges, statistics_, scoring_, limit_, stop(), side.lowest);
    for (SequenceSet::Index i = 0; i < queries.size(); ++i)
      if (!side.judges[i]) side.lowest[i] = std::numeric_limits<std::int32_t>::max();
    return side;
  }

  // Returns the E-value of a pair by this score, with a sequence of one side as query; infinity without a
  // judge.
  static double evalue(const Judged& side, SequenceSet::Index query, double score, std::size_t length) {
    constexpr double kNone = std::numeric_limits<double>::infinity();
    const stats::ScoreJudge* judge = side.judges[query].get();
    return judge == nullptr || length == 0 ? kNone : judge->of(score, length).evalue.value_or(kNone);
  }

  // Adds the pairs of the region whose score may be significant in one of both directions.
  void add_candidates(const PairRegion& region, Strand strand, std::uint64_t most_bytes,
                      std::vector<Candidate>& candidates) {
    const SortedPtr &queries = region.queries.on(strand), &subjects = region.subjects.sorted;
    const SequenceSet &rows = inputs_.pairs.rows(), &columns = inputs_.pairs.columns();
    const double most = candidate_evalue(statistics_, scoring_, limit_);
    ChosenPairs chosen(
        floors(region),
        [&](std::int32_t score, Position of_query, Position of_subject) {
          const auto [i, j] = region.indices(of_query, of_subject);
          return evalue(rows_, i, score, columns.length(j)) <= most ||
                 evalue(as_columns(), j, score, rows.length(i)) <= most;
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
  std::vector<std::int32_t> floors(const PairRegion& region) const {
    const bool row_is_i = region.query != Origin::Query::j;
    const Judged &of_rows = row_is_i ? rows_ : as_columns(), &of_columns = row_is_i ? as_columns() : rows_;
    const auto lowest = [](const Judged& side, const RankedSequences& sequences, Position position) {
      return side.lowest[sequences.first + sequences.sorted->index(position)];
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
        const auto same = std::ranges::lower_bound(others, candidate.pair, {}, &Candidate::pair);
        return same != others.end() && same->pair == candidate.pair && same->score > candidate.score;
      };
    };
    const std::vector<Candidate> all_plus = plus;
    std::erase_if(plus, worse_than(minus));
    std::erase_if(minus, worse_than(all_plus));
  }

  // Adds the pairs that have one of the relations.
  void find(std::size_t relation, std::span<const std::vector<Candidate>> by_strand,
            std::vector<SparseValue>& found) {
    const std::span<const Strand> strands = strands_of(options_.fields.strands);
    std::vector<Candidate> significant;  // those of the strand before that pass
    for (std::size_t k = 0; k < strands.size(); ++k) {
      std::vector<Candidate> candidates = by_strand[k];
      judge(strands[k], limit_of(relation), candidates);
      // If both strands score the same, the plus strand decides about the E-value, as in a search.
      for (Candidate& candidate : candidates) {
        const auto same = std::ranges::lower_bound(by_strand[0], candidate.pair, {}, &Candidate::pair);
        if (k == 0 || same == by_strand[0].end() || same->pair != candidate.pair) continue;
        const auto judged = std::ranges::lower_bound(significant, candidate.pair, {}, &Candidate::pair);
        const bool is_one = judged != significant.end() && judged->pair == candidate.pair;
        candidate.evalue = is_one ? judged->evalue : std::numeric_limits<double>::infinity();
      }
      std::erase_if(candidates, [&](const Candidate& one) { return !(one.evalue <= limit_of(relation)); });
      add(relation, strands[k], candidates, found);
      significant = std::move(candidates);
    }
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
    const ExtraWork besides(inputs_.call.progress);
    const SequenceSet &rows = inputs_.pairs.rows(), &columns = inputs_.pairs.columns();
    const auto same = [](const IndexPair& pair) { return pair; };
    const auto turned = [](const IndexPair& pair) { return IndexPair{pair.subject, pair.query}; };
    judge(strand, limit, {rows, columns, rows_}, same, candidates);
    judge(strand, limit, {columns, rows, as_columns()}, turned, candidates);
  }

  // One side's sequences as queries.
  struct Direction {
    const SequenceSet &queries, &subjects;
    const Judged& judged;
  };
  // Lowers the E-values of the candidates to those of one direction. `turned` makes the pair whose query is
  // of the direction's queries.
  template <class Turned>
  void judge(Strand strand, double limit, const Direction& direction, const Turned& turned,
             std::vector<Candidate>& candidates) {
    const auto& [queries, subjects, side] = direction;
    const auto most = candidate_evalue(statistics_, scoring_, limit);
    std::vector<std::size_t> tried;  // numbers of candidates
    std::vector<AdjustedScores::Candidate> scored;
    for (std::size_t k = 0; k < candidates.size(); ++k) {
      const IndexPair pair = turned(candidates[k].pair);
      if (evalue(side, pair.query, candidates[k].score, subjects.length(pair.subject)) > most) continue;
      tried.push_back(k);
      scored.push_back({pair, candidates[k].score, side.judges[pair.query].get()});
    }
    std::vector<std::optional<double>> scores(scored.size());
    if (statistics_.adjusts()) {
      const SequenceSet on_strand = strand == Strand::plus ? queries : reverse_complement(queries, stop());
      scores = AdjustedScores(on_strand, subjects, scoring_, statistics_).of(scored, limit, inputs_.call);
    } else {
      for (std::size_t k = 0; k < scored.size(); ++k) scores[k] = scored[k].score;
    }
    for (std::size_t k = 0; k < tried.size(); ++k) {
      if (!scores[k]) continue;
      const IndexPair& pair = scored[k].pair;
      double& lower = candidates[tried[k]].evalue;
      lower = std::min(lower, evalue(side, pair.query, *scores[k], subjects.length(pair.subject)));
    }
  }

  const RelationInputs inputs_;
  const std::vector<std::size_t> relations_;  // their numbers; they share scoring and statistics
  const Scoring& scoring_;
  const ResolvedStatistics& statistics_;
  const double limit_;  // the largest E-value of any of the relations
  const AllPairsOptions options_;
  StripeRegions regions_;
  PairIdentities identities_;
  const Judged rows_, columns_;  // `columns_`: of two sets only
};

}  // namespace

std::unique_ptr<RelationFinder> local_finder(const RelationInputs& inputs,
                                             std::vector<std::size_t> relations) {
  return std::make_unique<LocalFinder>(inputs, std::move(relations));
}

}  // namespace alnus::engine

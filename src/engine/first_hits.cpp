#include "engine/first_hits.h"

#include <algorithm>
#include <utility>

namespace alnus::engine {

using Index = SequenceSet::Index;

// An adjusted score is expensive, and most candidates of a sequence that has near relatives cannot come
// before these. The candidate of the lowest unadjusted E-value is therefore judged first, and then only
// candidates that a search whose limit is the E-value of the best hit so far would judge. For this rule to
// find the same hit in any order, a pair is no hit at all if such a search with its own E-value as limit
// would not judge it.
//
// That loses no hit where scores are never raised. Where a matrix is adjusted it has lost none of 16,799 hits
// at kSure and none of 2,596 at kLeast (docs/results/statistics.md), but some with larger E-values, to which
// the rule is not applied. Below kLeast, where E-values fall faster than scores rise, kLeast is the limit.
double FirstHits::most_unadjusted(double evalue) const {
  constexpr double kSure = 1e-3, kLeast = 1e-100;
  const double limit = evalue <= kSure ? std::max(evalue, kLeast) : search_.evalue;
  return candidate_evalue(search_.statistics, search_.scoring, limit);
}

// Candidates that are offered together.
class FirstHits::Offer {
 public:
  Offer(FirstHits& first, QuerySide& side, Strand strand,
        std::span<const AdjustedScores::Candidate> candidates, CallState& call)
      : first_(first), side_(side), strand_(strand), candidates_(candidates), call_(call) {
    evalues_.resize(candidates.size());
    constexpr std::size_t kPiece = 1000;  // candidates that a thread takes at a time
    call.for_each(candidates.size(), kPiece,
                  [&](std::size_t k) { evalues_[k] = side.evalue(candidates[k].pair, candidates[k].score); });
  }

  void take() {
    std::vector<std::size_t> lowest(first_.hits_.size(), candidates_.size());  // by query: a candidate
    for (std::size_t k = 0; k < candidates_.size(); ++k) {
      std::size_t& of_query = lowest[candidates_[k].pair.query];
      if (of_query == candidates_.size() || evalues_[k] < evalues_[of_query]) of_query = k;
    }
    std::vector<std::size_t> likely, others;
    for (std::size_t k = 0; k < candidates_.size(); ++k)
      (lowest[candidates_[k].pair.query] == k ? likely : others).push_back(k);
    judge(likely);
    judge(others);
  }

 private:
  // Judges those of the candidates of these numbers that may come before the hits so far.
  void judge(std::span<const std::size_t> numbers) {
    std::vector<std::size_t> tried;
    std::vector<AdjustedScores::Candidate> scored;
    for (const std::size_t k : numbers) {
      const std::optional<Hit>& hit = first_.hits_[candidates_[k].pair.query];
      const double worst = hit ? hit->key.evalue : first_.search_.evalue;
      if (evalues_[k] > first_.most_unadjusted(worst)) continue;
      tried.push_back(k);
      scored.push_back(candidates_[k]);
    }
    const std::vector<std::optional<double>> scores =
        side_.judged_scores(strand_, scored, first_.search_.evalue, call_);
    for (std::size_t n = 0; n < tried.size(); ++n)
      if (scores[n]) take(tried[n], *scores[n]);
  }

  // `score`: the one by which the candidate is judged.
  void take(std::size_t number, double score) {
    const Search& search = first_.search_;
    const AdjustedScores::Candidate& candidate = candidates_[number];
    const auto& [query, subject] = candidate.pair;
    const Significance significance = significance_of(
        candidate.judge, candidate.score, search.statistics.adjusts() ? std::optional(score) : std::nullopt,
        side_.subjects().length(subject), search.scoring);
    const HitKey key = HitKey::of(significance, candidate.score, search.scoring.scale,
                                  side_.subjects().file_ordinal(subject));
    if (key.evalue > search.evalue || evalues_[number] > first_.most_unadjusted(key.evalue)) return;
    std::optional<Hit>& hit = first_.hits_[query];
    if (!hit || key < hit->key) hit = Hit{key, subject};
  }

  FirstHits& first_;
  QuerySide& side_;
  const Strand strand_;
  const std::span<const AdjustedScores::Candidate> candidates_;
  CallState& call_;
  std::vector<double> evalues_;  // unadjusted, of the candidates
};

void FirstHits::offer(QuerySide& side, Strand strand, std::span<const AdjustedScores::Candidate> candidates,
                      CallState& call) {
  hits_.resize(side.queries().size());
  Offer(*this, side, strand, candidates, call).take();
}

std::vector<IndexPair> FirstHits::pairs() const {
  std::vector<IndexPair> pairs;
  for (Index query = 0; query < hits_.size(); ++query)
    if (hits_[query]) pairs.push_back({query, hits_[query]->subject});
  return pairs;
}

}  // namespace alnus::engine

// Each co-optimal alignment of a pair is a point (matches, length), where `length` counts the columns with or
// without gaps, or with end gaps. The lowest and the highest matches / length are at vertices of the convex
// hull of these points. The hull is known by its support: the highest value of a * matches - b * length over
// all points is the best value of a second objective (best_second.h), for any weights (a, b).
//
// The vertex of the highest identity is found as a fraction is found in the Stern-Brocot tree. With weights
// (a, b) the highest value is above 0 if and only if the highest identity is above b / a. So the tree's
// interval lower < highest identity <= upper is cut at its mediant, until the highest value with the
// mediant's weights is the sum of the highest values with the weights of the interval's two ends. Then one
// alignment attains all three values, and also the highest value with any weights between. Since lower.a *
// upper.b - lower.b * upper.a = 1, its matches and length are integers that follow from two of the values.
// The lowest identity is found alike, by lowest values, in lower <= lowest identity < upper. The weights
// needed are small: no larger than the differences between co-optimal alignments in matches and length.
#include "engine/identity_range.h"

#include "engine/best_second.h"

namespace alnus::engine {
namespace {

// The length that identical residues are divided by: `base`, plus `aligned` for each pair of aligned
// residues, plus `gap` for each residue in a gap.
struct LengthRule {
  std::int64_t aligned = 1, gap = 1, base = 0;
};

// The search for the lowest or the highest identity of a pair. It asks best_seconds() one question after the
// other.
class Extreme {
 public:
  explicit Extreme(bool highest) : sign_(highest ? 1 : -1) {}

  bool found() const { return found_; }
  const Fraction& identity() const { return identity_; }
  void finish(const Fraction& identity) {
    found_ = true;
    identity_ = identity;
  }

  // The second objective whose best value take() needs next.
  SecondObjective question(const LengthRule& length) const {
    const std::int64_t a = sign_ * asked().a, b = sign_ * asked().b;
    return {a - b * length.aligned, -b * length.aligned, -b * length.gap};
  }
  void take(std::int64_t best, const LengthRule& length) {
    Weights weights = asked();
    weights.value = sign_ * best - weights.b * length.base;
    ++answers_;
    if (answers_ == 1) {
      lower_ = weights;
      if (matches() == 0) finish({0, 1});  // no matches, whatever the length
    } else if (answers_ == 2) {
      upper_ = weights;
    } else if (weights.value == lower_.value + upper_.value) {
      finish(vertex());
    } else {
      (weights.value > 0 || (weights.value == 0 && sign_ < 0) ? lower_ : upper_) = weights;
    }
  }

  int answers() const { return answers_; }
  // The most matches and the least length of the pair's co-optimal alignments; in a search for the lowest
  // identity the fewest matches and the greatest length. Valid until the third answer is taken: matches()
  // from the first answer on, length() from the second on.
  std::int64_t matches() const { return lower_.value; }
  std::int64_t length() const { return -upper_.value; }
  // The identity of the alignment that is best with the weights of both ends of the interval, if there is
  // one.
  Fraction vertex() const {
    return {lower_.value * upper_.b - upper_.value * lower_.b,
            lower_.value * upper_.a - upper_.value * lower_.a};
  }

 private:
  struct Weights {
    std::int64_t a, b;
    std::int64_t value = 0;  // highest (or lowest) a * matches - b * length
  };
  Weights asked() const {
    if (answers_ == 0) return lower_;
    if (answers_ == 1) return upper_;
    return {lower_.a + upper_.a, lower_.b + upper_.b};
  }

  std::int64_t sign_;
  int answers_ = 0;
  Weights lower_{1, 0}, upper_{0, 1};  // the interval's ends, identities b / a
  bool found_ = false;
  Fraction identity_{};
};

struct Extremes {
  Extreme lowest{false}, highest{true};
};

// Two answers suffice if all alignments of the pair have equally many matches, or all have the same length.
void finish_at_corners(Extremes& extremes) {
  auto& [lowest, highest] = extremes;
  if (lowest.found() || highest.found() || lowest.answers() != 2) return;
  if (lowest.matches() != highest.matches() && lowest.length() != highest.length()) return;
  lowest.finish(lowest.vertex());
  highest.finish(highest.vertex());
}

}  // namespace

std::vector<IdentityRange> identity_ranges(Scheduler& scheduler, std::span<const PositionPair> pairs,
                                           std::span<const std::int32_t> scores, const Scoring& scoring,
                                           Denominator denominator, double largest) {
  const bool length_varies = denominator == Denominator::alignment || denominator == Denominator::ungapped ||
                             denominator == Denominator::with_end_gaps;
  const auto rule_of = [&](const PositionPair& pair) -> LengthRule {
    if (denominator == Denominator::ungapped) return {1, 0};
    if (denominator != Denominator::with_end_gaps) return {};
    const std::uint64_t both = scheduler.rows().length(pair.row) + scheduler.columns().length(pair.column);
    return {-1, 0,
            static_cast<std::int64_t>(both)};  // one column for each residue, or for two aligned residues
  };
  std::vector<Extremes> all(pairs.size());
  for (;;) {
    std::vector<SecondQuestion> questions;
    std::vector<Extreme*> asking;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      const bool empty = scoring.mode == Mode::local && scores[i] == 0;
      for (Extreme* extreme : {&all[i].lowest, &all[i].highest}) {
        if (empty) extreme->finish({0, 1});
        if (extreme->found()) continue;
        questions.push_back({pairs[i], scores[i], extreme->question(rule_of(pairs[i]))});
        asking.push_back(extreme);
      }
    }
    if (questions.empty()) break;
    const std::vector<std::int64_t> answers = best_seconds(scheduler, questions, scoring, largest);
    for (std::size_t k = 0; k < asking.size(); ++k) {
      const PositionPair& pair = questions[k].pair;
      asking[k]->take(answers[k], rule_of(pair));
      if (length_varies || asking[k]->found()) continue;
      AlignmentCounts counts;  // these denominators need no count but `identical`
      counts.identical = static_cast<std::int32_t>(asking[k]->matches());
      asking[k]->finish(identity_of(counts, scheduler.rows().length(pair.row),
                                    scheduler.columns().length(pair.column), denominator));
    }
    for (Extremes& extremes : all) finish_at_corners(extremes);
  }
  std::vector<IdentityRange> ranges;
  ranges.reserve(all.size());
  for (const Extremes& extremes : all)
    ranges.push_back({extremes.lowest.identity(), extremes.highest.identity()});
  return ranges;
}

}  // namespace alnus::engine

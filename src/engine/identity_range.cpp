// Each co-optimal alignment of a pair is a point (matches, length), where `length` counts the columns with or
// without gaps, or with end gaps. The lowest and the highest matches / length are at vertices of the convex
// hull of these points. The hull is known by its support: the highest value of a * matches - b * length over
// all points is the best value of a second objective (BestSeconds), for any weights (a, b).
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

#include <algorithm>
#include <compare>
#include <map>
#include <optional>
#include <utility>

#include "core/second_objective.h"
#include "engine/align_list.h"

namespace alnus::engine {
namespace {

struct SecondQuestion {
  PositionPair pair;
  std::int32_t score;  // the pair's best score, in units of 1/scale
  SecondObjective second;
};

// How a question is answered. Questions with equal ways go to the devices together.
struct Way {
  SecondObjective second;
  std::int32_t factor = 0;  // a power of 16, so that many pairs share one; 0: not on devices
  bool certain = false;     // the factor is large enough for a single run
  auto operator<=>(const Way&) const = default;  // NOLINT(modernize-use-nullptr)
};

// Finds the highest value of a second objective among all alignments of a pair that have the best score, for
// many pairs at once on the devices.
//
// The score and the second objective are joined into one sum, factor * score + second. The sum is a scoring,
// too, so that devices find its best value. With a factor above the difference of any two second objectives,
// one point of score outweighs them all, so that the best sum belongs to an alignment of the best score.
//
// If sums with such a factor are too large, there are two runs with smaller factors, w and w - 1. An
// alignment of score s that is best with w has a sum lower by s with w - 1; so s is at least the difference
// of the best sums of the two runs. If that difference is the pair's best score, the alignment has this
// score, and its second objective is the answer. Otherwise, which is rare, the question is answered without
// devices.
class BestSeconds {
 public:
  // `largest`: as in identity_ranges().
  BestSeconds(Scheduler& scheduler, std::span<const SecondQuestion> questions, const Scoring& scoring,
              double largest)
      : scheduler_(scheduler), questions_(questions), scoring_(scoring), largest_(largest) {}

  // Returns the answer to each question, in their order. In mode local every score must be above 0. Throws as
  // Scheduler::run does.
  std::vector<std::int64_t> find() {
    answers_.resize(questions_.size());
    std::map<Way, std::vector<std::size_t>> together;
    for (std::size_t i = 0; i < questions_.size(); ++i) together[way_for(questions_[i])].push_back(i);
    for (const auto& [way, asking] : together) {
      if (way.factor > 0 && !is_quick_here(asking))
        ask_devices(way, asking);
      else
        here_.insert(here_.end(), asking.begin(), asking.end());
    }
    if (!here_.empty())
      scheduler_.call().for_each(here_.size(), [this](std::size_t k) {
        const auto& [pair, score, second] = questions_[here_[k]];
        answers_[here_[k]] =
            best_of_both(scheduler_.rows().residues(pair.row), scheduler_.columns().residues(pair.column),
                         scoring_, second, scheduler_.stop_flag())
                .second;
      });
    return std::move(answers_);
  }

 private:
  // True if the threads of the call answer these questions sooner than a GPU, which takes some milliseconds
  // for a list, however short.
  bool is_quick_here(std::span<const std::size_t> asking) const {
    if (scheduler_.call().on_host()) return false;
    constexpr double kCellsOfThread = 3e6;  // in about as long
    double cells = 0;
    for (const std::size_t i : asking) {
      const auto [m, n] = lengths(questions_[i].pair);
      cells += m * n;
    }
    return cells <= kCellsOfThread * static_cast<double>(scheduler_.call().threads.threads());
  }
  // The lengths of a pair's query and subject.
  std::pair<double, double> lengths(const PositionPair& pair) const {
    return {static_cast<double>(scheduler_.rows().length(pair.row)),
            static_cast<double>(scheduler_.columns().length(pair.column))};
  }

  // The least factor that is large enough for a single run is rounded up to a power of kStep. If that does
  // not fit, the way has the largest power of kStep that does; its factor is 0 if none above 1 fits.
  Way way_for(const SecondQuestion& question) const {
    const auto [equal, different, gap] = question.second;
    const auto [m, n] = lengths(question.pair);
    const auto most = static_cast<double>(std::max({equal, different, std::int64_t{0}})),
               least = static_cast<double>(std::min({equal, different, std::int64_t{0}}));
    const double differences = std::min(m, n) * (most - least) + (m + n) * static_cast<double>(std::abs(gap));
    bool certain = differences < largest_;
    constexpr std::uint64_t kStep = 16, kHighest = 1 << 28;
    std::uint64_t factor = kStep;
    while (factor < kHighest && (!certain || static_cast<double>(factor) <= differences)) factor *= kStep;
    certain = certain && static_cast<double>(factor) > differences;
    for (; factor > 1; factor /= kStep, certain = false)
      if (fits(question, static_cast<std::int64_t>(factor)))
        return {question.second, static_cast<std::int32_t>(factor), certain};
    return {question.second};
  }

  // True if no gap extension cost becomes negative with `factor` or factor - 1, and no intermediate sum
  // exceeds largest_.
  bool fits(const SecondQuestion& question, std::int64_t factor) const {
    const SecondObjective& second = question.second;
    if ((factor - 1) * scoring_.extend < second.gap) return false;
    const auto [m, n] = lengths(question.pair);
    const auto weight = static_cast<double>(factor);
    const auto added = static_cast<double>(
        std::max({std::abs(second.equal), std::abs(second.different), std::abs(second.gap)}));
    const double match = weight * std::max(scoring_.matrix.highest(), 0) + added;
    const double mismatch = weight * std::max(-scoring_.matrix.lowest(), 0) + added;
    const double open = weight * scoring_.open, extend = weight * scoring_.extend + added;
    constexpr double kPadding = 8;  // columns that kernels may add by rounding up
    return std::min(m, n) * match + mismatch + 3 * open + (m + n + kPadding) * extend <= largest_;
  }

  void ask_devices(const Way& way, std::span<const std::size_t> asking) {
    const std::vector<AlignedPair> best = run(way.second, way.factor, asking);
    const std::vector<AlignedPair> less =
        way.certain ? std::vector<AlignedPair>() : run(way.second, way.factor - 1, asking);
    for (std::size_t k = 0; k < asking.size(); ++k) {
      const std::int64_t score = questions_[asking[k]].score;
      if (way.certain || best[k].score - less[k].score == score)
        answers_[asking[k]] = best[k].score - way.factor * score;
      else
        here_.push_back(asking[k]);
    }
  }

  std::vector<AlignedPair> run(const SecondObjective& second, std::int32_t factor,
                               std::span<const std::size_t> asking) {
    const auto [equal, different, gap] = second;
    Problem problem{scoring_, Detail::score};
    problem.scoring.matrix = scoring_.matrix.weighted(factor, static_cast<std::int32_t>(equal),
                                                      static_cast<std::int32_t>(different));
    problem.scoring.open *= factor;
    problem.scoring.extend = factor * scoring_.extend - static_cast<std::int32_t>(gap);
    std::vector<PositionPair> pairs;
    pairs.reserve(asking.size());
    for (const std::size_t i : asking) pairs.push_back(questions_[i].pair);
    return align_list(scheduler_, pairs, problem).pairs;
  }

  Scheduler& scheduler_;
  const std::span<const SecondQuestion> questions_;
  const Scoring& scoring_;
  const double largest_;
  std::vector<std::int64_t> answers_;
  std::vector<std::size_t> here_;  // numbers of the questions that the devices do not answer
};

// The length that identical residues are divided by: `base`, plus `aligned` for each pair of aligned
// residues, plus `gap` for each residue in a gap.
struct LengthRule {
  std::int64_t aligned = 1, gap = 1, base = 0;
};

// The search for the lowest or the highest identity of a pair. Its questions for BestSeconds follow from the
// answers to those before.
class Extreme {
 public:
  explicit Extreme(bool highest) : sign_(highest ? 1 : -1) {}

  bool found() const { return identity_.has_value(); }
  const Fraction& identity() const { return *identity_; }
  void finish(const Fraction& identity) { identity_ = identity; }

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
  std::optional<Fraction> identity_;
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

// Which ends of an identity range are wanted.
enum class Ends : std::uint8_t { both, highest };

std::vector<Extremes> extremes_of(Scheduler& scheduler, std::span<const PositionPair> pairs,
                                  std::span<const std::int32_t> scores, const Scoring& scoring,
                                  Denominator denominator, double largest, Ends ends) {
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
        if (empty || (ends == Ends::highest && extreme == &all[i].lowest)) extreme->finish({0, 1});
        if (extreme->found()) continue;
        questions.push_back({pairs[i], scores[i], extreme->question(rule_of(pairs[i]))});
        asking.push_back(extreme);
      }
    }
    if (questions.empty()) break;
    const std::vector<std::int64_t> answers = BestSeconds(scheduler, questions, scoring, largest).find();
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
  return all;
}

}  // namespace

std::vector<IdentityRange> identity_ranges(Scheduler& scheduler, std::span<const PositionPair> pairs,
                                           std::span<const std::int32_t> scores, const Scoring& scoring,
                                           Denominator denominator, double largest) {
  const std::vector<Extremes> all =
      extremes_of(scheduler, pairs, scores, scoring, denominator, largest, Ends::both);
  std::vector<IdentityRange> ranges;
  ranges.reserve(all.size());
  for (const Extremes& extremes : all)
    ranges.push_back({extremes.lowest.identity(), extremes.highest.identity()});
  return ranges;
}

std::vector<Fraction> highest_identities(Scheduler& scheduler, std::span<const PositionPair> pairs,
                                         std::span<const std::int32_t> scores, const Scoring& scoring,
                                         Denominator denominator) {
  const std::vector<Extremes> all =
      extremes_of(scheduler, pairs, scores, scoring, denominator, kLargestSum, Ends::highest);
  std::vector<Fraction> highest;
  highest.reserve(all.size());
  for (const Extremes& extremes : all) highest.push_back(extremes.highest.identity());
  return highest;
}

}  // namespace alnus::engine

// The score and the second objective are joined into one sum, factor * score + second. The sum is a scoring,
// too, so that devices find its best value. With a factor above the difference of any two second objectives,
// one point of score outweighs them all, so that the best sum belongs to an alignment of the best score.
//
// If sums with such a factor are too large, there are two runs with smaller factors, w and w - 1. An
// alignment of score s that is best with w has a sum lower by s with w - 1; so s is at least the difference
// of the best sums of the two runs. If that difference is the pair's best score, the alignment has this
// score, and its second objective is the answer. Otherwise, which is rare, the question is answered without
// devices.
#include "engine/best_second.h"

#include <algorithm>
#include <bit>
#include <map>
#include <tuple>

#include "engine/align_list.h"

namespace alnus::engine {
namespace {

// How a question is answered. Questions with equal ways go to the devices together.
struct Way {
  SecondObjective second;
  std::int32_t factor = 0;  // a power of two, so that many pairs share one; 0: not on devices
  bool certain = false;     // the factor is large enough for a single run
};

bool operator<(const Way& a, const Way& b) {
  const auto key = [](const Way& way) {
    return std::tie(way.second.equal, way.second.different, way.second.gap, way.factor, way.certain);
  };
  return key(a) < key(b);
}

class Answers {
 public:
  Answers(Scheduler& scheduler, std::span<const SecondQuestion> questions, const Scoring& scoring,
          double largest)
      : scheduler_(scheduler), questions_(questions), scoring_(scoring), largest_(largest) {}

  std::vector<std::int64_t> find() {
    answers_.resize(questions_.size());
    std::map<Way, std::vector<std::size_t>> together;
    for (std::size_t i = 0; i < questions_.size(); ++i) together[way_for(questions_[i])].push_back(i);
    for (const auto& [way, asking] : together) {
      if (way.factor > 0)
        ask_devices(way, asking);
      else
        here_.insert(here_.end(), asking.begin(), asking.end());
    }
    if (!here_.empty())
      scheduler_.call().for_each(here_.size(), [this](std::size_t k) { do_here(here_[k]); });
    return std::move(answers_);
  }

 private:
  double query_length(const PositionPair& pair) const {
    return static_cast<double>(scheduler_.rows().length(pair.row));
  }
  double subject_length(const PositionPair& pair) const {
    return static_cast<double>(scheduler_.columns().length(pair.column));
  }

  Way way_for(const SecondQuestion& question) const {
    const auto [equal, different, gap] = question.second;
    const double m = query_length(question.pair), n = subject_length(question.pair);
    const auto most = static_cast<double>(std::max({equal, different, std::int64_t{0}})),
               least = static_cast<double>(std::min({equal, different, std::int64_t{0}}));
    const double differences = std::min(m, n) * (most - least) + (m + n) * static_cast<double>(std::abs(gap));
    if (differences >= largest_) return way_of_factor(question, std::int64_t{1} << 30, false);
    return way_of_factor(question, static_cast<std::int64_t>(differences) + 1, true);
  }
  // Rounds the factor `least` up to a power of two, or takes the largest power of two that fits; the factor
  // is 0 if none above 1 fits.
  Way way_of_factor(const SecondQuestion& question, std::int64_t least, bool certain) const {
    auto factor = static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(least)));
    for (; factor > 1; factor /= 2, certain = false)
      if (fits(question, factor)) return {question.second, static_cast<std::int32_t>(factor), certain};
    return {question.second};
  }

  // True if no gap extension cost becomes negative with `factor` or factor - 1, and no intermediate sum
  // exceeds largest_.
  bool fits(const SecondQuestion& question, std::int64_t factor) const {
    const SecondObjective& second = question.second;
    if ((factor - 1) * scoring_.extend < second.gap) return false;
    const double m = query_length(question.pair), n = subject_length(question.pair);
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

  void do_here(std::size_t i) {
    const SecondQuestion& question = questions_[i];
    answers_[i] = best_of_both(scheduler_.rows().residues(question.pair.row),
                               scheduler_.columns().residues(question.pair.column), scoring_, question.second,
                               scheduler_.stop_flag())
                      .second;
  }

  Scheduler& scheduler_;
  const std::span<const SecondQuestion> questions_;
  const Scoring& scoring_;
  const double largest_;
  std::vector<std::int64_t> answers_;
  std::vector<std::size_t> here_;  // numbers of the questions that the devices do not answer
};

}  // namespace

std::vector<std::int64_t> best_seconds(Scheduler& scheduler, std::span<const SecondQuestion> questions,
                                       const Scoring& scoring, double largest) {
  return Answers(scheduler, questions, scoring, largest).find();
}

}  // namespace alnus::engine

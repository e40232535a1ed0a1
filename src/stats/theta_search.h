// Finds the theta of pairs' matrices (stats/pair_balance.h) by secants. `Math` decides the lanes: vectors of
// pairs, or one pair on a GPU. No value is NaN, because exponents are bounded (MatrixAdjuster::of). A pair
// whose theta is found does not change while other pairs of its vector go on, so that no result depends on
// the pairs beside it.
#pragma once

#include "stats/portable_math.h"

namespace alnus::stats {

// The limits of theta. Sequences of very few kinds of letters have no frequencies with the wanted entropy;
// their theta ends at a limit.
inline constexpr double kLeastTheta = 0.25, kMostTheta = 4;

template <class Math>
class ThetaSearch {
 public:
  using Vec = typename Math::Vec;
  using Bits = typename Math::Bits;

  // The largest error of entropy (in nats) and margins with which the search of theta ends.
  static constexpr double kTolerance = 1e-6;
  static constexpr int kMostSweeps = 60;  // most sweeps that balance the margins for one theta

  ALNUS_PORTABLE ThetaSearch(double entropy, double slope, double first_theta, bool only_first)
      : theta_(Math::set1(first_theta)),
        slope_(Math::set1(slope)),
        before_(theta_),
        found_before_(Math::set1(0)),
        tolerance_(Math::set1(only_first ? kTolerance : kFirstTolerance)),
        open_(Math::equal(theta_, theta_)),
        entropy_(entropy),
        only_first_(only_first) {}

  ALNUS_PORTABLE Vec theta() const { return theta_; }
  ALNUS_PORTABLE Vec tolerance() const { return tolerance_; }  // of the margins for this theta
  ALNUS_PORTABLE Bits open() const { return open_; }           // mask of pairs whose theta is not found yet

  // Takes the entropies (in nats) found for theta(), and chooses the next theta. Returns false if no pair
  // needs another round, after kMostRounds rounds, and if only the first theta is wanted.
  ALNUS_PORTABLE bool take(Vec found) {
    const Vec missing = entropy_ - found, step = theta_ - before_;
    const Vec secant = (found - found_before_) / step;
    slope_ = Math::select(
        Math::above(Math::abs(step), Math::set1(kLeastStep)) & Math::above(secant, Math::set1(0)), secant,
        slope_);
    const Vec lowest = Math::max(Math::set1(kLeastTheta), theta_ * 0.5),
              highest = Math::min(Math::set1(kMostTheta), theta_ * 2);
    const Vec next = Math::min(Math::max(theta_ + missing / slope_, lowest), highest);
    const Bits exact = ~Math::above(tolerance_, Math::set1(kTolerance));
    open_ &= ~(exact & (Math::above(Math::set1(kTolerance), Math::abs(missing)) | Math::equal(next, theta_)));
    if (round_++ == kMostRounds || only_first_) return false;
    found_before_ = found;
    before_ = theta_;
    theta_ = Math::select(open_, next, theta_);
    constexpr double kOfMissing = 1.0 / 64;
    tolerance_ = Math::max(Math::set1(kTolerance),
                           Math::min(Math::set1(kFirstTolerance), Math::abs(missing) * kOfMissing));
    return Math::any(open_);
  }

 private:
  static constexpr double kFirstTolerance = 1e-2;  // of margins, while theta is far from the solution
  static constexpr int kMostRounds = 40;
  static constexpr double kLeastStep = 1e-4;  // smallest step of theta that gives a slope

  Vec theta_, slope_, before_, found_before_, tolerance_;
  Bits open_;
  const double entropy_;
  int round_ = 0;
  const bool only_first_;
};

}  // namespace alnus::stats

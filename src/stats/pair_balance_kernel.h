// For a theta, a and b by turns (Sinkhorn); and theta by secants. A pair whose values are found is left as it
// is while others of its vector go on, so that no result depends on what is beside it.
#pragma once

#include "stats/pair_balance.h"
#include "stats/vector_math.h"

namespace alnus::stats {

template <int kLanes>
class PairBalance {
 public:
  static void run(BalanceJob& job) {
    for (int first = 0; first < kMostPairs; first += kLanes) PairBalance(job, first).solve();
  }

 private:
  using Math = VectorMath<kLanes>;
  using Vec = typename Math::Vec;
  using Bits = typename Math::Bits;

  // Margins of q and its entropy are exact to so much in the end.
  static constexpr double kTolerance = 1e-6;
  static constexpr double kFirstTolerance = 1e-2;  // while theta is not known
  static constexpr int kMostRounds = 40, kMostSweeps = 60;
  static constexpr double kLeastStep = 1e-4;  // of theta, from which a slope can be found

  PairBalance(BalanceJob& job, int first) : job_(job), first_(first) {
    for (int i = 0; i < kAminoAcids; ++i) {
      r_[i] = load(job.r[i] + first);
      a_[i] = b_[i] = Math::set1(1);
    }
  }

  static Vec load(const double* from) {
    Vec x;
    __builtin_memcpy(&x, from, sizeof x);
    return x;
  }
  static void store(double* to, Vec x) { __builtin_memcpy(to, &x, sizeof x); }
  static bool any(Bits mask) {
    std::int64_t all = 0;
    for (int lane = 0; lane < kLanes; ++lane) all |= mask[lane];
    return all != 0;
  }

  void solve() {
    Vec theta = Math::set1(job_.first_theta), slope = Math::set1(job_.slope), before = theta, found_before{};
    Vec tolerance = Math::set1(job_.only_first_theta ? kTolerance : kFirstTolerance);
    Bits open = (Bits)(theta == theta);  // the pairs whose values are not found
    for (int round = 0; any(open); ++round) {
      weigh(theta);
      balance(open, tolerance);
      const Vec found = entropy(theta), missing = job_.entropy - found, step = theta - before;
      const Vec secant = (found - found_before) / step;
      slope = Math::select((Bits)(Math::abs(step) > kLeastStep) & (Bits)(secant > 0), secant, slope);
      const Vec lowest = Math::max(Math::set1(kLeastTheta), theta * 0.5),
                highest = Math::min(Math::set1(kMostTheta), theta * 2);
      const Vec next = Math::min(Math::max(theta + missing / slope, lowest), highest);
      const Bits exact = (Bits)(tolerance <= kTolerance);
      open &= ~(exact & ((Bits)(Math::abs(missing) < kTolerance) | (Bits)(next == theta)));
      store(job_.found + first_, found);
      if (round == kMostRounds || job_.only_first_theta) break;
      found_before = found;
      before = theta;
      theta = Math::select(open, next, theta);
      constexpr double kOfMissing = 1.0 / 64;
      tolerance = Math::max(Math::set1(kTolerance),
                            Math::min(Math::set1(kFirstTolerance), Math::abs(missing) * kOfMissing));
    }
    store(job_.theta + first_, theta);
    for (int i = 0; i < kAminoAcids; ++i) {
      store(job_.log_a[i] + first_, Math::log(a_[i]));
      store(job_.log_b[i] + first_, Math::log(b_[i]));
    }
  }

  void weigh(Vec theta) {
    for (int k = 0; k < job_.exponent_count; ++k) weights_[k] = Math::exp(theta * job_.exponents[k]);
  }

  // The a and b by which q has the margins p and r, of the pairs in the mask.
  void balance(Bits open, Vec tolerance) {
    for (int sweep = 0; sweep < kMostSweeps && any(open); ++sweep) {
      Vec x[kAminoAcids], sums[kAminoAcids], off{};
      for (int j = 0; j < kAminoAcids; ++j) x[j] = r_[j] * b_[j];
      weighted_sums(x, sums);
      for (int i = 0; i < kAminoAcids; ++i) {
        off = Math::max(off, job_.p[i] * Math::abs(a_[i] * sums[i] - 1));
        a_[i] = Math::select(open, 1 / sums[i], a_[i]);
      }
      for (int i = 0; i < kAminoAcids; ++i) x[i] = job_.p[i] * a_[i];
      weighted_sums(x, sums);
      for (int j = 0; j < kAminoAcids; ++j) b_[j] = Math::select(open, 1 / sums[j], b_[j]);
      open &= (Bits)(off >= tolerance);
    }
  }

  // sums[i]: over j of weights_ij x[j]; the weights are symmetric.
  void weighted_sums(const Vec* x, Vec* sums) const {
    for (int i = 0; i < kAminoAcids; ++i) {
      Vec sum{};
      for (int j = 0; j < kAminoAcids; ++j) sum += weights_[job_.number[i][j]] * x[j];
      sums[i] = sum;
    }
  }

  Vec entropy(Vec theta) const {
    Vec scored{}, logs{};  // the mean of e
    for (int i = 0; i < kAminoAcids; ++i) {
      Vec row{};
      for (int j = 0; j < kAminoAcids; ++j) {
        const int k = job_.number[i][j];
        row += weights_[k] * job_.exponents[k] * (r_[j] * b_[j]);
      }
      scored += job_.p[i] * a_[i] * row;
      logs += job_.p[i] * Math::log(a_[i]) + r_[i] * Math::log(b_[i]);
    }
    return theta * scored + logs;
  }

  BalanceJob& job_;
  const int first_;
  Vec r_[kAminoAcids], a_[kAminoAcids], b_[kAminoAcids];
  Vec weights_[kMostExponents];  // exp(theta e), by number
};

}  // namespace alnus::stats

// The computation of pair_balance.h, which says what theta, a and b are, for kLanes pairs at once. For a
// theta, a and b are found by balancing rows and columns by turns (Sinkhorn); theta is found by secants
// (theta_search.h).
#pragma once

#include "stats/pair_balance.h"
#include "stats/theta_search.h"
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

  void solve() {
    ThetaSearch<Math> search(job_.entropy, job_.slope, job_.first_theta, job_.only_first_theta);
    Vec found;
    do {
      weigh(search.theta());
      balance(search.open(), search.tolerance());
      found = entropy(search.theta());
    } while (search.take(found));
    store(job_.found + first_, found);
    store(job_.theta + first_, search.theta());
    for (int i = 0; i < kAminoAcids; ++i) {
      store(job_.log_a[i] + first_, Math::log(a_[i]));
      store(job_.log_b[i] + first_, Math::log(b_[i]));
    }
  }

  void weigh(Vec theta) {
    for (int k = 0; k < job_.exponent_count; ++k) weights_[k] = Math::exp(theta * job_.exponents[k]);
  }

  // Finds the a and b with which q has the margins p and r within `tolerance`, in at most kMostSweeps sweeps,
  // for the pairs in the mask `open`; the other pairs keep their a and b.
  void balance(Bits open, Vec tolerance) {
    for (int sweep = 0; sweep < ThetaSearch<Math>::kMostSweeps && Math::any(open); ++sweep) {
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
      open &= Math::above(off, tolerance) | Math::equal(off, tolerance);
    }
  }

  // Writes into sums[i] the sum over j of w_ij x[j], where w_ij = exp(theta e_ij) is symmetric.
  void weighted_sums(const Vec* x, Vec* sums) const {
    for (int i = 0; i < kAminoAcids; ++i) {
      Vec sum{};
      for (int j = 0; j < kAminoAcids; ++j) sum += weights_[job_.number[i][j]] * x[j];
      sums[i] = sum;
    }
  }

  Vec entropy(Vec theta) const {
    Vec scored{}, logs{};  // means over q of e, and of ln a + ln b
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
  Vec weights_[kMostAminoAcidScores];  // exp(theta e), by number
};

}  // namespace alnus::stats

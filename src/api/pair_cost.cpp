#include "api/pair_cost.h"

#include <algorithm>

#include "core/strands.h"

namespace alnus::api {
namespace {

// How long a cell takes in each kind of work, as a multiple of the time that scoring a cell takes at the
// nominal speed of the devices. docs/results/cpu.md has the speeds of kernels.
constexpr double kEnds = 2, kAlignment = 4, kSecondScore = 4, kShuffle = 1, kIdentityRange = 6;
// Seconds of one thread that a pair takes whatever its length is. Measured on one Zen 4 core with pairs of 30
// residues; a shuffle is one of StatisticsOptions::shuffles, of one side. Scores take nothing besides their
// cells: a GPU scores billions of short pairs a second, and should have few stripes.
constexpr double kSecondsOfAlignment = 1e-7, kSecondsOfListed = 5e-7, kSecondsOfSecondScore = 4e-6,
                 kSecondsOfShuffle = 1.5e-7;

double cells_of(Detail detail) {
  if (detail == Detail::score) return 1;
  return detail == Detail::ends ? kEnds : kAlignment;
}

}  // namespace

engine::PairCost expected_cost(const engine::AllPairsOptions& options, double gcups, int threads) {
  const Detail detail = options.detail_of_every_pair();
  const engine::RowFields& fields = options.fields;
  const engine::ResolvedStatistics& statistics = options.statistics;
  double cells = cells_of(detail);
  if (fields.strands == Strands::both)  // both strands are scored, and then one is aligned
    cells = 2 + (detail == Detail::score ? 0 : cells);
  double cells_if_left = 0;
  double if_left = kSecondsOfListed;
  if ((options.nearest || options.scores_decide()) && fields.detail != Detail::score)
    cells_if_left += cells_of(fields.detail);
  if (statistics.adjusts() && (fields.significance || options.filter.evalue)) {
    cells_if_left += kSecondScore;
    if_left += kSecondsOfSecondScore;
  }
  if (fields.significance && statistics.method == StatisticsMethod::zvalue) {
    const double sides = statistics.shuffles.sides == ShuffleOptions::Sides::both ? 2 : 1;
    cells_if_left += sides * statistics.shuffles.shuffles * kShuffle;
    if_left += sides * statistics.shuffles.shuffles * kSecondsOfShuffle;
  }
  cells_if_left += kIdentityRange * static_cast<double>(fields.identity_ranges.size());
  const double second_of_cell = 1 / (gcups * 1e9), share = 1.0 / std::max(1, threads);
  return {cells * second_of_cell, detail == Detail::score ? 0 : share * kSecondsOfAlignment,
          cells_if_left * second_of_cell, share * if_left};
}

}  // namespace alnus::api

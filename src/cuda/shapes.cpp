#include "cuda/shapes.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>
#include <utility>

#include "alnus/error.h"
#include "cuda/kernels/pairs.h"
#include "cuda/kernels/search.h"
#include "cuda/tuning.h"
#include "stats/background.h"
#include "stats/karlin.h"

namespace alnus::cuda {
namespace {

// A shape, and the rows and passes that certain queries take with it.
struct Suitor {
  const Measured* measured;
  double rows, passes;  // rows with padding; passes if all lane blocks are in one bin

  // Seconds that a full H200 takes for subjects of `residues` residues, of which the longest has `longest`.
  double seconds(double residues, double longest) const {
    const double clocks_of_step = kClocksOfRow * measured->shape.rows + kClocksOfStep;
    return std::max(residues * rows / measured->tcups * 1e-12,
                    longest * passes * clocks_of_step * kWarpsOfScheduler / kClock);
  }
};

// The shapes of a packing whose profile fits the shared memory. Throws Error(device) if there is none.
std::vector<Suitor> suitors(std::span<const Measured> shapes, Packing packing, const QueryKind& queries) {
  std::vector<Suitor> all;
  for (const Measured& measured : shapes) {
    if (measured.packing != packing ||
        Scores16Kernel::shared_bytes(measured.shape, queries.letters) > queries.shared_bytes)
      continue;
    const Chains chains = make_chains(queries.lengths, packing, measured.shape, 1);
    const auto rows = static_cast<double>(padded_rows(chains, packing, measured.shape));
    const double rows_of_pass = measured.shape.lanes * measured.shape.rows;
    all.push_back({&measured, rows, rows / rows_of_pass / (packing == Packing::two_queries ? 2 : 1)});
  }
  if (all.empty())
    throw Error(ErrorKind::device,
                "No version of the GPU's kernels has a profile that fits its shared memory.");
  return all;
}

// The shape that scores subjects of `residues` residues soonest, of which the longest has `longest` residues.
const Suitor& fastest(std::span<const Suitor> all, double residues, double longest) {
  return *std::ranges::min_element(all, {},
                                   [&](const Suitor& suitor) { return suitor.seconds(residues, longest); });
}

// score_passes is used only if it leaves less than this fraction of the time.
constexpr double kWorthwhile = 0.9;

struct Named {
  std::string name;
  Version version;
};

std::vector<Named> all_versions() {
  std::vector<Named> all;
  for (const Packing packing : {Packing::two_queries, Packing::two_subjects}) {
    const std::string name = packing == Packing::two_queries ? "two-queries" : "two-subjects";
    all.push_back({name, {packing}});
    std::vector<Shape> shapes;
    for (const std::span<const Measured> table :
         {std::span<const Measured>(kNarrow), std::span<const Measured>(kWide)})
      for (const Measured& measured : table)
        if (measured.packing == packing && std::ranges::find(shapes, measured.shape) == shapes.end())
          shapes.push_back(measured.shape);
    for (const Shape shape : shapes)
      for (const bool coarse : {false, true})
        all.push_back({fmt::format("{}-{}x{}{}", name, shape.lanes, shape.rows, coarse ? "-coarse" : ""),
                       {packing, shape, coarse}});
  }
  return all;
}

}  // namespace

std::vector<std::string> version_names() {
  std::vector<std::string> names;
  for (const Named& version : all_versions()) names.push_back(version.name);
  return names;
}

std::optional<Version> version_of(const std::string& name) {
  for (const Named& version : all_versions())
    if (version.name == name) return version.version;
  return std::nullopt;
}

Packing choose_packing(const QueryKind& queries) {
  const auto needed = [&](Packing packing) {
    return fastest(suitors(kNarrow, packing, queries), 1, 0).seconds(1, 0);
  };
  return needed(Packing::two_queries) <= needed(Packing::two_subjects) ? Packing::two_queries
                                                                       : Packing::two_subjects;
}

Shape choose_narrow(Packing packing, const QueryKind& queries) {
  return fastest(suitors(kNarrow, packing, queries), 1, 0).measured->shape;
}

Shape choose_wide(Packing packing, const QueryKind& queries, double columns) {
  return fastest(suitors(kWide, packing, queries), columns, columns).measured->shape;
}

bool coarse_pays(const Scoring& scoring, double cells, std::uint32_t columns, std::uint32_t wanted) {
  if (cells < kLongRunCells || wanted > kMostSelected) return false;
  // With each point less there are exp(lambda) times as many chance scores (Karlin & Altschul 1990); with
  // gaps somewhat fewer.
  const std::optional<double> lambda = stats::ungapped_lambda(
      stats::pair_scores(scoring.matrix, default_background(scoring.matrix.alphabet())));
  if (!lambda) return false;
  const double candidates = wanted * std::exp(*lambda * coarse_slack(scoring.open, scoring.extend));
  return candidates <= kMostCandidates * columns;
}

std::uint32_t wide_above(double cells, std::uint32_t longest_query) {
  const Measured& narrow = kNarrow[0];
  const double all = cells * 1e-12 / narrow.tcups;
  // The time of one column with the longest query alone, because the other queries are in other bins.
  const double passes = std::ceil(1.0 * longest_query / (narrow.shape.lanes * narrow.shape.rows));
  const double column =
      std::max(passes, 1.0) * (kClocksOfRow * narrow.shape.rows + kClocksOfStep) * kWarpsOfScheduler / kClock;
  return static_cast<std::uint32_t>(
      std::clamp(all * kLongPart / column, 1.0 * kWideAbove, 1.0 * kNarrowBelow));
}

std::uint32_t count_long_subjects(Packing packing, const QueryKind& queries,
                                  std::span<const std::uint32_t> lengths, std::uint64_t residues,
                                  std::uint64_t longest_window) {
  if (queries.lengths.empty() || lengths.empty()) return 0;
  const double rows = std::accumulate(queries.lengths.begin(), queries.lengths.end(), 0.0);
  const std::uint32_t longest_query = queries.lengths.front();
  // Passes of the longest query, which a warp of scores16 does one after the other.
  const auto passes = [&](std::uint32_t rows_of_pass) {
    return std::ceil(1.0 * longest_query / rows_of_pass);
  };
  const auto columns_of_longest = [&](std::uint32_t count) {
    const double columns = lengths[count];
    return longest_window > 0 ? std::min(columns, static_cast<double>(longest_window)) : columns;
  };
  const auto seconds_of_longest = [&](const Measured& wide, std::uint32_t count) {
    return columns_of_longest(count) * passes(static_cast<unsigned>(wide.shape.lanes * wide.shape.rows)) *
           (kClocksOfRow * wide.shape.rows + kClocksOfStep) * kWarpsOfScheduler / kClock;
  };
  const auto seconds_of_all = [&](const Measured& wide, double columns) {
    return rows * columns / wide.tcups * 1e-12;
  };
  // With many queries no subject holds up the rest, whatever the shape. Then the answer is 0, and the suitors
  // below are not looked for, because that takes long.
  if (std::ranges::all_of(kWide, [&](const Measured& wide) {
        return wide.packing != packing ||
               seconds_of_longest(wide, 0) <= seconds_of_all(wide, static_cast<double>(residues));
      }))
    return 0;
  const std::vector<Suitor> shapes = suitors(kWide, packing, queries);
  // If score_passes scores `count` subjects, it fills the GPU at first, and the others are scored after it.
  // The longest subject of all takes a step for each of its columns.
  const auto seconds = [&](std::uint32_t count, double residues_of_long) {
    const double columns = columns_of_longest(count);
    const Measured& wide = *fastest(shapes, columns, columns).measured;
    const double others = std::max(seconds_of_all(wide, static_cast<double>(residues) - residues_of_long),
                                   kCrowded * seconds_of_longest(wide, count));
    if (count == 0) return others;
    return others + rows * residues_of_long / kPairsTcups * 1e-12 + lengths[0] * kClocksOfPairStep / kClock;
  };
  // Tries whole quads, in steps that grow.
  const double none = seconds(0, 0);
  std::uint32_t best = 0, count = 0;
  double best_seconds = kWorthwhile * none, residues_of_long = 0;
  for (std::uint32_t next = kSubjects; next <= lengths.size() / 2;
       next += (next / 8 / kSubjects + 1) * kSubjects) {
    for (; count < next; ++count) residues_of_long += lengths[count];
    const double needed = seconds(count, residues_of_long);
    if (needed < best_seconds) {
      best = count;
      best_seconds = needed;
    }
    if (residues_of_long * rows / kPairsTcups * 1e-12 > none) break;
  }
  return best;
}

namespace {

// Keeps the cheapest of the chains that are offered. The cost of chains is their padded rows, increased by
// the share of time for which thread blocks wait for the last items: half the time of an item each.
class Cheapest {
 public:
  Cheapest(Packing packing, Shape shape, std::uint32_t batches, std::uint32_t blocks)
      : packing_(packing), shape_(shape), batches_(batches), blocks_(blocks) {}

  void offer(Chains chains) {
    const double items = batches_ * static_cast<double>(std::max<std::size_t>(chains.bins.size(), 1)),
                 cost =
                     static_cast<double>(padded_rows(chains, packing_, shape_)) * (1 + blocks_ / (2 * items));
    if (!best_.bins.empty() && cost >= cost_) return;
    best_ = std::move(chains);
    cost_ = cost;
  }
  Chains take() { return std::move(best_); }

 private:
  const Packing packing_;
  const Shape shape_;
  const double batches_, blocks_;
  Chains best_;
  double cost_ = 0;
};

}  // namespace

Chains balanced_chains(std::span<const std::uint32_t> lengths, Packing packing, Shape shape,
                       std::uint32_t batches, std::uint32_t blocks, Goal goal) {
  Cheapest cheapest(packing, shape, batches, blocks);
  const std::size_t wanted = (kItemsPerBlock * blocks + batches - 1) / batches;
  for (std::size_t bins = std::min(wanted, lengths.size()); bins > 0; bins /= 2)
    cheapest.offer(make_chains(lengths, packing, shape, static_cast<std::uint32_t>(bins), goal));
  return cheapest.take();
}

Chains packed_chains(std::span<const std::uint32_t> lengths, Shape shape, std::uint32_t batches,
                     std::uint32_t blocks, Goal goal) {
  Cheapest cheapest(Packing::two_queries, shape, batches, blocks);
  for (const std::uint32_t most_passes : {1, 3, 5, 9, 16})
    cheapest.offer(pack_chains(lengths, shape, most_passes, goal));
  return cheapest.take();
}

}  // namespace alnus::cuda

#include "cuda/shapes.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <utility>

#include "alnus/error.h"
#include "cuda/tuning.h"

namespace alnus::cuda {
namespace {

// Seconds of a full H200 for `residues` of subjects, of which the longest has `longest` columns.
double seconds(const Measured& measured, const Chains& chains, double residues, double longest) {
  const auto rows = static_cast<double>(padded_rows(chains, measured.packing, measured.shape));
  const double rows_of_pass = measured.shape.lanes * measured.shape.rows;
  const double passes = rows / rows_of_pass / (measured.packing == Packing::two_queries ? 2 : 1);
  const double clocks_of_step = kClocksOfRow * measured.shape.rows + kClocksOfStep;
  return std::max(residues * rows / measured.tcups * 1e-12,
                  longest * passes * clocks_of_step * kWarpsOfScheduler / kClock);
}

// The shape that does it soonest, of those whose profile fits `shared_bytes`.
const Measured& choose(std::span<const Measured> shapes, Packing packing, const QueryKind& queries,
                       double residues, double longest) {
  const Measured* best = nullptr;
  double best_seconds = 0;
  for (const Measured& measured : shapes) {
    if (measured.packing != packing ||
        Scores16Kernel::shared_bytes(measured.shape, queries.letters) > queries.shared_bytes)
      continue;
    const Chains chains = make_chains(queries.lengths, packing, measured.shape, 1);
    const double needed = seconds(measured, chains, residues, longest);
    if (best && needed >= best_seconds) continue;
    best = &measured;
    best_seconds = needed;
  }
  if (!best)
    throw Error(ErrorKind::device,
                "No version of the GPU's kernels has a profile that fits its shared memory.");
  return *best;
}

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
    const Measured& measured = choose(kNarrow, packing, queries, 1, 0);
    return seconds(measured, make_chains(queries.lengths, packing, measured.shape, 1), 1, 0);
  };
  return needed(Packing::two_queries) <= needed(Packing::two_subjects) ? Packing::two_queries
                                                                       : Packing::two_subjects;
}

Shape choose_narrow(Packing packing, const QueryKind& queries) {
  return choose(kNarrow, packing, queries, 1, 0).shape;
}

Shape choose_wide(Packing packing, const QueryKind& queries, double columns) {
  return choose(kWide, packing, queries, columns, columns).shape;
}

std::uint32_t wide_above(double cells, std::uint32_t longest_query) {
  const Measured& narrow = kNarrow[0];
  const double all = cells * 1e-12 / narrow.tcups;
  // Of a column, with the longest query: bins keep the others apart from it.
  const double passes = std::ceil(1.0 * longest_query / (narrow.shape.lanes * narrow.shape.rows));
  const double column =
      std::max(passes, 1.0) * (kClocksOfRow * narrow.shape.rows + kClocksOfStep) * kWarpsOfScheduler / kClock;
  return static_cast<std::uint32_t>(
      std::clamp(all * kLongPart / column, 1.0 * kWideAbove, 1.0 * kNarrowBelow));
}

Chains balanced_chains(std::span<const std::uint32_t> lengths, Packing packing, Shape shape,
                       std::uint32_t batches, std::uint32_t blocks, Goal goal) {
  Chains best;
  double best_cost = 0;
  const std::size_t wanted = (kItemsPerBlock * blocks + batches - 1) / batches;
  for (std::size_t bins = std::min(wanted, lengths.size()); bins > 0; bins /= 2) {
    Chains chains = make_chains(lengths, packing, shape, static_cast<std::uint32_t>(bins), goal);
    const double items =
        static_cast<double>(batches) * static_cast<double>(std::max<std::size_t>(chains.bins.size(), 1));
    const double cost = static_cast<double>(padded_rows(chains, packing, shape)) * (1 + blocks / (2 * items));
    if (!best.bins.empty() && cost >= best_cost) continue;
    best = std::move(chains);
    best_cost = cost;
  }
  return best;
}

}  // namespace alnus::cuda

// --stats and what belongs to it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/log.h"
#include "core/device.h"
#include "engine/statistics_options.h"

namespace CLI {
class App;
}

namespace alnus::cli {

struct StatisticsArguments {
  std::optional<stats::Method> method;  // empty: what there is
  std::optional<double> residues, sequences, cells;
  bool composition = false, names_shuffles = false;
  engine::ShuffleOptions shuffles;

  // Whether the user asked for E-values of pairs that were not found by a search.
  bool names_space() const { return residues || cells; }
  // How many times a pair's cells its shuffles take.
  std::uint64_t shuffled() const;
};

// `with_regression`: the command has all scores of a query at hand.
void add_statistics_options(CLI::App& command, StatisticsArguments& arguments, bool with_regression);

// What the arguments come to for this scoring. `wanted`: significance is printed or filters; then parameters
// that nobody published are calibrated, unless it is a dry run, and what there cannot be is said in a
// warning. Throws Error(input) where the options do not fit each other or the scoring.
engine::StatisticsOptions resolve_statistics(const StatisticsArguments& arguments, const Scoring& scoring,
                                             const SequenceSet& database, bool wanted, bool dry_run,
                                             const std::vector<std::unique_ptr<Device>>& devices, Log& log);

// For the heads of outputs: "zvalue: 1,000 shuffles of query and subject, ...". Empty: nothing is judged.
std::string describe_statistics(const engine::StatisticsOptions& options);

}  // namespace alnus::cli

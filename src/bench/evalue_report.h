// The report of alnus bench evalues: the hits that were found, beside the hits that are due by their
// E-values.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "alnus/database.h"

namespace alnus::bench {

inline constexpr std::array<double, 5> kThresholds = {10, 1, 0.1, 0.01, 0.001};
// Hits whose E-value is at most the threshold, for each threshold.
using HitCounts = std::array<std::uint64_t, kThresholds.size()>;

struct EvalueReport {
  Database queries, database;
  std::string null;                   // the word of --null
  std::optional<std::uint64_t> seed;  // of the random orders; empty: none are random
  bool all_chance = true;             // every hit is chance, so that the number of hits due is known
  std::string scoring;
  std::uint32_t strands_of_each = 1;  // strands of each query that are aligned
  std::string statistics;             // in words
  std::vector<HitCounts> found;       // in each permutation
};

std::string as_text(const EvalueReport& report);
std::string as_json(const EvalueReport& report, const std::string& command_line);

}  // namespace alnus::bench

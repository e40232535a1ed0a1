// Describes in words everything that the outputs of a run depend on. Ledgers and parts keep the description,
// to tell if they belong to the same run or job.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "alnus/search.h"
#include "engine/all_pairs_driver.h"
#include "engine/search_driver.h"
#include "jobs/pair_outputs.h"

namespace alnus::jobs {

// Pairs of a name and a value. The name is the identifier of an option, or a phrase that begins with "the".
using Description = std::vector<std::pair<std::string, std::string>>;

struct RunDescription {
  const PairJob& job;
  const engine::AllPairsOptions& options;
  std::string masking;       // Masking::name() of the set
  std::string set_digest;    // the digest of the rows' sequences
  std::string other_digest;  // the digest of the columns' sequences if they are another set, else "none"
};
Description describe(const RunDescription& run);

struct SearchDescription {
  const Scoring& scoring;
  const engine::SearchOptions& options;
  const SearchFiles& files;
  std::string masking;  // Masking::name() of both inputs
  std::string queries_digest, database_digest;
};
Description describe(const SearchDescription& run);

// A clause for a message, for a name in a description: "the sequences differ", "<option> differs".
std::string differs(const std::string& name);

}  // namespace alnus::jobs

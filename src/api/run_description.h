// Everything that the outputs of a run depend on, besides its files: in words, for ledgers and parts.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "alnus/search.h"
#include "api/pair_files.h"
#include "engine/all_pairs.h"
#include "engine/search.h"

namespace alnus::api {

// Names of options, or phrases that begin with "the", with what each was.
using Description = std::vector<std::pair<std::string, std::string>>;

struct RunDescription {
  const PairJob& job;
  const engine::AllPairsOptions& options;
  std::string masking;       // of the sequences
  std::string set_digest;    // of the rows
  std::string other_digest;  // of the columns if they are another set, else "none"
};
Description describe(const RunDescription& run);

struct SearchDescription {
  const Scoring& scoring;
  const engine::SearchOptions& options;
  const OutputFormat& format;
  bool score_plot = false;
  std::string masking;  // of both inputs
  std::string queries_digest, database_digest;
};
Description describe(const SearchDescription& run);

// "The ... differs", for a name of a description.
std::string differs(const std::string& name);

}  // namespace alnus::api

// A job in parts, which different processes compute, and what one process merges of them: the bytes are those
// of one machine (docs/distributed.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "alnus/all_pairs.h"
#include "alnus/export.h"
#include "alnus/output.h"
#include "alnus/plan.h"
#include "alnus/search.h"

namespace alnus {

// True if a part of this search must have whole queries: StatisticsMethod::regression judges a query by all
// of its scores, and a histogram draws all of them.
inline bool needs_whole_queries(const SearchOptions& options) {
  return options.score_histogram || options.statistics.method == StatisticsMethod::regression;
}

// Where a part goes: a file of its own, which appears complete or not at all; or behind the end of a file
// that has parts already, or is not there yet. One process at a time may append to a file. What it has
// appended is on disk when the call returns; of a call that fails nothing stays.
struct PartTarget {
  PartTarget(std::string file, bool append = false)  // NOLINT(google-explicit-constructor): a file is one
      : path(std::move(file)), appended(append) {}
  PartTarget(const char* file) : path(file) {}  // NOLINT(google-explicit-constructor)
  std::string path;
  bool appended = false;
};

// A part in a file that has many.
struct PartPlace {
  std::string path;
  std::uint64_t begin = 0;  // where it begins, in bytes
};

// Files that a search writes. All names must differ from each other and from the inputs.
struct SearchFiles {
  std::string rows{};  // "-" is standard output
  OutputFormat format{};
  ReportHead head{};
  std::string score_plot{};  // SVG (score_plot_svg); empty: not wanted
  // As PairFiles::other_inputs.
  std::vector<std::string> other_inputs{};
};

// Where merged parts go: one name for each output that the job has, "-" for rows to standard output.
struct JobFiles {
  std::string rows{}, score_plot{}, matrix{}, phylip{}, edges{};
  std::map<PairValue, std::string> matrices{};
  // For the heads of reports, as ReportHead has them. All else that heads say is in the parts.
  std::string program_version{}, command_line{};
  std::optional<std::string> database_name{};  // for the heads; empty: that of the first part
  // How the outputs look is in the parts. What is given must be the same; Error(input) names what differs.
  std::optional<OutputFormat> format{};
  std::optional<bool> square{};
  std::optional<MatrixType> matrix_type{};
  std::optional<PhylipNames> phylip_names{};
  std::optional<PairValue> value{};  // of AllPairsOptions::value
  std::optional<Denominator> denominator{};
  std::optional<double> edge_threshold{};
};

struct MergeSummary {
  Plan::Job job = Plan::Job::search;
  std::size_t parts = 0;
  // One of them is filled, by the kind of the job, and counts the whole job. Its seconds are those that the
  // parts took, together.
  SearchSummary search{};
  AllPairsSummary all_pairs{};
  std::uint64_t rows = 0, columns = 0;  // sequences of both sides
};

// Reads all of a part. Throws Error(input) naming file and byte if it is damaged or cut off.
ALNUS_API void verify_part(const PartPlace& place);

}  // namespace alnus

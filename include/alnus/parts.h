// Parts of a job, which different processes compute, and their merge by one process. The merged outputs have
// the same bytes as those of one machine (docs/distributed.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "alnus/all_pairs.h"
#include "alnus/export.h"
#include "alnus/option_table.h"
#include "alnus/output.h"
#include "alnus/plan.h"
#include "alnus/search.h"

namespace alnus {

// True if each part of this search must have whole queries: StatisticsMethod::regression judges a query's
// scores by the scores of all its pairs, and a score histogram counts the scores of all pairs.
inline bool needs_whole_queries(const SearchOptions& options) {
  return options.score_histogram || options.statistics.method == StatisticsMethod::regression;
}

// The plan that Session::all_pairs_part() follows for these inputs, options and files (alnus/plan.h).
// Sequences are paired with themselves if the options say so, or if a matrix in `files` has a diagonal.
// Throws Error(input) for 0 parts.
ALNUS_API Plan plan_all_pairs(const PairInputs& inputs, const AllPairsOptions& options,
                              const PairFiles& files, std::size_t parts);

// Where a part is written. By default it is a file of its own, which appears complete or not at all. If
// `appended`, the part is added at the end of a file of parts, which is made if it is not there. One process
// at a time may append to a file. An appended part is on disk when the call returns; a call that fails
// leaves nothing in the file.
struct PartTarget {
  PartTarget(std::string file, bool append = false)  // NOLINT(google-explicit-constructor): a file is one
      : path(std::move(file)), appended(append) {}
  PartTarget(const char* file) : path(file) {}  // NOLINT(google-explicit-constructor)
  std::string path;
  bool appended = false;
};

// The place of one part in a file of many parts.
struct PartPlace {
  std::string path;
  std::uint64_t begin = 0;  // byte offset of the part in the file
};

// Files that a search writes. All names must differ from each other and from the inputs.
struct SearchFiles {
  std::string rows{};  // "-" is standard output
  OutputFormat format{};
  ReportHead head{};
  std::string score_plot{};  // SVG (score_plot_svg); empty: not wanted
  std::string report{};      // the HTML report (docs/report-format.md); empty: not wanted
  // Each query of a larger report keeps its best hits, the same number for each. In bytes; kLeastReportBytes
  // or more.
  std::uint64_t report_size = kReportBytes;
  // Files that no output may replace, as in PairFiles::other_inputs.
  std::vector<std::string> other_inputs{};

  // The names of the wanted outputs, without that of rows.
  ALNUS_API std::vector<std::string> names_beside_rows() const;
};

template <>
inline constexpr std::tuple kOptions<JobFiles> =
    std::tuple_cat(std::tuple{CallOption{std::get<0>(kOptions<MatrixValue>), &JobFiles::value},
                              CallOption{std::get<1>(kOptions<MatrixValue>), &JobFiles::denominator}},
                   kOutputOptions<JobFiles>);

struct MergeSummary {
  Plan::Job job = Plan::Job::search;
  std::size_t parts = 0;
  // The summary of the whole job: `search` or `all_pairs`, by the kind of the job. Its seconds are the sum of
  // the seconds that the parts took.
  SearchSummary search{};
  AllPairsSummary all_pairs{};
  std::uint64_t rows = 0, columns = 0;  // the numbers of sequences on both sides of the pair matrix
};

// Reads and checks the whole part. Throws Error(input) naming file and byte if the part is damaged or cut
// off.
ALNUS_API void verify_part(const PartPlace& place);

}  // namespace alnus

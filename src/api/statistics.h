// From the user's words to what judges scores.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "alnus/all_pairs.h"
#include "alnus/scoring.h"
#include "alnus/statistics.h"
#include "alnus/strand.h"
#include "engine/statistics_options.h"

namespace alnus::api {

class Call;

// What a command needs statistics for.
struct Wanted {
  Strands strands = Strands::plus;  // which are aligned
  bool wanted = true;               // significance is in the result, or filters; else nothing is calibrated
  bool has_all_scores = false;      // of each query with a whole database, as regression needs them
  bool calibrate = true;            // parameters that nobody published; false: only say that it would be done
};

// What the options come to for this scoring. Parameters that nobody published are calibrated, and what there
// cannot be is said in a warning. Throws Error(input) where the options do not fit each other or the scoring.
engine::StatisticsOptions resolve_statistics(const StatisticsOptions& options, const Scoring& scoring,
                                             const SearchSpace& database, const Wanted& wanted, Call& call);

// The statistics of pairs that were given. They are of no search, so that there are E-values only if the
// options name a search space.
engine::StatisticsOptions resolve_statistics(const AlignOptions& options, const SequenceSet& subjects,
                                             const Scoring& scoring, bool calibrate, Call& call);

// For the heads of outputs: "zvalue: 1,000 shuffles of query and subject, ...". Empty: nothing is judged.
std::string describe(const engine::StatisticsOptions& options);

// How many times a pair's cells its shuffles take.
std::uint64_t shuffled(const StatisticsOptions& options);

// From the session's cache, or by simulation, before which `begins` is called.
Calibration calibrated(const Scoring& scoring, const CalibrationOptions& options, Call& call,
                       const std::function<void()>& begins = {});

}  // namespace alnus::api

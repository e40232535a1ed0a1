// Turns the user's statistics options into those of the engine.
#pragma once

#include <functional>
#include <string>

#include "alnus/all_pairs.h"
#include "alnus/scoring.h"
#include "alnus/statistics.h"
#include "alnus/strand.h"
#include "engine/resolved_statistics.h"
#include "session/call.h"

namespace alnus::api {

// How a call uses statistics.
struct Wanted {
  Strands strands = Strands::plus;  // the strands that the call aligns
  bool wanted = true;               // results or filters use significance; else nothing is calibrated
  std::string_view filter{};    // an option that the user has given and that filters if there are E-values
  bool needed = false;          // without E-values the call fails; else a warning says that there are none
  bool has_all_scores = false;  // the call scores each query with a whole database: regression needs that
  bool calibrate = true;        // simulate parameters that are not published; false: a message announces it
};

// The engine's statistics options for this scoring. Calibrates a scoring that has no published parameters.
// Tells if there can be no E-values and bit scores: by a warning if there is a `filter`, by Error(input) if
// they are needed, and else by a message. `database`: the search space, if the options name no other one.
// Throws Error(input) if the options do not fit each other or the scoring.
engine::ResolvedStatistics resolve_statistics(const StatisticsOptions& options, const Scoring& scoring,
                                              const SearchSpace& database, const Wanted& wanted,
                                              session::Call& call);

// Resolves the statistics of pairs that the caller gives. They were not found by a search, so that they have
// E-values only if the options name a search space.
engine::ResolvedStatistics resolve_statistics(const AlignOptions& options, const SequenceSet& subjects,
                                              const Scoring& scoring, bool calibrate, session::Call& call);

// The statistics in words, for the heads of outputs: "zvalue: 1,000 shuffles of query and subject each, ...".
// Empty if nothing judges the scores.
std::string describe(const engine::ResolvedStatistics& options);

// The cells of a pair's shuffles, divided by the cells of the pair itself; 0 without Z-values.
std::uint64_t shuffled(const StatisticsOptions& options);

// The calibration of a scoring: one that the session keeps, or a new one by simulation. Calls `begins` before
// the simulation.
Calibration calibrated(const Scoring& scoring, const CalibrationOptions& options, session::Call& call,
                       const std::function<void()>& begins = {});

}  // namespace alnus::api

// What --part asks for: one part, or, with -/N, those that another program hands out.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "alnus/session.h"
#include "cli/command.h"

namespace alnus::cli {

// How much a part was.
struct ComputedPart {
  std::uint64_t pairs = 0, cells = 0;
};
using ComputePart =
    std::function<ComputedPart(const PartOfJob& part, const PartTarget& target, const RunControl& run)>;

// Computes the part that was chosen into a file of its own, or those whose numbers come on standard input.
// There each line is a request: "I", or "I-J" for the parts from I to J. Each is appended to `path`, and
// answered by a line of JSON on standard output: its numbers, where it lies in the file, and how much it was.
// The first line says how many cells each part of the plan has and how fast the devices are at best, and comes
// when statistics that nobody published are in the cache. "stop I" ends the request that began with part I, or
// keeps it from beginning: it is answered as stopped. The end of standard input ends everything, the part at
// hand, too. Throws Error(input) for other lines, and what `compute` throws.
void compute_parts(const PartOfJob& part, const std::string& path, const Session& session,
                   const Context& context, const ComputePart& compute,
                   const std::function<Plan(std::size_t parts)>& plan);

// A search of nothing, which finds out what judges scores.
void find_statistics(Session& session, const Database& database, const Scoring& scoring,
                     const StatisticsOptions& statistics, bool wanted, Log& log);

}  // namespace alnus::cli

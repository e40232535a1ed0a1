// The option --part of search and allpairs, which computes one part or, with -/N, the parts that another
// program requests.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "alnus/session.h"
#include "cli/common_options.h"

namespace alnus::cli {

// The part to compute; empty: the whole job. Number 0 (-/N): the parts whose numbers come on standard input.
using PartChoice = std::optional<PartOfJob>;

// Adds --part. `part` must outlive the parsing.
void add_part(CLI::App& command, PartChoice& part);

// Throws Error(input) if --part is given without -o, or together with --dry-run.
void check_part(const CommonOptions& options);

// The size of a computed part, which its summary has.
struct ComputedPart {
  template <class Summary>
  ComputedPart(const Summary& of) : pairs(of.pairs), cells(of.cells) {}  // NOLINT: a summary is one
  std::uint64_t pairs, cells;
};
using ComputePart =
    std::function<ComputedPart(const PartOfJob& part, const PartTarget& target, const RunControl& run)>;

// Computes the part into the file `path`. If `part.number` is 0, computes parts on request instead. Each line
// on standard input is then a request: "I", or "I-J" for the parts I to J. Their results are appended to
// `path`, and a line of JSON on standard output answers the request: the numbers of the parts, the bytes of
// the file where they begin and end, their pairs and cells, the devices used so far, and the seconds. Before
// the first request, another line tells the version, the cells of each part of the plan and the expected
// speed of all devices in GCUPS; `plan` must have made any calibration by then. The line "stop I" ends the
// request that began with part I, or keeps it from beginning; that request is answered as stopped. The end of
// standard input ends everything, also the request at hand. Throws Error(input) for other lines and if
// standard input is closed, Error(other) if standard input ends before all requests are answered, and what
// `compute` throws.
void compute_parts(const PartOfJob& part, const std::string& path, const Session& session,
                   const Context& context, const ComputePart& compute,
                   const std::function<Plan(std::size_t parts)>& plan);

// Runs a search without queries, so that a scoring without published parameters is calibrated before parts
// are computed. The alphabet of the sequences counts as stated: it was checked when they were opened.
void find_statistics(Session& session, const Database& database, const Scoring& scoring,
                     const StatisticsOptions& statistics, Log& log);

}  // namespace alnus::cli

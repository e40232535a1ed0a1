// The texts with which commands end: summaries, statistics, warnings, and the answer to --dry-run.
#pragma once

#include <string>
#include <vector>

#include "alnus/session.h"
#include "cli/common_options.h"

namespace alnus::cli {

// What at_signal() says of a command that keeps what it has done in a directory.
inline constexpr const char* kKeptByCheckpoint =
    "what is on disk by --checkpoint stays. Run the same again to go on from there.";

// The summary line: "500 queries, 20,000 subjects, ... cells in 3.92 s: 92.1 GCUPS".
std::string summarize(std::uint64_t queries, std::uint64_t subjects, std::uint64_t pairs, std::uint64_t cells,
                      double seconds);

// The summary line of a part: "Part 3 of 64: 1,234 pairs, ... cells in 3.92 s: 92.1 GCUPS".
std::string summarize_part(const PartOfJob& part, std::uint64_t pairs, std::uint64_t cells, double seconds);

// The names and descriptions of the devices that have scored or aligned pairs: "cpu (2 threads, avx512)".
std::vector<std::string> describe_devices_used(const Session& session);

// Logs the last line of a command: its summary, the version of alnus, and the devices that computed.
void log_end(const std::string& summary, const Session& session, Log& log);

// Logs what judged the scores. `statistics` is the summary's text; empty: nothing judged them.
void log_statistics(const std::string& statistics, Log& log);

// Logs messages_of() the search.
void log_messages(const SearchSummary& summary, Log& log);

// Logs how many edges a call of all pairs wrote to this file; empty: it wrote none.
void log_edges(const AllPairsSummary& summary, const std::string& path, Log& log);

// The answer to --dry-run: lines "name: value" of pairs, cells, the expected time, and what is known of the
// outputs; with --json an object with the fields of Python's Cost. Throws what check_places() throws for the
// outputs.
std::string answer_dry_run(const Cost& cost, const CommonOptions& options,
                           const std::vector<std::string>& outputs, const SequenceSet& queries,
                           const SequenceSet& subjects);

}  // namespace alnus::cli

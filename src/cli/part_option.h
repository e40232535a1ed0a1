// The option --part I/N of search and allpairs.
#pragma once

#include <optional>

#include "alnus/parts.h"

namespace CLI {
class App;
}

namespace alnus::cli {

struct CommonOptions;

// The part to compute; empty: the whole job. Number 0 (-/N): the parts whose numbers come on standard input
// (cli/parts_server.h).
using PartChoice = std::optional<PartOfJob>;

// Adds --part. `part` must outlive the parsing.
void add_part(CLI::App& command, PartChoice& part);

// Throws Error(input) if --part is given without -o, or together with --dry-run.
void check_part(const CommonOptions& options);

}  // namespace alnus::cli

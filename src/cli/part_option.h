// --part I/N of search and allpairs.
#pragma once

#include <optional>

#include "alnus/parts.h"

namespace CLI {
class App;
}

namespace alnus::cli {

struct CommonOptions;

// Which part; number 0: those whose numbers come on standard input (cli/parts_server.h).
using PartChoice = std::optional<PartOfJob>;

// `part` must outlive the parsing.
void add_part(CLI::App& command, PartChoice& part);

// Throws Error(input) where a part is asked for together with what it cannot be, or without a file.
void check_part(const CommonOptions& options);

}  // namespace alnus::cli

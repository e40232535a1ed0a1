// The option --stats and the options that refine it.
#pragma once

#include "alnus/statistics.h"

namespace CLI {
class App;
}

namespace alnus::cli {

// Adds these options. `with_regression`: the command scores each query with a whole database, as --stats
// regression needs. `options` must outlive the parsing.
void add_statistics_options(CLI::App& command, StatisticsOptions& options, bool with_regression);

}  // namespace alnus::cli

// --stats and what belongs to it.
#pragma once

#include "alnus/statistics.h"

namespace CLI {
class App;
}

namespace alnus::cli {

// `with_regression`: the command has all scores of a query at hand.
void add_statistics_options(CLI::App& command, StatisticsOptions& options, bool with_regression);

}  // namespace alnus::cli

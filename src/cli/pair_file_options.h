// The options of allpairs and merge for outputs of all pairs other than rows.
#pragma once

#include "alnus/all_pairs.h"
#include "alnus/output.h"

namespace CLI {
class App;
}

namespace alnus::cli {

struct PairFileOptions {
  PairFiles files;
  MatrixValue value;
  bool value_chosen = false;
};

// Adds these options. `options` must outlive the parsing.
void add_pair_files(CLI::App& command, PairFileOptions& options);

}  // namespace alnus::cli

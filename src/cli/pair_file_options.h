// The outputs of all pairs besides rows, as allpairs and merge name them.
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

// `options` must outlive the parsing.
void add_pair_files(CLI::App& command, PairFileOptions& options);

}  // namespace alnus::cli

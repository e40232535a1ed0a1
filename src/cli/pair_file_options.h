// The options of allpairs and merge for outputs of all pairs other than rows.
#pragma once

#include "alnus/all_pairs.h"
#include "alnus/output.h"

namespace CLI {
class App;
}

namespace alnus::cli {

struct CommonOptions;

struct PairFileOptions {
  PairFiles files;
  MatrixValue value;
  bool value_chosen = false;
};

// Adds these options. `options` must outlive the parsing.
void add_pair_files(CLI::App& command, PairFileOptions& options);

// True if the user chose how rows look: a command without such an option and with other outputs has no rows.
bool chooses_rows(const CommonOptions& options, bool identity_range);
// Throws Error(input) if rows are chosen, but other outputs are the only ones that have a name.
void check_rows_are_named(const CommonOptions& options, bool identity_range, bool has_other_outputs);

}  // namespace alnus::cli

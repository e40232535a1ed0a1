// What allpairs and merge have for outputs of all pairs beside the tables of options: --matrix-out, and
// checks of the options of rows.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "alnus/output.h"

namespace CLI {
class App;
}

namespace alnus::cli {

struct CommonOptions;

inline constexpr const char* kOutputsGroup = "Matrices, distances, edges";

// Reads values of --matrix-out: "FILE", or "VALUE:FILE" for a matrix of another value than --matrix-value.
// Throws Error(input).
void read_matrices(const std::vector<std::string>& texts, std::string& matrix,
                   std::map<PairValue, std::string>& matrices);
// Adds --matrix-out, whose values go to `read`.
void add_matrix_out(CLI::App& command, const std::function<void(const std::vector<std::string>&)>& read);

// True if the user chose how rows look: a command without such an option and with other outputs has no rows.
bool chooses_rows(const CommonOptions& options, bool identity_range);
// Throws Error(input) if rows are chosen, but other outputs are the only ones that have a name.
void check_rows_are_named(const CommonOptions& options, bool identity_range, bool has_other_outputs);

}  // namespace alnus::cli

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
// Throws Error(input) for an unknown VALUE, for an empty FILE, and for two files of one value.
void read_matrices(const std::vector<std::string>& texts, std::string& matrix,
                   std::map<PairValue, std::string>& matrices);
// Adds --matrix-out, whose values go to `read`.
void add_matrix_out(CLI::App& command, const std::function<void(const std::vector<std::string>&)>& read);

// True if the user chose how rows look. Without such an option, a command that has other outputs writes no
// rows.
bool chooses_rows(const CommonOptions& options, bool identity_range);
// Throws Error(input) if chooses_rows() is true, but only outputs other than rows are named.
void check_rows_are_named(const CommonOptions& options, bool identity_range, bool has_other_outputs);

}  // namespace alnus::cli

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "alnus/error.h"
#include "cli/common_options.h"
#include "cli/word_options.h"

namespace alnus::cli {
namespace {

// If the name of the file itself begins with a word and a colon, users write "./WORD:FILE".
void read_matrix(const std::string& text, std::string& matrix, std::map<PairValue, std::string>& matrices) {
  const std::size_t colon = text.find(':');
  const bool has_value = colon != std::string::npos && text.find('/') > colon;
  std::string& path = has_value ? matrices[chosen<PairValue>("--matrix-out", text.substr(0, colon))] : matrix;
  const std::string name = has_value ? text.substr(colon + 1) : text;
  if (name.empty()) throw Error(ErrorKind::input, fmt::format("--matrix-out {} names no file.", text));
  if (!path.empty())
    throw Error(ErrorKind::input,
                fmt::format("--matrix-out names {} and {} for one value; VALUE:FILE is a matrix of another "
                            "value.",
                            path, name));
  path = name;
}

}  // namespace

void add_matrix_out(CLI::App& command, std::string& matrix, std::map<PairValue, std::string>& matrices) {
  command
      .add_option_function<std::vector<std::string>>(
          "--matrix-out",
          [&](const std::vector<std::string>& texts) {
            for (const std::string& text : texts) read_matrix(text, matrix, matrices);
          },
          "Write a value of every pair, whatever the filters are, as a NumPy array (.npy) in SciPy's "
          "condensed order, with the ids in FILE.ids; or, if FILE is .csv or .tsv (or either with .gz or "
          ".zst), as a table with labels for spreadsheets, which is the whole matrix as with --square. The "
          "value is that of --matrix-value, or VALUE; repeat the option for matrices of several values")
      ->type_name("[VALUE:]FILE")
      ->expected(1)
      ->take_all()
      ->allow_extra_args(false)  // takes one word: SEQS may come behind it
      ->group(kOutputsGroup);
}

}  // namespace alnus::cli

#include "cli/pair_file_options.h"

#include <CLI/CLI.hpp>
#include <array>
#include <fmt/format.h>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "alnus/error.h"
#include "cli/common_options.h"
#include "cli/values.h"
#include "cli/words.h"

namespace alnus::cli {
namespace {

// Reads a value of --matrix-out: "FILE", or "VALUE:FILE" for a matrix of another value than --matrix-value.
// If the name of the file itself begins with a word and a colon, users write "./WORD:FILE".
void add_matrix(PairFiles& files, const std::string& text) {
  const std::size_t colon = text.find(':');
  const bool has_value = colon != std::string::npos && text.find('/') > colon;
  std::string& path =
      has_value ? files.matrices[chosen<PairValue>("--matrix-out", text.substr(0, colon))] : files.matrix;
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

void add_pair_files(CLI::App& command, PairFileOptions& options) {
  PairFiles& files = options.files;
  constexpr const char* kGroup = "Matrices, distances, edges";
  const auto add_file = [&](const char* name, std::string& path, const char* description) {
    command.add_option(name, path, description)->type_name("FILE")->group(kGroup);
  };
  const auto choice = [&]<class Value>(const char* name, const char* description, const char* default_text,
                                       const std::function<void(Value)>& read) {
    add_word<Value>(command, name, "WORD", description, read)->default_str(default_text)->group(kGroup);
  };
  command
      .add_option_function<std::vector<std::string>>(
          "--matrix-out",
          [&files](const std::vector<std::string>& texts) {
            for (const std::string& text : texts) add_matrix(files, text);
          },
          "Write a value of every pair, whatever the filters are, as a NumPy array (.npy) in SciPy's "
          "condensed order, with the ids in FILE.ids; or, if FILE is .csv or .tsv (or either with .gz or "
          ".zst), as a table with labels for spreadsheets, which is the whole matrix as with --square. The "
          "value is that of --matrix-value, or VALUE; repeat the option for matrices of several values")
      ->type_name("[VALUE:]FILE")
      ->expected(1)
      ->take_all()
      ->allow_extra_args(false)  // SEQS may come behind it
      ->group(kGroup);
  command
      .add_flag("--square", files.square,
                "Write NumPy's array as the whole symmetric matrix with its diagonal; like --self, this "
                "aligns each sequence with itself, too")
      ->group(kGroup);
  choice(
      "--matrix-value",
      "The value of a pair, in edges, in the matrix, and by which --top-k finds the nearest: score, identity "
      "(percent), distance (1 - identity), or score-distance (the lower one of the scores of both sequences "
      "with themselves, less the score of the pair)",
      "identity; score for --top-k without --edges", std::function([&options](PairValue value) {
        options.value.kind = value;
        options.value_chosen = true;
      }));
  choice("--matrix-type", "The numbers in NumPy's array: float32, or int32 (scores and score distances only)",
         "int32 of these two, else float32",
         std::function([&files](MatrixType type) { files.matrix_type = type; }));
  choice(
      "--identity",
      "What the number of identical residues is divided by, in filters, too: the columns of the alignment, "
      "those without gaps (ungapped), the shorter, longer or mean length of the sequences, or the columns "
      "with end gaps (end-gaps), as in EMBOSS needle",
      "alignment", std::function([&options](Denominator by) { options.value.denominator = by; }));
  add_file("--phylip", files.phylip,
           "Write the distances (1 - identity) of all pairs as PHYLIP reads them, lower-triangular");
  choice(
      "--phylip-names",
      "Names in that file: relaxed (whole ids), or strict (the first ten bytes, for PHYLIP's own programs)",
      "relaxed", std::function([&files](PhylipNames names) { files.phylip_names = names; }));
  add_file(
      "--edges", files.edges,
      "Write both ids and the value of each pair that passes the filters and --edge-threshold; with tabs, or "
      "with commas if FILE is .csv, .csv.gz or .csv.zst, or as a sparse matrix for SciPy, with the ids in "
      "FILE.ids, if it is .npz");
  command
      .add_option_function<std::string>(
          "--edge-threshold",
          [&options](const std::string& text) {
            options.files.edge_threshold = parse_score("--edge-threshold", text);
          },
          "The lowest score or identity (percent), or the highest distance (0 to 1) or score distance, of an "
          "edge")
      ->type_name("X")
      ->group(kGroup);
}

bool chooses_rows(const CommonOptions& options, bool identity_range) {
  return options.format_chosen || options.format.header || identity_range;
}

void check_rows_are_named(const CommonOptions& options, bool identity_range, bool has_other_outputs) {
  if (!has_other_outputs || !options.output.empty() || !chooses_rows(options, identity_range)) return;
  const char* chosen = options.format_chosen   ? "--outfmt"
                       : options.format.header ? "--header"
                                               : "--identity-range";
  throw Error(ErrorKind::input,
              fmt::format("{} is for rows, which beside another output go to -o FILE, or with -o - to "
                          "standard output: add -o, or leave {} out.",
                          chosen, chosen));
}

}  // namespace alnus::cli

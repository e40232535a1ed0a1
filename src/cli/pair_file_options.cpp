#include "cli/pair_file_options.h"

#include <CLI/CLI.hpp>
#include <array>
#include <fmt/format.h>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "alnus/error.h"
#include "cli/values.h"

namespace alnus::cli {
namespace {

constexpr std::array<std::string_view, 4> kValues = {"score", "identity", "distance", "score-distance"};

// Reads a value of --matrix-out: "FILE", or "VALUE:FILE" for a matrix of another value than --matrix-value.
// If the name of the file itself begins with a word and a colon, users write "./WORD:FILE".
void add_matrix(PairFiles& files, const std::string& text) {
  const std::size_t colon = text.find(':');
  const bool has_value = colon != std::string::npos && text.find('/') > colon;
  std::string& path =
      has_value
          ? files.matrices[static_cast<PairValue>(choose("--matrix-out", text.substr(0, colon), kValues))]
          : files.matrix;
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
    command.add_option(name, path, description)->type_name("FILE")->take_last()->group(kGroup);
  };
  const auto add_word = [&](const char* name, const char* description, const char* default_text,
                            const std::function<void(const std::string&)>& read) {
    command.add_option_function<std::string>(name, read, description)
        ->type_name("WORD")
        ->default_str(default_text)
        ->take_last()
        ->group(kGroup);
  };
  command
      .add_option_function<std::vector<std::string>>(
          "--matrix-out",
          [&files](const std::vector<std::string>& texts) {
            for (const std::string& text : texts) add_matrix(files, text);
          },
          "A value of every pair as a NumPy array (.npy) in SciPy's condensed order, with the ids in "
          "FILE.ids; filters do not matter. VALUE:FILE is a matrix of that value (as --matrix-value); each "
          "value has one file")
      ->type_name("[VALUE:]FILE")
      ->expected(1)
      ->take_all()
      ->group(kGroup);
  command
      .add_flag("--square", files.square,
                "The whole symmetric matrix, every sequence with itself included (as --self)")
      ->group(kGroup);
  add_word("--matrix-value",
           "Of edges, of the matrix, and of what --top-k is nearest by: score, identity (percent), distance "
           "(1 - identity), or "
           "score-distance: the lower of both sequences' scores with themselves, less their score",
           "identity; score for --top-k without --edges", [&options](const std::string& text) {
             options.value.kind = static_cast<PairValue>(choose("--matrix-value", text, kValues));
             options.value_chosen = true;
           });
  add_word("--matrix-type", "float32 or int32 (scores and score distances only)",
           "int32 of these, else float32", [&options](const std::string& text) {
             constexpr std::array<std::string_view, 2> kWords = {"float32", "int32"};
             options.files.matrix_type = static_cast<MatrixType>(choose("--matrix-type", text, kWords));
           });
  add_word(
      "--identity",
      "What identical residues are divided by, in filters too: columns of the alignment, those ungapped, "
      "the shorter, longer or mean length, or end-gaps: columns with end gaps, as EMBOSS needle does",
      "alignment", [&options](const std::string& text) {
        constexpr std::array<std::string_view, kDenominators> kWords = {"alignment", "ungapped", "shorter",
                                                                        "longer",    "mean",     "end-gaps"};
        options.value.denominator = static_cast<Denominator>(choose("--identity", text, kWords));
      });
  add_file("--phylip", files.phylip, "Distances (1 - identity) as PHYLIP reads them, lower-triangular");
  add_word("--phylip-names",
           "Names in that file: relaxed, whole; strict, ten characters, as PHYLIP's own programs need",
           "relaxed", [&files](const std::string& text) {
             constexpr std::array<std::string_view, 2> kWords = {"relaxed", "strict"};
             files.phylip_names = static_cast<PhylipNames>(choose("--phylip-names", text, kWords));
           });
  add_file(
      "--edges", files.edges,
      "A line for each pair that passes the filters and --edge-threshold: ids and value, with tabs, or "
      "as CSV if FILE is .csv, .csv.gz or .csv.zst; a sparse matrix for SciPy, with the ids in FILE.ids, "
      "if it is .npz");
  command
      .add_option_function<std::string>(
          "--edge-threshold",
          [&options](const std::string& text) {
            options.files.edge_threshold = parse_score("--edge-threshold", text);
          },
          "The lowest score or identity, or the highest distance or score distance, of an edge")
      ->type_name("X")
      ->take_last()
      ->group(kGroup);
}

}  // namespace alnus::cli

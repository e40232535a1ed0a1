#include "api/merge_outputs.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <string_view>

#include "alnus/error.h"
#include "alnus/matrix_table.h"
#include "api/pair_outputs.h"
#include "core/pair_value.h"

namespace alnus::api {
namespace {

// The names of the outputs, by the option that names each of them.
std::map<std::string, std::string> names_of(const PairFiles& files, const std::string& score_plot) {
  std::map<std::string, std::string> names = {{option("score_plot"), score_plot}};
  for (const PairOutputKind& kind : pair_output_kinds()) {
    names[option(kind.option)] = files.*kind.path;
    if (!kind.more_paths) continue;
    for (const auto& [value, name] : files.*kind.more_paths) {
      std::string word(word_of(value));
      std::ranges::replace(word, '_', '-');  // as the command line spells it, where this is an option
      names[fmt::format("{} {}:", option(kind.option), word)] = name;
    }
  }
  return names;
}

PairFiles named(const Job& job, const JobFiles& files) {
  PairFiles result = job.files;
  for (const PairOutputKind& kind : pair_output_kinds()) {
    result.*kind.path = files.*kind.merged_path;
    if (kind.more_paths) result.*kind.more_paths = files.*kind.merged_more_paths;
  }
  result.head.program_version = files.program_version;
  result.head.command_line = files.command_line;
  if (files.database_name) result.head.database_name = *files.database_name;
  return result;
}

void require(const char* name, bool same) {
  if (!same)
    throw Error(ErrorKind::input,
                fmt::format("The parts were made with another {}: leave it out, or give that of the parts.",
                            option(name)));
}

// The type of matrices, as matrices_of() chooses it: int32 for scores and score distances, unless the user
// chose a type.
MatrixType type_of_matrices(const Job& job) {
  bool of_scores = !job.files.matrix.empty() && is_of_scores(job.value.kind);
  for (const auto& [value, name] : job.files.matrices) of_scores |= !name.empty() && is_of_scores(value);
  return job.files.matrix_type.value_or(of_scores ? MatrixType::int32 : MatrixType::float32);
}

}  // namespace

void check(const Job& job, const JobFiles& files) {
  const auto there = names_of(job.files, job.score_plot ? "wanted" : "");
  const auto given = names_of(named(job, files), files.score_plot);
  const auto name_of = [](const std::map<std::string, std::string>& names, const std::string& option) {
    const auto found = names.find(option);
    return found == names.end() ? std::string() : found->second;
  };
  for (const auto& [output, name] : there)
    if (!name.empty() && name_of(given, output).empty())
      throw Error(ErrorKind::input,
                  fmt::format("The parts have an output of {}, which has no name here: add {}{}FILE.", output,
                              output, output.ends_with(':') ? "" : " "));
  for (const auto& [output, name] : given)
    if (!name.empty() && name_of(there, output).empty())
      throw Error(ErrorKind::input, fmt::format("{} {}: the parts were made without {}, and do not have it.",
                                                output, name, output));
  const PairFiles& made = job.files;
  for (const auto& [output, name] : given)
    if (output.starts_with(option("matrix_out")) && !name.empty() &&
        is_matrix_table(name) != is_matrix_table(name_of(there, output)))
      throw Error(
          ErrorKind::input,
          is_matrix_table(name)
              ? fmt::format("{} {}: the parts have a matrix in NumPy's format here, not a table. Name it "
                            ".npy.",
                            output, name)
              : fmt::format("{} {}: the parts have a table here. Name it .csv or .tsv.", output, name));
  const std::optional<OutputFormat>& format = files.format;
  require("outfmt", !format || (format->kind == made.format.kind && format->columns == made.format.columns));
  const bool header = files.header.value_or(made.format.header) || (format && format->header);
  require("header", header == made.format.header);
  require("square", files.square.value_or(made.square) == made.square);
  require("matrix_type", !files.matrix_type || *files.matrix_type == type_of_matrices(job));
  require("phylip_names", files.phylip_names.value_or(made.phylip_names) == made.phylip_names);
  require("matrix_value", files.value.value_or(job.value.kind) == job.value.kind);
  require("identity", files.denominator.value_or(job.value.denominator) == job.value.denominator);
  require("edge_threshold", !files.edge_threshold || files.edge_threshold == made.edge_threshold);
}

std::optional<std::string> first_difference(const Job& one, const Job& other) {
  const auto of_one = names_of(one.files, one.score_plot ? "wanted" : "");
  const auto of_other = names_of(other.files, other.score_plot ? "wanted" : "");
  if (of_one != of_other) return "they have different outputs";
  if (one.files.head.detail != other.files.head.detail) return differs("detail");
  if (one.rows != other.rows || one.columns != other.columns) return "they are of different sequences";
  return std::nullopt;
}

SearchFiles search_files_of(const Job& job, const JobFiles& files, const std::vector<std::string>& parts) {
  const PairFiles all = pair_files_of(job, files, parts);
  return {all.rows, all.format, all.head, files.score_plot, all.other_inputs};
}

PairFiles pair_files_of(const Job& job, const JobFiles& files, const std::vector<std::string>& parts) {
  PairFiles all = named(job, files);
  all.other_inputs = parts;
  all.other_inputs.insert(all.other_inputs.end(), files.other_inputs.begin(), files.other_inputs.end());
  return all;
}

}  // namespace alnus::api

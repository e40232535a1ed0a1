#include "jobs/merge_outputs.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "alnus/error.h"
#include "alnus/matrix_table.h"
#include "core/pair_value.h"
#include "core/refuse_input.h"
#include "jobs/pair_outputs.h"
#include "jobs/search_outputs.h"

namespace alnus::jobs {
namespace {

// The names of the outputs, by the option that names each of them.
using Names = std::map<std::string, std::string>;

// Adds the names of the outputs of a kind, which stand at these places of `files`.
template <class Files>
void add_names(std::string_view kind, const Files& files, std::string Files::*path,
               std::map<PairValue, std::string> Files::*more_paths, Names& names) {
  names[option(kind)] = files.*path;
  if (!more_paths) return;
  for (const auto& [value, name] : files.*more_paths) {
    std::string word(word_of(value));
    std::ranges::replace(word, '_', '-');  // as in the command line's VALUE:FILE
    names[fmt::format("{} {}:", option(kind), word)] = name;
  }
}

Names names_of(const Job& job) {
  Names names;
  if (job.is_search())
    for (const SearchOutputKind& kind : search_output_kinds())
      names[option(kind.option)] = job.search_files.*kind.path;
  else
    for (const PairOutputKind& kind : pair_output_kinds())
      add_names(kind.option, job.pair_files, kind.path, kind.more_paths, names);
  return names;
}

Names names_of(const JobFiles& files) {
  Names names;
  for (const SearchOutputKind& kind : search_output_kinds())
    names[option(kind.option)] = files.*kind.merged_path;
  for (const PairOutputKind& kind : pair_output_kinds())
    add_names(kind.option, files, kind.merged_path, kind.merged_more_paths, names);
  return names;
}

// True if this output, as names_of() has it, is of a kind that has tables.
bool has_tables(const std::string& output) {
  return std::ranges::any_of(pair_output_kinds(), [&](const PairOutputKind& kind) {
    return kind.has_tables && output.starts_with(option(kind.option));
  });
}

// Sets what heads of outputs say of this merge, and the files that no output may replace.
template <class Files>
void set_heads_and_inputs(const JobFiles& files, const std::vector<std::string>& parts, Files& result) {
  result.head.program_version = files.program_version;
  result.head.command_line = files.command_line;
  if (files.database_name) result.head.database_name = *files.database_name;
  result.report_size = files.report_size;
  result.other_inputs = parts;
  result.other_inputs.insert(result.other_inputs.end(), files.other_inputs.begin(), files.other_inputs.end());
}

void require(std::string_view name, bool same) {
  if (!same)
    refuse_input(fmt::format("The parts were made with another {}: leave it out, or give that of the parts.",
                             option(name)));
}

// The type of matrices, as matrices_of() chooses it: int32 for scores and score distances, unless the user
// chose a type.
MatrixType type_of_matrices(const Job& job) {
  const PairFiles& made = job.pair_files;
  bool of_scores = !made.matrix.empty() && is_of_scores(job.value.kind);
  for (const auto& [value, name] : made.matrices) of_scores |= !name.empty() && is_of_scores(value);
  return made.matrix_type.value_or(of_scores ? MatrixType::int32 : MatrixType::float32);
}

// Throws Error(input) if an option of outputs is given for a merge and has another value than for the parts.
template <class OfMerge, class OfRun>
void require_option(const JobFiles& given, const OfMerge& of_merge, const PairFiles& made,
                    const OfRun& of_run) {
  const auto& value = given.*(of_merge.member);
  if constexpr (!std::is_same_v<std::decay_t<decltype(value)>, std::string>)  // not the name of a file
    require(of_merge.name, !value || *value == made.*(of_run.member));
}
template <std::size_t... k>
void require_options(const JobFiles& given, const PairFiles& made, std::index_sequence<k...>) {
  (require_option(given, std::get<k>(kOutputOptions<JobFiles>), made, std::get<k>(kOutputOptions<PairFiles>)),
   ...);
}
// The numbers of all lines of kOutputOptions.
constexpr std::make_index_sequence<std::tuple_size_v<std::decay_t<decltype(kOutputOptions<JobFiles>)>>> kAll;

}  // namespace

void check(const Job& job, const JobFiles& files) {
  const Names there = names_of(job), given = names_of(files);
  const auto name_of = [](const Names& names, const std::string& option) {
    const auto found = names.find(option);
    return found == names.end() ? std::string() : found->second;
  };
  for (const auto& [output, name] : there)
    if (!name.empty() && name_of(given, output).empty())
      refuse_input(fmt::format("The parts have an output of {}, which has no name here: add {}{}FILE.",
                               output, output, output.ends_with(':') ? "" : " "));
  for (const auto& [output, name] : given)
    if (!name.empty() && name_of(there, output).empty())
      refuse_input(
          fmt::format("{} {}: the parts were made without {}, and do not have it.", output, name, output));
  PairFiles made = job.pair_files;
  made.matrix_type = type_of_matrices(job);
  for (const auto& [output, name] : given)
    if (has_tables(output) && !name.empty() &&
        is_matrix_table(name) != is_matrix_table(name_of(there, output)))
      refuse_input(
          is_matrix_table(name)
              ? fmt::format("{} {}: the parts have a matrix in NumPy's format here, not a table. Name it "
                            ".npy.",
                            output, name)
              : fmt::format("{} {}: the parts have a table here. Name it .csv or .tsv.", output, name));
  const std::optional<OutputFormat>& format = files.format;
  require("outfmt",
          !format || (format->kind == job.format().kind && format->columns == job.format().columns));
  const bool header = files.header.value_or(job.format().header) || (format && format->header);
  require("header", header == job.format().header);
  require_options(files, made, kAll);
  require("matrix_value", files.value.value_or(job.value.kind) == job.value.kind);
  require("identity", files.denominator.value_or(job.value.denominator) == job.value.denominator);
}

std::optional<std::string> first_difference(const Job& one, const Job& other) {
  if (names_of(one) != names_of(other)) return "they have different outputs";
  if (one.head().detail != other.head().detail) return differs("detail");
  if (one.rows != other.rows || one.columns != other.columns) return "they are of different sequences";
  return std::nullopt;
}

SearchFiles search_files_of(const Job& job, const JobFiles& files, const std::vector<std::string>& parts) {
  SearchFiles result = job.search_files;
  for (const SearchOutputKind& kind : search_output_kinds()) result.*kind.path = files.*kind.merged_path;
  set_heads_and_inputs(files, parts, result);
  return result;
}

PairFiles pair_files_of(const Job& job, const JobFiles& files, const std::vector<std::string>& parts) {
  PairFiles result = job.pair_files;
  for (const PairOutputKind& kind : pair_output_kinds()) {
    result.*kind.path = files.*kind.merged_path;
    if (kind.more_paths) result.*kind.more_paths = files.*kind.merged_more_paths;
  }
  set_heads_and_inputs(files, parts, result);
  return result;
}

}  // namespace alnus::jobs

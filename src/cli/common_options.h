// The options that several commands share.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "alnus/differences.h"
#include "alnus/error.h"
#include "alnus/session.h"
#include "cli/command.h"
#include "cli/log.h"
#include "cli/option_table.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace alnus::cli {

struct CommonOptions {
  ScoringOptions scoring;  // without the alphabet, which make_scoring() adds
  OpenOptions open;        // how sequences are read
  OutputFormat format = OutputFormat::parse("6");
  bool format_chosen = false;
  std::optional<Detail> chosen_detail;
  std::string output;              // "": standard output
  std::optional<Strands> strands;  // empty: the command's default
  bool identity_range = false;     // add_identity_range_columns() adds its columns to the format
  Differences differences;         // of --max-differences; they replace `scoring`
  SessionOptions machine;
  bool dry_run = false, json = false;

  Detail detail() const { return chosen_detail.value_or(format.needed_detail()); }
  Scoring make_scoring(AlphabetKind alphabet) const;
  // Throws Error(input) if writing an output would replace an input or another output (check_outputs), or if
  // messages would be appended to an input. The file of --matrix is one of the inputs.
  void check_files(const std::vector<std::string>& outputs, std::vector<std::string> inputs) const;
  ReportHead head(const Context& context, const std::string& database_name) const;
  // True if the user chose how rows look, by --outfmt, --header or --identity-range. A part of all pairs then
  // has rows, even if the job has other outputs. A whole run of all pairs and a merge write rows beside other
  // outputs only with -o, whatever this function returns.
  bool chooses_rows() const { return format_chosen || format.header || identity_range; }
  // Throws Error(input) if chooses_rows() is true and there are other outputs, but no -o, which names rows.
  void check_rows_are_named(bool has_other_outputs) const;
  // Throws Error(input) if the format is no table.
  void add_identity_range_columns();
  // Sets what these options say of the options of a call: of a search, of all pairs, or of align.
  template <class Options>
  void set(Options& options) const {
    options.detail = detail();
    format.set_needs(options);
    options.statistics.preset = scoring.preset;
    if (strands) options.strands = *strands;
  }
};

// A session with these options, whose messages go to `log` and whose calibrations are in the user's cache.
Session make_session(SessionOptions options, Log& log);

// Adds the options that search, align and allpairs share. `options` must outlive the parsing.
void add_common_options(CLI::App& command, CommonOptions& options);

// Each of these adds one option or one group of them, for commands that do not have all common options.
void add_scoring_options(CLI::App& command, CommonOptions& options);
void add_format_options(CLI::App& command, CommonOptions& options);          // --outfmt, --header
void add_output(CLI::App& command, CommonOptions& options);                  // -o
void add_report(CLI::App& command, std::string& path, std::uint64_t& size);  // --report, --report-size
void add_machine_options(CLI::App& command, CommonOptions& options);
CLI::Option* add_detail(CLI::App& command, CommonOptions& options, const char* default_text,
                        const char* description);
CLI::Option* add_alphabet(CLI::App& command, AlphabetChoice& alphabet, const char* description);
CLI::Option* add_strand(CLI::App& command, CommonOptions& options, const char* default_text);
CLI::Option* add_mask(CLI::App& command, Masking& masking);
CLI::Option* add_memory(CLI::App& command, std::uint64_t& bytes, const char* default_text,
                        const char* description);
// Adds --stats and the options that refine it. `with_regression`: the command scores each query with a whole
// database, as --stats regression needs.
void add_statistics_options(CLI::App& command, StatisticsOptions& options, bool with_regression);
// Adds the arguments QUERIES and DB.
void add_search_inputs(CLI::App& command, std::string& queries, std::string& database);
bool is_given(const CLI::App& command, const char* option);
void add_log_options(CLI::App& command);          // --quiet, --no-progress
Log::Amount log_amount(const CLI::App& command);  // what these two options ask for
void add_identity_range(CLI::App& command, CommonOptions& options);
// Adds --max-differences and --substitutions-only. The options that these exclude must have been added.
void add_differences(CLI::App& command, const char* group, Differences& differences);
// If there is a most number of differences, makes the options ask for all alignments with so many or, with
// --max-hsps, for so many of them. Throws Error(input) if all are wanted, but --detail is not alignment.
template <class Options>
void set_differences(const CLI::App& command, const CommonOptions& common, Options& options) {
  if (!common.differences.most) return;
  const std::uint32_t chosen = options.max_hsps;
  set(common.differences, options);
  if (is_given(command, "--max-hsps"))
    options.max_hsps = chosen;
  else if (common.chosen_detail.value_or(Detail::alignment) != Detail::alignment)
    throw Error(ErrorKind::input,
                "--max-differences lists all places of a query, which needs alignments: choose --detail "
                "alignment, or --max-hsps 1 for one place in each subject.");
}
// Appends --max-differences to the `limits` of a log line, in the place of the `min_score` that it set.
template <class Options>
void add_differences(std::vector<std::string>& limits, const Differences& differences, Options& options) {
  if (!differences.most) return;
  options.min_score.reset();
  add_limits(limits, differences);
}
// Adds the limits of rows by their alignments.
void add_row_filter(CLI::App& command, const char* group, RowFilter& filter);
// Adds --matrix-out, whose values are "FILE", or "VALUE:FILE" for a matrix of another value than
// --matrix-value. `matrix` and `matrices` must outlive the parsing, which throws Error(input) for an unknown
// VALUE, for an empty FILE, and for two files of one value.
inline constexpr const char* kOutputsGroup = "Matrices, distances, edges";
void add_matrix_out(CLI::App& command, std::string& matrix, std::map<PairValue, std::string>& matrices);

// Throws Error(input) if more than one of the paths is "-".
void refuse_sharing_stdin(std::initializer_list<std::string> paths);

}  // namespace alnus::cli

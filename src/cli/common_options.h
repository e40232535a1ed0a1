// The options that several commands share.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "alnus/session.h"
#include "cli/command.h"
#include "cli/log.h"

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
  SessionOptions machine;
  bool dry_run = false, json = false;

  Detail detail() const { return chosen_detail.value_or(format.needed_detail()); }
  Scoring make_scoring(AlphabetKind alphabet) const;
  // Throws Error(input) if writing an output would replace an input or another output (check_outputs), or if
  // messages would be appended to an input. The file of --matrix is one of the inputs.
  void check_files(const std::vector<std::string>& outputs, std::vector<std::string> inputs) const;
  ReportHead head(const Context& context, const std::string& database_name) const;
};

// A session with these options, whose messages go to `log` and whose calibrations are in the user's cache.
Session make_session(SessionOptions options, Log& log);

// Adds the options that search, align and allpairs share. `options` must outlive the parsing.
void add_common_options(CLI::App& command, CommonOptions& options);

// Each of these adds one option or one group of them, for commands that do not have all common options.
void add_scoring_options(CLI::App& command, CommonOptions& options);
void add_format_options(CLI::App& command, CommonOptions& options);  // --outfmt, --header
void add_output(CLI::App& command, CommonOptions& options);          // -o
CLI::Option* add_detail(CLI::App& command, CommonOptions& options, const char* default_text,
                        const char* description);
void add_machine_options(CLI::App& command, CommonOptions& options);
CLI::Option* add_alphabet(CLI::App& command, AlphabetChoice& alphabet, const char* description);
CLI::Option* add_strand(CLI::App& command, CommonOptions& options, const char* default_text);
CLI::Option* add_mask(CLI::App& command, Masking& masking);
CLI::Option* add_memory(CLI::App& command, std::uint64_t& bytes, const char* default_text,
                        const char* description);
// Adds the arguments QUERIES and DB.
void add_search_inputs(CLI::App& command, std::string& queries, std::string& database);
void add_log_options(CLI::App& command);          // --quiet, --no-progress
Log::Amount log_amount(const CLI::App& command);  // what these two options ask for
// Adds --identity-range. add_identity_range_columns() adds the option's columns to the format, and throws
// Error(input) if the format is no table.
void add_identity_range(CLI::App& command, bool& wanted);
void add_identity_range_columns(OutputFormat& format);

// Throws Error(input) if more than one of the paths is "-".
void refuse_sharing_stdin(std::initializer_list<std::string> paths);

}  // namespace alnus::cli

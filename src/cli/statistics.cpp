#include "cli/statistics.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <iterator>

#include "alnus/error.h"
#include "cli/progress.h"
#include "cli/units.h"
#include "cli/values.h"
#include "engine/calibrate.h"

namespace alnus::cli {
namespace {

using stats::Method;

[[noreturn]] void fail(const std::string& message) { throw Error(ErrorKind::input, message); }

stats::SearchSpace space_of(const StatisticsArguments& arguments, const SequenceSet& database) {
  stats::SearchSpace space = stats::search_space_of(database);
  if (arguments.residues) space.residues = *arguments.residues;
  if (arguments.sequences) space.sequences = *arguments.sequences;
  space.cells = arguments.cells;
  return space;
}

// What would have no effect is an error. A database of other residues has other sequences, too, and some
// methods count them.
void check(const StatisticsArguments& arguments, Method method) {
  const bool by_parameters = method == Method::spouge || method == Method::karlin;
  const auto refuse = [&](const char* option, const char* methods) {
    fail(fmt::format("{} is for --stats {}, not for {}.", option, methods, to_string(method)));
  };
  if (arguments.composition && !by_parameters) refuse("--composition", "spouge and karlin");
  if (arguments.cells && !by_parameters) refuse("--searchsp", "spouge and karlin");
  if (arguments.names_shuffles && method != Method::zvalue) refuse("--shuffles or --shuffle", "zvalue");
  if (arguments.residues && method == Method::none)
    refuse("--dbsize", "spouge, karlin, regression and zvalue");
  if (arguments.residues && !arguments.sequences && method != Method::spouge)
    fail(fmt::format(
        "--dbsize without the number of sequences does not do for --stats {}: give RESIDUES,SEQUENCES.",
        to_string(method)));
}

std::string name_of(const Scoring& scoring) {
  return fmt::format("matrix {} with gap costs {}", scoring.matrix.name(), scoring.format_gaps());
}

// What nobody published, the devices find out, once for this user.
stats::KarlinParameters calibrate(const Scoring& scoring, const std::vector<std::unique_ptr<Device>>& devices,
                                  Log& log) {
  std::vector<Device*> pointers;
  std::ranges::transform(devices, std::back_inserter(pointers),
                         [](const std::unique_ptr<Device>& device) { return device.get(); });
  const auto warn = [&log](const std::string& message) { log.warning(message); };
  engine::Progress progress;
  progress.warn = warn;
  log.info(
      fmt::format("There are no published statistics for {}: those of alnus calibrate are used, which takes "
                  "a while once.",
                  name_of(scoring)));
  const ProgressReport moving(log, progress);
  const stats::Calibration found = engine::calibrated_parameters(
      scoring, stats::default_background(scoring.matrix.alphabet()), {}, pointers, progress, warn);
  stats::KarlinParameters parameters{found.parameters()};
  parameters.source = "calibrated";
  return parameters;
}

}  // namespace

std::uint64_t StatisticsArguments::shuffled() const {
  if (method != Method::zvalue) return 0;
  return std::uint64_t{shuffles.shuffles} * (shuffles.sides == engine::ShuffleOptions::Sides::both ? 2 : 1);
}

void add_statistics_options(CLI::App& command, StatisticsArguments& arguments, bool with_regression) {
  const auto add = [&](const char* name, const char* type, const char* description, const char* default_text,
                       const std::function<void(const std::string&)>& read) {
    command.add_option_function<std::string>(name, read, description)
        ->type_name(type)
        ->default_str(default_text)
        ->take_last()
        ->group("Statistics");
  };
  add("--stats", "METHOD",
      with_regression
          ? "E-values and Z-scores: spouge or karlin (by parameters), regression (on the search's scores), "
            "zvalue (by shuffling), none"
          : "E-values and Z-scores: spouge or karlin (by parameters), zvalue (by shuffling), none",
      "spouge where it applies", [&arguments, with_regression](const std::string& text) {
        constexpr std::array<std::string_view, 5> kMethods = {"spouge", "karlin", "regression", "zvalue",
                                                              "none"};
        const auto method = static_cast<Method>(choose("--stats", text, kMethods));
        if (method == Method::regression && !with_regression)
          fail(
              "--stats regression is for search alone: it needs the scores of a query with a whole "
              "database.");
        arguments.method = method;
      });
  command
      .add_flag("--composition", arguments.composition,
                "Of spouge and karlin: scores of queries with unusual letters are worth less")
      ->group("Statistics");
  add("--dbsize", "R[,S]",
      "E-values as in a database of R residues in S sequences: parts of one give what the whole gives",
      "the database", [&arguments](const std::string& text) {
        const std::vector<std::string> parts = split_at_commas(text);
        constexpr std::uint64_t kMost = 1'000'000'000'000'000;
        if (parts.empty() || parts.size() > 2)
          fail(fmt::format("--dbsize {} is not RESIDUES or RESIDUES,SEQUENCES.", text));
        arguments.residues = static_cast<double>(parse_count("--dbsize", parts[0], 1, kMost));
        arguments.sequences.reset();
        if (parts.size() == 2)
          arguments.sequences = static_cast<double>(parse_count("--dbsize", parts[1], 1, kMost));
      });
  add("--shuffles", "N", "Of zvalue: shuffles of each sequence; more are more exact", "1000",
      [&arguments](const std::string& text) {
        constexpr std::uint64_t kFewest = 10, kMost = 10'000'000;
        arguments.shuffles.shuffles =
            static_cast<std::uint32_t>(parse_count("--shuffles", text, kFewest, kMost));
        arguments.names_shuffles = true;
      });
  add("--shuffle", "SIDE", "Of zvalue: query, subject, or both, and the lower Z-score is told", "both",
      [&arguments](const std::string& text) {
        constexpr std::array<std::string_view, 3> kSides = {"query", "subject", "both"};
        arguments.shuffles.sides =
            static_cast<engine::ShuffleOptions::Sides>(choose("--shuffle", text, kSides));
        arguments.names_shuffles = true;
      });
  add("--searchsp", "X", "Search space of spouge and karlin in cells, lengths adjusted", "",
      [&arguments](const std::string& text) {
        arguments.cells = parse_evalue("--searchsp", text);
        if (!(*arguments.cells >= 1)) fail("--searchsp is in cells: 1 or more.");
      });
}

engine::StatisticsOptions resolve_statistics(const StatisticsArguments& arguments, const Scoring& scoring,
                                             const SequenceSet& database, bool wanted, bool dry_run,
                                             const std::vector<std::unique_ptr<Device>>& devices, Log& log) {
  engine::StatisticsOptions options;
  options.space = space_of(arguments, database);
  const bool named = arguments.method.has_value();
  options.method = arguments.method.value_or(Method::spouge);
  check(arguments, options.method);
  options.shuffles = arguments.shuffles;
  options.composition = arguments.composition;
  if (options.method == Method::none || options.method == Method::zvalue) return options;

  if (scoring.mode != Mode::local) {
    if (named)
      fail(fmt::format(
          "--stats {} is for local alignments: no theory gives E-values for mode {}. --stats zvalue "
          "compares with shuffled sequences in every mode.",
          to_string(options.method), to_string(scoring.mode)));
    if (wanted)
      log.warning(fmt::format(
          "There are no E-values for mode {}, only for local: E-values and bit scores are NA, and "
          "--evalue does not filter. --stats zvalue compares with shuffled sequences.",
          to_string(scoring.mode)));
    options.method = Method::none;
    check(arguments, options.method);
    return options;
  }

  options.parameters = stats::published_parameters(scoring);
  if (options.method == Method::regression) return options;
  const bool suffices =
      options.parameters && (options.parameters->finite_size() || !named || options.method == Method::karlin);
  if (!suffices && wanted && dry_run) {
    log.info(fmt::format("There are no published statistics for {}: alnus calibrate would find them first.",
                         name_of(scoring)));
  } else if (!suffices && wanted) {
    try {
      options.parameters = calibrate(scoring, devices, log);
    } catch (const Error& error) {
      if (named || error.kind() != ErrorKind::input) throw;
      log.warning(
          fmt::format("{} E-values and bit scores are NA, and --evalue does not filter.", error.what()));
    }
  }
  const bool finite_size = options.parameters && options.parameters->finite_size();
  if (!named || !options.parameters || (options.method == Method::spouge && !finite_size))
    options.method = options.by_parameters();
  check(arguments, options.method);
  return options;
}

std::string describe_statistics(const engine::StatisticsOptions& options) {
  const auto& space = options.space;
  std::string text = fmt::format("{}: ", to_string(options.method));
  switch (options.method) {
    case Method::none:
      return {};
    case Method::zvalue: {
      constexpr std::array<std::string_view, 3> kSides = {"the query", "the subject",
                                                          "query and subject each"};
      text += fmt::format("{} shuffles of {}", format_count(options.shuffles.shuffles),
                          kSides[static_cast<std::size_t>(options.shuffles.sides)]);
      break;
    }
    case Method::regression:
      text += "each query's scores on the subjects' lengths";
      break;
    case Method::spouge:
    case Method::karlin:
      text += fmt::format("lambda {:.4g}, K {:.4g} ({})", options.parameters->lambda, options.parameters->K,
                          options.parameters->source);
      if (options.composition) text += ", by composition";
  }
  const auto whole = [](double count) {
    constexpr double kExact = 1e15;
    return count < kExact ? format_count(static_cast<std::uint64_t>(count)) : fmt::format("{:g}", count);
  };
  if (space.residues > 0)
    text += fmt::format(", {} residues in {} sequences", whole(space.residues), whole(space.sequences));
  if (space.cells) text += fmt::format(", search space {}", whole(*space.cells));
  return text;
}

}  // namespace alnus::cli

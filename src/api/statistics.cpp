#include "api/statistics.h"

#include <array>
#include <fmt/format.h>

#include "alnus/error.h"
#include "alnus/text.h"
#include "core/preset.h"
#include "core/refuse_input.h"
#include "core/strands.h"
#include "engine/calibrate_driver.h"
#include "session/session_core.h"
#include "stats/adjusted_matrix.h"
#include "stats/evalue.h"
#include "stats/pair_scale.h"

namespace alnus::api {
namespace {

using Method = StatisticsMethod;

// Defaults of options that are not set. Composition and low complexity matter only for local alignments that
// are judged by parameters (spouge, karlin).
Composition default_composition(const std::string& preset, const Scoring& scoring) {
  if (preset == "blastn") return Composition::none;
  if (scoring.matrix.alphabet() == AlphabetKind::dna)
    return stats::PairScale::of(scoring) ? Composition::adjust : Composition::none;
  return stats::MatrixAdjuster::adjusts(scoring) ? Composition::adjust : Composition::scale;
}
constexpr LowComplexity kDefaultLowComplexity = LowComplexity::statistics;
CountedStrands default_counted_strands(const std::string& preset) {
  return preset == "blastn" ? CountedStrands::one : CountedStrands::aligned;
}

// The search space: that of the database, where the options do not name another one. A size in cells counts
// all strands already.
SearchSpace space_of(const StatisticsOptions& options, const SearchSpace& database, Strands strands) {
  SearchSpace space = database;
  const bool all =
      options.counted_strands.value_or(default_counted_strands(options.preset)) == CountedStrands::aligned;
  if (all && !options.cells) space.strands = static_cast<double>(strands_of_each(strands));
  if (options.residues) space.residues = *options.residues;
  if (options.sequences) space.sequences = *options.sequences;
  space.cells = options.cells;
  return space;
}

// Throws Error(input) for an option that has no effect with the method, and for a number of residues without
// a number of sequences if the method uses both.
void check(const StatisticsOptions& options, Method method, Mode mode) {
  const bool by_parameters = method == Method::spouge || method == Method::karlin;
  const auto refuse = [&](const std::string& what, const char* methods) {
    if (method == Method::none && !options.method && mode != Mode::local)
      refuse_input(fmt::format("{} is for {} {}, which are for local alignments, not for mode {}.", what,
                               option("statistics"), methods, to_string(mode)));
    refuse_input(
        fmt::format("{} is for {} {}, not for {}.", what, option("statistics"), methods, to_string(method)));
  };
  if (options.composition.value_or(Composition::none) != Composition::none && !by_parameters)
    refuse(option("composition"), "spouge and karlin");
  if (options.low_complexity == LowComplexity::statistics && !by_parameters)
    refuse(fmt::format("{} statistics", option("low_complexity")), "spouge and karlin");
  if (options.cells && !by_parameters) refuse(option("searchsp"), "spouge and karlin");
  if (options.shuffles && method != Method::zvalue)
    refuse(fmt::format("{} or {}", option("shuffles"), option("shuffle")), "zvalue");
  if (options.residues && method == Method::none)
    refuse(option("dbsize"), "spouge, karlin, regression and zvalue");
  if (options.residues && !options.sequences && method != Method::spouge)
    refuse_input(fmt::format("{} {} needs the number of sequences, too: give {} as RESIDUES,SEQUENCES.",
                             option("statistics"), to_string(method), option("dbsize")));
}

// Throws Error(input) if Composition::adjust does not work with the matrix: a matrix for proteins must have
// target frequencies, and one for nucleotides a lambda.
void check_adjustment(const StatisticsOptions& options, const Scoring& scoring) {
  if (options.composition != Composition::adjust) return;
  const bool is_dna = scoring.matrix.alphabet() == AlphabetKind::dna;
  if (is_dna ? !stats::PairScale::of(scoring) : !stats::MatrixAdjuster::adjusts(scoring))
    refuse_input(
        fmt::format("{} adjust needs a {} whose scores are negative on average, which {} is not; {} scale "
                    "and none do without.",
                    option("composition"), is_dna ? "matrix" : "symmetric matrix for proteins",
                    scoring.matrix.name(), option("composition")));
}

void check_values(const StatisticsOptions& options, const Wanted& wanted) {
  if (options.method == Method::regression && !wanted.has_all_scores)
    refuse_input(fmt::format(
        "{} regression is for search alone: it needs the scores of a query with a whole database.",
        option("statistics")));
  for (const auto& [value, name] :
       {std::pair{options.residues, "dbsize"}, {options.sequences, "dbsize"}, {options.cells, "searchsp"}})
    if (value && !(*value >= 1))
      refuse_input(fmt::format("{} is {}; it must be 1 or more.", option(name), *value));
  if (options.sequences && !options.residues)
    refuse_input(fmt::format("{} takes a number of residues, and one of sequences only together with it.",
                             option("dbsize")));
}

// Throws Error(input) if given pairs are to be filtered by E-values that they cannot have.
void check_evalue(const AlignOptions& options, bool has_size, Mode mode) {
  const std::optional<Method> method = options.statistics.method;
  if (!options.evalue) return;
  if (method == Method::none)
    refuse_input(fmt::format("{} needs E-values, and {} {} gives none.", option("evalue"),
                             option("statistics"), to_string(*method)));
  if (!has_size && (mode == Mode::local || method == Method::zvalue))
    refuse_input(fmt::format(
        "{} needs the size of a search, which {} gives: these pairs were given, not found in one.",
        option("evalue"), option("dbsize")));
}

std::string name_of(const Scoring& scoring) {
  return fmt::format("matrix {} with gap costs {}", scoring.matrix.name(), scoring.format_gaps());
}

// Finds parameters for the method, if the published ones do not suffice and results or filters use them:
// those that the user gave, those that are kept, or simulated ones. `named`: the user named the method. If
// the simulation throws Error(input), passes it on if `named` is true or E-values are needed, and else warns
// that there are no E-values. Without Wanted::calibrate a simulation is only announced.
void find_parameters(engine::ResolvedStatistics& resolved, bool named, const Scoring& scoring,
                     const Wanted& wanted, session::Call& call) {
  const bool suffices = resolved.parameters &&
                        (resolved.parameters->finite_size() || !named || resolved.method == Method::karlin);
  if (suffices || !wanted.wanted) return;
  const Background background = default_background(scoring.matrix.alphabet());
  const auto use = [&](const Calibration& calibration) {
    resolved.parameters = stats::KarlinParameters{calibration.parameters()};
    resolved.parameters->source = "calibrated";
  };
  session::Calibrations& calibrations = call.session().calibrations();
  if (const auto given = calibrations.given(scoring, background)) return use(*given);
  const CalibrationOptions usual;
  if (!wanted.calibrate) {
    const session::Calibrations::Key key{scoring, background, usual.length};
    if (const auto kept = calibrations.find(key, usual.precision, call.warning())) return use(*kept);
    resolved.needs_calibration = true;
    return call.info(
        fmt::format("There are no published statistics for {}: they would first be found by simulation, as "
                    "by alnus calibrate.",
                    name_of(scoring)));
  }
  try {
    const engine::ExtraWork not_of_the_call(call.state().progress);
    const auto say = [&] {
      call.info(
          fmt::format("There are no published statistics for {}: they are found by simulation, as by alnus "
                      "calibrate, which takes seconds to minutes, once. {} none leaves E-values out.",
                      name_of(scoring), option("statistics")));
    };
    use(calibrated(scoring, usual, call, say));
  } catch (const Error& error) {
    if (named || wanted.needed || error.kind() != ErrorKind::input) throw;
    call.warn(fmt::format("{} E-values and bit scores are NA, and {} does not filter.", error.marked(),
                          option(wanted.filter.empty() ? "evalue" : wanted.filter)));
  }
}

}  // namespace

std::uint64_t shuffled(const StatisticsOptions& options) {
  if (options.method != Method::zvalue) return 0;
  const ShuffleOptions shuffles = options.shuffles.value_or(ShuffleOptions{});
  return std::uint64_t{shuffles.shuffles} * (shuffles.sides == ShuffleOptions::Sides::both ? 2 : 1);
}

engine::ResolvedStatistics resolve_statistics(const StatisticsOptions& options, const Scoring& scoring,
                                              const SearchSpace& database, const Wanted& wanted,
                                              session::Call& call) {
  check_values(options, wanted);
  engine::ResolvedStatistics resolved;
  check_preset(options.preset);
  resolved.space = space_of(options, database, wanted.strands);
  const bool named = options.method.has_value();
  resolved.method = options.method.value_or(Method::spouge);
  check(options, resolved.method, scoring.mode);
  resolved.shuffles = options.shuffles.value_or(ShuffleOptions{});
  resolved.memory_bytes = call.session().options().memory_bytes;
  check_adjustment(options, scoring);
  if (resolved.method == Method::none || resolved.method == Method::zvalue) return resolved;

  if (scoring.mode != Mode::local) {
    if (named)
      refuse_input(
          fmt::format("{0} {1} is for local alignments: no theory gives E-values for mode {2}. {0} zvalue "
                      "compares with shuffled sequences in every mode.",
                      option("statistics"), to_string(resolved.method), to_string(scoring.mode)));
    if (wanted.needed)
      refuse_input(
          fmt::format("There are no E-values for mode {}, only for local, so {} cannot filter; {} can.",
                      to_string(scoring.mode), option("evalue"), option("min_score")));
    if (wanted.wanted)
      call.say(
          wanted.filter.empty() ? Severity::info : Severity::warning,
          fmt::format(
              "There are no E-values for mode {}, only for local: E-values and bit scores are NA{}. "
              "{} zvalue compares with shuffled sequences.",
              to_string(scoring.mode),
              wanted.filter.empty() ? "" : fmt::format(", and {} does not filter", option(wanted.filter)),
              option("statistics")));
    resolved.method = Method::none;
    check(options, resolved.method, scoring.mode);
    return resolved;
  }

  resolved.parameters = stats::published_parameters(scoring);
  if (resolved.method == Method::regression) return resolved;
  find_parameters(resolved, named, scoring, wanted, call);
  const bool finite_size = resolved.parameters && resolved.parameters->finite_size();
  if (!named || !resolved.parameters || (resolved.method == Method::spouge && !finite_size))
    resolved.method = resolved.by_parameters();
  check(options, resolved.method, scoring.mode);
  if (!resolved.by_parameters_now()) return resolved;
  resolved.composition =
      options.composition ? *options.composition : default_composition(options.preset, scoring);
  if (resolved.composition == Composition::scale && scoring.matrix.alphabet() == AlphabetKind::dna)
    resolved.composition = Composition::none;  // lambda is scaled for proteins only
  resolved.low_complexity = options.low_complexity.value_or(kDefaultLowComplexity);
  return resolved;
}

engine::ResolvedStatistics resolve_statistics(const AlignOptions& options, const SequenceSet& subjects,
                                              const Scoring& scoring, bool calibrate, session::Call& call) {
  const bool judged = options.significance || options.evalue;
  const bool has_size = options.statistics.residues || options.statistics.cells;
  check_evalue(options, has_size, scoring.mode);
  engine::ResolvedStatistics resolved =
      resolve_statistics(options.statistics, scoring, stats::search_space_of(subjects),
                         {.strands = options.strands,
                          .wanted = judged,
                          .needed = options.evalue.has_value(),
                          .calibrate = calibrate},
                         call);
  if (!judged) resolved.method = StatisticsMethod::none;
  if (has_size) return resolved;
  resolved.space = {};
  if (options.significance && resolved.by_parameters_now())
    call.info(fmt::format(
        "E-values are NA: these pairs were given, not found in a search of some size. {} gives the size.",
        option("dbsize")));
  return resolved;
}

std::string describe(const engine::ResolvedStatistics& options) {
  const SearchSpace& space = options.space;
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
      text += fmt::format(", {}", stats::describe_adjustments(options.composition, options.low_complexity));
  }
  const auto whole = [](double count) {
    constexpr double kExact = 1e15;
    return count < kExact ? format_count(static_cast<std::uint64_t>(count)) : fmt::format("{:g}", count);
  };
  if (space.residues > 0)
    text += fmt::format(", {} residues in {} {}{}", whole(space.residues), whole(space.sequences),
                        space.sequences == 1 ? "sequence" : "sequences",
                        space.strands > 1 ? ", both strands" : "");
  if (space.cells) text += fmt::format(", search space {}", whole(*space.cells));
  return text;
}

}  // namespace alnus::api

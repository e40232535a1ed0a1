// alnus calibrate: the statistics of a scoring, by simulation.
#include <CLI/CLI.hpp>
#include <cmath>
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "alnus/alnus.h"
#include "cli/command.h"
#include "cli/common_options.h"
#include "cli/values.h"

namespace alnus::cli {
namespace {

struct CalibrateArguments {
  CommonOptions common;
  CalibrationOptions options;
  std::string background;  // file; "": the alphabet's default
  bool json = false;
};

// The alphabet that the options name: there are no sequences to guess it from.
AlphabetKind alphabet_of(const CommonOptions& common) {
  const AlphabetChoice choice = common.open.alphabet;
  if (choice == AlphabetChoice::automatic)
    throw Error(ErrorKind::input,
                "alnus calibrate reads no sequences to guess from: --alphabet is protein or dna.");
  const bool nucleotides = !common.scoring.match.empty() || !common.scoring.mismatch.empty();
  const bool is_dna = choice == AlphabetChoice::dna || (choice == AlphabetChoice::unstated && nucleotides);
  return is_dna ? AlphabetKind::dna : AlphabetKind::protein;
}

struct NamedEstimate {
  const char* name;
  ParameterEstimate estimate;
};

// The parameters and their standard errors. An exact parameter has an error of 0.
std::vector<NamedEstimate> estimates_of(const Calibration& calibration) {
  const UngappedParameters& ungapped = calibration.ungapped;
  const GumbelParameters all = calibration.parameters();
  const auto relative = [](const ParameterEstimate& e) { return e.error / e.value; };
  const double lambda = relative(calibration.lambda), alpha = relative(calibration.alpha);
  const double H_error = all.H * std::sqrt(lambda * lambda + alpha * alpha);  // hypot() needs glibc 2.35
  const double beta_per_alpha = calibration.alpha.error > 0 && all.alpha > ungapped.alpha
                                    ? calibration.beta / (all.alpha - ungapped.alpha)
                                    : 0;
  return {{"lambda", calibration.lambda},
          {"K", calibration.K},
          {"H", {all.H, H_error}},
          {"alpha", calibration.alpha},
          {"beta", {all.beta, std::abs(beta_per_alpha) * calibration.alpha.error}},
          {"alpha_v", calibration.alpha_v},
          {"sigma", calibration.sigma},
          {"ungapped_lambda", {ungapped.lambda}},
          {"ungapped_K", {ungapped.K}},
          {"ungapped_H", {ungapped.H}},
          {"ungapped_alpha", {ungapped.alpha}},
          {"ungapped_alpha_v", {ungapped.alpha_v}}};
}

std::string background_name(const CalibrateArguments& arguments, AlphabetKind alphabet) {
  if (!arguments.background.empty()) return arguments.background;
  return alphabet == AlphabetKind::protein ? "Robinson & Robinson (1991)"
                                           : "all nucleotides equally frequent";
}

std::string as_text(const Calibration& calibration, const Scoring& scoring, const std::string& background) {
  std::string text =
      fmt::format("matrix            {}\ngap costs         {}\nbackground        {}\n",
                  printable(scoring.matrix.name()), scoring.format_gaps(), printable(background));
  text +=
      calibration.pairs == 0
          ? "simulation        gaps do not occur: the parameters are the exact ones without gaps\n"
          : fmt::format("simulation        {} pairs of {} residues in {}\n", format_count(calibration.pairs),
                        format_count(calibration.length), format_seconds(calibration.seconds));
  text += fmt::format("\n{:<16}  {:>12}  {:>14}\n", "parameter", "value", "standard error");
  for (const NamedEstimate& one : estimates_of(calibration))
    text += fmt::format("{:<16}  {:>12.6g}  {:>14}\n", one.name, one.estimate.value,
                        one.estimate.error > 0 ? fmt::format("{:.2g}", one.estimate.error) : "exact");
  return text;
}

std::string as_json(const Calibration& calibration, const Scoring& scoring, const std::string& background) {
  nlohmann::ordered_json json = {{"matrix", scoring.matrix.name()}, {"gap_costs", scoring.format_gaps()},
                                 {"background", background},        {"pairs", calibration.pairs},
                                 {"length", calibration.length},    {"seconds", calibration.seconds}};
  for (const NamedEstimate& one : estimates_of(calibration))
    json["parameters"][one.name] = {{"value", one.estimate.value}, {"standard_error", one.estimate.error}};
  return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

void run_calibrate(const CalibrateArguments& arguments, const Context& context) {
  arguments.common.check_files({"-"}, {arguments.background});
  const Scoring scoring = arguments.common.make_scoring(alphabet_of(arguments.common));
  const AlphabetKind alphabet = scoring.matrix.alphabet();
  CalibrationOptions options = arguments.options;
  if (!arguments.background.empty()) options.background = read_background(arguments.background, alphabet);
  Session session = make_session(arguments.common.machine, context.log);
  const Calibration calibration = session.calibrate(scoring, options, follow(context.log));
  const std::string name = background_name(arguments, alphabet);
  print(arguments.json ? as_json(calibration, scoring, name) : as_text(calibration, scoring, name));
}

}  // namespace

Command add_calibrate(CLI::App& program) {
  CLI::App* command =
      program.add_subcommand("calibrate", "The statistics (lambda, K and more) of a scoring, by simulation");
  const auto arguments = std::make_shared<CalibrateArguments>();
  command
      ->add_option("--background", arguments->background,
                   "A file with the frequencies of the letters: lines of a letter and a number")
      ->type_name("FILE")
      ->default_str("proteins: Robinson & Robinson; dna: all equal")
      ->group("Simulation");
  command
      ->add_option_function<std::string>(
          "--precision",
          [arguments](const std::string& text) {
            arguments->options.precision = parse_number("--precision", text, 0.003, 0.1);
          },
          "Largest relative error of lambda, 0.003 to 0.1; that of K is at most five times as large. Half of "
          "X takes four times as long")
      ->type_name("X")
      ->default_str("0.01")
      ->group("Simulation");
  command
      ->add_flag("--no-cache", arguments->options.anew,
                 "Simulate even if the result is stored already, and do not store it")
      ->group("Simulation");
  command->add_flag("--json", arguments->json, "Print JSON, for programs")->group("Output");
  add_scoring_options(*command, arguments->common);
  add_machine_options(*command, arguments->common);
  add_log_options(*command);
  command->footer("Example:\n  alnus calibrate --matrix VTML160 --gap-open 12 --gap-extend 2");
  return {command, [arguments](const Context& context) { run_calibrate(*arguments, context); }};
}

}  // namespace alnus::cli

// alnus verify: whether what a certificate says of a split is true.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <memory>
#include <string>
#include <vector>

#include "alnus/alnus.h"
#include "cli/closing_lines.h"
#include "cli/command.h"
#include "cli/common_options.h"
#include "cli/option_table.h"
#include "cli/process.h"
#include "cli/relation_options.h"

namespace alnus::cli {
namespace {

struct VerifyArguments {
  CommonOptions common;
  VerifyOptions options;
  std::string certificate, splits;
  std::vector<std::string> sets;
};

// What holds, if nothing fails.
std::string what_holds(const CertificateCheck& check, const VerifyArguments& arguments) {
  if (arguments.options.offline)
    return arguments.sets.empty()
               ? "The certificate agrees with itself; no sequences were compared with it.\n"
               : "The contents are those of the certificate; no pair was compared.\n";
  if (check.relations.empty())
    return "The contents are those of the certificate, and no two equal records are in different subsets. "
           "Similar pairs were given as edges and the certificate names no relation, so that no pair was "
           "compared.\n";
  const std::string records = format_count(check.records, "record", "records"),
                    subsets = format_count(check.subsets, "subset", "subsets");
  if (check.compared < check.records)
    return fmt::format(
        "Nothing contradicts the certificate: of {} in {}, {} of seed {} were compared with all records of "
        "the "
        "other subsets, and none is similar to one by {}.\n",
        records, subsets, format_count(check.compared, "random record", "random records"),
        arguments.options.seed, fmt::join(check.relations, ","));
  return fmt::format("The certificate holds: {} in {}, no two similar ones in different subsets by {}.\n",
                     records, subsets, fmt::join(check.relations, ","));
}

std::string answer(const CertificateCheck& check, const VerifyArguments& arguments) {
  std::string text = check.failures.empty() ? what_holds(check, arguments) : "";
  for (const std::string& failure : check.failures) text += fmt::format("FAILS: {}\n", failure);
  if (check.similar > 0)
    text += fmt::format("In all, {} similar or equal.\n",
                        format_count(check.similar, "pair of records in different subsets is",
                                     "pairs of records in different subsets are"));
  if (!check.failures.empty() && check.compared < check.records && check.pairs > 0)
    text +=
        fmt::format("Only {} of seed {} were compared with all records of the other subsets.\n",
                    format_count(check.compared, "random record", "random records"), arguments.options.seed);
  if (check.removed > 0 && arguments.splits.empty() && check.pairs > 0)
    text += fmt::format("The number of residues of {} is taken on trust: E-values depend on it.\n",
                        format_count(check.removed, "removed record", "removed records"));
  return text;
}

// Sets the exit code kDoesNotHoldExit if the certificate does not hold.
void run_verify(VerifyArguments& arguments, const CLI::App& command, const Context& context) {
  const CommonOptions& common = arguments.common;
  if (!arguments.splits.empty() && arguments.sets.size() != 1)
    throw Error(ErrorKind::input, "--splits tells the subsets of one file of sequences. Name one file.");
  std::vector<std::string> inputs = arguments.sets;
  inputs.insert(inputs.end(), {arguments.certificate, arguments.splits});
  common.check_files({"-"}, inputs);
  if (std::ranges::count(inputs, "-") > 1)
    throw Error(ErrorKind::input, "Only one input can be -, standard input.");
  Session session = make_session(common.machine, context.log);
  if (arguments.certificate != "-") {  // it says which relations there are, and so which options do something
    const CertificateCheck told = session.verify(arguments.certificate, {}, {}, make_scoring({}),
                                                 {.offline = true}, follow(context.log));
    if (!told.relations.empty())
      check_relation_options(command, parse_relations(fmt::format("{}", fmt::join(told.relations, ","))));
  }
  std::vector<Database> sets;
  OpenOptions open = common.open;
  for (const std::string& path : arguments.sets) {
    sets.push_back(session.open(path, open, follow(context.log)).in_file_order());
    if (open.alphabet == AlphabetChoice::automatic)  // all files have the alphabet of the first one
      open.alphabet =
          sets.front().alphabet() == AlphabetKind::dna ? AlphabetChoice::dna : AlphabetChoice::protein;
  }
  std::vector<std::string> subset_of;
  if (!arguments.splits.empty()) {
    const RecordSets splits = read_record_sets(arguments.splits, sets.front().sequences());
    for (const std::uint32_t subset : splits.set_of)
      subset_of.push_back(subset == RecordSets::kNone ? std::string() : splits.names[subset]);
  }
  const AlphabetKind alphabet = sets.empty() ? AlphabetKind::protein : sets.front().alphabet();
  const CertificateCheck check =
      session.verify(arguments.certificate, sets, subset_of, common.make_scoring(alphabet), arguments.options,
                     follow(context.log));
  log_statistics(check.statistics, context.log);
  print(answer(check, arguments));
  if (!arguments.options.offline)
    log_end(summarize(check.compared, check.records, check.pairs, check.cells, context.seconds()), session,
            context.log);
  if (!check.failures.empty()) context.exit_code = kDoesNotHoldExit;
}

}  // namespace

Command add_verify(CLI::App& program) {
  CLI::App* command =
      program.add_subcommand("verify", "Whether what a certificate of alnus split says is true");
  const auto arguments = std::make_shared<VerifyArguments>();
  command->add_option("CERT", arguments->certificate, "The certificate that alnus split wrote")->required();
  command->add_option(
      "SEQS", arguments->sets,
      "The sequences: a file for each subset, in any order; or one file of all, with --splits");
  command
      ->add_option("--splits", arguments->splits,
                   "A table of ids and subsets, as alnus split writes it, for one file of all sequences")
      ->type_name("FILE")
      ->group("Check");
  add_options<VerifyOptions>(*command, "Check",
                             [arguments]() -> VerifyOptions& { return arguments->options; });
  command->get_option("--seed")->needs("--sample");
  command->get_option("--sample")->excludes("--offline");
  add_comparison_options(*command, arguments->common);
  command->footer(
      "The exit code is 10 if the certificate does not hold, and 0 if it does.\n\nExample:\n  alnus verify "
      "split.json proteins.fasta --splits split.csv\n  alnus verify split.json "
      "train.fasta test.fasta --sample 500");
  return {command,
          [arguments, command](const Context& context) { run_verify(*arguments, *command, context); }};
}

}  // namespace alnus::cli

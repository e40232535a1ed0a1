// alnus split: subsets of a set with no two similar sequences in different subsets.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <initializer_list>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "alnus/alnus.h"
#include "cli/closing_lines.h"
#include "cli/command.h"
#include "cli/common_options.h"
#include "cli/option_table.h"
#include "cli/relation_options.h"
#include "cli/values.h"

namespace alnus::cli {
namespace {

struct SplitArguments {
  CommonOptions common;
  SplitOptions options;
  SplitFiles files;
  std::string set, labels, groups, fixed, priority;  // files
};

constexpr std::uint32_t kMostSubsets = 400;  // a FASTA file and ids of each are open at a time

// Reads "5", in percent, or "LOW,HIGH", in records.
void read_tolerance(const std::string& text, SplitOptions& options) {
  const std::vector<std::string> parts = split_at_commas(text);
  if (parts.size() == 1) {
    options.tolerance = parse_number("--tolerance", text, 0, 100);
    return;
  }
  if (parts.size() != 2)
    throw Error(
        ErrorKind::input,
        fmt::format("--tolerance {}: write a percentage, or the lowest and the highest number of records, "
                    "as in 900,1100.",
                    text));
  const auto count = [](const std::string& one) {
    return parse_count("--tolerance", one, 0, std::numeric_limits<std::uint32_t>::max());
  };
  options.bounds = SubsetBounds{count(parts[0]), count(parts[1])};
}

std::vector<double> read_fractions(const std::string& text) {
  std::vector<double> fractions;
  for (const std::string& one : split_at_commas(text))
    fractions.push_back(parse_number("--fractions", one, 0, std::numeric_limits<double>::max()));
  return fractions;
}

// Reads the tables that say something of records.
void read_tables(const SplitArguments& arguments, const SequenceSet& set, SplitOptions& options) {
  const auto first_column = [&](const std::string& path, std::vector<std::string>& values) {
    if (path.empty()) return;
    RecordTable table = read_record_table(path, set);
    if (table.columns.size() > 1)
      throw Error(ErrorKind::input, fmt::format("{} has {} columns; it takes an id and one value.", path,
                                                table.columns.size() + 1));
    values = std::move(table.columns.front().values);
  };
  if (!arguments.labels.empty()) options.labels = read_record_table(arguments.labels, set).columns;
  first_column(arguments.groups, options.groups);
  first_column(arguments.fixed, options.fixed);
  if (!arguments.priority.empty()) options.priority = read_priorities(arguments.priority, set);
}

void log_split(const Split& split, const SplitOptions& options, Log& log) {
  log.info(fmt::format("{} similar by {}; {}, the largest with {}.",
                       format_count(split.similar, "pair is", "pairs are"),
                       told_similarity(split.relations, options.edge_files),
                       format_count(split.components, "component", "components"),
                       format_count(split.largest, "record", "records")));
  if (split.equal > 0)
    log.info(fmt::format("{} to an earlier one.",
                         format_count(split.equal, "record is equal", "records are equal")));
  if (split.removed > 0)
    log.info(fmt::format("{} removed{}; this assignment needs {} at least.",
                         format_count(split.removed, "record is", "records are"),
                         options.priority.empty() ? std::string()
                                                  : fmt::format(", at a cost of {} with priorities",
                                                                format_count(split.removal_cost)),
                         format_count(split.lower_bound)));
  for (const Split::Subset& subset : split.subsets)
    log.info(fmt::format("Subset {}: {}, {}.", subset.name, format_count(subset.records, "record", "records"),
                         format_count(subset.residues, "residue", "residues")));
  constexpr std::size_t kMostLabels = 20;  // that are told
  if (split.labels.size() > kMostLabels)
    log.info(fmt::format("{}; the first {} are:", format_count(split.labels.size(), "label", "labels"),
                         kMostLabels));
  for (const Split::Label& label : std::span(split.labels).first(std::min(kMostLabels, split.labels.size())))
    log.info(fmt::format("Label {}{}: {} records.", label.column.empty() ? "" : label.column + " ",
                         label.label, fmt::join(label.records, ", ")));
}

void run_split(SplitArguments& arguments, const Context& context) {
  const CommonOptions& common = arguments.common;
  SplitOptions& options = arguments.options;
  SplitFiles& files = arguments.files;
  // Without a name the subsets are printed, if no other output tells them.
  const bool has_others = !files.fasta.empty() || !files.ids.empty() || !files.graph_part.empty();
  files.csv = common.output.empty() && !has_others ? "-" : common.output;
  const std::initializer_list<std::string> inputs = {arguments.set,      arguments.labels,
                                                     arguments.groups,   arguments.fixed,
                                                     arguments.priority, options.edge_files.edges};
  files.head = common.head(context, arguments.set);
  common.check_files(outputs_of(files, names_of_subsets(options)), inputs);
  refuse_sharing_stdin(inputs);
  if (!options.edge_files.checkpoint.empty()) context.log.at_signal(kKeptByCheckpoint);
  Session session = make_session(common.machine, context.log);
  const Database set = session.open(arguments.set, common.open, follow(context.log)).in_file_order();
  options.similarity.strands = common.strands;
  read_tables(arguments, set.sequences(), options);
  const Split split =
      session.split(set, common.make_scoring(set.alphabet()), options, files, follow(context.log));
  log_statistics(split.statistics, context.log);
  log_split(split, options, context.log);
  log_end(summarize(set.size(), set.size(), split.pairs, split.cells, context.seconds()), session,
          context.log);
}

void add_table(CLI::App& command, const char* name, std::string& path, const char* description) {
  command.add_option(name, path, description)->type_name("FILE")->group("Subsets");
}

}  // namespace

Command add_split(CLI::App& program) {
  CLI::App* command =
      program.add_subcommand("split", "Subsets of a set with no two similar sequences in different subsets");
  const auto arguments = std::make_shared<SplitArguments>();
  command
      ->add_option("SEQS", arguments->set,
                   "The sequences: FASTA or FASTQ, plain, gzip or zstd, or a database of alnus makedb; - is "
                   "standard input")
      ->required();
  constexpr const char* kSubsets = "Subsets";
  CLI::Option* parts =
      command
          ->add_option_function<std::string>(
              "-k,--subsets",
              [arguments](const std::string& text) {
                arguments->options.fractions.assign(parse_count("-k", text, 2, kMostSubsets), 1);
              },
              "How many subsets there are, all of one size")
          ->type_name("N")
          ->group(kSubsets);
  command
      ->add_option_function<std::string>(
          "--fractions",
          [arguments](const std::string& text) { arguments->options.fractions = read_fractions(text); },
          "The share of the records that each subset gets, as in 0.8,0.1,0.1")
      ->type_name("LIST")
      ->excludes(parts)
      ->group(kSubsets);
  command
      ->add_option_function<std::string>(
          "--names",
          [arguments](const std::string& text) { arguments->options.names = split_at_commas(text); },
          "The names of the subsets, as in train,validation,test")
      ->type_name("LIST")
      ->default_str("1,2,...")
      ->group(kSubsets);
  command
      ->add_option_function<std::string>(
          "--tolerance", [arguments](const std::string& text) { read_tolerance(text, arguments->options); },
          "By how many percent a subset may be smaller or larger than its share, or the lowest and the "
          "highest "
          "number of records of every subset, as in 900,1100")
      ->type_name("X|LOW,HIGH")
      ->default_str("5")
      ->group(kSubsets);
  add_table(*command, "--labels", arguments->labels,
            "A table of ids and labels, in one column or more, which are spread over the subsets evenly");
  add_table(*command, "--groups", arguments->groups,
            "A table of ids and groups: the records of a group go to one subset");
  add_table(*command, "--fixed", arguments->fixed,
            "A table of ids and subsets: these records go to these subsets");
  command
      ->add_flag(
          "--allow-removal", arguments->options.allow_removal,
          "Remove sequences, as few as are found to do, where components of similar sequences do not fit")
      ->group(kSubsets);
  add_table(*command, "--priority", arguments->priority,
            "A table of ids and numbers from 0: a record of priority P is removed as unwillingly as P others "
            "besides it. Records that it does not name have 0");
  command
      ->add_option_function<std::string>(
          "--seed",
          [arguments](const std::string& text) {
            arguments->options.seed =
                parse_count("--seed", text, 0, std::numeric_limits<std::uint64_t>::max());
          },
          "Seed of the search for subsets; the same seed gives the same subsets on every machine")
      ->type_name("N")
      ->default_str("1")
      ->group(kSubsets);
  add_output(*command, arguments->common);
  add_options<SplitFiles>(*command, "Output", [arguments]() -> SplitFiles& { return arguments->files; });
  add_similarity_options(*command, arguments->common, arguments->options.similarity.relations);
  add_options<EdgeFiles>(*command, "Similarity",
                         [arguments]() -> EdgeFiles& { return arguments->options.edge_files; });
  command->footer(
      "Example:\n  alnus split proteins.fasta -k 5 -o split.csv\n  alnus split proteins.fasta --fractions "
      "0.8,0.1,0.1 --names train,validation,test -o split.csv");
  return {command, [arguments, command](const Context& context) {
            std::vector<Relation>& relations = arguments->options.similarity.relations;
            settle_relations(*command, arguments->options.edge_files, relations);
            check_relation_options(*command, relations);
            run_split(*arguments, context);
          }};
}

}  // namespace alnus::cli

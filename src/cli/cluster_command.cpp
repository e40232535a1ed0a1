// alnus cluster: clusters of similar sequences, by every pair of a set.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <string>
#include <vector>

#include "alnus/alnus.h"
#include "cli/closing_lines.h"
#include "cli/command.h"
#include "cli/common_options.h"
#include "cli/option_table.h"
#include "cli/relation_options.h"

namespace alnus::cli {
namespace {

struct ClusterArguments {
  CommonOptions common;
  ClusterOptions options;
  ClusterFiles files;
  std::string set, priority;
};

// "20,000 sequences in 14,345 clusters; the largest has 279, and 12,003 have one each."
std::string describe(const Clusters& clusters) {
  std::vector<std::uint64_t> sizes(clusters.representative.size());
  for (const SequenceSet::Index i : clusters.representative) ++sizes[i];
  const std::uint64_t largest = sizes.empty() ? 0 : *std::ranges::max_element(sizes);
  return fmt::format("{} in {}; the largest has {}, and {} of one sequence.",
                     format_count(sizes.size(), "sequence", "sequences"),
                     format_count(clusters.representatives.size(), "cluster", "clusters"),
                     format_count(largest, "sequence", "sequences"),
                     format_count(static_cast<std::uint64_t>(std::ranges::count(sizes, 1u)), "is", "are"));
}

void run_cluster(ClusterArguments& arguments, const Context& context) {
  const CommonOptions& common = arguments.common;
  ClusterFiles& files = arguments.files;
  files.tsv = common.output.empty() && files.clstr.empty() ? "-" : common.output;
  const std::string& edges = arguments.options.edge_files.edges;
  common.check_files({files.tsv, files.clstr}, {arguments.set, arguments.priority, edges});
  refuse_sharing_stdin({arguments.set, arguments.priority, edges});
  if (!arguments.options.edge_files.checkpoint.empty()) context.log.at_signal(kKeptByCheckpoint);
  Session session = make_session(common.machine, context.log);
  const Database set = session.open(arguments.set, common.open, follow(context.log)).in_file_order();
  ClusterOptions& options = arguments.options;
  options.similarity.strands = common.strands;
  if (!arguments.priority.empty()) options.priority = read_priorities(arguments.priority, set.sequences());
  const Clusters clusters =
      session.cluster(set, common.make_scoring(set.alphabet()), options, files, follow(context.log));
  log_statistics(clusters.statistics, context.log);
  context.log.info(fmt::format(
      "{} similar by {}{}.", format_count(clusters.similar, "pair is", "pairs are"),
      told_similarity(clusters.relations, options.edge_files),
      clusters.equal == 0
          ? std::string()
          : fmt::format("; {} to an earlier one",
                        format_count(clusters.equal, "sequence is equal", "sequences are equal"))));
  context.log.info(describe(clusters));
  log_end(summarize(set.size(), set.size(), clusters.pairs, clusters.cells, context.seconds()), session,
          context.log);
}

}  // namespace

Command add_cluster(CLI::App& program) {
  CLI::App* command =
      program.add_subcommand("cluster", "Clusters of similar sequences, by every pair of a set");
  const auto arguments = std::make_shared<ClusterArguments>();
  command
      ->add_option("SEQS", arguments->set,
                   "The sequences: FASTA or FASTQ, plain, gzip or zstd, or a database of alnus makedb; - is "
                   "standard input")
      ->required();
  constexpr const char* kClusters = "Clusters";
  add_options<ClusterOptions>(*command, kClusters,
                              [arguments]() -> ClusterOptions& { return arguments->options; });
  command
      ->add_option("--priority", arguments->priority,
                   "A table of ids and numbers: sequences with a higher number become representatives first; "
                   "sequences that it does not name have 0. Longer sequences come first among equal numbers")
      ->type_name("FILE")
      ->group(kClusters);
  add_output(*command, arguments->common);
  add_options<ClusterFiles>(*command, "Output", [arguments]() -> ClusterFiles& { return arguments->files; });
  add_similarity_options(*command, arguments->common, arguments->options.similarity.relations);
  add_options<EdgeFiles>(*command, "Similarity",
                         [arguments]() -> EdgeFiles& { return arguments->options.edge_files; });
  command->footer(
      "Example:\n  alnus cluster proteins.fasta -o clusters.tsv\n  alnus cluster proteins.fasta --relation "
      "whole:90 --promise representatives --clstr proteins.clstr");
  return {command, [arguments, command](const Context& context) {
            std::vector<Relation>& relations = arguments->options.similarity.relations;
            settle_relations(*command, arguments->options.edge_files, relations);
            check_relation_options(*command, relations);
            if (is_given(*command, "--choice") && arguments->options.promise == ClusterPromise::components)
              throw Error(
                  ErrorKind::input,
                  "--choice says how representatives are chosen; it is for --promise representatives.");
            run_cluster(*arguments, context);
          }};
}

}  // namespace alnus::cli

// alnus audit: does a later set hold records that are similar to records of an earlier one?
#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <optional>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "alnus/alnus.h"
#include "cli/audit_report.h"
#include "cli/closing_lines.h"
#include "cli/cluster_audit_report.h"
#include "cli/command.h"
#include "cli/common_options.h"
#include "cli/process.h"
#include "cli/relation_options.h"
#include "cli/values.h"
#include "cli/word_options.h"

namespace alnus::cli {
namespace {

struct AuditArguments {
  CommonOptions common;
  std::vector<std::string> sets;
  AuditOptions options;
  std::string splits, clusters;  // files that say in which subset or cluster the records of one file are
  std::optional<ClusterPromise> promise;
  EdgeFiles edge_files;        // with clusters
  std::string pairs, nearest;  // names of the tables
  std::string report;          // name of the HTML report
  std::uint64_t report_size = kReportBytes;

  bool is_of_one_file() const { return !splits.empty() || !clusters.empty(); }
};

void check_places_and_names(const AuditArguments& arguments) {
  const CommonOptions& common = arguments.common;
  const std::vector<std::string> outputs = {common.output.empty() ? "-" : common.output, arguments.pairs,
                                            arguments.nearest, arguments.report};
  std::vector<std::string> inputs = arguments.sets;
  inputs.insert(inputs.end(), {arguments.splits, arguments.clusters});
  for (const std::string& file : files_of(arguments.edge_files)) inputs.push_back(file);
  common.check_files(outputs, inputs);
  check_name(common.output, common.json ? Contents::json_lines : Contents::text);
  check_name(arguments.pairs, Contents::tabs);
  check_name(arguments.nearest, Contents::tabs);
  check_name(arguments.report, Contents::html);
  check_places(outputs);
}

void check_sets(const AuditArguments& arguments) {
  const std::vector<std::string>& sets = arguments.sets;
  if (arguments.is_of_one_file()) {
    if (sets.size() > 1)
      throw Error(ErrorKind::input,
                  fmt::format("{} is about the records of one file, and {} are given. Leave out all but one.",
                              arguments.splits.empty() ? "--clusters" : "--splits", sets.size()));
    return refuse_sharing_stdin(
        {sets.front(), arguments.splits, arguments.clusters, arguments.edge_files.edges});
  }
  if (sets.size() < 2)
    throw Error(ErrorKind::input,
                "An audit compares later sets with the first one: alnus audit TRAIN TEST. Name two files or "
                "more.");
  if (std::ranges::count(sets, "-") > 1)
    throw Error(ErrorKind::input, "Only one input can be -, standard input.");
  for (std::size_t later = 1; later < sets.size(); ++later)
    for (std::size_t earlier = 0; earlier < later; ++earlier) {
      std::error_code no_file;  // is told when the file is opened
      if (sets[later] == sets[earlier] || std::filesystem::equivalent(sets[later], sets[earlier], no_file))
        throw Error(ErrorKind::input,
                    fmt::format("{} and {} are the same file, so that all of it would leak. "
                                "Name each set once.",
                                sets[earlier], sets[later]));
    }
}

std::vector<Database> open_all(Session& session, const AuditArguments& arguments, Log& log) {
  const std::vector<std::string>& names = arguments.sets;
  OpenOptions options = arguments.common.open;
  const Session::Inputs inputs = session.open_sets(names[0], names[1], options, follow(log));
  std::vector<Database> sets = {inputs.first, inputs.second};
  // Further files are read with the alphabet that the first two have, for example by a database file.
  if (options.alphabet == AlphabetChoice::unstated && inputs.first.alphabet() == AlphabetKind::dna)
    options.alphabet = AlphabetChoice::dna;
  for (std::size_t set = 2; set < names.size(); ++set)
    sets.push_back(session.open(names[set], options, follow(log)));
  for (Database& set : sets) set = set.in_file_order();
  return sets;
}

// Throws Error(input) if two records of a set have one id, by which tables could not tell them apart.
void require_distinct_ids(const Database& set, std::string_view option) {
  std::unordered_set<std::string_view> ids;
  for (SequenceSet::Index i = 0; i < set.size(); ++i)
    if (const std::string_view id = set.sequences()[i].id(); !ids.insert(id).second)
      throw Error(ErrorKind::input,
                  fmt::format("Two records of {} {}, so that the table of {} could not tell them apart. Give "
                              "each record an id of its own, or leave {} out.",
                              set.name(), id.empty() ? "have no name" : "have the id " + in_quotes(id),
                              option, option));
}

// Warns of ids that a later set has in common with an earlier one.
void warn_of_common_ids(const std::vector<Database>& sets, Log& log) {
  for (std::size_t later = 1; later < sets.size(); ++later) {
    std::unordered_set<std::string_view> ids;
    for (SequenceSet::Index i = 0; i < sets[later].size(); ++i) ids.insert(sets[later].sequences()[i].id());
    ids.erase("");
    for (std::size_t earlier = 0; earlier < later; ++earlier) {
      std::uint64_t common = 0;
      std::string first;
      for (SequenceSet::Index i = 0; i < sets[earlier].size(); ++i) {
        const std::string_view id = sets[earlier].sequences()[i].id();
        if (ids.contains(id) && ++common == 1) first = id;
      }
      if (common > 0)
        log.warning(
            fmt::format("{} of {} {} also in {} ({}{}). Whether their sequences are similar is "
                        "in the report.",
                        format_count(common, "id", "ids"), sets[earlier].name(), common == 1 ? "is" : "are",
                        sets[later].name(), common == 1 ? "" : "the first is ", in_quotes(first)));
    }
  }
}

// Writes the HTML report by write(file, head), and opens the file, unless none is wanted.
template <class Write>
void write_html(Session& session, const AuditArguments& arguments, const Context& context,
                std::optional<OutputFile>& file, const Write& write) {
  if (arguments.report.empty()) return;
  const std::string left_out =
      write(file.emplace(session, arguments.report), arguments.common.head(context, ""));
  if (!left_out.empty()) context.log.info(left_out);
}

void write_all(Session& session, const AuditArguments& arguments, const AuditedInputs& inputs,
               const std::vector<Database>& sets, const Scoring& scoring, const Context& context) {
  std::optional<OutputFile> pairs, nearest, page;
  write_html(session, arguments, context, page, [&](OutputFile& out, const ReportHead& head) {
    return write_report(out, inputs.audit, sets, inputs.options, scoring, head, arguments.report_size);
  });
  if (!arguments.pairs.empty()) write_leaks(inputs, pairs.emplace(session, arguments.pairs));
  if (!arguments.nearest.empty()) write_nearest(inputs, nearest.emplace(session, arguments.nearest));
  OutputFile report(session, arguments.common.output);
  report.write(arguments.common.json ? audit_json(inputs) : audit_text(inputs));
  if (pairs) pairs->commit();
  if (nearest) nearest->commit();
  if (page) page->commit();
  report.commit();
}

void audit_sets(const AuditArguments& arguments, Session& session, const std::vector<Database>& sets,
                const Context& context) {
  const Scoring scoring = arguments.common.make_scoring(sets.front().alphabet());
  const Audit audit = session.audit(sets, scoring, arguments.options, follow(context.log));
  AuditedInputs inputs{audit, {}, arguments.options};
  std::uint64_t records = 0;
  for (const Database& set : sets) {
    set.check_files();
    inputs.sets.push_back(set.sequences());
    records += set.size();
  }
  write_all(session, arguments, inputs, sets, scoring, context);
  const std::uint64_t first = sets.front().size();
  log_end(summarize(records - first, first, audit.pairs, audit.cells, context.seconds()), session,
          context.log);
  if (!audit.leaks.empty()) context.exit_code = kDoesNotHoldExit;
}

void audit_files(const AuditArguments& arguments, Session& session, const Context& context) {
  const std::vector<Database> sets = open_all(session, arguments, context.log);
  for (const Database& set : sets) {
    if (!arguments.pairs.empty()) require_distinct_ids(set, "--pairs");
    if (!arguments.nearest.empty()) require_distinct_ids(set, "--nearest");
  }
  warn_of_common_ids(sets, context.log);
  audit_sets(arguments, session, sets, context);
}

// Opens the one file of --splits or --clusters, in file order.
Database open_one(Session& session, const AuditArguments& arguments, Log& log) {
  OpenOptions options = arguments.common.open;
  options.verification = Verification::full;  // the records are read before a call of the audit checks them
  return session.open_sets(arguments.sets.front(), "", options, follow(log)).first.in_file_order();
}

void tell_left_out(const RecordSets& sets, Log& log) {
  const auto left_out = static_cast<std::uint64_t>(std::ranges::count(sets.set_of, RecordSets::kNone));
  if (left_out > 0)
    log.warning(fmt::format("{} not in {}, and {} left out.",
                            format_count(left_out, "record is", "records are"), sets.path,
                            left_out == 1 ? "is" : "are"));
}

void audit_split(const AuditArguments& arguments, Session& session, const Context& context) {
  const Database set = open_one(session, arguments, context.log);
  const RecordSets subsets = read_record_sets(arguments.splits, set.sequences());
  tell_left_out(subsets, context.log);
  const std::vector<Database> sets = databases_of(set.sequences(), subsets);
  if (sets.size() < 2)
    throw Error(ErrorKind::input, fmt::format("{} has one subset, {}, so that there is nothing to compare.",
                                              subsets.path, in_quotes(sets.front().name())));
  audit_sets(arguments, session, sets, context);
}

void audit_clusters(const AuditArguments& arguments, Session& session, const Context& context) {
  const Database set = open_one(session, arguments, context.log);
  const RecordSets clusters = read_record_sets(arguments.clusters, set.sequences());
  tell_left_out(clusters, context.log);
  const ClusterAuditOptions options{arguments.options.similarity, arguments.promise, arguments.edge_files};
  const Scoring scoring = arguments.common.make_scoring(set.alphabet());
  const ClusterAudit audit = session.audit_clusters(set, clusters, scoring, options, follow(context.log));
  set.check_files();
  const AuditedClusters inputs{audit, set.sequences(), clusters, options};
  std::optional<OutputFile> pairs, page;
  write_html(session, arguments, context, page, [&](OutputFile& out, const ReportHead& head) {
    return write_report(out, audit, set, clusters, options, scoring, head, arguments.report_size);
  });
  if (!arguments.pairs.empty()) write_pairs_across(inputs, pairs.emplace(session, arguments.pairs));
  OutputFile report(session, arguments.common.output);
  report.write(arguments.common.json ? cluster_audit_json(inputs) : cluster_audit_text(inputs));
  if (pairs) pairs->commit();
  if (page) page->commit();
  report.commit();
  log_end(summarize(set.size(), set.size(), audit.pairs, audit.cells, context.seconds()), session,
          context.log);
  if (!audit.holds) context.exit_code = kDoesNotHoldExit;
}

void run_audit(AuditArguments& arguments, const Context& context) {
  check_sets(arguments);
  check_places_and_names(arguments);
  arguments.options.similarity.strands = arguments.common.strands;
  if (!arguments.edge_files.checkpoint.empty()) context.log.at_signal(kKeptByCheckpoint);
  Session session = make_session(arguments.common.machine, context.log);
  if (!arguments.splits.empty()) return audit_split(arguments, session, context);
  if (!arguments.clusters.empty()) return audit_clusters(arguments, session, context);
  audit_files(arguments, session, context);
}

}  // namespace

Command add_audit(CLI::App& program) {
  CLI::App* command =
      program.add_subcommand("audit", "Records of later sets that are similar to records of earlier ones");
  const auto arguments = std::make_shared<AuditArguments>();
  CommonOptions& common = arguments->common;
  command
      ->add_option(
          "SEQS", arguments->sets,
          "Two files or more, such as train.fasta test.fasta: each is compared with those before it; "
          "with --splits or --clusters one file. FASTA or FASTQ, plain, gzip or zstd, or databases of "
          "alnus makedb; - is standard input")
      ->required();
  constexpr const char* kSets = "Sets";
  CLI::Option* splits = command
                            ->add_option("--splits", arguments->splits,
                                         "A table of ids and subsets: the subsets of one file are compared, "
                                         "the largest one first")
                            ->type_name("FILE")
                            ->group(kSets);
  CLI::Option* clusters =
      command
          ->add_option(
              "--clusters", arguments->clusters,
              "Clusters of MMseqs2 (TSV), CD-HIT (.clstr), GraphPart (CSV) or alnus: pairs of one file "
              "that are similar across clusters")
          ->type_name("FILE")
          ->excludes(splits)
          ->group(kSets);
  add_word<ClusterPromise>(
      *command, "--promise", "WORD",
      "What the clusters promise. components: no two sequences of different clusters are similar; "
      "representatives: each member is similar to its representative, and no two representatives are similar",
      [arguments](ClusterPromise promise) { arguments->promise = promise; })
      ->default_str("components")
      ->needs(clusters)
      ->group(kSets);
  command
      ->add_option_function<std::string>(
          "--evalue",
          [arguments](const std::string& text) {
            arguments->options.evalue = parse_evalue("--evalue", text);
          },
          "Look for the nearest record of each record up to this E-value; it has no influence on what leaks")
      ->type_name("X")
      ->default_str("10")
      ->excludes(clusters)
      ->group("Similarity");
  constexpr const char* kReports = "Output";
  command
      ->add_option("-o,--output", common.output,
                   "Write the report to this file, which appears when it is complete")
      ->type_name("FILE")
      ->default_str("standard output")
      ->group(kReports);
  command->add_flag("--json", common.json, "Write the report as JSON, for programs")->group(kReports);
  command
      ->add_option("--pairs", arguments->pairs,
                   "Write all similar pairs of different sets, with their relation and its value: a table "
                   "with tabs and a line of column names")
      ->type_name("FILE")
      ->group(kReports);
  command
      ->add_option("--nearest", arguments->nearest,
                   "Write the nearest earlier record of each record of the later sets, with E-value, "
                   "identities, coordinates and CIGAR: a table like that of --pairs")
      ->type_name("FILE")
      ->excludes(clusters)
      ->group(kReports);
  add_report(*command, arguments->report, arguments->report_size);
  add_similarity_options(*command, common, arguments->options.similarity.relations);
  add_options<EdgeFiles>(*command, "Similarity",
                         [arguments]() -> EdgeFiles& { return arguments->edge_files; });
  for (const char* name : {"--edges", "--checkpoint"}) command->get_option(name)->needs(clusters);
  command->footer(
      "The exit code is 10 if sets leak or a promise does not hold, and 0 if not.\n\n"
      "Example:\n  alnus audit train.fasta test.fasta --pairs leaks.tsv --nearest nearest.tsv\n"
      "  alnus audit proteins.fasta --splits split.csv\n"
      "  alnus audit proteins.fasta --clusters clusters.tsv --promise representatives --relation whole:50");
  return {command, [arguments, command](const Context& context) {
            std::vector<Relation>& relations = arguments->options.similarity.relations;
            settle_relations(*command, arguments->edge_files, relations);
            check_relation_options(*command, relations);
            run_audit(*arguments, context);
          }};
}

}  // namespace alnus::cli

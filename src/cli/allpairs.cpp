// alnus allpairs: every pair of a set, or every sequence of one set with every sequence of another.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <limits>
#include <memory>
#include <string_view>
#include <vector>

#include "alnus/alnus.h"
#include "cli/command.h"
#include "cli/common_options.h"
#include "cli/progress.h"
#include "cli/report.h"
#include "cli/statistics_options.h"
#include "cli/values.h"

namespace alnus::cli {
namespace {

struct AllPairsArguments {
  CommonOptions common;
  PairFiles files;
  MatrixValue value;
  std::string set, against, added;
  bool self = false, identity_range = false, value_chosen = false;
  StatisticsOptions statistics;
  PairFilter filter;
};

AllPairsOptions options_of(const AllPairsArguments& arguments) {
  const OutputFormat& format = arguments.common.format;
  AllPairsOptions options;
  options.self = arguments.self || arguments.files.square;
  options.detail = arguments.common.detail();
  options.cigars = format.needs_cigars();
  options.filter = arguments.filter;
  options.filter.denominator = arguments.value.denominator;
  options.value = arguments.value;
  options.identity_ranges = format.identity_ranges();
  options.statistics = arguments.statistics;
  options.statistics.preset = arguments.common.scoring.preset;
  options.strands = arguments.common.strands.value_or(Strands::plus);
  options.significance = format.needs_significance();
  return options;
}

// Rows go to standard output where nothing else is asked for.
PairFiles files_of(const AllPairsArguments& arguments, ReportHead head) {
  PairFiles files = arguments.files;
  files.rows = arguments.common.output;
  if (files.rows.empty() && !files.wants_values()) files.rows = "-";
  files.format = arguments.common.format;
  files.head = std::move(head);
  files.other_inputs = {arguments.common.scoring.matrix};
  files.head.max_evalue = arguments.filter.evalue;
  return files;
}

std::string describe_filter(const PairFilter& filter) {
  std::vector<std::string> filters;
  if (filter.min_score) filters.push_back(fmt::format("--min-score {}", *filter.min_score));
  if (filter.min_identity) filters.push_back(fmt::format("--min-identity {}", *filter.min_identity));
  if (filter.min_coverage) filters.push_back(fmt::format("--min-coverage {}", *filter.min_coverage));
  if (filter.min_length) filters.push_back(fmt::format("--min-length {}", *filter.min_length));
  if (filter.evalue) filters.push_back(fmt::format("--evalue {}", *filter.evalue));
  return fmt::format("{}", fmt::join(filters, ", "));
}

// Pairs with nothing to align and those that the filter dropped are not in the list: say how many.
void log_summary(const AllPairsSummary& summary, const PairFilter& filter, bool listed, std::uint64_t rows,
                 std::uint64_t columns, const Context& context) {
  log_statistics(summary.statistics, context.log);
  if (listed && !filter.empty())
    context.log.info(fmt::format("{} listed, {} filtered out ({}).",
                                 format_count(summary.listed, "pair", "pairs"),
                                 format_count(summary.filtered, "pair", "pairs"), describe_filter(filter)));
  if (summary.empty > 0)
    context.log.info(fmt::format("{} of score 0 without a row: nothing in them aligns.",
                                 format_count(summary.empty, "pair", "pairs")));
  context.log.info(summarize(rows, columns, summary.pairs, summary.cells, context.seconds()));
}

// Options of outputs that are not there.
void check_values(const AllPairsArguments& arguments) {
  const PairFiles& files = arguments.files;
  if (arguments.value_chosen && !files.wants_values())
    throw Error(ErrorKind::input,
                "--matrix-value is for --matrix-out and --edges; add one of them, or leave it out.");
  if (files.matrix_type && files.matrix.empty() && files.matrices.empty())
    throw Error(ErrorKind::input, "--matrix-type is for --matrix-out; add it, or leave --matrix-type out.");
}

void run_allpairs(AllPairsArguments arguments, const Context& context) {
  check_values(arguments);
  if (arguments.identity_range) add_identity_range_columns(arguments.common.format);
  const CommonOptions& common = arguments.common;
  const std::string& other = arguments.added.empty() ? arguments.against : arguments.added;
  if (!arguments.added.empty() && !arguments.against.empty())
    throw Error(ErrorKind::input,
                "--add extends the run of one set whose ledger is in --checkpoint DIR; leave --against out.");
  Session session = make_session(common.machine, context.log);
  const Session::Inputs opened = session.open_sets(arguments.set, other, common.open, follow(context.log));
  PairInputs inputs{opened.first, {}, {}};
  if (!arguments.added.empty()) inputs.added = opened.second;
  if (!arguments.against.empty()) inputs.against = opened.second;
  const Scoring scoring = common.make_scoring(inputs.set.alphabet());
  const AllPairsOptions options = options_of(arguments);
  const Database& columns = inputs.against ? *inputs.against : inputs.set;
  const PairFiles files = files_of(arguments, common.head(context, columns.name()));
  if (common.dry_run)
    return print(describe_cost(session.cost_of_all_pairs(inputs, scoring, options, files), common.format,
                               inputs.set.sequences(), columns.sequences()));

  const AllPairsSummary summary = session.all_pairs(inputs, scoring, options, files, follow(context.log));
  if (summary.finished_before) return;
  const std::uint64_t rows = std::uint64_t{inputs.set.size()} + (inputs.added ? inputs.added->size() : 0);
  log_summary(summary, options.filter, !files.rows.empty(), rows,
              inputs.against ? std::uint64_t{columns.size()} : rows, context);
}

constexpr std::array<std::string_view, 4> kValues = {"score", "identity", "distance", "score-distance"};

// "FILE", or "VALUE:FILE" for a matrix of another value than that of --matrix-value. A FILE that begins with
// a word and a colon by itself is "./WORD:FILE".
void add_matrix(PairFiles& files, const std::string& text) {
  const std::size_t colon = text.find(':');
  const bool has_value = colon != std::string::npos && text.find('/') > colon;
  std::string& path =
      has_value
          ? files.matrices[static_cast<PairValue>(choose("--matrix-out", text.substr(0, colon), kValues))]
          : files.matrix;
  const std::string name = has_value ? text.substr(colon + 1) : text;
  if (name.empty()) throw Error(ErrorKind::input, fmt::format("--matrix-out {} names no file.", text));
  if (!path.empty())
    throw Error(ErrorKind::input,
                fmt::format("--matrix-out names {} and {} for one value; VALUE:FILE is a matrix of another "
                            "value.",
                            path, name));
  path = name;
}

void add_pair_files(CLI::App& command, AllPairsArguments& arguments) {
  PairFiles& files = arguments.files;
  constexpr const char* kGroup = "Matrices, distances, edges";
  const auto add_file = [&](const char* name, std::string& path, const char* description) {
    command.add_option(name, path, description)->type_name("FILE")->take_last()->group(kGroup);
  };
  const auto add_word = [&](const char* name, const char* description, const char* default_text,
                            const std::function<void(const std::string&)>& read) {
    command.add_option_function<std::string>(name, read, description)
        ->type_name("WORD")
        ->default_str(default_text)
        ->take_last()
        ->group(kGroup);
  };
  command
      .add_option_function<std::vector<std::string>>(
          "--matrix-out",
          [&files](const std::vector<std::string>& texts) {
            for (const std::string& text : texts) add_matrix(files, text);
          },
          "A value of every pair as a NumPy array (.npy) in SciPy's condensed order, with the ids in "
          "FILE.ids; filters do not matter. VALUE:FILE is a matrix of that value (as --matrix-value); each "
          "value has one file")
      ->type_name("[VALUE:]FILE")
      ->expected(1)
      ->take_all()
      ->group(kGroup);
  command
      .add_flag("--square", files.square,
                "The whole symmetric matrix, every sequence with itself included (as --self)")
      ->group(kGroup);
  add_word("--matrix-value",
           "Of edges, and of the matrix: score, identity (percent), distance (1 - identity), or "
           "score-distance: the lower of both sequences' scores with themselves, less their score",
           "identity", [&arguments](const std::string& text) {
             arguments.value.kind = static_cast<PairValue>(choose("--matrix-value", text, kValues));
             arguments.value_chosen = true;
           });
  add_word("--matrix-type", "float32 or int32 (scores and score distances only)",
           "int32 of these, else float32", [&arguments](const std::string& text) {
             constexpr std::array<std::string_view, 2> kWords = {"float32", "int32"};
             arguments.files.matrix_type = static_cast<MatrixType>(choose("--matrix-type", text, kWords));
           });
  add_word(
      "--identity",
      "What identical residues are divided by, in filters too: columns of the alignment, those ungapped, "
      "the shorter, longer or mean length, or end-gaps: columns with end gaps, as EMBOSS needle does",
      "alignment", [&arguments](const std::string& text) {
        constexpr std::array<std::string_view, kDenominators> kWords = {"alignment", "ungapped", "shorter",
                                                                        "longer",    "mean",     "end-gaps"};
        arguments.value.denominator = static_cast<Denominator>(choose("--identity", text, kWords));
      });
  add_file("--phylip", files.phylip, "Distances (1 - identity) as PHYLIP reads them, lower-triangular");
  add_word("--phylip-names",
           "Names in that file: relaxed, whole; strict, ten characters, as PHYLIP's own programs need",
           "relaxed", [&files](const std::string& text) {
             constexpr std::array<std::string_view, 2> kWords = {"relaxed", "strict"};
             files.phylip_names = static_cast<PhylipNames>(choose("--phylip-names", text, kWords));
           });
  add_file("--edges", files.edges,
           "A line for each pair that passes the filters and --edge-threshold: ids and value, with tabs, or "
           "as CSV "
           "if FILE is .csv, .csv.gz or .csv.zst");
  command
      .add_option_function<std::string>(
          "--edge-threshold",
          [&arguments](const std::string& text) {
            arguments.files.edge_threshold = parse_score("--edge-threshold", text);
          },
          "The lowest score or identity, or the highest distance or score distance, of an edge")
      ->type_name("X")
      ->take_last()
      ->group(kGroup);
}

}  // namespace

Command add_allpairs(CLI::App& program) {
  CLI::App* command = program.add_subcommand("allpairs", "Every pair of a set of sequences, once");
  const auto arguments = std::make_shared<AllPairsArguments>();
  command
      ->add_option("SEQS", arguments->set,
                   "FASTA or FASTQ, plain, gzip or zstd, or a database of alnus makedb; - is standard input")
      ->required();
  command
      ->add_option("--against", arguments->against,
                   "Every sequence of SEQS with every one of this file, instead of SEQS with itself")
      ->type_name("FILE")
      ->take_last()
      ->group("Pairs");
  command->add_flag("--self", arguments->self, "Every sequence with itself, too")->group("Pairs");
  const auto add = [&](const char* name, const char* type, const char* description,
                       const std::function<void(const std::string&)>& read) {
    command->add_option_function<std::string>(name, read, description)
        ->type_name(type)
        ->take_last()
        ->group("Filters (without one, every pair is listed)");
  };
  add("--min-score", "N", "No pairs with a lower score, in the matrix' units",
      [arguments](const std::string& text) {
        arguments->filter.min_score = parse_score("--min-score", text);
      });
  add("--min-identity", "X", "No pairs with a lower identity, in percent; see --identity",
      [arguments](const std::string& text) {
        arguments->filter.min_identity = parse_number("--min-identity", text, 0, 100);
      });
  add("--min-coverage", "X",
      "No pairs whose alignment, from where it begins to where it ends, reaches over fewer percent of a "
      "sequence; see --coverage-of",
      [arguments](const std::string& text) {
        arguments->filter.min_coverage = parse_number("--min-coverage", text, 0, 100);
      });
  add("--coverage-of", "WORD",
      "What --min-coverage is about: both sequences (the default), the shorter, the longer, the query (the "
      "earlier one) or the subject",
      [arguments](const std::string& text) {
        constexpr std::array<std::string_view, 5> kWords = {"shorter", "longer", "query", "subject", "both"};
        arguments->filter.coverage_of = static_cast<CoverageOf>(choose("--coverage-of", text, kWords));
      });
  command->get_option("--coverage-of")->needs("--min-coverage");
  add("--min-length", "N", "No pairs whose alignment has fewer columns",
      [arguments](const std::string& text) {
        constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max();
        arguments->filter.min_length =
            static_cast<std::uint32_t>(parse_count("--min-length", text, 1, kMost));
      });
  add("--evalue", "X", "No pairs with a larger E-value, as in a search of the whole set",
      [arguments](const std::string& text) { arguments->filter.evalue = parse_evalue("--evalue", text); });
  add_identity_range(*command, arguments->identity_range);
  add_statistics_options(*command, arguments->statistics, false);
  add_pair_files(*command, *arguments);
  command
      ->add_option("--checkpoint", arguments->files.checkpoint,
                   "Keeps a ledger of what is done; the same command again goes on from there")
      ->type_name("DIR")
      ->take_last()
      ->group("Long runs");
  command
      ->add_option(
          "--add", arguments->added,
          "SEQS is done, by its ledger in --checkpoint: only the rows of these sequences are computed, "
          "and the outputs extended")
      ->type_name("FILE")
      ->take_last()
      ->group("Long runs");
  add_common_options(*command, arguments->common);
  add_strand(*command, arguments->common, "plus");
  command->footer(
      "Example:\n  alnus allpairs proteins.fasta --mode global --min-identity 30 --identity shorter -o "
      "pairs.tsv.gz\n  alnus allpairs proteins.fasta --mode global --matrix-out identity.npy");
  return {command, [arguments](const Context& context) { run_allpairs(*arguments, context); }};
}

}  // namespace alnus::cli

// alnus bench allpairs: measures how fast all pairs of a set are scored and aligned, for sets of different
// lengths and numbers of sequences.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "alnus/error.h"
#include "alnus/text.h"
#include "bench/commands.h"
#include "bench/data.h"
#include "bench/measure.h"
#include "bench/papers.h"
#include "bench/speed_report.h"
#include "bench/team.h"
#include "bench/work.h"
#include "cli/common_options.h"
#include "cli/values.h"
#include "core/refuse_input.h"

namespace alnus::bench {
namespace {

constexpr std::uint32_t kFewest = 20, kMostOfGrowing = 5120;  // --growing: sizes of the first and last set
constexpr std::uint32_t kReceptors = 12'000, kLengthOfReceptors = 15;

struct AllPairsArguments {
  cli::CommonOptions common;
  std::string set;
  std::vector<std::uint32_t> averages;
  std::optional<std::uint32_t> count;
  bool growing = false;
  std::optional<double> min_score;
  std::uint32_t top_k = 0;
  MeasurementOptions measurement;
};

// The sets of a table of the paper gpu-pairalign-2011.
std::vector<SetSize> paper_sets(const std::string& table) {
  const Paper paper = read_paper("gpu-pairalign-2011");
  std::vector<SetSize> sets;
  for (const PaperRow& row : paper.table(table).rows) sets.push_back(row.cells.back().task->set);
  return sets;
}

std::vector<SetSize> growing_sizes(const AllPairsArguments& arguments) {
  if (!arguments.averages.empty()) refuse_input("Choose either --growing or --lengths.");
  SetSize size = paper_sets("Figure 6").front();
  std::vector<SetSize> sizes;
  for (std::uint64_t count = kFewest; count <= arguments.count.value_or(kMostOfGrowing); count *= 2) {
    size.count = static_cast<std::uint32_t>(count);
    sizes.push_back(size);
  }
  if (sizes.empty()) refuse_input(fmt::format("The smallest set of --growing has {} sequences.", kFewest));
  return sizes;
}

std::vector<SetSize> sizes_of(const AllPairsArguments& arguments) {
  if (arguments.growing) return growing_sizes(arguments);
  const std::vector<SetSize> known = paper_sets("Table 3");
  std::vector<std::uint32_t> averages = arguments.averages;
  if (averages.empty()) {
    for (const SetSize& set : known) averages.push_back(set.average());
    averages.erase(std::unique(averages.begin(), averages.end()), averages.end());
  }
  std::vector<SetSize> sizes;
  for (const std::uint32_t average : averages) {
    if (arguments.count) {
      sizes.push_back(SetSize::around(average, *arguments.count));
      continue;
    }
    const auto has_average = [&](const SetSize& set) { return set == SetSize::around(average, set.count); };
    if (std::ranges::none_of(known, has_average))
      refuse_input(
          fmt::format("--lengths {} needs --count: it is none of 51, 154, 257, 459, 608 and 1103.", average));
    std::ranges::copy_if(known, std::back_inserter(sizes), has_average);
  }
  return sizes;
}

// The scorings to measure: one, or one for each mode if the user chose none. For proteins, what the user does
// not choose is as in the paper gpu-pairalign-2011, which counts gap costs as EMBOSS does.
std::vector<Scoring> scorings_of(const cli::CommonOptions& common, AlphabetKind alphabet) {
  cli::CommonOptions options = common;
  ScoringOptions& scoring = options.scoring;
  const auto set_default = [](std::string& text, const char* value) {
    if (text.empty()) text = value;
  };
  if (scoring.preset.empty() && alphabet == AlphabetKind::protein) {
    set_default(scoring.matrix, "BLOSUM50");
    set_default(scoring.gap_open, "10");
    set_default(scoring.gap_extend, "2");
    set_default(scoring.gap_convention, "emboss");
  }
  if (!scoring.mode.empty() || !scoring.preset.empty()) return {options.make_scoring(alphabet)};
  std::vector<Scoring> all;
  for (const char* mode : {"local", "global", "semiglobal"}) {
    scoring.mode = mode;
    all.push_back(options.make_scoring(alphabet));
  }
  return all;
}

// Devices that work together; `gpus` counts the GPUs among them.
struct DeviceGroup {
  std::size_t gpus = 0;
  std::vector<Device*> devices;
};

// Groups with 1, 2, 4 ... of the GPUs, and one with all; the other devices are in every group.
std::vector<DeviceGroup> groups_of(std::span<Device* const> devices) {
  const auto is_gpu = [](const Device* device) { return device->info().kind == DeviceKind::cuda; };
  const auto gpus = static_cast<std::size_t>(std::ranges::count_if(devices, is_gpu));
  std::vector<std::size_t> counts;
  for (std::size_t count = 1; count < gpus; count *= 2) counts.push_back(count);
  counts.push_back(gpus);
  std::vector<DeviceGroup> groups;
  for (const std::size_t count : counts) {
    DeviceGroup& group = groups.emplace_back();
    for (Device* device : devices) {
      if (is_gpu(device) && group.gpus == count) continue;
      group.gpus += is_gpu(device) ? 1 : 0;
      group.devices.push_back(device);
    }
  }
  return groups;
}

// The results that are computed of a set: alignments, scores, the pairs that score at least `min_score`, or
// the `top_k` nearest of each sequence by score.
struct Wanted {
  Detail detail = Detail::score;
  std::optional<double> min_score{};  // in the matrix' units
  std::uint32_t top_k = 0;

  std::string name() const {
    if (top_k > 0) return fmt::format("top {}", top_k);
    if (min_score) return fmt::format("score >= {}", *min_score);
    return detail == Detail::score ? "score" : "alignment";
  }
};

struct Line {
  Mode mode = Mode::local;
  Wanted wanted;
  std::uint32_t sequences = 0, distinct = 0;
  double average = 0;
  std::uint64_t pairs = 0;
  std::uint64_t found = 0, runs = 0;  // pairs that are wanted; runs of all their CIGARs
  std::size_t gpus = 0;
  Measurement measured;                 // from sequences in host memory to results in host memory
  std::optional<double> times_score{};  // time, divided by the time of the scores alone
  double times_fewest = 1;              // speed, divided by the speed with the fewest GPUs

  double seconds() const { return median(measured.seconds); }
  double microseconds() const { return seconds() * 1e6 / static_cast<double>(pairs); }
};

std::vector<Wanted> wanted_of(const AllPairsArguments& arguments) {
  if (arguments.growing) return {{Detail::alignment}};
  if (arguments.min_score) return {{Detail::score, arguments.min_score}};
  if (arguments.top_k > 0) return {{.top_k = arguments.top_k}};
  return {{Detail::score}, {Detail::alignment}};
}

class Bench {
 public:
  Bench(const AllPairsArguments& arguments, const Team& team, cli::Log& log)
      : stopwatch_(arguments.measurement, log), team_(team), wanted_(wanted_of(arguments)) {}

  // Measures a line for each group of devices and each kind of result. The lines of a group follow each
  // other.
  std::vector<Line> measure(const SpreadSet& set, const Scoring& scoring,
                            std::span<const DeviceGroup> groups) {
    std::vector<Line> lines;
    for (const DeviceGroup& group : groups) {
      for (std::size_t number = 0; number < wanted_.size(); ++number) {
        Line line = measure(set, scoring, wanted_[number], group);
        if (number > 0) line.times_score = line.seconds() / lines.back().seconds();
        const std::size_t place = lines.size();
        if (place >= wanted_.size())
          line.times_fewest = lines[place % wanted_.size()].seconds() / line.seconds();
        lines.push_back(std::move(line));
      }
    }
    return lines;
  }

 private:
  // How often each pair is computed: with top_k once from each of its sequences.
  static std::uint64_t sides(const Wanted& wanted) { return wanted.top_k > 0 ? 2 : 1; }

  Line measure(const SpreadSet& set, const Scoring& scoring, const Wanted& wanted, const DeviceGroup& group) {
    const SequenceSet& sequences = set.sequences;
    Line line{.mode = scoring.mode,
              .wanted = wanted,
              .sequences = sequences.size(),
              .distinct = set.distinct,
              .average = static_cast<double>(sequences.total_residues()) / sequences.size(),
              .pairs = sides(wanted) * pairs_of(sequences),
              .gpus = group.gpus,
              .measured = {}};
    std::uint64_t checksum = 0;
    std::optional<std::int32_t> min_score;
    if (wanted.min_score)
      min_score = static_cast<std::int32_t>(std::clamp<double>(std::ceil(*wanted.min_score * scoring.scale),
                                                               std::numeric_limits<std::int32_t>::min(),
                                                               std::numeric_limits<std::int32_t>::max()));
    const Problem problem{scoring, wanted.detail};
    const auto compute = [&](bool wants_sums) {
      return wanted.top_k > 0
                 ? nearest_of_set(sequences, scoring, wanted.top_k, *team_.call(group.devices))
                 : align_set(sequences, problem, wants_sums, *team_.call(group.devices), min_score);
    };
    const auto sum_up = [&] {
      const PairSums sums = compute(true);
      line.found = sums.pairs;
      line.runs = sums.runs;
      return checksum = sums.checksum;
    };
    const auto run = [&] {
      compute(false);
      return checksum;
    };
    const std::string name =
        fmt::format("{}, {} of average {:.1f}, {}", to_string(scoring.mode),
                    format_count(line.sequences, "sequence", "sequences"), line.average, wanted.name());
    stopwatch_.warm_up(name + ": warming up", group.devices, sum_up);
    line.measured = stopwatch_.measure(name, sides(wanted) * cells_of_pairs(sequences), group.devices, run);
    return line;
  }

  Stopwatch stopwatch_;
  const Team& team_;
  const std::vector<Wanted> wanted_;
};

struct Report {
  std::vector<DeviceInfo> devices;
  std::string file, lengths, scoring;
  SequenceSet source;
  std::uint32_t runs = 0;
  bool several_gpus = false, from_both_sides = false;
  std::vector<Line> lines;
};

std::string table(const Report& report) {
  std::vector<std::vector<std::string>> rows;
  const auto add = [&](std::vector<std::string> first, const std::vector<std::string>& measured,
                       const std::vector<std::string>& last) {
    first.insert(first.end(), measured.begin(), measured.end());
    first.insert(first.end(), last.begin(), last.end());
    rows.push_back(std::move(first));
  };
  add({"mode", "sequences", "distinct", "average", "detail", "found"}, measurement_columns(),
      {"us/pair", "/ score", "checksum"});
  for (const Line& line : report.lines)
    add({std::string(to_string(line.mode)), format_count(line.sequences), format_count(line.distinct),
         fmt::format("{:.1f}", line.average), line.wanted.name(), format_count(line.found)},
        cells_of(line.measured),
        {fmt::format("{:.4f}", line.microseconds()),
         line.times_score ? fmt::format("{:.2f}", *line.times_score) : "",
         format_checksum(line.measured.checksum)});
  if (report.several_gpus) {
    rows.front().insert(rows.front().end() - 1, {"GPUs", "speedup"});
    for (std::size_t i = 0; i < report.lines.size(); ++i)
      rows[i + 1].insert(rows[i + 1].end() - 1, {fmt::format("{}", report.lines[i].gpus),
                                                 fmt::format("{:.2f}", report.lines[i].times_fewest)});
  }
  return aligned(rows);
}

std::string as_text(const Report& report) {
  std::string text = describe_machine(report.devices);
  text += fmt::format("source     {}: {}, {}\n", report.file,
                      format_count(report.source.size(), "sequence", "sequences"),
                      format_count(report.source.total_residues(), "residue", "residues"));
  text += fmt::format("sets       {}\n", report.lengths);
  text += fmt::format("scoring    {}; every pair {}\n", report.scoring,
                      report.from_both_sides ? "from both sides" : "once");
  text += fmt::format("runs       {} of each, after one that is not measured\n\n", report.runs);
  return text + table(report);
}

std::string as_json(const Report& report, const std::string& command_line) {
  nlohmann::ordered_json json = machine_json(command_line, report.devices);
  json["source"] = {{"file", report.file},
                    {"sequences", report.source.size()},
                    {"residues", report.source.total_residues()}};
  json["sets"] = report.lengths;
  json["scoring"] = report.scoring;
  json["lines"] = nlohmann::ordered_json::array();
  for (const Line& line : report.lines) {
    nlohmann::ordered_json entry = {
        {"mode", to_string(line.mode)}, {"detail", line.wanted.name()}, {"gpus", line.gpus},
        {"sequences", line.sequences},  {"distinct", line.distinct},    {"average_length", line.average},
        {"pairs", line.pairs},          {"found", line.found},          {"cigar_runs", line.runs}};
    append(line.measured, entry);
    entry["us_per_pair"] = line.microseconds();
    if (line.times_score) entry["times_score"] = *line.times_score;
    if (report.several_gpus) entry["speedup"] = line.times_fewest;
    json["lines"].push_back(std::move(entry));
  }
  return dump(json);
}

std::vector<SpreadSet> draw_sets(const AllPairsArguments& arguments, const cli::Context& context,
                                 Report& report) {
  const std::vector<SetSize> sizes = sizes_of(arguments);
  report.source = reading_session(arguments.common.machine, context.log)
                      .open_sets(arguments.set, "", arguments.common.open, cli::follow(context.log))
                      .first.sequences();
  report.file = arguments.set;
  report.lengths = fmt::format(
      "lengths spread evenly over {}; of the source's nearest, in turns",
      arguments.growing ? fmt::format("{} to {} residues", sizes.front().shortest, sizes.front().longest)
                        : "0.5 to 1.5 times an average");
  std::vector<SpreadSet> sets;
  sets.reserve(sizes.size());
  for (const SetSize& size : sizes)
    sets.push_back(spread_lengths(report.source, size.count, size.shortest, size.longest));
  return sets;
}

std::vector<SpreadSet> draw_receptors(const AllPairsArguments& arguments, Report& report) {
  if (arguments.growing || std::ranges::any_of(arguments.averages, [](std::uint32_t average) {
        return average != kLengthOfReceptors;
      }))
    refuse_input(fmt::format(
        "Without SEQS the set has sequences like those of T-cell receptors, {} residues on average; "
        "for others give SEQS.",
        kLengthOfReceptors));
  if (arguments.common.open.alphabet == AlphabetChoice::dna)
    refuse_input("Without SEQS the sequences are proteins; give SEQS, or leave --alphabet out.");
  report.source = receptor_sequences(arguments.count.value_or(kReceptors));
  report.file = "drawn";
  report.lengths = "sequences like the CDR3s of T-cell receptors, 11 to 20 residues";
  std::set<std::string> distinct;
  for (SequenceSet::Index i = 0; i < report.source.size(); ++i) {
    const std::span<const Residue> residues = report.source.residues(i);
    distinct.emplace(residues.begin(), residues.end());
  }
  return {{report.source, static_cast<SequenceSet::Index>(distinct.size())}};
}

void run_allpairs(const AllPairsArguments& arguments, const cli::Context& context) {
  const cli::CommonOptions& common = arguments.common;
  ThreadPool threads(threads_of(common.machine));
  const Team team(common.machine, threads, context.log);
  Report report;
  const std::vector<SpreadSet> sets =
      arguments.set.empty() ? draw_receptors(arguments, report) : draw_sets(arguments, context, report);
  const std::vector<Scoring> scorings = scorings_of(common, report.source.alphabet());
  const std::vector<DeviceGroup> groups = groups_of(team.devices());
  report.devices = team.infos();
  report.scoring = describe_costs(scorings.front());
  report.runs = arguments.measurement.runs;
  report.several_gpus = groups.size() > 1;
  report.from_both_sides = arguments.top_k > 0;

  Bench bench(arguments, team, context.log);
  for (const Scoring& scoring : scorings)
    for (const SpreadSet& set : sets)
      std::ranges::move(bench.measure(set, scoring, groups), std::back_inserter(report.lines));
  print(arguments.measurement.json ? as_json(report, context.command_line) : as_text(report));
}

void add_allpairs_options(CLI::App& command, AllPairsArguments& arguments) {
  add_measurement_option(command, "--lengths", "LIST", "Average lengths of the sets",
                         "51,154,257,459,608,1103; without SEQS 15", [&](const std::string& text) {
                           arguments.averages.clear();
                           for (const std::string& word : cli::split_at_commas(text))
                             arguments.averages.push_back(
                                 static_cast<std::uint32_t>(cli::parse_count("--lengths", word, 1, 100'000)));
                         });
  add_measurement_option(
      command, "--count", "N", "Sequences of each set; with --growing, of the largest at most",
      "800 to 12000, by length; without SEQS 12000; --growing: 5120", [&](const std::string& text) {
        arguments.count = static_cast<std::uint32_t>(cli::parse_count("--count", text, 2, 1'000'000));
      });
  command
      .add_flag("--growing", arguments.growing,
                "Instead: alignments of sets of 20, 40, 80, ... sequences of 100 to 420 residues")
      ->group("Measurement");
  command
      .add_option_function<std::string>(
          "--min-score",
          [&](const std::string& text) { arguments.min_score = cli::parse_score("--min-score", text); },
          "Instead: the pairs that score at least this, in the matrix' units; devices may keep the others "
          "back")
      ->type_name("N")
      ->group("Measurement");
  command.get_option("--min-score")->excludes("--growing");
  command
      .add_option_function<std::string>(
          "--top-k",
          [&](const std::string& text) {
            arguments.top_k = static_cast<std::uint32_t>(
                cli::parse_count("--top-k", text, 1, std::numeric_limits<std::uint32_t>::max()));
          },
          "Instead: of each sequence the N nearest by score; devices may keep the others back")
      ->type_name("N")
      ->group("Measurement");
  command.get_option("--top-k")->excludes("--growing")->excludes("--min-score");
  add_measurement_options(command, arguments.measurement);
}

}  // namespace

cli::Command add_allpairs(CLI::App& bench) {
  CLI::App* command =
      bench.add_subcommand("allpairs", "The speed of scores and alignments of every pair of a set");
  const auto arguments = std::make_shared<AllPairsArguments>();
  command->add_option(
      "SEQS", arguments->set,
      "Sequences to draw sets from: a file as of alnus allpairs. Without it a set is drawn like "
      "the CDR3s of T-cell receptors, 11 to 20 residues");
  add_allpairs_options(*command, *arguments);
  cli::add_scoring_options(*command, arguments->common);
  for (const auto& [name, text] : {std::pair{"--mode", "each of the three"},
                                   {"--matrix", "BLOSUM50; dna: NUC44"},
                                   {"--gap-open", "10; dna: by matrix"},
                                   {"--gap-extend", "2; dna: by matrix"},
                                   {"--gap-convention", "emboss; dna: ncbi"}})
    command->get_option(name)->default_str(text);
  cli::add_machine_options(*command, arguments->common);
  cli::add_log_options(*command);
  command->footer(
      "Example:\n  alnus bench allpairs proteins.fasta --lengths 257,459 --count 2000\n  alnus bench "
      "allpairs proteins.fasta --growing --mode local\n  alnus bench allpairs --count 100000 --mode global "
      "--min-score 75");
  return {command, [arguments](const cli::Context& context) { run_allpairs(*arguments, context); }};
}

}  // namespace alnus::bench

// alnus bench search: measures how fast a search is when the devices hold the database already.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "alnus/error.h"
#include "alnus/text.h"
#include "bench/commands.h"
#include "bench/data.h"
#include "bench/measure.h"
#include "bench/speed_report.h"
#include "bench/team.h"
#include "bench/work.h"
#include "cli/common_options.h"
#include "cli/word_options.h"
#include "core/strands.h"

namespace alnus {
namespace bench {

enum class Data : std::uint8_t { real, permuted, equal };

}  // namespace bench

template <>
inline constexpr std::array kWords<bench::Data> = {Word{"real", bench::Data::real},
                                                   Word{"permuted", bench::Data::permuted},
                                                   Word{"equal", bench::Data::equal}};

}  // namespace alnus

namespace alnus::bench {
namespace {

struct SearchArguments {
  cli::CommonOptions common;
  std::string queries, database;
  Data data = Data::real;
  std::optional<std::uint32_t> subjects, length;
  std::string written;  // the file of --write-database
  std::uint32_t max_target_seqs = 10;
  bool per_query = false;
  MeasurementOptions measurement;
};

// The measurement of one query, or of all queries as one batch: from queries in memory to hits in memory.
struct Line {
  std::string query;  // its id; empty for the batch
  std::uint64_t queries = 0, residues = 0;
  Measurement measured;  // its checksum is that of the hits
};

struct Report {
  std::vector<DeviceInfo> devices;
  std::string queries, database, data;  // the two files, and the word of --data
  std::uint64_t subjects = 0, residues = 0, longest = 0;
  std::string scoring, detail;
  std::uint32_t max_target_seqs = 0;
  double first_seconds = 0;  // time of the first run, which is not measured and uploads the database
  std::vector<Line> lines;   // the last line is that of all queries
};

double uploading(const Report& report) {
  return std::max(report.first_seconds - median(report.lines.back().measured.seconds), 0.0);
}

std::string table(const std::vector<Line>& lines) {
  std::vector<std::vector<std::string>> rows;
  const auto add = [&](std::string query, std::string residues, const std::vector<std::string>& measured) {
    rows.push_back({std::move(query), std::move(residues)});
    rows.back().insert(rows.back().end(), measured.begin(), measured.end());
  };
  add("query", "residues", measurement_columns());
  for (const Stage& stage : lines.back().measured.stages) rows.front().push_back(stage.name + " ms");
  for (const Line& line : lines) {
    add(line.query.empty() ? fmt::format("all {}", format_count(line.queries)) : line.query,
        format_count(line.residues), cells_of(line.measured));
    for (const Stage& stage : line.measured.stages)
      rows.back().push_back(milliseconds(median(stage.seconds)));
  }
  return aligned(rows);
}

std::string as_text(const Report& report) {
  const Line& all = report.lines.back();
  std::string text = describe_machine(report.devices);
  text += fmt::format("queries    {}: {}, {}\n", report.queries,
                      format_count(all.queries, "sequence", "sequences"),
                      format_count(all.residues, "residue", "residues"));
  text += fmt::format("database   {}, {}: {}, {}, longest {}\n", report.database, report.data,
                      format_count(report.subjects, "sequence", "sequences"),
                      format_count(report.residues, "residue", "residues"), format_count(report.longest));
  text += fmt::format("search     {}; detail {}, {} of each query\n", report.scoring, report.detail,
                      format_count(report.max_target_seqs, "hit", "hits"));
  text += fmt::format("runs       {}; upload and first run: {} ms more than the median\n\n",
                      all.measured.seconds.size(), milliseconds(uploading(report)));
  return text + table(report.lines) +
         fmt::format("\nchecksum   {}\n", format_checksum(all.measured.checksum));
}

std::string as_json(const Report& report, const std::string& command_line) {
  nlohmann::ordered_json json = machine_json(command_line, report.devices);
  json["queries"] = report.queries;
  json["database"] = {{"file", report.database},
                      {"data", report.data},
                      {"sequences", report.subjects},
                      {"residues", report.residues},
                      {"longest", report.longest}};
  json["scoring"] = report.scoring;
  json["detail"] = report.detail;
  json["max_target_seqs"] = report.max_target_seqs;
  json["first_run_s"] = report.first_seconds;
  json["upload_and_first_run_s"] = uploading(report);
  json["lines"] = nlohmann::ordered_json::array();
  for (const Line& line : report.lines) {
    nlohmann::ordered_json entry = {
        {"query", line.query}, {"queries", line.queries}, {"residues", line.residues}};
    append(line.measured, entry);
    json["lines"].push_back(std::move(entry));
  }
  return dump(json);
}

void check(const SearchArguments& arguments) {
  if (arguments.subjects && arguments.data == Data::real)
    throw Error(ErrorKind::input, "--subjects needs --data permuted or equal: real data is taken as it is.");
  if (arguments.length && arguments.data != Data::equal)
    throw Error(ErrorKind::input, "--length needs --data equal: other subjects have the lengths of DB's.");
}

SequenceSet make_subjects(const SearchArguments& arguments, const SequenceSet& database, ThreadPool& threads,
                          cli::Log& log) {
  if (arguments.data == Data::real) return database;
  const Clock::time_point start = Clock::now();
  const bool equal = arguments.data == Data::equal;
  const std::uint32_t subjects = arguments.subjects.value_or(equal ? 1'000'000 : 500'000);
  const std::uint32_t length = arguments.length.value_or(512);
  const std::uint64_t average = equal ? length : database.total_residues() / std::max(database.size(), 1u);
  check_memory(subjects, subjects * average, arguments.common.machine.memory_bytes);
  SequenceSet made = equal ? equal_subjects(database, subjects, length, threads)
                           : permuted_subjects(database, subjects, threads);
  log.info(fmt::format("{}, {} made of {} in {}.", format_count(made.size(), "subject", "subjects"),
                       format_count(made.total_residues(), "residue", "residues"), database.origin(),
                       format_seconds(seconds_since(start))));
  return made;
}

// Searches one database again and again.
class Bench {
 public:
  Bench(const SearchArguments& arguments, const Team& team, const SequenceSet& subjects,
        const Scoring& scoring, cli::Log& log)
      : subjects_(std::make_shared<const SortedSequences>(subjects)),
        scoring_(scoring),
        team_(team),
        stopwatch_(arguments.measurement, log),
        log_(log) {
    options_.asked.detail = arguments.common.detail();
    options_.asked.max_target_seqs = arguments.max_target_seqs;
    options_.asked.evalue = 1e300;  // no hit is filtered out
    options_.asked.significance = false;
    options_.asked.strands =
        arguments.common.strands.value_or(default_search_strands(scoring.matrix.alphabet()));
    options_.memory_bytes = arguments.common.machine.memory_bytes;
  }

  // Runs once, which uploads the database, and returns the seconds that this took.
  double warm_up(const SequenceSet& queries) {
    const double seconds =
        stopwatch_.warm_up("upload and first run", team_.devices(), [&] { return search(queries); });
    log_.info(fmt::format("Upload and first run: {}.", format_seconds(seconds)));
    return seconds;
  }

  Line measure(const SequenceSet& queries, const std::string& name) {
    return {name, queries.size(), queries.total_residues(),
            stopwatch_.measure(name.empty() ? "all queries" : name,
                               queries.total_residues() * subjects_->set().total_residues() *
                                   strands_of_each(options_.strands()),
                               team_.devices(), [&] { return search(queries); })};
  }

 private:
  std::uint64_t search(const SequenceSet& queries) {
    return search_hits(queries, subjects_, scoring_, options_, *team_.call());
  }

  const std::shared_ptr<const SortedSequences> subjects_;
  const Scoring& scoring_;
  engine::SearchOptions options_;
  const Team& team_;
  Stopwatch stopwatch_;
  cli::Log& log_;
};

void run_search(const SearchArguments& arguments, const cli::Context& context) {
  check(arguments);
  const cli::CommonOptions& common = arguments.common;
  common.check_files({arguments.written}, {arguments.queries, arguments.database});
  ThreadPool threads(threads_of(common.machine));
  const Team team(common.machine, threads, context.log);
  Session session = reading_session(common.machine, context.log);
  const Session::Inputs inputs =
      session.open_search(arguments.queries, arguments.database, common.open, cli::follow(context.log));
  const SequenceSet& queries = inputs.first.sequences();
  const Scoring scoring = common.make_scoring(queries.alphabet());
  const SequenceSet subjects = make_subjects(arguments, inputs.second.sequences(), threads, context.log);
  if (!arguments.written.empty()) return write_fasta(subjects, arguments.written, threads);

  Report report;
  report.devices = team.infos();
  report.queries = arguments.queries;
  report.database = arguments.database;
  report.data = word_of(arguments.data);
  report.subjects = subjects.size();
  report.residues = subjects.total_residues();
  report.longest = subjects.longest();
  report.scoring = fmt::format("{}, {}", to_string(scoring.mode), describe_costs(scoring));
  report.detail = word_of(common.detail());
  report.max_target_seqs = arguments.max_target_seqs;

  Bench bench(arguments, team, subjects, scoring, context.log);
  report.first_seconds = bench.warm_up(queries);
  if (arguments.per_query)
    for (SequenceSet::Index query = 0; query < queries.size(); ++query)
      report.lines.push_back(bench.measure(one_of(queries, query), std::string(queries[query].id())));
  report.lines.push_back(bench.measure(queries, ""));
  print(arguments.measurement.json ? as_json(report, context.command_line) : as_text(report));
}

void add_search_options(CLI::App& command, SearchArguments& arguments) {
  const auto add = [&](const char* name, const char* type, const char* description, const char* default_text,
                       const std::function<void(const std::string&)>& read) {
    add_measurement_option(command, name, type, description, default_text, read);
  };
  const auto count = [](const char* name, auto& value) {
    return [name, &value](const std::string& text) { value = parse_number(name, text, 1); };
  };
  cli::add_word<Data>(
      command, "--data", "WORD",
      "The subjects. real: DB as it is; permuted: sequences drawn from DB, residues in random order; "
      "equal: random sequences of one length, composed as DB",
      [&](Data data) { arguments.data = data; })
      ->default_str("real")
      ->group("Measurement");
  add("--subjects", "N", "How many to make", "permuted: 500000; equal: 1000000",
      count("--subjects", arguments.subjects));
  add("--length", "N", "Residues of each, with --data equal", "512", count("--length", arguments.length));
  add("--write-database", "FILE", "Write the subjects as FASTA, and end; .gz and .zst are compressed", "",
      [&](const std::string& text) { arguments.written = text; });
  command.add_flag("--per-query", arguments.per_query, "Measure each query alone too")->group("Measurement");
  add("--max-target-seqs", "N", "Hits of each query", "10",
      count("--max-target-seqs", arguments.max_target_seqs));
  arguments.common.chosen_detail = Detail::score;
  cli::add_detail(command, arguments.common, "score", "score, ends or alignment")->group("Measurement");
  add_measurement_options(command, arguments.measurement);
}

}  // namespace

cli::Command add_search(CLI::App& bench) {
  CLI::App* command = bench.add_subcommand("search", "The speed of searches in a database that is loaded");
  const auto arguments = std::make_shared<SearchArguments>();
  cli::add_search_inputs(*command, arguments->queries, arguments->database);
  add_search_options(*command, *arguments);
  cli::add_scoring_options(*command, arguments->common);
  cli::add_strand(*command, arguments->common, "dna: both");
  cli::add_machine_options(*command, arguments->common);
  cli::add_log_options(*command);
  command->footer("Example:\n  alnus bench search queries.fasta proteins.fasta --data permuted --per-query");
  return {command, [arguments](const cli::Context& context) { run_search(*arguments, context); }};
}

}  // namespace alnus::bench

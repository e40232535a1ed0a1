// alnus bench search: how fast a search is when the devices hold the database.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <chrono>
#include <fmt/format.h>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "alnus/error.h"
#include "cli/bench_data.h"
#include "cli/bench_report.h"
#include "cli/command.h"
#include "cli/common_options.h"
#include "cli/estimate.h"
#include "cli/inputs.h"
#include "cli/report.h"
#include "cli/units.h"
#include "cli/values.h"
#include "engine/search.h"
#include "io/database.h"

namespace alnus::cli {
namespace {

enum class Data { real, permuted, equal };
constexpr std::array<std::string_view, 3> kData = {"real", "permuted", "equal"};
constexpr std::array<std::string_view, 3> kDetails = {"score", "ends", "alignment"};

struct BenchArguments {
  CommonOptions common;
  std::string queries, database;
  Data data = Data::real;
  std::optional<std::uint32_t> subjects, length;
  std::string written;  // --write-database
  std::uint32_t runs = 5, max_target_seqs = 10;
  bool per_query = false, json = false;
};

using Clock = std::chrono::steady_clock;
double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

void check(const BenchArguments& arguments) {
  if (arguments.subjects && arguments.data == Data::real)
    throw Error(ErrorKind::input, "--subjects needs --data permuted or equal: real data is taken as it is.");
  if (arguments.length && arguments.data != Data::equal)
    throw Error(ErrorKind::input, "--length needs --data equal: other subjects have the lengths of DB's.");
}

// Before the system ends the program for it.
void check_memory(std::uint64_t subjects, std::uint64_t length, std::uint64_t memory_bytes) {
  constexpr std::uint64_t kOffsetsAndHeader = 32;
  const std::uint64_t bytes = subjects * (length + kOffsetsAndHeader);
  if (bytes > memory_bytes)
    throw Error(ErrorKind::memory, fmt::format("{} would take about {} of memory, and --memory allows {}.",
                                               format_count(subjects, "subject", "subjects"),
                                               format_bytes(static_cast<double>(bytes)),
                                               format_bytes(static_cast<double>(memory_bytes))));
}

SequenceSet make_subjects(const BenchArguments& arguments, const SequenceSet& database, Log& log) {
  if (arguments.data == Data::real) return database;
  const Clock::time_point start = Clock::now();
  const bool equal = arguments.data == Data::equal;
  const std::uint32_t subjects = arguments.subjects.value_or(equal ? 1'000'000 : 500'000);
  const std::uint32_t length = arguments.length.value_or(512);
  check_memory(subjects, equal ? length : database.total_residues() / std::max(database.size(), 1u),
               arguments.common.memory_bytes);
  SequenceSet made =
      equal ? equal_subjects(database, subjects, length) : permuted_subjects(database, subjects);
  log.info(fmt::format("{}, {} made of {} in {}.", format_count(made.size(), "subject", "subjects"),
                       format_count(made.total_residues(), "residue", "residues"), database.origin(),
                       format_seconds(seconds_since(start))));
  return made;
}

// FNV-1a, of 32 bits at a time.
class Checksum {
 public:
  void add(std::uint32_t value) { sum_ = (sum_ ^ value) * 0x100000001b3; }
  std::uint64_t sum() const { return sum_; }

 private:
  std::uint64_t sum_ = 0xcbf29ce484222325;
};

// Searches one database again and again.
class Bench {
 public:
  Bench(const BenchArguments& arguments, const Devices& devices, SequenceSet subjects, const Scoring& scoring,
        Log& log)
      : runs_(arguments.runs), subjects_(std::move(subjects)), scoring_(scoring), log_(log) {
    for (const std::unique_ptr<Device>& device : devices) devices_.push_back(device.get());
    options_.detail = arguments.common.detail();
    options_.max_target_seqs = arguments.max_target_seqs;
    options_.evalue = 1e300;  // always the best hits, however bad
    options_.memory_bytes = arguments.common.memory_bytes;
  }

  // The seconds of a run that is not measured, and which uploads the database.
  double warm_up(const SequenceSet& queries) {
    log_.status("upload and first run");
    Checksum checksum;
    const double seconds = search(queries, checksum);
    log_.info(fmt::format("Upload and first run: {}.", format_seconds(seconds)));
    for (Device* device : devices_) device->take_stage_times();
    return seconds;
  }

  BenchLine measure(const SequenceSet& queries, const std::string& name) {
    BenchLine line{name,
                   queries.size(),
                   queries.total_residues(),
                   queries.total_residues() * subjects_.total_residues(),
                   {},
                   {},
                   0};
    for (std::uint32_t run = 0; run < runs_; ++run) {
      log_.status(fmt::format("{}: run {} of {}", name.empty() ? "all queries" : name, run + 1, runs_));
      Checksum checksum;
      line.seconds.push_back(search(queries, checksum));
      add_stages(line.stages, run);
      if (run > 0 && checksum.sum() != line.checksum)
        throw Error(ErrorKind::other, "Internal error: two runs of one search gave different hits.");
      line.checksum = checksum.sum();
    }
    log_.status({});
    return line;
  }

 private:
  double search(const SequenceSet& queries, Checksum& checksum) {
    engine::Progress progress;
    progress.warn = [this](const std::string& message) { log_.warning(message); };
    const Clock::time_point start = Clock::now();
    engine::search(queries, subjects_, scoring_, options_, devices_, progress,
                   [&](SequenceSet::Index query, std::span<const io::Hit> hits, const auto*) {
                     for (const io::Hit& hit : hits) {
                       checksum.add(query);
                       checksum.add(subjects_.file_order(hit.subject_index));
                       checksum.add(static_cast<std::uint32_t>(hit.alignment.score));
                     }
                   });
    return seconds_since(start);
  }

  void add_stages(std::vector<BenchStage>& stages, std::uint32_t run) const {
    for (Device* device : devices_)
      for (const StageTime& time : device->take_stage_times()) {
        auto stage = std::find_if(stages.begin(), stages.end(),
                                  [&](const BenchStage& known) { return known.name == time.name; });
        if (stage == stages.end()) stage = stages.insert(stage, {time.name, std::vector<double>(runs_)});
        stage->seconds[run] += time.seconds;
      }
  }

  const std::uint32_t runs_;
  const SequenceSet subjects_;
  const Scoring& scoring_;
  engine::SearchOptions options_;
  std::vector<Device*> devices_;
  Log& log_;
};

SequenceSet one_of(const SequenceSet& queries, SequenceSet::Index query) {
  SequenceSetBuilder builder(queries.alphabet(), queries.origin());
  builder.add(queries[query].header, queries.residues(query));
  return builder.finish();
}

void run_bench(const BenchArguments& arguments, const Session& session) {
  check(arguments);
  const Devices devices = arguments.common.make_devices(session.log);
  const Inputs inputs =
      read_search_inputs(arguments.queries, arguments.database, arguments.common.alphabet, session.log);
  const Scoring scoring = make_scoring(arguments.common, inputs.queries.alphabet());
  if (is_database_name(arguments.database)) io::verify_database(arguments.database);
  const SequenceSet subjects = make_subjects(arguments, inputs.subjects, session.log);
  if (!arguments.written.empty()) return write_fasta(subjects, arguments.written);

  BenchReport report;
  report.command_line = session.command_line;
  for (const std::unique_ptr<Device>& device : devices) report.devices.push_back(device->info());
  report.queries = arguments.queries;
  report.database = arguments.database;
  report.data = kData[static_cast<std::size_t>(arguments.data)];
  report.subjects = subjects.size();
  report.residues = subjects.total_residues();
  report.longest = subjects.longest();
  report.scoring =
      fmt::format("{}, {}, gaps {}", to_string(scoring.mode), scoring.matrix.name(), scoring.format_gaps());
  report.detail = kDetails[static_cast<std::size_t>(arguments.common.detail())];
  report.max_target_seqs = arguments.max_target_seqs;

  Bench bench(arguments, devices, subjects, scoring, session.log);
  report.first_seconds = bench.warm_up(inputs.queries);
  if (arguments.per_query)
    for (SequenceSet::Index query = 0; query < inputs.queries.size(); ++query)
      report.lines.push_back(
          bench.measure(one_of(inputs.queries, query), std::string(inputs.queries[query].id())));
  report.lines.push_back(bench.measure(inputs.queries, ""));
  print(arguments.json ? as_json(report) : as_text(report));
}

void add_options(CLI::App& command, BenchArguments& arguments) {
  const auto add = [&](const char* name, const char* type, const char* description, const char* default_text,
                       const std::function<void(const std::string&)>& read) {
    command.add_option_function<std::string>(name, read, description)
        ->type_name(type)
        ->default_str(default_text)
        ->take_last()
        ->group("Measurement");
  };
  constexpr std::uint64_t kMost = std::numeric_limits<std::int32_t>::max();
  const auto count = [](const char* name, auto& value) {
    return [name, &value](const std::string& text) {
      value = static_cast<std::uint32_t>(parse_count(name, text, 1, kMost));
    };
  };
  add("--data", "WORD",
      "real: DB as it is; permuted: sequences drawn from DB, residues in random order; equal: random "
      "sequences of one length, composed as DB",
      "real",
      [&](const std::string& text) { arguments.data = static_cast<Data>(choose("--data", text, kData)); });
  add("--subjects", "N", "How many to make", "permuted: 500000; equal: 1000000",
      count("--subjects", arguments.subjects));
  add("--length", "N", "Residues of each, with --data equal", "512", count("--length", arguments.length));
  add("--write-database", "FILE", "Write the subjects as FASTA, and end; .gz and .zst are compressed", "",
      [&](const std::string& text) { arguments.written = text; });
  add("--runs", "N", "Of which the median is told", "5", count("--runs", arguments.runs));
  command.add_flag("--per-query", arguments.per_query, "Measure each query alone too")->group("Measurement");
  add("--max-target-seqs", "N", "Hits of each query", "10",
      count("--max-target-seqs", arguments.max_target_seqs));
  arguments.common.chosen_detail = Detail::score;
  add_detail(command, arguments.common, "score", "score, ends or alignment")->group("Measurement");
  command.add_flag("--json", arguments.json, "For programs")->group("Measurement");
}

}  // namespace

Command add_bench_search(CLI::App& bench) {
  CLI::App* command = bench.add_subcommand("search", "The speed of searches in a database that is loaded");
  const auto arguments = std::make_shared<BenchArguments>();
  add_search_inputs(*command, arguments->queries, arguments->database);
  add_options(*command, *arguments);
  add_scoring_options(*command, arguments->common);
  add_machine_options(*command, arguments->common);
  add_quiet(*command);
  command->footer("Example:\n  alnus bench search queries.fasta proteins.fasta --data permuted --per-query");
  return {command, [arguments](const Session& session) { run_bench(*arguments, session); }};
}

}  // namespace alnus::cli

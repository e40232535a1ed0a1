#include "cli/parts.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <deque>
#include <filesystem>
#include <fmt/format.h>
#include <iostream>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <stop_token>
#include <string_view>
#include <thread>

#include "alnus/devices.h"
#include "alnus/error.h"
#include "alnus/output.h"
#include "cli/closing_lines.h"
#include "cli/values.h"

namespace alnus::cli {
namespace {

using Json = nlohmann::ordered_json;

PartOfJob parse_part(const std::string& text) {
  constexpr std::uint64_t kMost = 10'000'000;
  const std::size_t slash = text.find('/');
  if (slash == std::string::npos)
    throw Error(
        ErrorKind::input,
        fmt::format("--part is I/N, the number of a part and how many there are, such as 3/64, not {}.",
                    text));
  PartOfJob part;
  part.count = parse_count("--part", text.substr(slash + 1), 1, kMost);
  const std::string number = text.substr(0, slash);
  part.number = number == "-" ? 0 : parse_count("--part", number, 1, part.count);
  return part;
}

PartOfJob parse_request(const std::string& line, std::size_t count) {
  const std::size_t dash = line.find('-');
  PartOfJob part;
  part.count = count;
  part.number = parse_count("--part", line.substr(0, dash), 1, count);
  if (dash != std::string::npos)
    part.more = parse_count("--part", line.substr(dash + 1), part.number, count) - part.number;
  return part;
}

// The lines of standard input, which a thread reads while parts are computed.
class Requests {
 public:
  // The object of this process, which is never deleted: its thread may wait for standard input until the
  // process ends.
  static Requests& of_process(std::size_t parts) {
    static Requests& requests = *new Requests(parts);
    return requests;
  }
  Requests(const Requests&) = delete;
  Requests& operator=(const Requests&) = delete;

  // Waits for the next request; empty at the end of standard input. Throws Error(input) for a line that is no
  // request, and what refuse_end() throws if requests are waiting at the end of standard input.
  std::optional<PartOfJob> next() {
    std::unique_lock lock(mutex_);
    current_.clear();
    changed_.wait(lock, [this] { return ended_ || !lines_.empty(); });
    if (ended_ && (failed_ || !lines_.empty())) refuse_end(lock);
    if (ended_) return std::nullopt;
    current_ = std::move(lines_.front());
    lines_.pop_front();
    stop_ = std::stop_source();
    if (stopped_.erase(first_of(current_)) > 0) stop_.request_stop();
    return parse_request(current_, parts_);
  }
  // The stop token of the request that next() returned last.
  std::stop_token stop() {
    const std::scoped_lock lock(mutex_);
    return stop_.get_token();
  }
  bool ended() {
    const std::scoped_lock lock(mutex_);
    return ended_;
  }
  // Says why the waiting requests are not computed after the end of standard input: one of them is wrong
  // (Error(input)), or the program that sent them is gone (Error(other)).
  [[noreturn]] void refuse_end() { refuse_end(std::unique_lock(mutex_)); }

 private:
  explicit Requests(std::size_t parts) : parts_(parts) {
    std::thread([this] { read(); }).detach();
  }

  [[noreturn]] void refuse_end(const std::unique_lock<std::mutex>& /*lock*/) const {
    if (failed_) throw Error(ErrorKind::input, "Cannot read the requests: standard input is closed.");
    for (const std::string& line : lines_) parse_request(line, parts_);
    throw Error(ErrorKind::other,
                "Standard input ended before all parts that were asked for were computed: keep it open until "
                "they are answered.");
  }

  void read() {
    for (std::string line; std::getline(std::cin, line);) {
      const std::scoped_lock lock(mutex_);
      const std::string first = line.starts_with(kStop) ? line.substr(kStop.size()) : "";
      if (!first.empty() && first.find_first_not_of("0123456789") == std::string::npos)
        stop(first);
      else
        lines_.push_back(line);
      changed_.notify_all();
    }
    const std::scoped_lock lock(mutex_);
    ended_ = true;
    failed_ = std::ferror(stdin) != 0;
    stop_.request_stop();
    changed_.notify_all();
  }

  static std::string first_of(const std::string& line) { return line.substr(0, line.find('-')); }
  void stop(const std::string& first) {
    if (first_of(current_) == first)
      stop_.request_stop();
    else if (std::ranges::find(lines_, first, first_of) != lines_.end())
      stopped_.insert(first);
  }

  static constexpr std::string_view kStop = "stop ";
  const std::size_t parts_;  // the number of parts of the job
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::string> lines_;  // waiting requests
  std::set<std::string> stopped_;  // first parts of waiting requests that were stopped before they began
  std::string current_;
  std::stop_source stop_;
  bool ended_ = false, failed_ = false;  // failed_: standard input could not be read
};

std::uint64_t size_of(const std::string& path) {
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  return error ? 0 : size;
}

double gcups_of(const Session& session) {
  double gcups = 0;
  for (const DeviceDescription& device : session.devices()) gcups += device.gcups;
  return gcups;
}

void serve_parts(const Plan& plan, const std::string& path, const Session& session, Log& log,
                 const ComputePart& compute) {
  Json first = {{"alnus", version()},
                {"gcups", gcups_of(session)},
                {"parts", plan.parts.size()},
                {"cells", Json::array()}};
  for (const PlannedPart& part : plan.parts) first["cells"].push_back(part.cells);
  print(first.dump() + '\n');
  Requests& requests = Requests::of_process(plan.parts.size());
  while (const std::optional<PartOfJob> wanted = requests.next()) {
    const PartOfJob& part = *wanted;
    RunControl run = follow(log);
    run.stop = requests.stop();
    const std::uint64_t begin = size_of(path);
    const auto start = std::chrono::steady_clock::now();
    Json answer = {{"first", part.number}, {"last", part.last()}};
    try {
      const ComputedPart computed = compute(part, {path, true}, run);
      answer["begin"] = begin;
      answer["end"] = size_of(path);
      answer["pairs"] = computed.pairs;
      answer["cells"] = computed.cells;
      answer["devices"] = describe_devices_used(session);
    } catch (const Interrupted&) {
      if (requests.ended()) requests.refuse_end();
      answer["stopped"] = true;
    }
    answer["seconds"] = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    print(answer.dump() + '\n');
  }
}

}  // namespace

void add_part(CLI::App& command, PartChoice& part) {
  command
      .add_option_function<std::string>(
          "--part", [&part](const std::string& text) { part = parse_part(text); },
          "Compute part I of N of the job, into the file of -o; alnus merge makes the outputs from all "
          "parts. -/N: a program hands out the numbers on standard input")
      ->type_name("I/N")
      ->group("Long runs");
}

void check_part(const CommonOptions& options) {
  if (options.dry_run)
    throw Error(
        ErrorKind::input,
        "--dry-run tells what the whole job would cost, of which each part takes about the same: leave "
        "--part out.");
  if (options.output.empty())
    throw Error(ErrorKind::input, "--part needs -o FILE: a part is a file, which alnus merge reads.");
}

void compute_parts(const PartOfJob& part, const std::string& path, const Session& session,
                   const Context& context, const ComputePart& compute,
                   const std::function<Plan(std::size_t parts)>& plan) {
  context.log.at_signal(
      part.number == 0
          ? "parts that were not answered are to be computed again."
          : fmt::format("part {} of {} was not kept, and is to be computed again.", part.number, part.count));
  if (part.number == 0) return serve_parts(plan(part.count), path, session, context.log, compute);
  const ComputedPart computed = compute(part, path, follow(context.log));
  log_end(summarize_part(part, computed.pairs, computed.cells, context.seconds()), session, context.log);
}

void find_statistics(Session& session, const Database& database, const Scoring& scoring,
                     const StatisticsOptions& statistics, Log& log) {
  SearchOptions options{.detail = Detail::score};
  options.statistics = statistics;
  session.search(
      database.part(0, 0).stated(), database, scoring, options, [](const SearchBatch&) {}, follow(log));
}

}  // namespace alnus::cli

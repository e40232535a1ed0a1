#include "bench/measure.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <limits>

#include "alnus/error.h"
#include "cli/values.h"

namespace alnus::bench {

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

void expect_same(const std::string& name, std::uint64_t first, std::uint64_t second) {
  if (first != second)
    throw Error(ErrorKind::other, fmt::format("Internal error: two runs gave different results ({}).", name));
}

double Stopwatch::warm_up(const std::string& name, std::span<Device* const> devices,
                          const std::function<std::uint64_t()>& run) {
  log_.status(name);
  const Clock::time_point start = Clock::now();
  run();
  const double seconds = seconds_since(start);
  log_.status({});
  for (Device* device : devices) device->take_stage_times();
  return seconds;
}

Measurement Stopwatch::measure(const std::string& name, std::uint64_t cells, std::span<Device* const> devices,
                               const std::function<std::uint64_t()>& run) {
  Measurement measured{.cells = cells};
  for (std::uint32_t i = 0; i < runs_; ++i) {
    log_.status(fmt::format("{}: run {} of {}", name, i + 1, runs_));
    const Clock::time_point start = Clock::now();
    const std::uint64_t checksum = run();
    measured.seconds.push_back(seconds_since(start));
    add_stages(devices, i, measured.stages);
    if (i > 0) expect_same(name, measured.checksum, checksum);
    measured.checksum = checksum;
  }
  log_.status({});
  return measured;
}

void Stopwatch::add_stages(std::span<Device* const> devices, std::uint32_t run,
                           std::vector<Stage>& stages) const {
  for (Device* device : devices)
    for (const StageTime& time : device->take_stage_times()) {
      auto stage = std::find_if(stages.begin(), stages.end(),
                                [&](const Stage& known) { return known.name == time.name; });
      if (stage == stages.end()) stage = stages.insert(stage, {time.name, std::vector<double>(runs_)});
      stage->seconds[run] += time.seconds;
    }
}

CLI::Option* add_measurement_option(CLI::App& command, const char* name, const char* type,
                                    const char* description, const char* default_text,
                                    const std::function<void(const std::string&)>& read) {
  return command.add_option_function<std::string>(name, read, description)
      ->type_name(type)
      ->default_str(default_text)
      ->group("Measurement");
}

void add_json(CLI::App& command, bool& json) {
  command.add_flag("--json", json, "Print JSON, for programs")->group("Measurement");
}

void add_measurement_options(CLI::App& command, MeasurementOptions& options) {
  add_measurement_option(command, "--runs", "N", "How often to measure; the median counts",
                         std::to_string(options.runs).c_str(),
                         [&](const std::string& text) { options.runs = parse_number("--runs", text, 1); });
  add_json(command, options.json);
}

std::uint32_t parse_number(const char* option, const std::string& text, std::uint32_t lowest) {
  return static_cast<std::uint32_t>(
      cli::parse_count(option, text, lowest, std::numeric_limits<std::int32_t>::max()));
}

}  // namespace alnus::bench

// Measures work in several runs, and adds the options of measurements to commands.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "cli/log.h"
#include "core/device.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace alnus::bench {

using Clock = std::chrono::steady_clock;
double seconds_since(Clock::time_point start);

// FNV-1a that takes 32 bits at a time.
class Checksum {
 public:
  void add(std::uint32_t value) { sum_ = (sum_ ^ value) * 0x100000001b3; }
  std::uint64_t sum() const { return sum_; }

 private:
  std::uint64_t sum_ = 0xcbf29ce484222325;
};

struct Stage {
  std::string name;
  std::vector<double> seconds;  // one sum over all devices for each run
};

struct Measurement {
  std::uint64_t cells = 0;        // without any padding
  std::vector<double> seconds{};  // one for each run
  std::vector<Stage> stages{};    // empty if the devices measure none
  std::uint64_t checksum = 0;     // the same for equal results
};

double median(std::vector<double> values);

struct MeasurementOptions {
  std::uint32_t runs = 5;
  bool json = false;
};

// Throws Error if the checksums of two runs differ. `name` names the work in the message.
void expect_same(const std::string& name, std::uint64_t first, std::uint64_t second);

// Measures work. `run` does the work once and returns the checksum of its results; `name` names the work in
// the status line and in errors.
class Stopwatch {
 public:
  Stopwatch(const MeasurementOptions& options, cli::Log& log) : runs_(options.runs), log_(log) {}

  // Runs once before the measured runs, and returns the seconds that it took.
  double warm_up(const std::string& name, std::span<Device* const> devices,
                 const std::function<std::uint64_t()>& run);
  // Measures all runs. Throws Error if two runs have different results.
  Measurement measure(const std::string& name, std::uint64_t cells, std::span<Device* const> devices,
                      const std::function<std::uint64_t()>& run);

 private:
  void add_stages(std::span<Device* const> devices, std::uint32_t run, std::vector<Stage>& stages) const;

  const std::uint32_t runs_;
  cli::Log& log_;
};

// Adds an option to the group Measurement of the help; `read` takes the value from its text.
CLI::Option* add_measurement_option(CLI::App& command, const char* name, const char* type,
                                    const char* description, const char* default_text,
                                    const std::function<void(const std::string&)>& read);
// Adds --json.
void add_json(CLI::App& command, bool& json);
// Adds --runs and --json. `options` holds their defaults, and must outlive the parsing.
void add_measurement_options(CLI::App& command, MeasurementOptions& options);

// Reads a whole number that is at least `lowest`. Throws Error(input) naming the option.
std::uint32_t parse_number(const char* option, const std::string& text, std::uint32_t lowest);

}  // namespace alnus::bench

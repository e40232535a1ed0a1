// Work that is measured again and again, and the options that say how often.
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
}

namespace alnus::cli {

using Clock = std::chrono::steady_clock;
double seconds_since(Clock::time_point start);

// FNV-1a, of 32 bits at a time.
class Checksum {
 public:
  void add(std::uint32_t value) { sum_ = (sum_ ^ value) * 0x100000001b3; }
  std::uint64_t sum() const { return sum_; }

 private:
  std::uint64_t sum_ = 0xcbf29ce484222325;
};

struct BenchStage {
  std::string name;
  std::vector<double> seconds;  // by run, of all devices together
};

struct Measurement {
  std::uint64_t cells = 0;           // of the unpadded problem
  std::vector<double> seconds{};     // by run
  std::vector<BenchStage> stages{};  // where devices tell them
  std::uint64_t checksum = 0;        // of the results
};

double median(std::vector<double> values);

struct BenchOptions {
  std::uint32_t runs = 5;
  bool json = false;
};

// Throws Error when two runs of the work `name` had different checksums.
void expect_same(const std::string& name, std::uint64_t first, std::uint64_t second);

// Runs return the checksum of their results.
class Stopwatch {
 public:
  Stopwatch(const BenchOptions& options, Log& log) : runs_(options.runs), log_(log) {}

  // The seconds of a run that is not measured. `name`: of the work, for the status line.
  double warm_up(const std::string& name, std::span<Device* const> devices,
                 const std::function<std::uint64_t()>& run);
  // Throws Error when two runs have different results.
  Measurement measure(const std::string& name, std::uint64_t cells, std::span<Device* const> devices,
                      const std::function<std::uint64_t()>& run);

 private:
  void add_stages(std::span<Device* const> devices, std::uint32_t run, std::vector<BenchStage>& stages) const;

  const std::uint32_t runs_;
  Log& log_;
};

// An option of the group Measurement, whose value `read` takes from the text.
void add_bench_option(CLI::App& command, const char* name, const char* type, const char* description,
                      const char* default_text, const std::function<void(const std::string&)>& read);
// --runs and --json, whose defaults are what `options` has.
void add_bench_options(CLI::App& command, BenchOptions& options);

// The value of an option that is a whole number from `lowest` on.
std::uint32_t parse_number(const char* option, const std::string& text, std::uint32_t lowest);

}  // namespace alnus::cli

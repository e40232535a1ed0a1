// What a measurement found, as a table and for programs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/device.h"

namespace alnus::cli {

struct BenchStage {
  std::string name;
  std::vector<double> seconds;  // by run, of all devices together
};

// One query alone, or all of them as one batch.
struct BenchLine {
  std::string query;  // its id; empty: all
  std::uint64_t queries = 0, residues = 0;
  std::uint64_t cells = 0;         // of the unpadded problem
  std::vector<double> seconds;     // by run: from queries in memory to hits in memory
  std::vector<BenchStage> stages;  // where devices tell them
  std::uint64_t checksum = 0;      // of the hits
};

struct BenchReport {
  std::string command_line;
  std::vector<DeviceInfo> devices;
  std::string queries, database, data;  // two files, and what was made of the second
  std::uint64_t subjects = 0, residues = 0, longest = 0;
  std::string scoring, detail;
  std::uint32_t max_target_seqs = 0;
  double first_seconds = 0;      // the run before all others, which uploads the database
  std::vector<BenchLine> lines;  // the last: all queries
};

std::string as_text(const BenchReport& report);
std::string as_json(const BenchReport& report);

}  // namespace alnus::cli

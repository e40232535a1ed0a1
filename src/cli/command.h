// The subcommands: each file adds its options to the command line and says what runs.
#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "cli/log.h"

namespace CLI {
class App;
}

namespace alnus::cli {

// What a subcommand is given when it runs.
struct Session {
  Log& log;
  std::string command_line;  // as typed, for the heads of reports
  std::chrono::steady_clock::time_point start;

  double seconds() const {  // of the whole run
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
};

struct Command {
  CLI::App* app = nullptr;
  std::function<void(const Session&)> run;  // throws alnus::Error and what else main() knows
};

Command add_makedb(CLI::App& program);
Command add_dbinfo(CLI::App& program);
Command add_search(CLI::App& program);
Command add_align(CLI::App& program);
Command add_allpairs(CLI::App& program);
Command add_calibrate(CLI::App& program);
Command add_devices(CLI::App& program);
// bench: a command that holds commands
Command add_bench_search(CLI::App& bench);
Command add_bench_allpairs(CLI::App& bench);
Command add_bench_papers(CLI::App& bench);

}  // namespace alnus::cli

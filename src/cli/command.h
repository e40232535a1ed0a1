// The subcommands. Each has a file, which adds its options to the command line and runs it.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "cli/log.h"

namespace CLI {
class App;
}

namespace alnus::cli {

// What a subcommand gets when it runs.
struct Context {
  Log& log;
  std::string command_line;  // as the user typed it, for the heads of reports
  std::chrono::steady_clock::time_point start;
  int& exit_code;  // 0, unless the command has done its work and sets kDoesNotHoldExit (process.h)

  double seconds() const {  // since the program started
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
};

struct Command {
  CLI::App* app = nullptr;
  std::function<void(const Context&)> run;  // may throw any exception that main() catches
};

Command add_makedb(CLI::App& program);
Command add_dbinfo(CLI::App& program);
Command add_search(CLI::App& program);
Command add_align(CLI::App& program);
Command add_allpairs(CLI::App& program);
Command add_audit(CLI::App& program);
Command add_cluster(CLI::App& program);
Command add_split(CLI::App& program);
Command add_verify(CLI::App& program);
Command add_merge(CLI::App& program);
Command add_calibrate(CLI::App& program);
Command add_devices(CLI::App& program);
Command add_pages(CLI::App& program);
// Adds the commands above to the program and returns them, in the order in which the help lists them.
std::vector<Command> add_commands(CLI::App& program);

// "alnus 0.1.0 (commit 3097d79c41fe)"; without the commit if the build has none.
std::string build_name();
// A JSON object with the version, the commit (null: none is known), the compiler, CUDA's toolkit (null: built
// without GPUs), the libraries, and what `alnus devices --json` prints.
std::string version_json();

}  // namespace alnus::cli

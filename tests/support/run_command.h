// Programs as subprocesses.
#pragma once

#include <string>
#include <sys/types.h>
#include <vector>

#include "support/temp_dir.h"

namespace alnus::test {

struct CommandResult {
  int exit_code = -1;  // 128 + signal for a process that a signal ended
  std::string out, err;
};

struct RunOptions {
  std::string input;      // what the program reads from standard input
  std::string out_path;   // standard output goes here instead of CommandResult::out
  std::string directory;  // to run in; empty: this one
};

// A program that has begun; the first word is its path. Standard input, output and error are files.
class RunningCommand {
 public:
  explicit RunningCommand(const std::vector<std::string>& words, const RunOptions& options = {});
  ~RunningCommand();  // kills it if nobody waited
  RunningCommand(const RunningCommand&) = delete;
  RunningCommand& operator=(const RunningCommand&) = delete;

  void send(int signal) const;
  CommandResult wait();

 private:
  TempDir files_;
  pid_t pid_ = -1;
};

CommandResult run_command(const std::vector<std::string>& words, const RunOptions& options = {});

}  // namespace alnus::test

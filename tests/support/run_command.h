// Runs programs as subprocesses.
#pragma once

#include <string>
#include <sys/types.h>
#include <vector>

#include "support/temp_dir.h"

namespace alnus::test {

struct CommandResult {
  int exit_code = -1;  // 128 + the signal's number if a signal ended the process
  std::string out, err;
};

struct RunOptions {
  std::string input;      // what the program reads from standard input
  std::string out_path;   // the file of standard output; empty: CommandResult::out has it
  std::string directory;  // the program's working directory; empty: the current one
};

// A program that was started. The first word is its path. Its standard input, output and error are files.
class RunningCommand {
 public:
  explicit RunningCommand(const std::vector<std::string>& words, const RunOptions& options = {});
  ~RunningCommand();  // kills the program unless wait() was called
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

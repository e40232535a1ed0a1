// Messages of the program to the user. All go to standard error.
#pragma once

#include <mutex>
#include <string>
#include <string_view>

#include "alnus/run.h"

namespace alnus::cli {

// The option of the command line that an identifier of the API stands for: "max_target_seqs" is
// --max-target-seqs.
std::string flag_of(std::string_view identifier);
// The library's text, with each marked option as its flag.
std::string in_flags(std::string_view marked);

// Thread-safe. Each message is a line of its own. The next message or status line overwrites a status line.
class Log {
 public:
  explicit Log(bool quiet = false);
  ~Log();
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;

  void info(std::string_view message);
  void warning(std::string_view message);
  void error(std::string_view message);  // written even if the log is quiet
  void say(const Message& message);      // writes a message of the library
  // Shows a status line, if standard error is a terminal. An empty line removes the one that is shown.
  void status(std::string_view line);

  bool quiet() const { return quiet_; }
  bool on_terminal() const { return on_terminal_; }

 private:
  void say(std::string_view what, std::string_view message);

  const bool quiet_;
  const bool on_terminal_;
  std::mutex mutex_;
  bool status_shown_ = false;
};

}  // namespace alnus::cli

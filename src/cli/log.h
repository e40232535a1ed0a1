// Messages of the program to the user. All go to standard error.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>

#include "alnus/run.h"

namespace alnus::cli {

// The library's text, with each marked option as its flag.
std::string in_flags(std::string_view marked);

// Thread-safe. Each message is a line of its own, in which control characters of names and ids are shown as
// \xNN (printable()). The next message or status line overwrites a status line.
class Log {
 public:
  // What is written besides errors.
  enum class Amount : std::uint8_t { all, no_progress, none };
  explicit Log(Amount amount = Amount::all);
  ~Log();
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;

  void info(std::string_view message);
  void warning(std::string_view message);
  void error(std::string_view message);  // always written
  void usage(std::string_view message);  // an error of several lines, as UsageError has
  void say(const Message& message);      // writes a message of the library
  // Sets what a signal that ends the process says of the outputs (process.h), unless the amount is `none`.
  void at_signal(std::string_view outputs) const;
  // Shows a status line, if standard error is a terminal. An empty line removes the one that is shown.
  void status(std::string_view line);

  bool shows_progress() const { return amount_ == Amount::all; }
  bool on_terminal() const { return on_terminal_; }

 private:
  void say(std::string_view what, std::string_view message);

  const Amount amount_;
  const bool on_terminal_;
  std::mutex mutex_;
  bool status_shown_ = false;
};

// The control for one call (progress_line.cpp). The call's messages become lines of the log. Its progress is
// a moving bar if standard error is a terminal, a line every ten seconds if not, and nothing if the log shows
// no progress. `log` must outlive the call.
RunControl follow(Log& log);

}  // namespace alnus::cli

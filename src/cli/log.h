// What the program says to the user while it works: everything goes to standard error.
#pragma once

#include <mutex>
#include <string>
#include <string_view>

namespace alnus::cli {

// Thread-safe. Every message is a line of its own; a status line is overwritten by whatever comes next.
class Log {
 public:
  explicit Log(bool quiet = false);
  ~Log();
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;

  void info(std::string_view message);
  void warning(std::string_view message);
  void error(std::string_view message);  // said even when quiet
  // Of a terminal only; empty: takes the line away.
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

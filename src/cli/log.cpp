#include "cli/log.h"

#include <cerrno>
#include <unistd.h>

#include "alnus/error.h"
#include "alnus/text.h"
#include "cli/process.h"

namespace alnus::cli {
namespace {

constexpr std::string_view kEraseLine = "\r\x1b[K";

// Writes all of the text at once, so that lines of several processes do not mix. Ignores errors: if standard
// error was closed, nobody reads it.
void write_to_stderr(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

}  // namespace

std::string in_flags(std::string_view marked) { return render_options(marked, flag_of); }

Log::Log(Amount amount) : amount_(amount), on_terminal_(::isatty(STDERR_FILENO) == 1) {}

Log::~Log() { status({}); }

void Log::info(std::string_view message) {
  if (amount_ != Amount::none) say("", printable(message));
}

void Log::warning(std::string_view message) {
  if (amount_ != Amount::none) say("warning: ", printable(message));
}

void Log::error(std::string_view message) { say("error: ", printable(message)); }

void Log::usage(std::string_view message) { say("error: ", message); }

void Log::say(const Message& message) {
  const std::string text = message.text(flag_of);
  message.severity == Severity::warning ? warning(text) : info(text);
}

void Log::at_signal(std::string_view outputs) const {
  if (amount_ != Amount::none) tell_at_signal(outputs);
}

void Log::say(std::string_view what, std::string_view message) {
  const std::lock_guard lock(mutex_);
  std::string text(status_shown_ ? kEraseLine : "");
  text.append("alnus: ").append(what).append(message).append("\n");
  status_shown_ = false;
  write_to_stderr(text);
}

void Log::status(std::string_view line) {
  const std::lock_guard lock(mutex_);
  if (!shows_progress() || !on_terminal_ || (line.empty() && !status_shown_)) return;
  status_shown_ = !line.empty();
  write_to_stderr(std::string(kEraseLine).append(line));
}

}  // namespace alnus::cli

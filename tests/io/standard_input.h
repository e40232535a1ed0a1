// Standard input that comes from a text.
#pragma once

#include <cerrno>
#include <csignal>
#include <string>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <utility>

namespace alnus::test {

// While an object of this class lives, standard input is a pipe, as a shell makes it. A thread writes the
// text.
class StandardInput {
 public:
  explicit StandardInput(std::string text) : text_(std::move(text)), saved_(::dup(STDIN_FILENO)) {
    int ends[2] = {};
    if (::pipe(ends) != 0) throw std::system_error(errno, std::generic_category());
    ::dup2(ends[0], STDIN_FILENO);
    ::close(ends[0]);
    writer_ = std::thread([this, end = ends[1]] {
      for (std::size_t at = 0; at < text_.size();) {
        const ssize_t count = ::write(end, text_.data() + at, text_.size() - at);
        if (count <= 0) break;
        at += static_cast<std::size_t>(count);
      }
      ::close(end);
    });
  }
  ~StandardInput() {
    // If the test has not read everything, the writer's next write fails.
    const auto handler = std::signal(SIGPIPE, SIG_IGN);
    ::dup2(saved_, STDIN_FILENO);
    ::close(saved_);
    writer_.join();
    std::signal(SIGPIPE, handler);
  }
  StandardInput(const StandardInput&) = delete;
  StandardInput& operator=(const StandardInput&) = delete;

 private:
  std::string text_;
  int saved_;
  std::thread writer_;
};

}  // namespace alnus::test

#include "api/support/process.h"

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace alnus::test {
namespace {

std::uint64_t status_kilobytes(const std::string& name) {
  return std::strtoull(field_of("self/status", name).c_str(), nullptr, 10);
}

void write_all(int fd, const std::string& text) {
  for (std::size_t at = 0; at < text.size();) {
    const ssize_t count = ::write(fd, text.data() + at, text.size() - at);
    if (count <= 0) return;
    at += static_cast<std::size_t>(count);
  }
}

[[noreturn]] void be_child(int out, const std::function<std::string()>& run, unsigned limit_seconds) {
  ::alarm(limit_seconds);
  int code = 0;
  std::string text;
  try {
    text = run();
  } catch (const std::exception& error) {
    text = std::string("the child threw: ") + error.what();
    code = 1;
  } catch (...) {
    text = "the child threw";
    code = 1;
  }
  write_all(out, text);
  ::_exit(code);
}

}  // namespace

std::vector<int> threads_of_process() {
  std::vector<int> threads;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/task"))
    threads.push_back(std::stoi(entry.path().filename().string()));
  return threads;
}

std::size_t open_files() {
  const std::filesystem::directory_iterator files("/proc/self/fd");
  return static_cast<std::size_t>(std::distance(files, std::filesystem::directory_iterator()));
}

double processor_seconds() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

std::uint64_t resident_bytes() { return 1024 * status_kilobytes("VmRSS"); }
std::uint64_t peak_resident_bytes() { return 1024 * status_kilobytes("VmHWM"); }

bool reset_peak_resident() {
  std::ofstream file("/proc/self/clear_refs");
  file << "5";
  return static_cast<bool>(file.flush());
}

std::string field_of(const std::string& path, const std::string& name) {
  std::ifstream file("/proc/" + path);
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with(name + ":")) continue;
    const std::size_t begin = line.find_first_not_of(" \t", name.size() + 1);
    return begin == std::string::npos ? "" : line.substr(begin);
  }
  return "";
}

bool soon(const std::function<bool()>& predicate) {
  for (int k = 0; k < 500; ++k) {
    if (predicate()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return predicate();
}

ChildResult in_child(const std::function<std::string()>& run, unsigned limit_seconds) {
  int ends[2] = {};
  if (::pipe(ends) != 0) throw std::runtime_error("cannot make a pipe");
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(ends[0]);
    ::setenv("ALNUS_TEST_DEVICES", "cpu", 1);  // a child cannot use the GPUs that its parent has used
    be_child(ends[1], run, limit_seconds);
  }
  ::close(ends[1]);
  if (child < 0) throw std::runtime_error("cannot fork");
  ChildResult result;
  char buffer[4096];
  for (ssize_t count = 0; (count = ::read(ends[0], buffer, sizeof(buffer))) > 0;)
    result.text.append(buffer, static_cast<std::size_t>(count));
  ::close(ends[0]);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status)) result.exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
  return result;
}

}  // namespace alnus::test

// Runs the built program in a directory that each test has for itself. The program's cache of calibrations is
// empty at the beginning of a test.
#pragma once

#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

#include "support/run_command.h"
#include "support/temp_dir.h"

namespace alnus::test {

using ::testing::HasSubstr;
using ::testing::Not;

// True if programs can be given a terminal.
inline bool has_terminals() {
  const int terminal = ::posix_openpt(O_RDWR | O_NOCTTY);
  return terminal >= 0 && ::close(terminal) == 0;
}
inline constexpr const char* kNoTerminals = "no pseudo-terminal here, as in a chroot without /dev/pts";

// Returns the words of `words`, and those of `more` after them.
inline std::vector<std::string> both(std::vector<std::string> words, const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

class CliTest : public ::testing::Test {
 protected:
  CliTest() { ::setenv("XDG_CACHE_HOME", cache_.path().c_str(), 1); }
  ~CliTest() override { ::unsetenv("XDG_CACHE_HOME"); }

  // Runs the program with these arguments in the test's directory, so that file names may be relative.
  CommandResult alnus(std::vector<std::string> arguments, RunOptions options = {}) const {
    options.directory = directory_.path().string();
    return run_command(words(std::move(arguments)), options);
  }
  CommandResult shell(const std::string& script) const {
    RunOptions options;
    options.directory = directory_.path().string();
    return run_command({"/bin/bash", "-c", script, "bash", ALNUS_PROGRAM}, options);
  }
  static std::vector<std::string> words(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), ALNUS_PROGRAM);
    return arguments;
  }

  std::string path(const std::string& name) const { return directory_.file(name); }
  void write(const std::string& name, const std::string& bytes) const { directory_.write_file(name, bytes); }
  std::string read(const std::string& name) const { return read_file(path(name)); }

  std::set<std::string> files() const {
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(directory_.path()))
      names.insert(entry.path().filename().string());
    return names;
  }

 private:
  const TempDir directory_, cache_;
};

}  // namespace alnus::test

// A directory of its own for each test, and the built program in it.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "support/run_command.h"

namespace alnus::test {

using ::testing::HasSubstr;
using ::testing::Not;

class CliTest : public ::testing::Test {
 protected:
  CliTest() {
    std::string pattern = (std::filesystem::temp_directory_path() / "alnus-cli-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("cannot create " + pattern);
    directory_ = pattern;
  }
  ~CliTest() override {
    std::error_code ignored;
    std::filesystem::remove_all(directory_, ignored);
  }

  // The program with these arguments, in the test's directory: file names are relative.
  CommandResult alnus(std::vector<std::string> arguments, RunOptions options = {}) const {
    options.directory = directory_;
    return run_command(words(std::move(arguments)), options);
  }
  CommandResult shell(const std::string& script) const {
    RunOptions options;
    options.directory = directory_;
    return run_command({"/bin/bash", "-c", script, "bash", ALNUS_PROGRAM}, options);
  }
  static std::vector<std::string> words(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), ALNUS_PROGRAM);
    return arguments;
  }

  std::string path(const std::string& name) const { return directory_ + "/" + name; }
  void write(const std::string& name, const std::string& bytes) const { write_whole_file(path(name), bytes); }
  std::string read(const std::string& name) const { return read_whole_file(path(name)); }

  std::set<std::string> files() const {
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(directory_))
      names.insert(entry.path().filename().string());
    return names;
  }

  const std::string& directory() const { return directory_; }

 private:
  std::string directory_;
};

}  // namespace alnus::test

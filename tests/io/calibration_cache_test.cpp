#include "io/calibration_cache.h"

#include <cstdlib>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "support/temp_dir.h"

namespace alnus::io {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// A variable of the environment, until the end of a test.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    set(value);
  }
  ~Variable() { set(before_); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  void set(const std::string& value) const {
    if (value.empty()) {
      ::unsetenv(name_);
    } else {
      ::setenv(name_, value.c_str(), 1);
    }
  }
  const char* name_;
  std::string before_;
};

class CalibrationCacheTest : public testing::Test {
 protected:
  CalibrationCache cache(
      const std::string& open = "11",
      const stats::Background& background = stats::default_background(AlphabetKind::protein)) {
    ScoringOptions options;
    options.gap_open = open;
    return {make_scoring(options), background,
            [this](const std::string& message) { messages_.push_back(message); }};
  }
  static stats::Calibration calibration() {
    stats::Calibration result;
    result.lambda = {1.0 / 3, 0.01};
    result.K = {0.04, 0.002};
    result.alpha = {1.9, 0.1};
    result.alpha_v = {42.6, 2};
    result.sigma = {43.6, 3};
    result.beta = -26.6;
    result.ungapped = {0.3176, 0.134, 0.4012, 0.7916, 4.96466};
    result.pairs = 1000;
    result.length = 2000;
    result.precision = 0.01;
    result.seconds = 1.5;
    return result;
  }
  std::vector<std::filesystem::path> files() const {
    std::vector<std::filesystem::path> result;
    if (std::filesystem::exists(directory_.file("alnus")))
      for (const auto& entry : std::filesystem::directory_iterator(directory_.file("alnus")))
        result.push_back(entry.path());
    return result;
  }

  test::TempDir directory_;
  Variable cache_home_{"XDG_CACHE_HOME", directory_.path().string()};
  std::vector<std::string> messages_;
};

TEST_F(CalibrationCacheTest, KeepsEveryDigit) {
  EXPECT_FALSE(cache().find(0.01));
  cache().store(calibration());
  const auto found = cache().find(0.01);
  ASSERT_TRUE(found);
  const stats::Calibration expected = calibration();
  EXPECT_EQ(found->lambda.value, expected.lambda.value);
  EXPECT_EQ(found->lambda.error, expected.lambda.error);
  EXPECT_EQ(found->K.value, expected.K.value);
  EXPECT_EQ(found->alpha.value, expected.alpha.value);
  EXPECT_EQ(found->alpha_v.error, expected.alpha_v.error);
  EXPECT_EQ(found->sigma.value, expected.sigma.value);
  EXPECT_EQ(found->beta, expected.beta);
  EXPECT_EQ(found->ungapped.alpha_v, expected.ungapped.alpha_v);
  EXPECT_EQ(found->pairs, expected.pairs);
  EXPECT_EQ(found->length, expected.length);
  EXPECT_EQ(found->seconds, expected.seconds);
  EXPECT_THAT(messages_, ElementsAre());
}

TEST_F(CalibrationCacheTest, OtherScoringsAreOthers) {
  cache().store(calibration());
  EXPECT_FALSE(cache("12").find(0.01));
  stats::Background background = stats::default_background(AlphabetKind::protein);
  std::swap(background[0], background[1]);
  EXPECT_FALSE(cache("11", background).find(0.01));
  EXPECT_EQ(files().size(), 1u);
}

TEST_F(CalibrationCacheTest, WhatIsLessPreciseDoesNotDo) {
  cache().store(calibration());
  EXPECT_TRUE(cache().find(0.02));
  EXPECT_FALSE(cache().find(0.005));
}

TEST_F(CalibrationCacheTest, ADamagedFileIsNamedAndWrittenAnew) {
  cache().store(calibration());
  const std::filesystem::path file = files().at(0);
  const std::string whole = test::read_file(file);
  const std::string other = whole.substr(0, whole.find(':') + 3) + "0000" + whole.substr(whole.find(':') + 7);
  for (const std::string& damaged :
       {std::string(), whole.substr(0, whole.size() / 2), std::string("[1]"), other}) {
    messages_.clear();
    std::ofstream(file) << damaged;
    EXPECT_FALSE(cache().find(0.01));
    EXPECT_THAT(messages_, ElementsAre(HasSubstr(file.string())));
    cache().store(calibration());
    EXPECT_TRUE(cache().find(0.01));
    EXPECT_EQ(test::read_file(file), whole);
  }
}

TEST_F(CalibrationCacheTest, ADirectoryThatCannotBeMadeIsAWarning) {
  directory_.write_file("alnus", "a file");
  cache().store(calibration());
  EXPECT_THAT(messages_, ElementsAre(HasSubstr("cannot be kept")));
  EXPECT_FALSE(cache().find(0.01));
}

TEST_F(CalibrationCacheTest, WithoutAHomeNothingIsKept) {
  const Variable no_cache("XDG_CACHE_HOME", ""), no_home("HOME", "");
  cache().store(calibration());
  EXPECT_FALSE(cache().find(0.01));
  EXPECT_THAT(messages_, ElementsAre());
}

TEST_F(CalibrationCacheTest, HomeHasACacheToo) {
  const Variable no_cache("XDG_CACHE_HOME", ""), home("HOME", directory_.path().string());
  cache().store(calibration());
  EXPECT_TRUE(std::filesystem::exists(directory_.file(".cache/alnus")));
  EXPECT_TRUE(cache().find(0.01));
}

}  // namespace
}  // namespace alnus::io

#include "io/calibration_cache.h"

#include <bit>
#include <cmath>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <random>
#include <string>
#include <vector>

#include "alnus/error.h"
#include "support/temp_dir.h"

namespace alnus::io {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class CalibrationCacheTest : public testing::Test {
 public:
  CalibrationCache cache(const std::string& open = "11",
                         const Background& background = default_background(AlphabetKind::protein)) {
    ScoringOptions options;
    options.gap_open = open;
    return {path_, make_scoring(options), background, CalibrationOptions{}.length,
            [this](const std::string& message) { messages_.push_back(message); }};
  }
  static Calibration calibration() {
    Calibration result;
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
    if (std::filesystem::exists(path_))
      for (const auto& entry : std::filesystem::directory_iterator(path_)) result.push_back(entry.path());
    return result;
  }

  test::TempDir directory_;
  std::string path_ = directory_.file("alnus");
  std::vector<std::string> messages_;
};

TEST_F(CalibrationCacheTest, GivesBackWhatItGot) {
  EXPECT_FALSE(cache().find(0.01));
  cache().store(calibration());
  const auto found = cache().find(0.01);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->digest, files().at(0).stem().string().substr(std::string("calibration-").size()));
  Calibration expected = calibration();
  expected.digest = found->digest;
  EXPECT_EQ(*found, expected);
  EXPECT_THAT(messages_, ElementsAre());
}

TEST_F(CalibrationCacheTest, OtherScoringsAreOthers) {
  cache().store(calibration());
  EXPECT_FALSE(cache("12").find(0.01));
  Background background = default_background(AlphabetKind::protein);
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

TEST_F(CalibrationCacheTest, WithoutADirectoryNothingIsKept) {
  path_.clear();
  cache().store(calibration());
  EXPECT_FALSE(cache().find(0.01));
  EXPECT_THAT(messages_, ElementsAre());
}

// The text keeps doubles of any magnitude, to the last bit.
TEST(Calibration, AsTextHoldsEveryDigit) {
  std::mt19937_64 random(20);
  const auto number = [&] {
    for (;;) {
      const auto value = std::bit_cast<double>(random());
      if (std::isfinite(value)) return value;
    }
  };
  const auto estimate = [&] { return ParameterEstimate{number(), number()}; };
  const auto positive = [&] { return ParameterEstimate{std::abs(number()), number()}; };
  for (int round = 0; round < 2000; ++round) {
    Calibration wanted;
    wanted.lambda = positive();
    wanted.K = positive();
    wanted.alpha = positive();
    wanted.alpha_v = estimate();
    wanted.sigma = estimate();
    wanted.beta = number();
    wanted.ungapped = {number(), number(), number(), number(), number()};
    wanted.pairs = random();
    wanted.length = random();
    wanted.precision = number();
    wanted.seconds = number();
    wanted.digest = "0123456789abcdef";
    ASSERT_EQ(Calibration::from_json(wanted.to_json()), wanted) << wanted.to_json();
  }
}

TEST(Calibration, OtherTextsAreErrors) {
  const std::string text = CalibrationCacheTest::calibration().to_json();
  EXPECT_EQ(Calibration::from_json(text).to_json(), text);
  for (const std::string& other :
       {std::string(), std::string("{}"), std::string("[1]"), text.substr(0, 200),
        text.substr(0, text.find("0.33")) + "-" + text.substr(text.find("0.33"))}) {
    EXPECT_THAT([&] { Calibration::from_json(other); },
                testing::ThrowsMessage<Error>(HasSubstr("no calibration of alnus: ")))
        << other;
  }
}

}  // namespace
}  // namespace alnus::io

#include "io/calibration_cache.h"

#include <bit>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <random>
#include <string>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

#include "alnus/error.h"
#include "support/sizes.h"
#include "support/temp_dir.h"

namespace alnus::io {
namespace {

using testing::AllOf;
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

// ---- Files that somebody has changed ----

TEST_F(CalibrationCacheTest, AFlippedBitIsRefusedOrDoesNotMatter) {
  cache().store(calibration());
  const std::filesystem::path file = files().at(0);
  const std::string whole = test::read_file(file);
  const Calibration honest = *cache().find(0.01);
  std::mt19937_64 random(28);
  int refused = 0;
  for (int round = 0; round < test::by_size(100, 300); ++round) {
    std::string changed = whole;
    char& byte = changed[random() % changed.size()];
    byte = static_cast<char>(byte ^ (1 << random() % 8));
    std::ofstream(file, std::ios::binary) << changed;
    messages_.clear();
    const std::optional<Calibration> found = cache().find(0.01);
    refused += !found;
    EXPECT_EQ(messages_.size(), found ? 0 : 1) << changed;
    if (found) {
      EXPECT_EQ(*found, honest) << changed;
    }
  }
  EXPECT_GT(refused, test::by_size(100, 300) / 2);
}

TEST_F(CalibrationCacheTest, AnotherDigitIsRefused) {
  cache().store(calibration());
  const std::filesystem::path file = files().at(0);
  std::string text = test::read_file(file);
  text.replace(text.find("0.333"), 5, "0.343");
  std::ofstream(file) << text;
  EXPECT_FALSE(cache().find(0.01));
  EXPECT_THAT(messages_, ElementsAre(HasSubstr("the digest of its values does not match")));
  EXPECT_THROW(Calibration::from_json(text), Error);
}

TEST_F(CalibrationCacheTest, AFileOfAnOlderVersionIsComputedAnew) {
  cache().store(calibration());
  const std::filesystem::path file = files().at(0);
  std::string text = test::read_file(file);
  const std::size_t begin = text.rfind(','), end = text.rfind('}');
  std::ofstream(file) << text.erase(begin, end - begin);
  EXPECT_FALSE(cache().find(0.01));
  EXPECT_THAT(messages_, ElementsAre(HasSubstr("it has no digest of its values")));
}

TEST_F(CalibrationCacheTest, ValuesThatNoScoringHas) {
  const std::vector<std::function<void(Calibration&)>> changes = {
      [](auto& c) { c.lambda.value = 1e308; },  [](auto& c) { c.lambda.value = 1e-308; },
      [](auto& c) { c.lambda.value = 0.6; },    [](auto& c) { c.lambda.error = 1; },
      [](auto& c) { c.lambda.error = -0.1; },   [](auto& c) { c.K.value = 100; },
      [](auto& c) { c.K.value = 1e-200; },      [](auto& c) { c.alpha.value = 1e9; },
      [](auto& c) { c.alpha_v.value = 1e300; }, [](auto& c) { c.sigma.value = -1e300; },
      [](auto& c) { c.ungapped.lambda = 0.3; }, [](auto& c) { c.ungapped.K = 1; },
      [](auto& c) { c.ungapped.H = 0; },        [](auto& c) { c.ungapped.alpha = 1e10; }};
  for (const auto& change : changes) {
    Calibration changed = calibration();
    change(changed);
    messages_.clear();
    cache().store(changed);
    EXPECT_FALSE(cache().find(0.01)) << changed.to_json();
    EXPECT_THAT(messages_, ElementsAre(HasSubstr("it has values that its scoring cannot have")));
  }
}

TEST_F(CalibrationCacheTest, ErrorsMayBeAsLargeAsTheirValues) {
  for (ParameterEstimate Calibration::*estimate :
       {&Calibration::lambda, &Calibration::K, &Calibration::alpha}) {
    const auto is_found = [&](double error) {
      Calibration changed = calibration();
      (changed.*estimate).error = error;
      cache().store(changed);
      return cache().find(0.01).has_value();
    };
    const double value = (calibration().*estimate).value;
    EXPECT_TRUE(is_found(0));
    EXPECT_TRUE(is_found(value));
    EXPECT_FALSE(is_found(std::nextafter(value, 2 * value)));
    EXPECT_FALSE(is_found(-1e-300));
  }
}

TEST_F(CalibrationCacheTest, UngappedValuesAreNearThoseOfTheScoring) {
  for (double UngappedParameters::*number :
       {&UngappedParameters::lambda, &UngappedParameters::K, &UngappedParameters::H,
        &UngappedParameters::alpha, &UngappedParameters::alpha_v})
    for (const double factor : {0.98, 0.995, 1.0, 1.005, 1.02}) {
      Calibration changed = calibration();
      changed.ungapped.*number *= factor;
      cache().store(changed);
      EXPECT_EQ(cache().find(0.01).has_value(), factor > 0.99 && factor < 1.01) << factor;
    }
}

TEST_F(CalibrationCacheTest, WhatIsNoFileIsNotWaitedFor) {
  cache().store(calibration());
  const std::filesystem::path file = files().at(0);
  std::filesystem::remove(file);
  ASSERT_EQ(::mkfifo(file.c_str(), 0600), 0);
  EXPECT_FALSE(cache().find(0.01));
  std::filesystem::remove(file);
  std::filesystem::create_symlink("/dev/zero", file);
  EXPECT_FALSE(cache().find(0.01));
  EXPECT_THAT(messages_, ElementsAre(HasSubstr("it is no file"), HasSubstr("it is no file")));
  std::filesystem::remove(file);
  messages_.clear();
  std::ofstream(file) << std::string(1 << 17, ' ');
  EXPECT_FALSE(cache().find(0.01));
  EXPECT_THAT(messages_, ElementsAre(HasSubstr("it has more than 65536 bytes")));
}

TEST_F(CalibrationCacheTest, WhatEverybodyMayWriteIsNotTrusted) {
  cache().store(calibration());
  const std::filesystem::path file = files().at(0);
  std::filesystem::permissions(file, std::filesystem::perms(0666));
  EXPECT_FALSE(cache().find(0.01));
  EXPECT_THAT(messages_, ElementsAre(AllOf(HasSubstr(file.string()), HasSubstr("everybody may write it"))));
  messages_.clear();
  std::filesystem::permissions(file, std::filesystem::perms(0664));
  std::filesystem::permissions(path_, std::filesystem::perms(0775));
  EXPECT_TRUE(cache().find(0.01)) << "the directory of a group";
  std::filesystem::permissions(path_, std::filesystem::perms(0777));
  EXPECT_FALSE(cache().find(0.01));
  std::filesystem::remove(file);
  cache().store(calibration());
  EXPECT_FALSE(std::filesystem::exists(file));
  EXPECT_THAT(messages_,
              ElementsAre(AllOf(HasSubstr("everybody may write " + path_), HasSubstr("chmod o-w"))));
}

TEST_F(CalibrationCacheTest, FilesOfOtherUsers) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can make files of other users";
  cache().store(calibration());
  const std::string file = files().at(0).string();
  constexpr uid_t kOther = 12345;
  ASSERT_EQ(::chown(file.c_str(), kOther, kOther), 0);
  EXPECT_FALSE(cache().find(0.01));
  EXPECT_THAT(messages_, ElementsAre(HasSubstr("it belongs to a user who may not write its directory")));
  messages_.clear();
  std::filesystem::permissions(path_, std::filesystem::perms(0775));
  EXPECT_TRUE(cache().find(0.01)) << "a member of the group may have written it";
  std::filesystem::permissions(path_, std::filesystem::perms(0755));
  ASSERT_EQ(::chown(path_.c_str(), kOther, kOther), 0);
  EXPECT_TRUE(cache().find(0.01)) << "the cache of another user, who chose its folder";
  std::filesystem::permissions(directory_.path(), std::filesystem::perms(01777));
  EXPECT_FALSE(cache().find(0.01)) << "anybody could have made it";
  EXPECT_THAT(messages_, ElementsAre(HasSubstr("belongs to another user")));
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

// alnus calibrate: what it prints, keeps and refuses. tests/engine checks the parameters.
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "cli/cli_fixture.h"

namespace alnus::test {
namespace {

class Calibrate : public CliTest {
 protected:
  void SetUp() override { ::setenv("XDG_CACHE_HOME", path("cache").c_str(), 1); }

  static std::vector<std::string> quick(const std::vector<std::string>& more) {
    std::vector<std::string> words = {"calibrate", "--match", "2", "--mismatch", "-3", "--precision", "0.1"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
};

TEST_F(Calibrate, PrintsATableAndKeepsIt) {
  const CommandResult first = alnus(quick({}));
  EXPECT_EQ(first.exit_code, 0) << first.err;
  for (const char* text :
       {"matrix            2/-3\n", "gap costs         5/2\n", "all nucleotides equally frequent",
        "24,576 pairs of 2,000 residues", "lambda", "alpha_v", "exact"})
    EXPECT_THAT(first.out, HasSubstr(text));

  const CommandResult again = alnus(quick({"--threads", "1"}));
  EXPECT_EQ(again.out, first.out);
  EXPECT_EQ(again.err, "");

  const nlohmann::json json = nlohmann::json::parse(alnus(quick({"--json"})).out);
  EXPECT_EQ(json["pairs"], 24576);
  const nlohmann::json& lambda = json["parameters"]["lambda"];
  EXPECT_NEAR(lambda["value"].get<double>(), 0.62, 0.02);
  EXPECT_GT(lambda["standard_error"].get<double>(), 0);
  EXPECT_EQ(json["parameters"]["ungapped_K"]["standard_error"], 0);

  const auto file = *std::filesystem::directory_iterator(path("cache/alnus"));
  std::filesystem::resize_file(file, 100);
  const CommandResult anew = alnus(quick({"--json"}));
  EXPECT_EQ(anew.exit_code, 0);
  EXPECT_THAT(anew.err, HasSubstr(file.path().filename().string()));
  EXPECT_EQ(nlohmann::json::parse(anew.out)["parameters"], json["parameters"]);
}

TEST_F(Calibrate, KeepsNothingWithoutAHome) {
  ::unsetenv("XDG_CACHE_HOME");
  const std::string home = std::getenv("HOME") ? std::getenv("HOME") : "";
  ::setenv("HOME", path("home").c_str(), 1);
  EXPECT_EQ(alnus(quick({})).exit_code, 0);
  EXPECT_TRUE(std::filesystem::exists(path("home/.cache/alnus")));
  std::filesystem::remove_all(path("home"));
  ::unsetenv("HOME");
  const CommandResult result = alnus(quick({}));
  ::setenv("HOME", home.c_str(), 1);
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.err, Not(HasSubstr("warning: ")));  // progress may be shown on a slow machine
  EXPECT_EQ(files(), std::set<std::string>{});
}

TEST_F(Calibrate, WhatHasNoStatisticsIsAnError) {
  const CommandResult result = alnus({"calibrate", "--match", "5", "--mismatch", "-1"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(result.out, "");
  EXPECT_THAT(result.err, HasSubstr("0.5 on average"));
  EXPECT_EQ(alnus({"calibrate", "--mode", "global"}).exit_code, 1);
  EXPECT_FALSE(std::filesystem::exists(path("cache")));
}

TEST_F(Calibrate, ReadsABackground) {
  write("gc.tsv", "A 1\nC x\n");
  const CommandResult result = alnus(quick({"--background", "gc.tsv"}));
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("gc.tsv line 2: 'x' is not a frequency."));
  write("gc.tsv", "G 1\n");
  EXPECT_THAT(alnus(quick({"--background", "gc.tsv"})).err, HasSubstr("2 on average"));
  EXPECT_THAT(alnus(quick({"--background", "none.tsv"})).err, HasSubstr("none.tsv"));
}

TEST_F(Calibrate, OptionsOutOfRangeAreErrors) {
  EXPECT_THAT(alnus({"calibrate", "--precision", "0"}).err,
              HasSubstr("--precision takes a number from 0.003 to 0.1, not '0'."));
  EXPECT_THAT(alnus({"calibrate", "--alphabet", "auto"}).err, HasSubstr("protein or dna"));
}

}  // namespace
}  // namespace alnus::test

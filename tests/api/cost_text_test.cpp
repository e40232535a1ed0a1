// Costs of calls in words.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <utility>

#include "alnus/cost.h"
#include "api/support/inputs.h"

namespace alnus::test {
namespace {

TEST(CostText, DurationsAreWhatPeopleSay) {
  const std::pair<double, const char*> cases[] = {{0, "less than a second"},
                                                  {0.99, "less than a second"},
                                                  {1, "1 s"},
                                                  {42.4, "42 s"},
                                                  {59.4, "59 s"},
                                                  {59.6, "1 min"},
                                                  {90, "1.5 min"},
                                                  {599, "10 min"},
                                                  {2820, "47 min"},
                                                  {3600, "1 h"},
                                                  {12000, "3 h 20 min"},
                                                  {36000, "10 h"},
                                                  {169000, "47 h"},
                                                  {216000, "2.5 days"},
                                                  {864000, "10 days"},
                                                  {31557600.0 * 12, "12 years"},
                                                  {31557600.0 * 54321, "54,321 years"}};
  for (const auto& [seconds, text] : cases) EXPECT_EQ(format_duration(seconds), text) << seconds;
}

TEST(CostText, NamesTheDevices) {
  Cost cost;
  cost.seconds = 2820;
  const auto text = [&](std::vector<std::string> devices) {
    cost.devices = std::move(devices);
    return expected_time(cost);
  };
  EXPECT_EQ(text({}), "47 min if nothing else runs");
  EXPECT_EQ(text({"cpu"}), "47 min on this CPU if nothing else runs");
  EXPECT_EQ(text({"cuda:0"}), "47 min on cuda:0 if nothing else runs");
  EXPECT_EQ(text({"cuda:0", "cuda:1", "cpu"}), "47 min on cuda:0, cuda:1 and cpu if nothing else runs");
}

TEST(CostText, HasCommasBetweenThousands) {
  Cost cost{20, 570'000, 11'400'000, 1'234'567'890'123, 2820, {"cpu"}, 10'000, 0, {}};
  const std::string head =
      "queries: 20\n"
      "subjects: 570,000\n"
      "pairs: 11,400,000\n"
      "cells: 1,234,567,890,123\n"
      "expected time: 47 min on this CPU if nothing else runs, mostly right within a factor of 3\n";
  EXPECT_EQ(describe(cost, 1'500'000),
            head + "output rows: at most 10,000\noutput bytes: about 1,500,000 (1.4 MiB)\n");
  cost.calibration_seconds = 90;
  EXPECT_THAT(describe(cost, 1'500'000),
              ::testing::HasSubstr(
                  "a factor of 3; of this, 1.5 min are a simulation that finds the statistics of the "
                  "scoring, once\n"));
  cost.calibration_seconds = 0;
  cost.rows = 0;
  cost.edges = 123'456;
  EXPECT_EQ(describe(cost, 0), head + "edges: at most 123,456 (how many pass is not known before the run)\n");
  cost.matrix_bytes = 2048;
  EXPECT_EQ(describe(cost, 2048), head +
                                      "edges: at most 123,456 (how many pass is not known before the run)\n"
                                      "output bytes: about 2,048 (2.0 KiB, without the edges)\n");
}

TEST(CostText, SaysWhatIsNotKnown) {
  Cost cost;
  cost.rows = 32;
  EXPECT_THAT(describe(cost, 100), ::testing::HasSubstr("within a factor of 3\noutput rows: at most 32\n"));
  cost.any_rows = true;
  cost.any_alignments = true;
  EXPECT_THAT(describe(cost, 100),
              ::testing::HasSubstr(
                  "within a factor of 3; pairs that are aligned for filters come on top, and how many is not "
                  "known before the run\n"
                  "output rows: 32 if each pair has 16; how many is not known before the run\n"));
}

TEST(CostText, OutputBytesAreThoseOfRowsAndMatrices) {
  const SequenceSet set = relatives_set(1, 5, 60);
  const OutputFormat format = OutputFormat::parse("6");
  Cost cost;
  cost.matrix_bytes = 1000;
  EXPECT_EQ(expected_output_bytes(cost, format, set, set), 1000);
  cost.rows = 10;
  EXPECT_DOUBLE_EQ(expected_output_bytes(cost, format, set, set),
                   1000 + 10 * expected_row_bytes(format, set, set));
}

}  // namespace
}  // namespace alnus::test

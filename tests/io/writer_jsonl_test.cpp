#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sstream>

#include "io/writer_fixture.h"

namespace alnus::io {
namespace {

std::vector<nlohmann::json> objects(const std::string& text) {
  std::vector<nlohmann::json> parsed;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) parsed.push_back(nlohmann::json::parse(line));
  return parsed;
}

TEST(JsonlWriter, Golden) {
  expect_golden("local.jsonl", written(local_example(), "jsonl"));
  expect_golden("semiglobal.jsonl", written(semiglobal_example(), "jsonl"));
}

TEST(JsonlWriter, EveryLineIsAnObject) {
  const auto hits = objects(written(local_example(), "jsonl"));
  ASSERT_EQ(hits.size(), 3u);
  EXPECT_EQ(hits[0]["qseqid"], "sp|Q1|FIRST");
  EXPECT_EQ(hits[0]["qtitle"],
            "The first, so-called \"quoted\"\tprotein OS=Escherichia coli K12 GN=a PE=1 SV=1");
  EXPECT_TRUE(hits[0]["evalue"].is_number());
  EXPECT_TRUE(hits[2]["evalue"].is_null());
  EXPECT_TRUE(hits[2]["bitscore"].is_null());
}

TEST(JsonlWriter, DecimalScoresAreNumbers) {
  Example example = semiglobal_example();
  example.hits[0][0].score = 83;
  EXPECT_EQ(objects(written(example, "jsonl"))[0]["score"], 41.5);
}

TEST(JsonlWriter, LessDetailHasFewerKeys) {
  const auto ends = objects(written(local_example(), "jsonl", Detail::ends))[0];
  EXPECT_TRUE(ends.contains("qend"));
  EXPECT_FALSE(ends.contains("qstart"));
  const auto score = objects(written(local_example(), "jsonl", Detail::score))[0];
  EXPECT_TRUE(score.contains("score"));
  EXPECT_FALSE(score.contains("qend"));
}

TEST(JsonlWriter, HeaderThatIsNoUtf8) {
  Example example = local_example();
  example.queries = sequences({{"bad\xff title", "MKTAYIAKQRQISFVKSHFSRQ"}});
  example.hits = {{}};
  example.add_hit(0, 1);
  EXPECT_EQ(objects(written(example, "jsonl"))[0]["qseqid"], "bad\xef\xbf\xbd");
}

TEST(JsonlWriter, NoHitsNoLines) {
  Example example = local_example();
  example.hits = {{}, {}};
  EXPECT_EQ(written(example, "jsonl"), "");
}

}  // namespace
}  // namespace alnus::io

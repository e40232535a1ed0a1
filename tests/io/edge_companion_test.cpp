// Companions of tables of edges: the same bytes everywhere, and refused if any value is not as it was
// written.
#include "io/edge_companion.h"

#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <string>

#include "io/membership_fixture.h"
#include "io/sha2.h"
#include "io/writer_fixture.h"

namespace alnus::io {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;

EdgeCompanion companion_example() {
  return {{{"whole", "30", {{"matrix", "EBLOSUM62"}, {"mode", "semiglobal"}}}, {"score-distance", "7.5", {}}},
          {12, 1300},
          sha256("contents"),
          41,
          sha256("table")};
}

// The message by which a companion is refused after `change`.
template <class Change>
std::string refused_after(const Change& change) {
  json companion = json::parse(to_json(companion_example()));
  change(companion);
  return refusal([&] { parse_edge_companion(companion.dump(), "e.tsv.json"); });
}

TEST(EdgeCompanion, HasTheSameBytesEverywhere) {
  expect_golden("edges.tsv.json", to_json(companion_example()));
}

TEST(EdgeCompanion, IsReadAsItWasWritten) {
  const EdgeCompanion read = parse_edge_companion(to_json(companion_example()), "e.tsv.json");
  EXPECT_EQ(to_json(read), to_json(companion_example()));
  EXPECT_EQ(read.relations.at(1).threshold, "7.5");
  EXPECT_EQ(read.relations.at(0).parameters.at("matrix"), "EBLOSUM62");
  EXPECT_EQ(read.search_space.residues, 1300U);
  EXPECT_EQ(read.edges, 41U);
  EXPECT_EQ(read.contents_sha256, sha256("contents"));
  EXPECT_EQ(read.table_sha256, sha256("table"));
}

TEST(EdgeCompanion, StandsBesideItsTable) {
  const TemporaryDirectory directory;
  const std::string table = directory.file("edges.tsv");
  EXPECT_EQ(companion_file(table), table + ".json");
  EXPECT_FALSE(find_edge_companion(table));
  EXPECT_FALSE(find_edge_companion("-"));
  std::ofstream(companion_file(table)) << to_json(companion_example());
  EXPECT_EQ(find_edge_companion(table)->edges, 41U);
  std::ofstream(companion_file(table)) << "{}";
  EXPECT_THAT(refusal([&] { find_edge_companion(table); }), HasSubstr("edges.tsv.json"));
}

TEST(EdgeCompanion, OfAnotherFormatIsRefused) {
  EXPECT_THAT(refusal([] { parse_edge_companion("id\tid\n", "e.tsv.json"); }),
              AllOf(HasSubstr("e.tsv.json"), HasSubstr("not JSON"), HasSubstr("alnus allpairs")));
  EXPECT_THAT(refused_after([](json& one) { one["format"] = "edges"; }), HasSubstr("'alnus edges'"));
  EXPECT_THAT(refused_after([](json& one) { one["version"] = 2; }), HasSubstr("version must be 1"));
}

TEST(EdgeCompanion, WithAWrongValueIsRefusedByItsPath) {
  EXPECT_THAT(refused_after([](json& one) { one["relations"] = json::array(); }), HasSubstr("relations"));
  EXPECT_THAT(refused_after([](json& one) { one["relations"][1]["threshold"] = "x"; }),
              HasSubstr("relations[1]"));
  EXPECT_THAT(refused_after([](json& one) { one["search_space"]["records"] = -1; }),
              HasSubstr("search_space.records"));
  EXPECT_THAT(refused_after([](json& one) { one["contents_sha256"] = "12"; }), HasSubstr("contents_sha256"));
  EXPECT_THAT(refused_after([](json& one) { one["table_sha256"] = json(); }), HasSubstr("table_sha256"));
  EXPECT_THAT(refused_after([](json& one) { one["edges"] = 1.5; }), HasSubstr("edges"));
  EXPECT_THAT(refused_after([](json& one) { one["time"] = 1; }), HasSubstr("time"));
  const json whole = json::parse(to_json(companion_example()));
  for (const auto& member : whole.items())
    EXPECT_THAT(refused_after([&](json& one) { one.erase(member.key()); }),
                HasSubstr(member.key() + " is missing"));
}

TEST(EdgeCompanion, WithAKeyTwiceIsRefused) {
  std::string text = to_json(companion_example());
  text.insert(1, "\"edges\": 41,");
  EXPECT_THAT(refusal([&] { parse_edge_companion(text, "e.tsv.json"); }), HasSubstr("twice"));
}

}  // namespace
}  // namespace alnus::io

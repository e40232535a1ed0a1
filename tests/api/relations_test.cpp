// Session::all_pairs with relations: the pairs and values that other calls of a session give.
#include "api/support/relations.h"

#include <algorithm>
#include <cstring>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <ostream>
#include <sstream>
#include <string>
#include <vector>

#include "api/support/pair_files_fixture.h"
#include "support/zip_reader.h"

namespace alnus::test {
namespace {

RelatedInputs inputs_of(AlphabetKind kind, bool two_sets, Strands strands) {
  RelatedInputs inputs{assorted(1, kind), {}, strands};
  inputs.scoring = default_scoring("global", kind);
  if (two_sets) inputs.against = assorted(2, kind).part(0, 15);
  return inputs;
}

struct NamedInputs {
  std::string name;
  RelatedInputs (*make)();
  friend std::ostream& operator<<(std::ostream& out, const NamedInputs& inputs) { return out << inputs.name; }
};
const NamedInputs kInputs[] = {
    {"protein", [] { return inputs_of(AlphabetKind::protein, false, Strands::plus); }},
    {"two_of_protein", [] { return inputs_of(AlphabetKind::protein, true, Strands::plus); }},
    {"dna", [] { return inputs_of(AlphabetKind::dna, false, Strands::both); }},
    {"two_of_dna", [] { return inputs_of(AlphabetKind::dna, true, Strands::both); }},
    {"dna_plus", [] { return inputs_of(AlphabetKind::dna, false, Strands::plus); }},
    {"dna_minus", [] { return inputs_of(AlphabetKind::dna, false, Strands::minus); }},
};

class ApiRelations : public testing::TestWithParam<NamedInputs> {
 protected:
  static Session session(bool shortcuts) {
    SessionOptions options = session_options();
    options.shortcuts = shortcuts;
    return Session(options);
  }
  void expect_oracle(const std::vector<std::string>& lists) {
    for (const bool shortcuts : {true, false}) {
      Session session = ApiRelations::session(shortcuts);
      for (const std::string& list : lists) {
        SCOPED_TRACE(list + (shortcuts ? "" : " without shortcuts"));
        const RelatedPairs found = related_pairs(session, inputs_, options_of(inputs_, list)),
                           expected = oracle_.of(parse_relations(list));
        for (const auto& [place, pair] : expected) {
          const auto same = found.find(place);
          EXPECT_TRUE(same != found.end() && same->second == pair)
              << place.first << ", " << place.second << ": " << pair.value << " by " << pair.relation
              << ", found "
              << (same == found.end()
                      ? "nothing"
                      : std::to_string(same->second.value) + " by " + std::to_string(same->second.relation));
        }
        for (const auto& [place, pair] : found)
          EXPECT_TRUE(expected.contains(place))
              << place.first << ", " << place.second << ": " << pair.value << " too many";
        EXPECT_GT(expected.size(), 0u) << "the data are no test of this list";
        EXPECT_LT(expected.size(), inputs_.pairs()) << "the data are no test of this list";
      }
    }
  }

  const RelatedInputs inputs_ = GetParam().make();
  const RelationOracle oracle_{inputs_};
};

TEST_P(ApiRelations, Whole) { expect_oracle({"whole:30", "whole:50", "whole:75.5", "whole:1.5"}); }

TEST_P(ApiRelations, Part) { expect_oracle({"part:30", "part:50", "part:75.5"}); }

TEST_P(ApiRelations, Related) {
  expect_oracle({"related:1e-10", "related:0.001", "related:1", "related:10"});
}

TEST_P(ApiRelations, Scores) { expect_oracle({"score:30", "score:-20.5", "score:0"}); }

TEST_P(ApiRelations, ScoreDistances) {
  expect_oracle({"score-distance:40", "score-distance:80.5", "score-distance:1000000000"});
}

TEST_P(ApiRelations, OfSeveralTheFirstCounts) {
  expect_oracle({"whole:50,part:50", "part:50,whole:50", "related:1e-10,score-distance:100,whole:30",
                 "score:20,related:1,part:30,whole:20,score-distance:50", "part:90.5,related:10",
                 "related:1e-20,part:30"});
}

INSTANTIATE_TEST_SUITE_P(Api, ApiRelations, testing::ValuesIn(kInputs),
                         [](const auto& info) { return info.param.name; });

TEST(ApiRelationsAtTheEdge, ExtremeThresholdsChooseAllOrNothing) {
  const RelatedInputs inputs = kInputs[0].make();
  Session session(session_options());
  for (const char* list : {"score:-1e300", "score-distance:1e300"})
    EXPECT_EQ(related_pairs(session, inputs, options_of(inputs, list)).size(), inputs.pairs()) << list;
  for (const char* list : {"score:1e300", "score-distance:-1e300", "related:0"})
    EXPECT_EQ(related_pairs(session, inputs, options_of(inputs, list)).size(), 0u) << list;
}

TEST(ApiRelationsAtTheEdge, SetsOfNothingHaveNoEdges) {
  Session session(session_options());
  for (const SequenceSet& set : {SequenceSet(), set_of({""}), set_of({"MKV"}), set_of({"", ""}),
                                 set_of({"XXXX", "XXXX"}), set_of({"", "MKV"})}) {
    const RelatedInputs inputs{set};
    EXPECT_EQ(related_pairs(session, inputs, options_of(inputs, "part:30,related:10")).size(), 0u);
    const RelatedPairs whole = related_pairs(session, inputs, options_of(inputs, "whole:30"));
    EXPECT_EQ(whole, RelationOracle(inputs).of(parse_relations("whole:30")));
  }
}

// 161 of 250 residues are 64.4 percent, though no double is.
TEST(ApiRelationsAtTheEdge, PercentsAreDecimals) {
  std::string one(250, 'W'), other = one;
  std::fill(other.begin() + 161, other.end(), 'C');
  const RelatedInputs inputs{set_of({one, other})};
  Session session(session_options());
  RelationOracle oracle(inputs);
  const RelatedPairs known = oracle.of(parse_relations("whole:1.1"));
  ASSERT_EQ(known.size(), 1u);
  EXPECT_EQ(related_pairs(session, inputs, options_of(inputs, "whole:64.4")),
            oracle.of(parse_relations("whole:64.4")));
  EXPECT_EQ(related_pairs(session, inputs, options_of(inputs, "whole:64.5")),
            oracle.of(parse_relations("whole:64.5")));
  EXPECT_EQ(related_pairs(session, inputs, options_of(inputs, "part:64.4")),
            oracle.of(parse_relations("part:64.4")));
}

// Both strands of this pair score the same, so that its row in a search has the plus strand's E-value, which
// is higher than that of the minus strand.
TEST(ApiRelationsAtTheEdge, OfEqualStrandsTheEvalueIsThatOfASearch) {
  const RelatedInputs inputs{
      set_of(
          {"ATGGTCATACTGAAAATTTATCCATTGATTAGGGAACAAGCTTGTACCCAGAGCATGCCACACACGAAGGGTGCTGCTCTGACAGTATGCGAAGA"
           "ACCTCGTCCACTATTGCTCTGACCTG",
           "AAGTCCTTCATTCGGAAAAATAGTG"},
          AlphabetKind::dna),
      {},
      Strands::both,
      default_scoring("local", AlphabetKind::dna)};
  Session session(session_options());
  const RelatedPairs expected = RelationOracle(inputs).of(parse_relations("related:10")),
                     found = related_pairs(session, inputs, options_of(inputs, "related:10"));
  ASSERT_EQ(expected.size(), 1u);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found.begin()->second.value, expected.begin()->second.value);
}

// The E-value of this pair is 0.0007 in both directions, and 0.004 before its score is adjusted.
// A search with --evalue 10 gives the first pair an E-value of 0.0007, one with --evalue 0.001 does not find
// the pair (docs/statistics.md says why). Each relation is that of a search with its own limit.
TEST(ApiRelationsAtTheEdge, OtherRelationsInTheListDoNotDecideWhatIsSignificant) {
  const RelatedInputs inputs{
      set_of({"SMEDGEHRFWRWNHHSDYNASKHHDGFYKATRTYPQARWNDPPYINMVGKFGSQMVFFMSADVNIKGRSGFWRFGKSKIVGTS",
              "HMHEDGGYDGHKHQNKYKDWTAMKNHDGSCMAIQPTGQAEYANMRPDAKIGIEAGAMGMMPELPAMFNDKRRSACLCFHKRTCKIIETQ",
              std::string(2241, 'X')})};
  Session session(session_options());
  const RelatedPairs together = related_pairs(session, inputs, options_of(inputs, "part:2,related:10"));
  ASSERT_EQ(together.size(), 1u);
  EXPECT_EQ(together.begin()->second.relation, 1);
  EXPECT_LT(together.begin()->second.value, 0.001);
  EXPECT_TRUE(related_pairs(session, inputs, options_of(inputs, "part:2")).empty());
  EXPECT_TRUE(related_pairs(session, inputs, options_of(inputs, "related:0.001")).empty());
  EXPECT_EQ(related_pairs(session, inputs, options_of(inputs, "related:10")).size(), 1u);
}

TEST(ApiRelationsOfBlocks, AreThoseOfTheWholeMatrix) {
  for (const NamedInputs& named : {kInputs[0], kInputs[1], kInputs[2]}) {
    const RelatedInputs inputs = named.make();
    Session session(session_options());
    AllPairsOptions options = options_of(inputs, "whole:40,part:50,related:5,score:60,score-distance:30");
    const RelatedPairs whole = related_pairs(session, inputs, options);
    const Index rows = inputs.set.size(), columns = inputs.against ? inputs.against->size() : rows;
    RelatedPairs together;
    for (const IndexRange part : {IndexRange{0, 9}, IndexRange{9, 10}, IndexRange{10, rows}})
      for (const IndexRange of_columns : {IndexRange{0, 4}, IndexRange{4, columns}}) {
        options.block = Block{part, of_columns};
        RelatedPairs found = related_pairs(session, inputs, options);
        together.merge(found);
        EXPECT_TRUE(found.empty()) << "no pair is in two blocks";
      }
    EXPECT_EQ(together, whole) << named.name;
    EXPECT_GT(whole.size(), 10u);
  }
}

// With little memory there are many stripes, and some of them must be made smaller.
TEST(ApiRelationsInLittleMemory, AreTheSame) {
  const RelatedInputs inputs{joined(relatives_set(3, 180, 30), random_set({.seed = 4, .count = 50}))};
  Session large(session_options()), small(session_options(2, 1 << 20));
  for (const char* list : {"whole:20,score:20", "part:30,related:1"}) {
    const RelatedPairs expected = related_pairs(large, inputs, options_of(inputs, list));
    EXPECT_TRUE(related_pairs(small, inputs, options_of(inputs, list)) == expected) << list;
    EXPECT_GT(expected.size(), 8'000u) << list;
  }
}

// The statistics and the scoring of the call are not those of whole, part and related.
TEST(ApiRelationsOfTheirOwn, DoNotFollowTheCallsScoring) {
  RelatedInputs inputs = kInputs[0].make();
  Session session(session_options());
  const AllPairsOptions options = options_of(inputs, "whole:40,part:50,related:1");
  const RelatedPairs expected = related_pairs(session, inputs, options);
  for (const char* mode : {"local", "semiglobal"}) {
    inputs.scoring = default_scoring(mode);
    EXPECT_EQ(related_pairs(session, inputs, options), expected) << mode;
  }
  inputs.scoring = default_scoring("local");
  EXPECT_EQ(related_pairs(session, inputs, options_of(inputs, "score:40")),
            RelationOracle(inputs).of(parse_relations("score:40")));
}

// In every mode, with decimals, and with matrices that are not symmetric.
TEST(ApiRelationsOfTheirOwn, ScoresFollowAnyScoring) {
  Session session(session_options());
  for (const auto& [name, scoring] : scorings()) {
    const AlphabetKind kind = scoring.matrix.alphabet();
    for (const bool two_sets : {false, true}) {
      RelatedInputs inputs{assorted(1, kind), {}, Strands::plus, scoring};
      if (two_sets) inputs.against = assorted(2, kind).part(0, 15);
      for (const PairValue value : {PairValue::score, PairValue::score_distance}) {
        AllPairsOptions options;
        options.statistics = no_statistics();
        options.value = MatrixValue{value};
        options.cutoff = 10.5;
        const RelatedPairs expected = related_pairs(session, inputs, options);
        options = options_of(inputs, value == PairValue::score ? "score:10.5" : "score-distance:10.5");
        EXPECT_EQ(related_pairs(session, inputs, options), expected) << name;
      }
    }
  }
}

// ---- Files ----

using Lines = std::vector<std::vector<std::string>>;

Lines lines_of(const std::string& text, char separator) {
  Lines lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    std::istringstream fields(line);
    lines.emplace_back();
    for (std::string field; std::getline(fields, field, separator);) lines.back().push_back(field);
  }
  return lines;
}

class ApiRelationFiles : public PairFilesTest {
 protected:
  // Writes the edges of both kinds of inputs, and expects the ids and values of the callback's pairs.
  void expect_edges(const RelatedInputs& inputs, const std::string& list, const std::string& name) {
    SCOPED_TRACE(list + " in " + name);
    const AllPairsOptions options = options_of(inputs, list);
    PairFiles files;
    files.edges = outputs_.file(name);
    const AllPairsSummary summary = session_.all_pairs(
        PairInputs{.set = inputs.set,
                   .against = inputs.against ? std::optional<Database>(*inputs.against) : std::nullopt},
        inputs.scoring, options, files);
    const RelatedPairs expected = related_pairs(session_, inputs, options);
    const Lines lines = lines_of(read(name), name.ends_with(".csv") ? ',' : '\t');
    EXPECT_EQ(summary.edges, expected.size());
    ASSERT_EQ(lines.size(), expected.size());
    std::size_t k = 0;
    for (const auto& [place, pair] : expected) {
      const std::vector<std::string>& line = lines[k++];
      ASSERT_EQ(line.size(), options.relations.size() > 1 ? 4u : 3u);
      const std::string row(inputs.set[place.first].id()),
          column((inputs.against ? *inputs.against : inputs.set)[place.second].id());
      EXPECT_EQ(line[0], inputs.against ? row : column);
      EXPECT_EQ(line[1], inputs.against ? column : row);
      const double value = std::stod(line[2]);
      EXPECT_NEAR(value, pair.value, 0.15 * std::max(pair.value, 1e-9)) << line[2];
      if (line.size() > 3) {
        EXPECT_EQ(line[3], to_string(options.relations[static_cast<std::size_t>(pair.relation)]));
      }
    }
    EXPECT_GT(lines.size(), 3u);
  }
};

TEST_F(ApiRelationFiles, HaveAFourthColumnForSeveralRelationsOnly) {
  const RelatedInputs one = kInputs[0].make(), two = kInputs[1].make(), dna = kInputs[2].make();
  for (const RelatedInputs* inputs : {&one, &two, &dna})
    for (const char* name : {"e.tsv", "e.csv"})
      for (const char* list : {"whole:40", "part:50", "related:1", "score:40", "score-distance:100",
                               "whole:90.5,part:50,related:1,score:80,score-distance:30"})
        expect_edges(*inputs, list, name);
}

TEST_F(ApiRelationFiles, HaveTheirValuesInTheirUsualForms) {
  const RelatedInputs inputs{set_of({"WWWWCCCCHHHHWWWWKRKR", "WWWWCCCCHHHHWWWWKRKR", "WWWWCCCCHHHHWWWWKRK"})};
  const auto first_value = [&](const char* list) {
    PairFiles files;
    files.edges = outputs_.file("e.tsv");
    session_.all_pairs(PairInputs{.set = inputs.set}, inputs.scoring, options_of(inputs, list), files);
    const Lines lines = lines_of(read("e.tsv"), '\t');
    return lines.empty() ? "nothing" : lines.back().back();
  };
  EXPECT_EQ(first_value("whole:30"), "95.000");
  EXPECT_EQ(first_value("part:30"), "100.000");
  EXPECT_THAT(first_value("related:1"), testing::MatchesRegex("[0-9.]+e-[0-9]+"));
  EXPECT_THAT(first_value("score:30"), testing::MatchesRegex("[0-9]+"));
  EXPECT_EQ(first_value("score-distance:30"), "0");
}

TEST_F(ApiRelationFiles, NpzHasTheValuesOfOneRelation) {
  const RelatedInputs inputs = kInputs[0].make();
  for (const char* list : {"whole:40", "part:50", "score:40", "score-distance:100"}) {
    const AllPairsOptions options = options_of(inputs, list);
    PairFiles files;
    files.edges = outputs_.file("e.npz");
    session_.all_pairs(PairInputs{.set = inputs.set}, inputs.scoring, options, files);
    const std::string data = read_zip(files.edges).at("data.npy");
    const RelatedPairs expected = related_pairs(session_, inputs, options);
    const std::string values =
        data.substr(data.size() - 8 * expected.size());  // a symmetric matrix has each twice
    std::vector<double> found, wanted;
    for (const auto& [place, pair] : expected) wanted.insert(wanted.end(), 2, pair.value);
    for (std::size_t k = 0; k < values.size(); k += 4) {
      if (list[0] == 's') {
        std::int32_t value = 0;
        std::memcpy(&value, values.data() + k, 4);
        found.push_back(value);
      } else {
        float value = 0;
        std::memcpy(&value, values.data() + k, 4);
        found.push_back(value);
      }
    }
    std::ranges::sort(found);
    std::ranges::sort(wanted);
    ASSERT_EQ(found.size(), wanted.size());
    for (std::size_t k = 0; k < found.size(); ++k) EXPECT_FLOAT_EQ(found[k], wanted[k]) << list;
  }
}

}  // namespace
}  // namespace alnus::test

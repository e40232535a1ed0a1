// Options and outputs that do not go together with AllPairsOptions::relations.
#include <cmath>
#include <filesystem>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>

#include "api/support/errors.h"
#include "api/support/pair_files_fixture.h"
#include "api/support/relations.h"

namespace alnus::test {
namespace {

using ::testing::HasSubstr;

class ApiRelationsRefused : public PairFilesTest {
 protected:
  // Returns what a call with callbacks says. `change`: what is wrong with it.
  std::string refused(const std::function<void(AllPairsOptions&, PairSink&)>& change) {
    AllPairsOptions options;
    options.relations = parse_relations("whole:30,related:1");
    PairSink sink{.sparse = [](const SparseValues&) {}};
    change(options, sink);
    return input_error([&] { session_.all_pairs(set_, scoring_, options, sink); });
  }
  std::string refused_options(const std::function<void(AllPairsOptions&)>& change) {
    return refused([&](AllPairsOptions& options, PairSink&) { change(options); });
  }
  // Returns what a call that writes files says.
  std::string refused_files(const std::function<void(PairFiles&)>& change,
                            const std::string& list = "whole:30") {
    AllPairsOptions options;
    options.relations = parse_relations(list);
    PairFiles files;
    files.edges = outputs_.file("e.tsv");
    change(files);
    std::string text = input_error([&] { run(files, options); });
    EXPECT_EQ(this->files(), std::set<std::string>{}) << "nothing is left";
    return text;
  }
};

const std::string kList = "relation whole:30,related:1 and ";

TEST_F(ApiRelationsRefused, OptionsThatChoosePairsOrValues) {
  const std::string filters = kList + "filters do not go together: relations alone choose the pairs.";
  EXPECT_EQ(refused_options([](auto& options) { options.filter.min_score = 3; }), filters);
  EXPECT_EQ(refused_options([](auto& options) { options.filter.min_coverage = 50; }), filters);
  EXPECT_EQ(refused_options([](auto& options) { options.filter.min_identity = 50; }), filters);
  EXPECT_EQ(refused_options([](auto& options) { options.filter.min_length = 50; }), filters);
  EXPECT_EQ(refused_options([](auto& options) { options.filter.evalue = 1; }), filters);
  EXPECT_EQ(refused_options([](auto& options) { options.value = MatrixValue{}; }),
            kList + "matrix_value do not go together: the value of an edge is that of its relation.");
  EXPECT_EQ(refused_options([](auto& options) { options.cutoff = 30; }),
            kList + "cutoff do not go together: relations have thresholds of their own.");
  EXPECT_EQ(refused_options([](auto& options) { options.top_k = 1; }),
            kList + "top_k do not go together: relations choose all pairs that have them.");
  EXPECT_EQ(refused_options([](auto& options) { options.self = true; }),
            kList + "self do not go together: a sequence is similar to itself by each of them.");
}

TEST_F(ApiRelationsRefused, ListsThatParseRelationsRefuses) {
  const auto with = [&](std::vector<Relation> relations) {
    return refused_options([&](auto& options) { options.relations = relations; });
  };
  EXPECT_THAT(with({{RelationKind::whole, 0.3}}), HasSubstr("write whole:30 for this fraction"));
  EXPECT_THAT(with({{RelationKind::part, 100.5}}), HasSubstr("at most 100"));
  EXPECT_THAT(with({{RelationKind::score, std::nan("")}}), HasSubstr("no finite number"));
  EXPECT_THAT(with({{RelationKind::score, 1}, {RelationKind::score, 2}}), HasSubstr("score comes twice"));
}

TEST_F(ApiRelationsRefused, CallbacksOfOtherResults) {
  const std::string edges = "relation whole:30,related:1 chooses edges. Name a file for them: edges FILE.";
  EXPECT_EQ(refused([](auto&, PairSink& sink) { sink = {}; }), edges);
  EXPECT_EQ(
      refused([](auto&, PairSink& sink) { sink.rows = [](const Columns&, const std::string&) {}; }),
      "relation whole:30,related:1 and rows and values of every pair do not go together: relations choose "
      "edges.");
  EXPECT_NE(refused([](auto&, PairSink& sink) { sink.values = [](const ValueStripe&) {}; }), "");
}

TEST_F(ApiRelationsRefused, OutputsOtherThanEdges) {
  const std::string kWhole = "relation whole:30 and ",
                    why = " do not go together: relations choose edges, which edges writes.";
  EXPECT_EQ(refused_files([&](PairFiles& files) { files.rows = outputs_.file("r.tsv"); }),
            kWhole + "output" + why);
  EXPECT_EQ(refused_files([&](PairFiles& files) { files.matrix = outputs_.file("m.npy"); }),
            kWhole + "matrix_out" + why);
  EXPECT_EQ(refused_files([&](PairFiles& files) {
              files.matrices = {{PairValue::score, outputs_.file("m.npy")}};
            }),
            kWhole + "matrix_out" + why);
  EXPECT_EQ(refused_files([&](PairFiles& files) { files.phylip = outputs_.file("p.phy"); }),
            kWhole + "phylip" + why);
  EXPECT_EQ(refused_files([](PairFiles& files) { files.edges.clear(); }),
            "relation whole:30 chooses edges. Name a file for them: edges FILE.");
  EXPECT_EQ(refused_files([](PairFiles& files) { files.edge_threshold = 30; }),
            "relation whole:30 has a threshold of its own: leave edge_threshold out.");
}

TEST_F(ApiRelationsRefused, SparseMatricesOfSeveralUnits) {
  const auto npz = [&](const std::string& list) {
    return refused_files([&](PairFiles& files) { files.edges = outputs_.file("e.npz"); }, list);
  };
  for (const char* list : {"related:1", "whole:30,part:30", "score:3,related:1"})
    EXPECT_EQ(npz(list),
              "edges " + outputs_.file("e.npz") +
                  ": a sparse matrix holds the values of one relation, and no E-values. Name the file "
                  ".tsv or .csv, or choose one relation other than related.")
        << list;
}

TEST_F(ApiRelationsRefused, StrandsOfProteins) {
  for (const Strands strands : {Strands::minus, Strands::both})
    EXPECT_THAT(refused_options([&](auto& options) { options.strands = strands; }), HasSubstr("strand"));
}

// E-values depend on all sequences, so that those of edges that are on disk would change.
TEST_F(ApiRelationsRefused, AddingToEvalues) {
  PairFiles files;
  files.edges = outputs_.file("e.tsv");
  files.checkpoint = outputs_.file("ledger");
  for (const char* list : {"related:1", "part:30", "whole:30,related:1"}) {
    AllPairsOptions options;
    options.relations = parse_relations(list);
    std::filesystem::remove_all(files.checkpoint);
    run(files, options);
    const PairInputs added{.set = set_, .added = relatives_set(4, 9, 60)};
    EXPECT_THAT(input_error([&] { session_.all_pairs(added, scoring_, options, files); }),
                testing::AnyOf(HasSubstr("E-value"), HasSubstr("statistics differ")))
        << list;
  }
}

}  // namespace
}  // namespace alnus::test

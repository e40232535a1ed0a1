// Rows of a filter that scores decide: pairs are scored first, and those that pass are aligned. The files are
// the same as if all pairs were aligned.
#include <gtest/gtest.h>
#include <ostream>
#include <string>

#include "alnus/session.h"
#include "api/support/inputs.h"
#include "api/support/relations.h"
#include "support/temp_dir.h"

namespace alnus::test {
namespace {

struct Case {
  std::string name, mode;
  AlphabetKind kind;
  Strands strands;
  friend std::ostream& operator<<(std::ostream& out, const Case& one) { return out << one.name; }
};

class ApiScoresFirst : public testing::TestWithParam<Case> {
 protected:
  // The files of a run, one after the other.
  std::string written(bool shortcuts, bool two_sets, const AllPairsOptions& options, bool edges) const {
    SessionOptions of_session = session_options();
    of_session.shortcuts = shortcuts;
    const TempDir directory;
    PairFiles files;
    files.rows = directory.file("rows.tsv");
    files.format = OutputFormat::parse("6 std cigar sstrand nident");
    if (edges) {
      files.edges = directory.file("edges.tsv");
      files.edge_threshold = 30;
    }
    PairInputs inputs{.set = set_};
    if (two_sets) inputs.against = other_;
    Session(of_session).all_pairs(inputs, scoring_, options, files);
    return read_file(files.rows) + (edges ? "edges\n" + read_file(files.edges) : "");
  }

  const SequenceSet set_ = assorted(1, GetParam().kind), other_ = assorted(2, GetParam().kind);
  const Scoring scoring_ = default_scoring(GetParam().mode, GetParam().kind);
};

TEST_P(ApiScoresFirst, WritesTheSameFiles) {
  std::size_t bytes = 0;
  for (const bool two_sets : {false, true})
    for (const bool edges : {false, true})
      for (const double limit : {10.0, 1e-3, 25.0, 80.0}) {
        AllPairsOptions options;
        options.strands = GetParam().strands;
        options.value = MatrixValue{.kind = PairValue::score};
        if (limit > 20)
          options.filter.min_score = limit;
        else if (GetParam().mode == "local")
          options.filter.evalue = limit;
        else
          continue;
        SCOPED_TRACE(testing::Message()
                     << limit << (two_sets ? ", two sets" : "") << (edges ? ", edges" : ""));
        const std::string all = written(false, two_sets, options, edges);
        EXPECT_EQ(written(true, two_sets, options, edges), all);
        bytes += all.size();
      }
  EXPECT_GT(bytes, 1000U) << "the data are no test of these options";
}

INSTANTIATE_TEST_SUITE_P(Inputs, ApiScoresFirst,
                         testing::Values(Case{"proteins", "local", AlphabetKind::protein, Strands::plus},
                                         Case{"dna", "local", AlphabetKind::dna, Strands::both},
                                         Case{"dna_plus", "local", AlphabetKind::dna, Strands::plus},
                                         Case{"dna_minus", "local", AlphabetKind::dna, Strands::minus},
                                         Case{"global", "global", AlphabetKind::protein, Strands::plus},
                                         Case{"dna_global", "global", AlphabetKind::dna, Strands::both}),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace alnus::test

// Session::all_pairs into files: their contents, and options that are refused.
#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstring>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>
#include <sys/resource.h>

#include "alnus/session.h"
#include "api/support/errors.h"
#include "api/support/inputs.h"
#include "api/support/pair_files_fixture.h"
#include "support/compression.h"
#include "support/temp_dir.h"
#include "support/zip_reader.h"

namespace alnus::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class ApiPairFiles : public PairFilesTest {
 protected:
  // Returns the value of each pair as a sink gets it, by row and column.
  std::map<std::pair<Index, Index>, double> values_of(const AllPairsOptions& options) {
    std::map<std::pair<Index, Index>, double> values;
    session_.all_pairs(set_, scoring_, options,
                       {{}, [&](const ValueStripe& stripe) {
                          for (Index row = stripe.rows.begin; row < stripe.rows.end; ++row)
                            for (Index column = 0; column < row + (options.self ? 1 : 0); ++column)
                              values[{row, column}] = stripe.row(row)[column];
                        }});
    return values;
  }
  std::string edge(const std::pair<Index, Index>& pair, double value, PairValue kind) const {
    const char* format = kind == PairValue::identity ? "%.3f" : kind == PairValue::distance ? "%.6f" : "%.0f";
    char text[64];
    std::snprintf(text, sizeof(text), format, value);
    return std::string(set_[pair.second].id()) + "\t" + std::string(set_[pair.first].id()) + "\t" + text +
           "\n";
  }
  template <class Value>
  static std::vector<Value> numbers_of(const std::string& npy, const std::string& head) {
    EXPECT_THAT(npy, StartsWith("\x93NUMPY"));
    EXPECT_THAT(npy.substr(0, 128), HasSubstr(head));
    std::vector<Value> numbers((npy.size() - 128) / sizeof(Value));
    std::memcpy(numbers.data(), npy.data() + 128, numbers.size() * sizeof(Value));
    return numbers;
  }
};

TEST_F(ApiPairFiles, RowsAreThoseOfASink) {
  AllPairsOptions options;
  options.filter.min_score = 40;
  const PairFiles files{.rows = outputs_.file("rows.tsv"),
                        .format = OutputFormat::parse("6 qseqid sseqid score")};
  const AllPairsSummary summary = run(files, options);
  std::string expected;
  session_.all_pairs(set_, scoring_, options, PairSink{.rows = [&](const Columns& rows, const std::string&) {
                       for (std::size_t i = 0; i < rows.size(); ++i)
                         expected += std::string(set_[rows.query[i]].id()) + "\t" +
                                     std::string(set_[rows.subject[i]].id()) + "\t" +
                                     std::to_string(rows.score[i]) + "\n";
                     }});
  EXPECT_EQ(read("rows.tsv"), expected);
  EXPECT_EQ(summary.listed, static_cast<std::uint64_t>(std::ranges::count(expected, '\n')));
  EXPECT_EQ(files.rows, outputs_.file("rows.tsv"));
  EXPECT_EQ(this->files(), std::set<std::string>{"rows.tsv"});
}

TEST_F(ApiPairFiles, ACondensedMatrixIsInSciPysOrder) {
  PairFiles files;
  files.matrix = outputs_.file("matrix.npy");
  for (const PairValue kind : {PairValue::identity, PairValue::distance}) {
    run(files, with_value(kind));
    const auto values = values_of(with_value(kind));
    const auto numbers =
        numbers_of<float>(read("matrix.npy"), "'<f4', 'fortran_order': False, 'shape': (595,)");
    ASSERT_EQ(numbers.size(), 35u * 34 / 2);
    std::size_t at = 0;
    for (Index i = 0; i < 35; ++i)
      for (Index j = i + 1; j < 35; ++j)
        EXPECT_EQ(numbers[at++], static_cast<float>(values.at({j, i}))) << i << ", " << j;
  }
}

TEST_F(ApiPairFiles, AMatrixOfScoreDistancesIsOfIntegersOrFloats) {
  PairFiles files;
  files.matrix = outputs_.file("matrix.npy");
  files.square = true;
  AllPairsOptions options = with_value(PairValue::score_distance);
  options.self = true;
  const auto values = values_of(options);
  run(files, options);
  const auto integers = numbers_of<std::int32_t>(read("matrix.npy"), "'<i4', 'fortran_order': False, ");
  files.matrix_type = MatrixType::float32;
  run(files, options);
  const auto floats = numbers_of<float>(read("matrix.npy"), "'<f4', 'fortran_order': False, ");
  ASSERT_EQ(integers.size(), 35u * 35);
  ASSERT_EQ(floats.size(), 35u * 35);
  for (Index i = 0; i < 35; ++i)
    for (Index j = 0; j < 35; ++j) {
      EXPECT_EQ(integers[i * 35 + j], values.at({std::max(i, j), std::min(i, j)})) << i << ", " << j;
      EXPECT_EQ(floats[i * 35 + j], integers[i * 35 + j]);
    }
  files = {.matrices = {{PairValue::score_distance, outputs_.file("other.npy")}},
           .matrix_type = MatrixType::int32};
  run(files, with_value());
  EXPECT_EQ(numbers_of<std::int32_t>(read("other.npy"), "'<i4'").size(), 35u * 34 / 2);
}

TEST_F(ApiPairFiles, ASquareMatrixIsSymmetricWithItsDiagonal) {
  PairFiles files;
  files.matrix = outputs_.file("matrix.npy");
  files.square = true;
  AllPairsOptions options = with_value(PairValue::score);
  options.self = true;
  run(files, options);
  const auto values = values_of(options);
  const auto numbers =
      numbers_of<std::int32_t>(read("matrix.npy"), "'<i4', 'fortran_order': False, 'shape': (35, 35)");
  ASSERT_EQ(numbers.size(), 35u * 35);
  for (Index i = 0; i < 35; ++i)
    for (Index j = 0; j < 35; ++j)
      EXPECT_EQ(numbers[i * 35 + j], (values.at({std::max(i, j), std::min(i, j)})));
}

TEST_F(ApiPairFiles, OfTwoSetsTheMatrixIsARectangle) {
  const SequenceSet against = random_set({.seed = 5, .count = 4});
  PairFiles files;
  files.matrix = outputs_.file("matrix.npy");
  files.matrix_type = MatrixType::float32;
  session_.all_pairs(PairInputs{.set = set_, .against = against}, scoring_, with_value(PairValue::score),
                     files);
  const auto numbers = numbers_of<float>(read("matrix.npy"), "'shape': (35, 4)");
  ASSERT_EQ(numbers.size(), 35u * 4);
  session_.all_pairs(set_, against, scoring_, with_value(PairValue::score),
                     {{}, [&](const ValueStripe& stripe) {
                        for (Index row = stripe.rows.begin; row < stripe.rows.end; ++row)
                          for (Index column = 0; column < 4; ++column)
                            EXPECT_EQ(numbers[row * 4 + column], static_cast<float>(stripe.row(row)[column]));
                      }});
}

TEST_F(ApiPairFiles, PhylipHasTheDistancesOfTheLowerTriangle) {
  PairFiles files;
  files.phylip = outputs_.file("distances.phy");
  run(files, with_value(PairValue::score));  // PHYLIP's file has distances all the same
  const auto values = values_of(with_value(PairValue::distance));
  std::string expected = "   35\n";
  char text[32];
  for (Index row = 0; row < 35; ++row) {
    std::string name(set_[row].id());
    name.resize(10, ' ');
    expected += name;
    for (Index column = 0; column < row; ++column) {
      std::snprintf(text, sizeof(text), "  %.6f", values.at({row, column}));
      expected += text;
    }
    expected += "\n";
  }
  EXPECT_EQ(read("distances.phy"), expected);
}

TEST_F(ApiPairFiles, MatricesOfSeveralValuesComeFromOneRun) {
  const auto written = [&](const PairFiles& files, const AllPairsOptions& options) {
    run(files, options);
    return read("matrix.npy");
  };
  const std::string name = outputs_.file("matrix.npy");
  PairFiles files{.matrix = outputs_.file("identity.npy"),
                  .matrices = {{PairValue::distance, outputs_.file("distance.npy")},
                               {PairValue::score, outputs_.file("score.npy")}}};
  run(files, with_value());
  EXPECT_TRUE(read("identity.npy") == written({.matrix = name}, with_value()));
  EXPECT_TRUE(read("distance.npy") == written({.matrix = name}, with_value(PairValue::distance)));
  EXPECT_TRUE(read("score.npy") == written({.matrix = name}, with_value(PairValue::score)));
  EXPECT_TRUE(read("distance.npy") ==
              written({.matrices = {{PairValue::distance, name}, {PairValue::score, ""}}}, {}));
  EXPECT_EQ(this->files().count(".ids"), 0u) << "an empty name is of no file";
}

TEST_F(ApiPairFiles, MatricesHaveTheIdsOfTheirSequencesBesideThem) {
  const auto ids_of = [](const SequenceSet& set) {
    std::string ids;
    for (Index i = 0; i < set.size(); ++i) ids += std::string(set[i].id()) + "\n";
    return ids;
  };
  PairFiles files{.matrix = outputs_.file("m.npy"), .matrices = {{PairValue::score, outputs_.file("s.npy")}}};
  run(files, with_value());
  EXPECT_EQ(read("m.npy.ids"), ids_of(set_));
  EXPECT_EQ(read("s.npy.ids"), ids_of(set_));
  EXPECT_EQ(this->files(), (std::set<std::string>{"m.npy", "m.npy.ids", "s.npy", "s.npy.ids"}));
  const SequenceSet against = random_set({.seed = 5, .count = 4, .prefix = "t"});
  files = {.matrix = outputs_.file("r.npy")};
  session_.all_pairs(PairInputs{.set = set_, .against = against}, scoring_, with_value(), files);
  EXPECT_EQ(read("r.npy.rows.ids"), ids_of(set_));
  EXPECT_EQ(read("r.npy.columns.ids"), ids_of(against));
}

TEST_F(ApiPairFiles, AMatrixAndItsIdsAreBothThereOrNeither) {
  std::filesystem::create_directory(outputs_.file("m.npy.ids"));  // a file cannot replace a directory
  EXPECT_THAT(other_error([&] { run({.matrix = outputs_.file("m.npy")}, with_value()); }),
              HasSubstr("m.npy.ids"));
  EXPECT_EQ(files(), std::set<std::string>{"m.npy.ids"});
}

TEST_F(ApiPairFiles, TwoSequencesWithOneNameHaveNoPhylipMatrix) {
  const PairFiles files{.phylip = outputs_.file("d.phy")};
  const PairInputs twice{.set = joined(set_, set_.part(3, 4))};
  const std::string error = input_error([&] { session_.all_pairs(twice, scoring_, {}, files); });
  EXPECT_THAT(error, AllOf(HasSubstr("Records 4 "), HasSubstr("and 36 "), HasSubstr(set_[3].id())));
  EXPECT_THAT(input_error([&] { session_.cost_of_all_pairs(twice, scoring_, {}, files); }),
              HasSubstr("Records"));
  EXPECT_TRUE(this->files().empty());
}

TEST_F(ApiPairFiles, EdgesAreThePairsWhoseValuePassesTheThreshold) {
  for (const PairValue kind :
       {PairValue::score, PairValue::identity, PairValue::distance, PairValue::score_distance}) {
    PairFiles files;
    files.edges = outputs_.file("edges.tsv");
    files.edge_threshold = kind == PairValue::distance ? 0.4 : 50;
    const AllPairsOptions options = with_value(kind);
    run(files, options);
    const bool is_distance = kind == PairValue::distance || kind == PairValue::score_distance;
    std::string expected;
    for (const auto& [pair, value] : values_of(options))
      if (is_distance ? value <= *files.edge_threshold : value >= *files.edge_threshold)
        expected += edge(pair, value, kind);
    EXPECT_FALSE(expected.empty());
    EXPECT_EQ(read("edges.tsv"), expected);
  }
}

// Edges in a .npz file are SciPy's sparse matrix, with the files of ids beside it.
TEST_F(ApiPairFiles, EdgesAreASparseMatrixWhereTheNameIsNpz) {
  for (const PairValue kind : {PairValue::score, PairValue::identity}) {
    PairFiles files;
    files.edges = outputs_.file("edges.npz");
    files.edge_threshold = 50;
    const AllPairsOptions options = with_value(kind);
    run(files, options);
    const std::map<std::string, std::string> arrays = read_zip(files.edges);
    std::vector<double> expected;
    for (const auto& [pair, value] : values_of(options))
      if (value >= 50) expected.insert(expected.end(), 2, value);  // a symmetric matrix has each value twice
    std::vector<double> found;
    if (kind == PairValue::score)
      for (const std::int32_t value : numbers_of<std::int32_t>(arrays.at("data.npy"), "<i4"))
        found.push_back(value);
    else
      for (const float value : numbers_of<float>(arrays.at("data.npy"), "<f4")) found.push_back(value);
    std::ranges::sort(expected);
    std::ranges::sort(found);
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t k = 0; k < found.size(); ++k) EXPECT_FLOAT_EQ(found[k], expected[k]);
    EXPECT_EQ(std::ranges::count(read("edges.npz.ids"), '\n'), set_.size());
  }
  PairFiles two;
  two.edges = outputs_.file("two.npz");
  two.edge_threshold = 30;
  const SequenceSet against = random_set({.seed = 5, .count = 4});
  session_.all_pairs(PairInputs{.set = set_, .against = against}, scoring_, with_value(PairValue::score),
                     two);
  EXPECT_EQ(std::ranges::count(read("two.npz.rows.ids"), '\n'), set_.size());
  EXPECT_EQ(std::ranges::count(read("two.npz.columns.ids"), '\n'), 4);
}

// Sparse matrices keep decimals, and have a self pair once.
TEST_F(ApiPairFiles, SparseMatricesOfDecimalsAndOfSelfPairs) {
  ScoringOptions scoring;
  scoring.gap_open = "9.5";
  scoring.gap_extend = "0.5";
  AllPairsOptions options = with_value(PairValue::score);
  options.self = true;
  PairFiles files;
  files.edges = outputs_.file("edges.npz");
  files.edge_threshold = -1000;
  session_.all_pairs(PairInputs{.set = set_}, make_scoring(scoring), options, files);
  const std::size_t size = set_.size();
  const auto values = numbers_of<float>(read_zip(files.edges).at("data.npy"), "<f4");
  EXPECT_EQ(values.size(), size * size);
  EXPECT_TRUE(std::ranges::any_of(values, [](float value) { return value != std::round(value); }));
}

// The sparse matrix is written at the end, when the other files are complete but do not have their names yet.
TEST_F(ApiPairFiles, WithoutRoomForTheSparseMatrixNoFileHasItsName) {
  PairFiles files = three_files(outputs_);
  files.edges = outputs_.file("edges.npz");
  files.edge_threshold = 0;
  files.rows.clear();
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const rlimit small{9'000, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const Thrown thrown = thrown_by([&] { run(files, with_value()); });
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  EXPECT_THAT(thrown.text, AllOf(HasSubstr("edges.npz"), HasSubstr("File too large")));
  EXPECT_TRUE(this->files().empty()) << testing::PrintToString(this->files());
}

// The identity of short pairs is computed without an alignment if nothing else is wanted. It must equal the
// identity of the alignment, which method interseq computes.
TEST_F(ApiPairFiles, IdentitiesAreThoseOfWholeAlignments) {
  const SequenceSet set = joined(random_set({.seed = 3, .count = 40, .longest = 30}),
                                 random_set({.seed = 4, .count = 10, .longest = 160, .prefix = "t"}));
  SessionOptions options = session_options();
  options.method = "interseq";
  Session whole(options);
  const auto matrix = [&](Session& session, const Scoring& scoring, const MatrixValue& value) {
    AllPairsOptions wanted;
    wanted.value = value;
    PairFiles files;
    files.matrix = outputs_.file("matrix.npy");
    session.all_pairs(PairInputs{.set = set}, scoring, wanted, files);
    return read("matrix.npy");
  };
  for (const char* mode : {"local", "global", "semiglobal"}) {
    ScoringOptions scoring;
    scoring.mode = mode;
    for (std::size_t d = 0; d < kDenominators; ++d)
      for (const PairValue kind : {PairValue::identity, PairValue::distance}) {
        const MatrixValue value{kind, static_cast<Denominator>(d)};
        EXPECT_TRUE(matrix(session_, make_scoring(scoring), value) ==
                    matrix(whole, make_scoring(scoring), value))
            << mode << ", denominator " << d;
      }
  }
}

// Filters hold for edges, with rows beside them or without; a matrix has all pairs whatever the filters.
TEST_F(ApiPairFiles, EdgesPassTheFilters) {
  std::vector<PairFilter> filters = {{{}, 60},
                                     {{.min_identity = 50, .denominator = Denominator::shorter}},
                                     {{}, {}, 1e-8},
                                     {{.min_coverage = 90, .coverage_of = CoverageOf::both}},
                                     {{.min_length = 50}},
                                     {{.min_coverage = 80, .min_length = 30}, 40}};
  for (const PairFilter& filter : filters) {
    for (const PairValue kind : {PairValue::score, PairValue::identity}) {
      AllPairsOptions options = with_value(kind);
      const auto values = values_of(options);
      PairFiles plain;
      plain.matrix = outputs_.file("plain.npy");
      run(plain, options);
      options.filter = filter;
      std::string expected;
      session_.all_pairs(set_, scoring_, options,
                         PairSink{.rows = [&](const Columns& rows, const std::string&) {
                           for (std::size_t i = 0; i < rows.size(); ++i) {
                             const std::pair pair{rows.subject[i], rows.query[i]};
                             if (values.at(pair) >= 30) expected += edge(pair, values.at(pair), kind);
                           }
                         }});
      EXPECT_FALSE(expected.empty());
      for (const bool rows : {false, true}) {
        PairFiles files;
        files.edges = outputs_.file("edges.tsv");
        files.edge_threshold = 30;
        files.matrix = outputs_.file("matrix.npy");
        if (rows) files.rows = outputs_.file("rows.tsv");
        run(files, options);
        EXPECT_EQ(read("edges.tsv"), expected) << rows;
        EXPECT_TRUE(read("matrix.npy") == read("plain.npy"));
      }
    }
  }
}

TEST_F(ApiPairFiles, EdgesOfABlockAreThoseOfItsPairs) {
  const auto edges = [&](const std::optional<Block>& block, const PairFilter& filter, bool self) {
    PairFiles files;
    files.edges = outputs_.file("edges.tsv");
    files.edge_threshold = 30;
    AllPairsOptions options = with_value(PairValue::score);
    options.block = block;
    options.filter = filter;
    options.self = self;
    run(files, options);
    return read("edges.tsv");
  };
  for (const PairFilter& filter : {PairFilter{}, PairFilter{{.min_coverage = 60}}})
    for (const bool self : {false, true}) {
      const std::string whole = edges({}, filter, self);
      std::multiset<std::string> lines, of_blocks;
      const auto add = [](const std::string& text, std::multiset<std::string>& to) {
        for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1)
          to.insert(text.substr(at, text.find('\n', at) - at));
      };
      add(whole, lines);
      for (const IndexRange rows : {IndexRange{0, 11}, IndexRange{11, 35}})
        for (const IndexRange columns : {IndexRange{0, 7}, IndexRange{7, 20}, IndexRange{20, 35}})
          add(edges(Block{rows, columns}, filter, self), of_blocks);
      EXPECT_EQ(of_blocks, lines);
      EXPECT_FALSE(lines.empty());
    }
}

TEST_F(ApiPairFiles, AThresholdOfIdentityIsAFilterToBeWarnedOf) {
  const auto warnings = [&](const AllPairsOptions& options, double threshold) {
    std::string said;
    RunControl control;
    control.on_message = [&](const Message& message) { said += message.text() + "\n"; };
    PairFiles files;
    files.edges = outputs_.file("edges.tsv");
    files.edge_threshold = threshold;
    session_.all_pairs(PairInputs{.set = set_}, scoring_, options, files, control);
    return said;
  };
  const auto warns = AllOf(HasSubstr("edge_threshold"), HasSubstr("min_coverage"), HasSubstr("min_length"));
  EXPECT_THAT(warnings(with_value(), 30), warns);
  EXPECT_THAT(warnings(with_value(PairValue::distance), 0.7), warns);
  EXPECT_EQ(warnings(with_value(PairValue::score), 30), "");
  EXPECT_THAT(warnings(with_value(PairValue::score_distance), 0.5),
              HasSubstr("A score distance is relative"));
  EXPECT_EQ(warnings(with_value(PairValue::distance), 1), "") << "every pair passes";
  AllPairsOptions options = with_value();
  options.filter.min_length = 20;
  EXPECT_EQ(warnings(options, 30), "");
  options = with_value();
  options.value->denominator = Denominator::with_end_gaps;
  EXPECT_EQ(warnings(options, 30), "");
}

// Matrices hold all pairs, whatever the filters are, so that no filter makes the warning needless.
TEST_F(ApiPairFiles, LocalIdentitiesOfMatricesAreToBeWarnedOf) {
  const auto warnings = [&](const PairFiles& files, AllPairsOptions options, const char* mode = "local") {
    std::string said;
    RunControl control;
    control.on_message = [&](const Message& message) { said += message.text() + "\n"; };
    session_.all_pairs(PairInputs{.set = set_}, default_scoring(mode), options, files, control);
    return said;
  };
  const PairFiles matrix{.matrix = outputs_.file("m.npy")}, phylip{.phylip = outputs_.file("d.phy")};
  const auto warns = AllOf(HasSubstr("of a pair is relative to the aligned columns"), HasSubstr("shorter"),
                           HasSubstr("mode"));
  AllPairsOptions options = with_value();
  options.statistics = no_statistics();
  EXPECT_THAT(warnings(matrix, options), AllOf(warns, HasSubstr("The identity of a pair")));
  EXPECT_THAT(warnings(matrix, options, "semiglobal"), warns);
  EXPECT_EQ(warnings(matrix, options, "global"), "");
  EXPECT_THAT(warnings(phylip, options), AllOf(warns, HasSubstr("The distance of a pair")));
  EXPECT_THAT(warnings({.matrices = {{PairValue::distance, outputs_.file("m.npy")}}}, options), warns);
  EXPECT_EQ(warnings({.matrices = {{PairValue::score, outputs_.file("m.npy")}}}, options), "");
  options.filter.min_length = 20;
  EXPECT_THAT(warnings(matrix, options), warns);
  PairFiles both = matrix;
  both.edges = outputs_.file("edges.tsv");
  both.edge_threshold = 30;
  options.filter = {{.min_identity = 30}};
  const std::string said = warnings(both, options);
  EXPECT_THAT(said, warns);
  EXPECT_EQ(std::ranges::count(said, '\n'), 1) << "one warning is enough: " << said;
  options = with_value();
  options.statistics = no_statistics();
  options.value->denominator = Denominator::shorter;
  EXPECT_EQ(warnings(matrix, options), "");
}

TEST_F(ApiPairFiles, LocalScoreDistancesAreToBeWarnedOf) {
  const auto warnings = [&](const PairFiles& files, const AllPairsOptions& options,
                            const char* mode = "local") {
    std::string said;
    RunControl control;
    control.on_message = [&](const Message& message) { said += message.text() + "\n"; };
    session_.all_pairs(PairInputs{.set = set_}, default_scoring(mode), options, files, control);
    return said;
  };
  const PairFiles matrix{.matrices = {{PairValue::score_distance, outputs_.file("m.npy")}}};
  const PairFiles edges{.edges = outputs_.file("e.tsv"), .edge_threshold = 5};
  const auto warns = AllOf(HasSubstr("A score distance is relative"), HasSubstr("global"));
  AllPairsOptions options = with_value(PairValue::score_distance);
  options.statistics = no_statistics();
  for (const PairFiles& files : {matrix, edges}) {
    EXPECT_THAT(warnings(files, options), AllOf(warns, HasSubstr("a local alignment")));
    EXPECT_THAT(warnings(files, options, "semiglobal"), AllOf(warns, HasSubstr("a semiglobal alignment")));
    EXPECT_EQ(warnings(files, options, "global"), "");
  }
  options.filter.min_coverage = 80;
  EXPECT_THAT(warnings(matrix, options), warns) << "a matrix has every pair";
  EXPECT_EQ(warnings(edges, options), "");
  options.filter = {};
  options.top_k = 2;
  const PairFiles rows{.rows = outputs_.file("r.tsv")};
  EXPECT_THAT(warnings(rows, options), warns);
  options.value = MatrixValue{.kind = PairValue::score};
  EXPECT_EQ(warnings(rows, options), "");
}

TEST_F(ApiPairFiles, CompressedFilesHoldTheSameText) {
  run(three_files(outputs_), with_value());
  PairFiles files = three_files(outputs_);
  files.rows += ".gz";
  files.edges += ".zst";
  run(files, with_value());
  EXPECT_EQ(unpacked(files.rows), read("rows.tsv"));
  EXPECT_EQ(unpacked(files.edges), read("edges.tsv"));
}

TEST_F(ApiPairFiles, OfBlocksAreThoseOfTheWholeOneAfterTheOther) {
  const OutputFormat format = OutputFormat::parse("6");
  run({.rows = outputs_.file("whole.tsv"), .format = format}, {});
  std::string blocks;
  for (const PlannedPart& part : plan_all_pairs(set_, false, 4).parts) {
    AllPairsOptions options;
    options.block = part.blocks.at(0);
    run({.rows = outputs_.file("block.tsv"), .format = format}, options);
    blocks += read("block.tsv");
  }
  EXPECT_EQ(blocks, read("whole.tsv"));
}

TEST_F(ApiPairFiles, ThatHoldEveryPairAreNotOfBlocks) {
  AllPairsOptions options = with_value();
  options.block = Block{{0, 1}, {0, 2}};
  const auto refused = [&](const PairFiles& files) {
    const std::string error = input_error([&] { run(files, options); });
    return error.substr(0, error.find("every pair"));
  };
  EXPECT_EQ(refused({.matrix = outputs_.file("m.npy")}), "matrix_out holds ");
  EXPECT_EQ(refused({.matrices = {{PairValue::score, outputs_.file("m.npy")}}}), "matrix_out holds ");
  EXPECT_EQ(refused({.phylip = outputs_.file("d.phy")}), "phylip holds ");
  run({.edges = outputs_.file("e.tsv"), .edge_threshold = 0}, options);  // edges may be those of a block
}

// ---- Errors ----

TEST_F(ApiPairFiles, ContradictionsAreErrorsThatLeaveNothing) {
  const SequenceSet against = random_set({.seed = 5, .count = 4});
  const auto refused = [&](const PairFiles& files, const AllPairsOptions& options, bool two = false) {
    PairInputs inputs{.set = set_};
    if (two) inputs.against = against;
    const std::string text = input_error([&] { session_.all_pairs(inputs, scoring_, options, files); });
    EXPECT_TRUE(this->files().empty()) << testing::PrintToString(this->files());
    return text;
  };
  const std::string matrix = outputs_.file("m.npy"), other = outputs_.file("other");
  const OutputFormat format = OutputFormat::parse("6");
  EXPECT_THAT(refused({.rows = other, .format = format, .matrix = other}, with_value()), HasSubstr("other"))
      << "a name is used once";
  EXPECT_NE(refused({.edges = other}, with_value()), "") << "edges without a threshold";
  for (const char* name : {"e.NPZ", "e.npz.gz", "e.npz.zst"})
    EXPECT_THAT(refused({.edges = outputs_.file(name), .edge_threshold = 3}, with_value()),
                AllOf(HasSubstr(name), HasSubstr(".npz")));
  EXPECT_THAT(
      refused({.edges = outputs_.file("e.npz"), .edge_threshold = 3, .checkpoint = inputs_.file("run")},
              with_value()),
      AllOf(HasSubstr("e.npz"), HasSubstr("checkpoint")));
  EXPECT_THAT(refused({.rows = outputs_.file("e.npz.ids"),
                       .format = format,
                       .edges = outputs_.file("e.npz"),
                       .edge_threshold = 3},
                      with_value()),
              HasSubstr("e.npz.ids"));
  EXPECT_NE(refused({.matrix = matrix, .edge_threshold = 3}, with_value()), "")
      << "a threshold without edges";
  AllPairsOptions self = with_value();
  self.self = true;
  EXPECT_NE(refused({.rows = other, .format = format, .square = true}, self), "")
      << "square without a matrix";
  EXPECT_NE(refused({.matrix = matrix, .square = true}, with_value(), true), "") << "square of two sets";
  EXPECT_NE(refused({.matrix = matrix}, self, true), "") << "self of two sets";
  EXPECT_NE(refused({.matrix = matrix, .matrix_type = MatrixType::int32}, with_value()), "")
      << "integers of identities";
  for (const double threshold : {-0.5, std::nan("")})
    EXPECT_THAT(refused({.edges = other, .edge_threshold = threshold}, with_value(PairValue::score_distance)),
                AllOf(HasSubstr("edge_threshold"), HasSubstr("0 or more")));
  EXPECT_NE(refused({.phylip = other}, with_value(), true), "") << "PHYLIP of two sets";
  EXPECT_NE(refused({.matrix = matrix, .phylip_names = PhylipNames::strict}, with_value()), "")
      << "names without PHYLIP";
  EXPECT_THAT(refused({.matrix = matrix, .matrices = {{PairValue::identity, other}}}, with_value()),
              AllOf(HasSubstr("m.npy"), HasSubstr("other")))
      << "two matrices of one value";
  for (const char* name : {"-", "m.xlsx", "m.npy.zst", "m.phy"})
    EXPECT_THAT(refused({.matrix = name}, with_value()), HasSubstr("matrix_out")) << name;
  EXPECT_THAT(refused({.rows = matrix + ".ids", .format = format, .matrix = matrix}, with_value()),
              HasSubstr("m.npy.ids"))
      << "the file of labels is one, too";
  AllPairsOptions no_alignments;
  no_alignments.detail = Detail::score;
  EXPECT_NE(refused({.rows = other, .format = OutputFormat::parse("sam")}, no_alignments), "")
      << "SAM needs alignments";
}

TEST_F(ApiPairFiles, IntegersOfDecimalScoresAreAnError) {
  ScoringOptions words;
  words.preset = "emboss-needle";
  PairFiles files;
  files.matrix = outputs_.file("matrix.npy");
  const Scoring decimals = make_scoring(words);
  for (const PairValue kind : {PairValue::score, PairValue::score_distance}) {
    const auto write = [&](std::optional<MatrixType> type) {
      files.matrix_type = type;
      session_.all_pairs(PairInputs{.set = set_}, decimals, with_value(kind), files);
    };
    EXPECT_THAT(input_error([&] { write({}); }), HasSubstr("matrix_type float32"));
    EXPECT_THAT(input_error([&] { write(MatrixType::int32); }), HasSubstr("matrix_type float32"));
    write(MatrixType::float32);
    const auto numbers = numbers_of<float>(read("matrix.npy"), "'<f4'");
    EXPECT_TRUE(std::ranges::any_of(numbers, [](float number) { return number != std::floor(number); }));
  }
}

TEST_F(ApiPairFiles, InputsAreNeverOverwritten) {
  const std::string fasta = inputs_.write_file("set.fa", fasta_of(set_));
  const std::string text = read_file(fasta);
  const Database set = session_.open(fasta);
  const std::string same_by_another_name = inputs_.path().string() + "/./set.fa";
  for (const std::string& name : {fasta, same_by_another_name}) {
    PairFiles files{.rows = name, .format = OutputFormat::parse("6")};
    EXPECT_NE(input_error([&] { session_.all_pairs(PairInputs{.set = set}, scoring_, {}, files); }), "")
        << name;
    EXPECT_TRUE(read_file(fasta) == text);
  }
}

TEST_F(ApiPairFiles, OutputsThatCannotBeWrittenAreNamedAndLeaveNothing) {
  PairFiles files = three_files(outputs_);
  files.matrix = outputs_.file("none/matrix.npy");
  EXPECT_THAT(other_error([&] { run(files, with_value()); }),
              AllOf(HasSubstr("none/matrix.npy"), HasSubstr("No such file or directory")));
  EXPECT_TRUE(this->files().empty()) << testing::PrintToString(this->files());
}

}  // namespace
}  // namespace alnus::test

// Results depend on inputs and options alone: not on devices, threads, memory, other calls or timing.
#include <gtest/gtest.h>
#include <thread>

#include "alnus/session.h"
#include "api/support/errors.h"
#include "api/support/inputs.h"
#include "api/support/table.h"
#include "support/compression.h"
#include "support/temp_dir.h"

namespace alnus::test {
namespace {

// The results of calls of every kind.
struct Everything {
  std::vector<std::pair<std::string, SearchRows>> searches;
  std::vector<std::pair<std::string, Table>> tables;
  std::vector<double> numbers;  // of Z-values, identity ranges, values of pairs and a calibration
  std::vector<std::string> files;
};

class ApiDeterminism : public testing::Test {
 protected:
  static StatisticsOptions by(StatisticsMethod method) {
    StatisticsOptions options;
    options.method = method;
    if (method == StatisticsMethod::zvalue) options.shuffles = ShuffleOptions{.shuffles = 15};
    return options;
  }

  Everything everything(Session& session) const {
    Everything all;
    const Database queries(queries_), subjects(subjects_), set(set_);
    for (const auto& [name, statistics] :
         {std::pair<std::string, StatisticsOptions>{"spouge", {}},
          {"karlin with composition",
           {.method = StatisticsMethod::karlin, .composition = Composition::scale}},
          {"regression", by(StatisticsMethod::regression)},
          {"zvalue", by(StatisticsMethod::zvalue)}}) {
      SearchOptions options{.max_target_seqs = 8, .evalue = 1e6, .statistics = statistics};
      options.identity_ranges = {Denominator::alignment};
      all.searches.emplace_back(name, session.search(queries, subjects, scoring_, options).hits);
    }
    for (const char* mode : {"local", "global", "semiglobal"}) {
      const Scoring scoring = default_scoring(mode);
      all.tables.emplace_back(std::string("align ") + mode,
                              session.align(set, set, random_pairs(3, 200, set_, set_), scoring));
      Table rows;
      AllPairsOptions options;
      options.value = MatrixValue{};
      options.identity_ranges = {Denominator::shorter};
      session.all_pairs(set, scoring, options,
                        {[&](const Columns& batch, const std::string&) { rows.append(batch); },
                         [&](const ValueStripe& stripe) {
                           for (Index row = stripe.rows.begin; row < stripe.rows.end; ++row)
                             for (Index column = 0; column < row; ++column)
                               all.numbers.push_back(stripe.row(row)[column]);
                         }});
      all.tables.emplace_back(std::string("all_pairs ") + mode, std::move(rows));
    }
    const std::vector<IndexPair> pairs = random_pairs(4, 15, set_, set_);
    for (const ZValue& z : session.z_values(set, set, pairs, {}, scoring_, {.shuffles = 30}))
      all.numbers.insert(all.numbers.end(), {z.z.value_or(-1), z.standard_error.value_or(-1),
                                             z.log_p.value_or(1), z.goodness.value_or(-1)});
    const Calibration calibration =
        session.calibrate(scoring_, {.precision = 0.1, .length = 200, .anew = true});
    all.numbers.insert(all.numbers.end(), {calibration.lambda.value, calibration.K.error,
                                           calibration.alpha.value, calibration.sigma.value});
    const TempDir directory;
    PairFiles files{.rows = directory.file("rows.jsonl"), .format = OutputFormat::parse("jsonl")};
    files.matrix = directory.file("matrix.npy");
    files.phylip = directory.file("distances.phy");
    files.edges = directory.file("edges.tsv");
    files.edge_threshold = 0.7;
    AllPairsOptions options;
    options.value = MatrixValue{.kind = PairValue::distance};
    session.all_pairs(PairInputs{.set = set}, scoring_, options, files);
    for (const std::string& name : {files.rows, files.matrix, files.phylip, files.edges})
      all.files.push_back(read_file(name));
    const std::string fasta = directory.write_file("set.fa", fasta_of(subjects_));
    session.make_database({fasta}, directory.file("set.alnus"));
    all.files.push_back(read_file(directory.file("set.alnus")));
    return all;
  }

  static void expect_same(const Everything& actual, const Everything& expected) {
    for (std::size_t k = 0; k < expected.searches.size(); ++k)
      EXPECT_TRUE(same(actual.searches[k].second, expected.searches[k].second)) << actual.searches[k].first;
    for (std::size_t k = 0; k < expected.tables.size(); ++k)
      EXPECT_TRUE(same(actual.tables[k].second, expected.tables[k].second)) << actual.tables[k].first;
    EXPECT_EQ(actual.numbers, expected.numbers);
    for (std::size_t k = 0; k < expected.files.size(); ++k)
      EXPECT_TRUE(actual.files[k] == expected.files[k]) << "file " << k;
  }

  const SequenceSet queries_ = relatives_set(1, 4, 80), set_ = relatives_set(2, 25, 80),
                    subjects_ = joined(relatives_set(1, 20, 80),
                                       random_set({.seed = 3, .count = 600, .shortest = 10, .longest = 120}));
  const Scoring scoring_ = default_scoring();
};

TEST_F(ApiDeterminism, ThreadsChangeNothing) {
  Session one(session_options(1));
  const Everything expected = everything(one);
  for (const int threads : {2, 5}) {
    SCOPED_TRACE(threads);
    Session session(session_options(threads));
    expect_same(everything(session), expected);
  }
}

TEST_F(ApiDeterminism, MemoryChangesNothing) {
  Session usual(session_options());
  const Everything expected = everything(usual);
  for (const std::uint64_t memory : {std::uint64_t{2} << 20, std::uint64_t{8} << 30}) {
    SCOPED_TRACE(memory);
    Session session(session_options(2, memory));
    expect_same(everything(session), expected);
  }
}

TEST_F(ApiDeterminism, InstructionSetsAndDevicesChangeNothing) {
  Session usual(session_options());
  const Everything expected = everything(usual);
  for (const Backend& backend : backends()) {
    for (const std::string& isa : backend.isas) {
      SCOPED_TRACE(isa);
      SessionOptions options = session_options();
      options.devices = "cpu";
      options.isa = isa;
      Session session(options);
      expect_same(everything(session), expected);
    }
    if (backend.name == "cpu" || !backend.available) continue;
    SCOPED_TRACE(backend.name);
    SessionOptions options = session_options();
    options.devices = backend.name;
    Session session(options);
    expect_same(everything(session), expected);
  }
}

TEST_F(ApiDeterminism, OtherCallsChangeNothing) {
  Session session(session_options());
  const Everything expected = everything(session);
  std::stop_source source;
  std::vector<std::jthread> others;
  for (int k = 0; k < 2; ++k)
    others.emplace_back([&] {
      RunControl run;
      run.stop = source.get_token();
      while (!source.stop_requested())
        thrown_by([&] { session.search(set_, subjects_, default_scoring("global"), {}, run); });
    });
  expect_same(everything(session), expected);
  source.request_stop();
}

TEST_F(ApiDeterminism, TheSameCallAgainWritesTheSameCompressedBytes) {
  const TempDir directory;
  const auto bytes = [&](int threads) {
    Session session(session_options(threads));
    const PairFiles files{.rows = directory.file("rows.tsv.gz"), .format = OutputFormat::parse("6")};
    session.all_pairs(PairInputs{.set = set_}, scoring_, {}, files);
    return read_file(files.rows);
  };
  const std::string expected = bytes(1);
  EXPECT_TRUE(bytes(1) == expected);
  EXPECT_TRUE(bytes(4) == expected);
  EXPECT_NE(unpacked(directory.file("rows.tsv.gz")), "");
}

}  // namespace
}  // namespace alnus::test

// Session::all_pairs into files with a checkpoint: runs that continue, and runs that more sequences extend.
#include <algorithm>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stop_token>

#include "alnus/session.h"
#include "api/support/errors.h"
#include "api/support/inputs.h"
#include "api/support/pair_files_fixture.h"
#include "support/temp_dir.h"

namespace alnus::test {
namespace {

using ::testing::HasSubstr;

class ApiCheckpoint : public PairFilesTest {
 protected:
  PairFiles with_checkpoint(const TempDir& directory) const {
    PairFiles files = three_files(directory);
    files.checkpoint = directory.file("ledger");
    return files;
  }
};

TEST_F(ApiCheckpoint, WritesTheSameFiles) {
  run(three_files(inputs_), with_value());
  const AllPairsSummary summary = run(with_checkpoint(outputs_), with_value());
  EXPECT_FALSE(summary.finished_before);
  for (const char* name : {"rows.tsv", "matrix.npy", "edges.tsv"})
    EXPECT_TRUE(read(name) == read_file(inputs_.file(name))) << name;
}

TEST_F(ApiCheckpoint, OfAFinishedRunIsNotDoneAgain) {
  const AllPairsSummary first = run(with_checkpoint(outputs_), with_value());
  const auto written = std::filesystem::last_write_time(outputs_.file("rows.tsv"));
  const AllPairsSummary again = run(with_checkpoint(outputs_), with_value());
  EXPECT_TRUE(again.finished_before);
  EXPECT_EQ(again.pairs, 0u) << "that this call computed";
  EXPECT_EQ(again.cells, 0u);
  EXPECT_EQ(again.listed, first.listed) << "of the whole matrix";
  EXPECT_EQ(again.filtered, first.filtered);
  EXPECT_EQ(again.empty, first.empty);
  EXPECT_EQ(std::filesystem::last_write_time(outputs_.file("rows.tsv")), written);
}

TEST_F(ApiCheckpoint, AnotherSessionWithOtherThreadsMemoryAndDevicesGoesOn) {
  const SequenceSet set = random_set({.seed = 8, .count = 250, .shortest = 60, .longest = 140});
  const PairInputs inputs{.set = set};
  const auto run_with = [&](int threads, std::uint64_t memory, const PairFiles& files,
                            const RunControl& run) {
    Session session(session_options(threads, memory));
    return session.all_pairs(inputs, scoring_, with_value(), files, run);
  };
  PairFiles whole = with_checkpoint(inputs_), parts = with_checkpoint(outputs_);
  for (PairFiles* files : {&whole, &parts}) {
    files->rows += ".gz";
    files->phylip = files->edges + ".phy";
    files->matrices = {{PairValue::score, files->matrix + ".scores"},
                       {PairValue::score_distance, files->matrix + ".lacking"}};
  }
  run_with(2, 4 << 20, whole, {});
  std::stop_source source;
  RunControl stopped;
  stopped.stop = source.get_token();
  stopped.on_progress = [&](const Progress&) {
    const auto ledger = outputs_.path() / "ledger" / "ledger.json";
    if (std::filesystem::exists(ledger)) source.request_stop();
  };
  std::string said;
  stopped.on_message = [&](const Message& message) { said += message.text(); };
  Thrown thrown = thrown_by([&] { run_with(2, 4 << 20, parts, stopped); });
  EXPECT_TRUE(thrown.interrupted || thrown.text == "nothing was thrown") << thrown.text;
  EXPECT_THAT(said, HasSubstr(thrown.interrupted ? " of 250 rows (" : ""));
  const AllPairsSummary rest = run_with(1, 1 << 30, parts, {});
  EXPECT_EQ(rest.listed + rest.empty, 250u * 249 / 2);
  const std::string edges = read("edges.tsv");
  EXPECT_EQ(rest.edges, static_cast<std::uint64_t>(std::ranges::count(edges, '\n')));
  for (const char* name : {"rows.tsv.gz", "matrix.npy", "matrix.npy.ids", "matrix.npy.scores",
                           "matrix.npy.scores.ids", "matrix.npy.lacking", "edges.tsv", "edges.tsv.phy"})
    EXPECT_TRUE(read(name) == read_file(inputs_.file(name))) << name;
}

TEST_F(ApiCheckpoint, OfWhichNothingIsOnDiskBeginsAnew) {
  const SequenceSet set = random_set({.seed = 8, .count = 1500, .shortest = 60, .longest = 140});
  Session session(session_options(2, 1 << 30));
  std::stop_source source;
  RunControl stopped;
  stopped.stop = source.get_token();
  stopped.on_progress = [&](const Progress&) { source.request_stop(); };
  std::string said;
  stopped.on_message = [&](const Message& message) { said += message.text(); };
  PairFiles files = with_checkpoint(outputs_);
  files.rows.clear();
  const Thrown thrown = thrown_by([&] {
    session.all_pairs(PairInputs{.set = set}, scoring_, with_value(PairValue::score), files, stopped);
  });
  EXPECT_TRUE(thrown.interrupted);
  EXPECT_EQ(said, "Interrupted: nothing is on disk yet, so that the same command begins the run anew.");
}

TEST_F(ApiCheckpoint, OfRowsThatTakeLongTellsSo) {
  const PairInputs inputs{.set = random_set({.seed = 8, .count = 3, .shortest = 20, .longest = 20})};
  AllPairsOptions options = with_value();
  options.statistics.method = StatisticsMethod::zvalue;
  options.statistics.shuffles = ShuffleOptions{.shuffles = 500'000'000};  // for each pair
  std::stop_source source;
  RunControl stopped;
  stopped.stop = source.get_token();
  std::string said;
  stopped.on_message = [&](const Message& message) {
    said += message.text() + "\n";
    if (said.find("expected to take") != said.npos) source.request_stop();
  };
  const Thrown thrown =
      thrown_by([&] { session_.all_pairs(inputs, scoring_, options, with_checkpoint(outputs_), stopped); });
  EXPECT_TRUE(thrown.interrupted) << thrown.text;
  EXPECT_THAT(said, HasSubstr("The rows of 2 sequences, 's1' and others, are each expected to take more than "
                              "10 seconds."));
}

// The run is cancelled up to three times, each time when more stripes are in the ledger than before.
TEST_F(ApiCheckpoint, OfScoreDistancesGoesOnToTheSameBytes) {
  const PairInputs inputs{.set = random_set({.seed = 8, .count = 1200, .shortest = 40, .longest = 60})};
  const AllPairsOptions options = with_value(PairValue::score_distance);
  const auto files_in = [&](const TempDir& directory) {
    PairFiles files = with_checkpoint(directory);
    files.rows.clear();
    files.edge_threshold = 190;
    return files;
  };
  Session session(session_options(2, 1 << 20));
  session.all_pairs(inputs, scoring_, options, files_in(inputs_));
  int interrupted = 0;
  for (bool done = false; !done;) {
    const auto ledger = outputs_.file("ledger/ledger.json");
    const std::string before = std::filesystem::exists(ledger) ? read_file(ledger) : "";
    std::stop_source source;
    RunControl stopped;
    stopped.stop = source.get_token();
    stopped.on_progress = [&](const Progress&) {
      if (interrupted < 3 && std::filesystem::exists(ledger) && read_file(ledger) != before)
        source.request_stop();
    };
    const Thrown thrown =
        thrown_by([&] { session.all_pairs(inputs, scoring_, options, files_in(outputs_), stopped); });
    done = !thrown.interrupted;
    interrupted += thrown.interrupted;
    EXPECT_TRUE(thrown.interrupted || thrown.text == "nothing was thrown") << thrown.text;
  }
  for (const char* name : {"matrix.npy", "edges.tsv"})
    EXPECT_TRUE(read(name) == read_file(inputs_.file(name))) << name;
  EXPECT_FALSE(read("edges.tsv").empty());
}

TEST_F(ApiCheckpoint, OfAnotherCoverageIsRefused) {
  AllPairsOptions options = with_value();
  options.filter = {{.min_coverage = 60, .min_length = 15}};
  run(with_checkpoint(outputs_), options);
  EXPECT_TRUE(run(with_checkpoint(outputs_), options).finished_before);
  const std::vector<std::pair<PairFilter, std::string>> others = {
      {{{.min_coverage = 61, .min_length = 15}}, "min_coverage differs"},
      {{{.min_coverage = 60, .min_length = 16}}, "min_length differs"},
      {{{.min_coverage = 60, .coverage_of = CoverageOf::shorter, .min_length = 15}}, "coverage_of differs"},
      {{}, "min_coverage differs"}};
  for (const auto& [other, message] : others) {
    options.filter = other;
    EXPECT_THAT(input_error([&] { run(with_checkpoint(outputs_), options); }), HasSubstr(message));
  }
}

TEST_F(ApiCheckpoint, OfAnotherRunIsRefusedByName) {
  run(with_checkpoint(outputs_), with_value());
  const auto error = [&](const PairInputs& inputs, const Scoring& scoring, const AllPairsOptions& options,
                         const PairFiles& files) {
    return input_error([&] { session_.all_pairs(inputs, scoring, options, files); });
  };
  const PairInputs inputs{.set = set_};
  const PairFiles files = with_checkpoint(outputs_);
  EXPECT_THAT(error(inputs, default_scoring("global"), with_value(), files), HasSubstr("mode"));
  for (const PairValue kind : {PairValue::score, PairValue::score_distance})
    EXPECT_THAT(error(inputs, scoring_, with_value(kind), files), HasSubstr("matrix_value"));
  EXPECT_THAT(error({.set = set_.part(0, 20)}, scoring_, with_value(), files), HasSubstr("sequences"));
  AllPairsOptions self = with_value();
  self.self = true;
  EXPECT_THAT(error(inputs, scoring_, self, files), HasSubstr("self"));
  AllPairsOptions filtered = with_value();
  filtered.filter.min_score = 3;
  EXPECT_THAT(error(inputs, scoring_, filtered, files), HasSubstr("min_score differs"));
  filtered.filter = {{.min_coverage = 3}};
  EXPECT_THAT(error(inputs, scoring_, filtered, files), HasSubstr("min_coverage differs"));
  filtered.filter = {{.min_length = 3}};
  EXPECT_THAT(error(inputs, scoring_, filtered, files), HasSubstr("min_length differs"));
  PairFiles other = files;
  other.edge_threshold = 41;
  EXPECT_THAT(error(inputs, scoring_, with_value(), other), HasSubstr("threshold"));
  other = files;
  other.edges = outputs_.file("others.tsv");
  EXPECT_THAT(error(inputs, scoring_, with_value(), other), HasSubstr("edges"));
  other = files;
  for (const PairValue kind : {PairValue::score, PairValue::score_distance}) {
    other.matrices = {{kind, outputs_.file("scores.npy")}};
    EXPECT_THAT(error(inputs, scoring_, with_value(), other), HasSubstr("matrix_out"));
  }
  other = files;
  other.format = OutputFormat::parse("6 score");
  EXPECT_THAT(error(inputs, scoring_, with_value(), other), HasSubstr("outfmt"));
  EXPECT_EQ(this->files(),
            (std::set<std::string>{"edges.tsv", "ledger", "matrix.npy", "matrix.npy.ids", "rows.tsv"}));
}

TEST_F(ApiCheckpoint, OfOtherShufflesOrRangesIsRefused) {
  AllPairsOptions options = with_value();
  options.identity_ranges = {Denominator::alignment};
  options.statistics = {.method = StatisticsMethod::zvalue, .shuffles = ShuffleOptions{.shuffles = 10}};
  run(with_checkpoint(outputs_), options);
  EXPECT_TRUE(run(with_checkpoint(outputs_), options).finished_before);
  AllPairsOptions other = options;
  other.statistics.shuffles->seed = 2;
  EXPECT_THAT(input_error([&] { run(with_checkpoint(outputs_), other); }), HasSubstr("statistics"));
  other = options;
  other.identity_ranges = {Denominator::shorter};
  EXPECT_THAT(input_error([&] { run(with_checkpoint(outputs_), other); }), HasSubstr("columns"));
}

TEST_F(ApiCheckpoint, ThatIsDamagedIsAnError) {
  run(with_checkpoint(outputs_), with_value());
  const std::string ledger = outputs_.file("ledger/ledger.json");
  std::filesystem::resize_file(ledger, 100);
  EXPECT_THAT(other_error([&] { run(with_checkpoint(outputs_), with_value()); }), HasSubstr("ledger.json"));
}

TEST_F(ApiCheckpoint, NeedsFilesWithoutAHead) {
  PairFiles files = with_checkpoint(outputs_);
  for (const char* format : {"7", "sam", "0", "srspair"}) {
    files.format = OutputFormat::parse(format);
    EXPECT_NE(input_error([&] { run(files, with_value()); }), "") << format;
  }
  files = with_checkpoint(outputs_);
  files.rows = "-";
  EXPECT_NE(input_error([&] { run(files, with_value()); }), "") << "standard output cannot go on";
  EXPECT_FALSE(this->files().contains("matrix.npy"));
}

// ---- More sequences ----

class ApiAdded : public ApiCheckpoint {
 protected:
  // Expects that a run of `set_` to which sequences are added has the outputs of one run of all sequences.
  void expect_extended(AllPairsOptions options, bool square) {
    options.significance = false;  // E-values depend on all sequences
    const SequenceSet more = joined(relatives_set(4, 9, 60), set_.part(3, 6));
    PairFiles whole = with_checkpoint(inputs_), grown = with_checkpoint(outputs_);
    for (PairFiles* files : {&whole, &grown}) {
      files->format = OutputFormat::parse("6 qseqid sseqid score cigar");
      files->square = square;
      files->matrices = {{PairValue::distance, files->matrix + ".distances"}};
      options.self |= square;
    }
    session_.all_pairs(PairInputs{.set = joined(set_, more)}, scoring_, options, whole);
    run(grown, options);
    const PairInputs added{.set = set_, .added = more};
    const AllPairsSummary summary = session_.all_pairs(added, scoring_, options, grown);
    EXPECT_EQ(summary.first_row, set_.size()) << "only the rows of these are computed";
    EXPECT_LT(summary.pairs, std::uint64_t{set_.size() + more.size()} * (set_.size() + more.size() - 1) / 2);
    for (const char* name : {"rows.tsv", "matrix.npy", "matrix.npy.ids", "matrix.npy.distances",
                             "matrix.npy.distances.ids", "edges.tsv"})
      EXPECT_TRUE(read(name) == read_file(inputs_.file(name))) << name;
    EXPECT_TRUE(
        session_.all_pairs(PairInputs{.set = joined(set_, more)}, scoring_, options, grown).finished_before)
        << "the ledger is of both now";
  }
};

TEST_F(ApiAdded, ExtendRowsEdgesAndACondensedMatrix) { expect_extended(with_value(), false); }

TEST_F(ApiAdded, ExtendWhatIsFiltered) {
  AllPairsOptions options = with_value();
  options.filter = {{.min_coverage = 60, .coverage_of = CoverageOf::query, .min_length = 15}};
  expect_extended(options, false);
  EXPECT_FALSE(read("edges.tsv").empty());
}

TEST_F(ApiAdded, ExtendASquareMatrix) { expect_extended(with_value(PairValue::score), true); }

TEST_F(ApiAdded, ExtendScoreDistances) {
  for (const bool square : {false, true}) {
    std::filesystem::remove_all(outputs_.path() / "ledger");
    std::filesystem::remove_all(inputs_.path() / "ledger");
    expect_extended(with_value(PairValue::score_distance), square);
    EXPECT_FALSE(read("edges.tsv").empty());
  }
}

TEST_F(ApiAdded, NeedAFinishedRun) {
  const PairInputs added{.set = set_, .added = random_set({.seed = 6, .count = 3})};
  PairFiles files = with_checkpoint(outputs_);
  files.format = OutputFormat::parse("6 qseqid sseqid score");
  AllPairsOptions options = with_value();
  options.significance = false;
  EXPECT_THAT(input_error([&] { session_.all_pairs(added, scoring_, options, files); }), HasSubstr("ledger"));
  files.checkpoint.clear();
  EXPECT_NE(input_error([&] { session_.all_pairs(added, scoring_, options, files); }), "")
      << "and its checkpoint";
}

TEST_F(ApiAdded, CannotExtendWhatDependsOnAllSequences) {
  const PairInputs added{.set = set_, .added = random_set({.seed = 6, .count = 3})};
  PairFiles files = with_checkpoint(outputs_);
  run(files, with_value());
  EXPECT_THAT(input_error([&] { session_.all_pairs(added, scoring_, with_value(), files); }),
              HasSubstr("E-value"));
}

}  // namespace
}  // namespace alnus::test

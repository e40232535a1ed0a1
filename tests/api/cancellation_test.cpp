// A call whose stop is requested throws Interrupted soon and leaves nothing behind, and its session can be
// used again. Usually each call is cancelled at five random instants; ALNUS_FULL_TESTS=1 (see
// support/inputs.h) takes larger inputs and 100 instants, and checks how soon calls return.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <gtest/gtest.h>
#include <set>
#include <sys/stat.h>
#include <thread>

#include "alnus/query_stream.h"
#include "alnus/session.h"
#include "api/support/calls.h"
#include "api/support/errors.h"
#include "api/support/instants.h"
#include "api/support/jobs.h"
#include "api/support/process.h"
#include "support/compression.h"

namespace alnus::test {
namespace {

std::stop_token requested() {
  std::stop_source source;
  source.request_stop();
  return source.get_token();
}

TEST(ApiCancelledBefore, EveryCallThrowsAtOnceAndLeavesNothing) {
  const Jobs jobs;
  Session session(session_options());
  for (const Job& job : jobs.all()) {
    SCOPED_TRACE(job.name);
    RunControl run;
    run.stop = requested();
    int sinks = 0;
    EXPECT_TRUE(thrown_by([&] { job.run(session, run, [&] { ++sinks; }); }).interrupted);
    EXPECT_EQ(sinks, 0);
    EXPECT_TRUE(std::filesystem::is_empty(jobs.outputs()));
  }
  expect_works(session);
}

TEST(ApiCancelledInProgress, EveryCallThrowsAndLeavesNothing) {
  const Jobs jobs;
  Session session(session_options());
  for (const Job& job : jobs.all()) {
    if (!job.aligns) continue;
    SCOPED_TRACE(job.name);
    std::stop_source source;
    RunControl run;
    run.stop = source.get_token();
    run.on_progress = [&](const Progress& progress) {
      if (progress.cells_done < progress.cells_total) source.request_stop();
    };
    // A call that reports progress only when it is done is not cancelled, and ends by itself.
    const Thrown thrown = thrown_by([&] { job.run(session, run, {}); });
    EXPECT_EQ(thrown.interrupted, source.stop_requested()) << thrown.text;
    EXPECT_TRUE(!source.stop_requested() || std::filesystem::is_empty(jobs.outputs()));
    for (const auto& file : std::filesystem::directory_iterator(jobs.outputs()))
      std::filesystem::remove(file.path());
    expect_works(session);
  }
}

TEST(ApiCancelledInASink, TheCallThrowsAndTheSinkIsNotCalledAgain) {
  const Jobs jobs;
  Session session(session_options(2, 16 << 20));
  for (const Job& job : jobs.all()) {
    if (!job.has_sink) continue;
    SCOPED_TRACE(job.name);
    std::stop_source source;
    RunControl run;
    run.stop = source.get_token();
    int after = 0;
    const Thrown thrown = thrown_by([&] {
      job.run(session, run, [&] {
        after += source.stop_requested();
        source.request_stop();
      });
    });
    EXPECT_EQ(after, 0);
    EXPECT_TRUE(thrown.interrupted || thrown.text == "nothing was thrown") << thrown.text;
    expect_works(session);
  }
}

class ApiCancelled : public testing::Test {
 protected:
  static constexpr int kSmaller = kSanitized ? 8 : 1;

  std::set<std::string> files() const {
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(outputs_.path()))
      names.insert(entry.path().filename().string());
    return names;
  }
  void remove_outputs() const {
    for (const std::string& name : files()) std::filesystem::remove_all(outputs_.path() / name);
  }
  // Returns a check for after a call: an interrupted call has left no file, and the session works. The check
  // removes the outputs of a call that was not interrupted.
  std::function<void(bool)> works_and_left_nothing() {
    return [this](bool interrupted) {
      EXPECT_TRUE(!interrupted || files().empty()) << testing::PrintToString(files());
      remove_outputs();
      expect_works(session_);
    };
  }
  SequenceSet proteins(unsigned seed, int count, std::size_t longest = 300) const {
    return random_set({.seed = seed,
                       .count = static_cast<std::uint32_t>(std::max(2, count / kSmaller)),
                       .shortest = longest / 2,
                       .longest = longest});
  }
  // Returns the text of a FASTA file of 13 MiB, in the full tests 121 MiB; less under sanitizers.
  std::string large_fasta() const {
    const int megabytes = by_size(12, 120) / kSmaller + 1;
    std::string text;
    const SequenceSet some = random_set({.seed = 9, .count = 1000, .shortest = 100, .longest = 900});
    const std::string records = fasta_of(some);
    while (text.size() < static_cast<std::size_t>(megabytes) << 20) text += records;
    return text;
  }
  std::string large_database() {
    const std::string fasta = inputs_.write_file("large.fa", large_fasta());
    session_.make_database({fasta}, inputs_.file("large.alnus"));
    return inputs_.file("large.alnus");
  }

  const TempDir inputs_, outputs_;
  Session session_{session_options(2, 256 << 20)};
  const Scoring scoring_ = default_scoring();
};

TEST_F(ApiCancelled, Search) {
  const Database queries = proteins(1, by_size(40, 200)), subjects = proteins(2, 3000);
  cancel_at_random_instants({.name = "search",
                             .run =
                                 [&](const RunControl& run) {
                                   session_.search(queries, subjects, scoring_, {.max_target_seqs = 50}, run);
                                 },
                             .check = works_and_left_nothing()});
}

TEST_F(ApiCancelled, SearchByZvalues) {
  const Database queries = proteins(1, 10), subjects = proteins(2, 200);
  SearchOptions options{.max_target_seqs = 20};
  options.statistics = {.method = StatisticsMethod::zvalue, .shuffles = ShuffleOptions{.shuffles = 200}};
  cancel_at_random_instants(
      {.name = "search by Z-values",
       .run = [&](const RunControl& run) { session_.search(queries, subjects, scoring_, options, run); },
       .check = works_and_left_nothing(),
       .seconds = 0.4});
}

TEST_F(ApiCancelled, AllPairsIntoASink) {
  const Database set = proteins(1, by_size(500, 2000));
  cancel_at_random_instants({.name = "all_pairs into a sink",
                             .run =
                                 [&](const RunControl& run) {
                                   session_.all_pairs(
                                       set, scoring_, {},
                                       PairSink{.rows = [](const Columns&, const std::string&) {}}, run);
                                 },
                             .check = works_and_left_nothing()});
}

PairFiles all_files(const TempDir& directory) {
  PairFiles files;
  files.rows = directory.file("rows.tsv.gz");
  files.format = OutputFormat::parse("6 std cigar");
  files.matrix = directory.file("matrix.npy");
  files.edges = directory.file("edges.tsv");
  files.edge_threshold = 20;
  return files;
}

AllPairsOptions identities() {
  AllPairsOptions options;
  options.value = MatrixValue{};
  return options;
}

TEST_F(ApiCancelled, AllPairsIntoFilesWithoutACheckpoint) {
  const PairInputs inputs{.set = proteins(1, by_size(350, 1000))};
  cancel_at_random_instants({.name = "all_pairs into files",
                             .run =
                                 [&](const RunControl& run) {
                                   session_.all_pairs(inputs, scoring_, identities(), all_files(outputs_),
                                                      run);
                                 },
                             .check = works_and_left_nothing()});
}

// Scores alone are computed in tiles that take a GPU up to two seconds.
TEST_F(ApiCancelled, AllPairsOfScoresIntoEdges) {
  const bool on_cards = session_options().devices != "cpu";
  const PairInputs inputs{.set = proteins(1, by_size(800, on_cards ? 12000 : 2500))};
  PairFiles files;
  files.edges = outputs_.file("edges.tsv");
  files.edge_threshold = 100;
  AllPairsOptions options;
  options.detail = Detail::score;
  options.value = MatrixValue{.kind = PairValue::score};
  cancel_at_random_instants(
      {.name = "all_pairs of scores into edges",
       .run = [&](const RunControl& run) { session_.all_pairs(inputs, scoring_, options, files, run); },
       .check = works_and_left_nothing()});
}

// The run is cancelled at random instants and continued from its checkpoint until it is finished.
TEST_F(ApiCancelled, AllPairsWithACheckpointGoOnToTheSameBytes) {
  const PairInputs inputs{.set = proteins(1, by_size(300, 1500))};
  Session session(session_options(2, 8 << 20));  // so little memory makes many stripes
  const auto seconds_of = [](auto&& call) {
    const auto begin = std::chrono::steady_clock::now();
    call();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  PairFiles whole = all_files(inputs_);
  whole.checkpoint = inputs_.file("ledger");
  const double whole_seconds = seconds_of([&] { session.all_pairs(inputs, scoring_, identities(), whole); });
  PairFiles files = all_files(outputs_);
  files.checkpoint = outputs_.file("ledger");
  Random random(4);
  int interruptions = 0;
  bool went_on = false;
  for (bool finished = false; !finished;) {
    ASSERT_LT(interruptions, 1000) << "it is never finished";
    std::stop_source source;
    std::jthread canceller([&, delay = whole_seconds * static_cast<double>(below(random, 1000)) / 2000] {
      std::this_thread::sleep_for(std::chrono::duration<double>(delay));
      source.request_stop();
    });
    RunControl run;
    run.stop = source.get_token();
    try {
      const AllPairsSummary summary = session.all_pairs(inputs, scoring_, identities(), files, run);
      finished = true;
      went_on = summary.first_row > 0 || summary.finished_before;
      EXPECT_EQ(summary.listed,
                std::uint64_t{inputs.set.size()} * (inputs.set.size() - 1) / 2 - summary.empty);
    } catch (const Interrupted&) {
      ++interruptions;
      for (const char* name : {"rows.tsv.gz", "matrix.npy", "edges.tsv"})
        EXPECT_FALSE(this->files().contains(name)) << name;
    }
  }
  EXPECT_GT(interruptions, 0);
  EXPECT_TRUE(went_on) << "no run went on from a checkpoint";
  for (const char* name : {"rows.tsv.gz", "matrix.npy", "edges.tsv"}) {
    EXPECT_TRUE(read_file(outputs_.file(name)) == read_file(inputs_.file(name))) << name;
    EXPECT_FALSE(std::filesystem::exists(outputs_.file(name) + std::string(".alnus-part")));
  }
  std::printf("  all_pairs with a checkpoint: interrupted %d times\n", interruptions);
}

TEST_F(ApiCancelled, OneVeryLongPair) {
  const std::size_t length = 200'000 / kSmaller;
  Random random(3);
  const Residues ancestor = random_sequence(random, length);
  const Database query = make_set(std::vector<Residues>{ancestor}),
                 subject = make_set(std::vector<Residues>{relative(random, ancestor, 10, 20)});
  const std::vector<IndexPair> pair = {{0, 0}};
  for (const char* mode : {"local", "global", "semiglobal"}) {
    cancel_at_random_instants({.name = std::string("align of one long pair, ") + mode,
                               .run =
                                   [&](const RunControl& run) {
                                     session_.align(query, subject, pair, default_scoring(mode), {}, run);
                                   },
                               .check = works_and_left_nothing(),
                               .seconds = 0.4});
  }
}

TEST_F(ApiCancelled, AlignOfManyPairs) {
  const Database set = proteins(1, by_size(300, 1200));
  cancel_at_random_instants({.name = "align_all",
                             .run =
                                 [&](const RunControl& run) {
                                   session_.align_all(
                                       set, set, default_scoring("global"), {},
                                       [](const Columns&, const std::string&) {}, run);
                                 },
                             .check = works_and_left_nothing()});
}

TEST_F(ApiCancelled, ZValues) {
  const SequenceSet set = proteins(1, 40);
  const std::vector<IndexPair> pairs = random_pairs(2, 60, set, set);
  cancel_at_random_instants({.name = "z_values",
                             .run =
                                 [&](const RunControl& run) {
                                   session_.z_values(set, set, pairs, {}, scoring_, {.shuffles = 500}, run);
                                 },
                             .check = works_and_left_nothing(),
                             .seconds = 0.4});
}

TEST_F(ApiCancelled, IdentityRange) {
  const SequenceSet set = proteins(1, 400);
  const std::vector<IndexPair> pairs = random_pairs(2, 100'000, set, set);
  cancel_at_random_instants({.name = "identity_range",
                             .run =
                                 [&](const RunControl& run) {
                                   session_.identity_range(set, set, pairs, scoring_, Denominator::alignment,
                                                           run);
                                 },
                             .check = works_and_left_nothing(),
                             .seconds = 0.4});
}

TEST_F(ApiCancelled, Calibrate) {
  SessionOptions options = session_options();
  options.calibration_cache = {CalibrationCache::Place::directory, outputs_.path().string()};
  Session session(options);
  cancel_at_random_instants({.name = "calibrate",
                             .run = [&](const RunControl& run) { session.calibrate(scoring_, {}, run); },
                             .check = works_and_left_nothing(),
                             .seconds = 0.5});
  expect_works(session);
}

// A search with a scoring whose statistics are not published calibrates the scoring first.
TEST_F(ApiCancelled, SearchThatCalibrates) {
  ScoringOptions words;
  words.gap_open = "17";
  words.gap_extend = "3";
  const Scoring unpublished = make_scoring(words);
  const Database set = proteins(1, 10);
  cancel_at_random_instants(
      {.name = "search that calibrates",
       .run = [&](const RunControl& run) { session_.search(set, set, unpublished, {}, run); },
       .check = works_and_left_nothing(),
       .seconds = 0.5});
}

TEST_F(ApiCancelled, OpenOfALargeFile) {
  const std::string text = large_fasta();
  for (const auto& [name, bytes] : {std::pair<std::string, std::string>{"plain.fa", text},
                                    {"packed.fa.gz", gzip(text)},
                                    {"packed.fa.zst", zstd(text)}}) {
    const std::string path = inputs_.write_file(name, bytes);
    cancel_at_random_instants({.name = "open of " + name,
                               .run = [&](const RunControl& run) { session_.open(path, {}, run); },
                               .check = works_and_left_nothing()});
  }
  OpenOptions masked;
  masked.masking.seg = true;
  cancel_at_random_instants(
      {.name = "open with masking",
       .run = [&](const RunControl& run) { session_.open(inputs_.file("plain.fa"), masked, run); },
       .check = works_and_left_nothing(),
       .seconds = 0.4});
}

TEST_F(ApiCancelled, MakeDatabase) {
  const std::string text = large_fasta();
  const std::string plain = inputs_.write_file("plain.fa", text),
                    packed = inputs_.write_file("packed.fa.gz", gzip(text));
  MakeDatabaseOptions options;
  options.memory_bytes = 4 << 20;  // so little that sorted runs go to a temporary file
  options.temporary_directory = outputs_.path().string();
  cancel_at_random_instants(
      {.name = "make_database",
       .run =
           [&](const RunControl& run) {
             session_.make_database({plain, packed}, outputs_.file("made.alnus"), options, run);
           },
       .check = works_and_left_nothing()});
}

TEST_F(ApiCancelled, VerifyDatabase) {
  const std::string database = large_database();
  cancel_at_random_instants({.name = "verify_database",
                             .run = [&](const RunControl& run) { session_.verify_database(database, run); },
                             .check = works_and_left_nothing()});
}

TEST_F(ApiCancelled, SearchWhileItsDatabaseIsVerified) {
  const std::string database = large_database();
  const Database query = proteins(1, 1, 30);
  cancel_at_random_instants({.name = "search beside the check of its database",
                             .run =
                                 [&](const RunControl& run) {
                                   session_.search(query, session_.open(database, {}, run), scoring_, {},
                                                   run);
                                 },
                             .check = works_and_left_nothing()});
  cancel_at_random_instants(
      {.name = "prepare",
       .run = [&](const RunControl& run) { session_.prepare(session_.open(database, {}, run), run); },
       .check = works_and_left_nothing()});
}

TEST_F(ApiCancelled, ADatabaseWhoseFirstUseWasCancelledIsStillChecked) {
  const std::string path = large_database();
  const Database query = proteins(1, 1, 30), whole = session_.open(path);
  const SearchResult expected = session_.search(query, whole, scoring_, {.evalue = 1e9});
  std::string bytes = read_file(path);
  bytes[4096 + bytes.size() / 2] ^= 1;  // damages a residue
  const OpenOptions deferred{.verification = Verification::deferred};
  const Database damaged = session_.open(inputs_.write_file("damaged.alnus", bytes), deferred),
                 again = session_.open(path, deferred);
  RunControl run;
  run.stop = requested();
  EXPECT_TRUE(thrown_by([&] { session_.search(query, again, scoring_, {}, run); }).interrupted);
  EXPECT_TRUE(thrown_by([&] { session_.search(query, damaged, scoring_, {}, run); }).interrupted);
  const SearchResult found = session_.search(query, again, scoring_, {.evalue = 1e9});
  EXPECT_TRUE(std::ranges::equal(found.hits.rows.score, expected.hits.rows.score));
  EXPECT_NE(database_error([&] { session_.search(query, damaged, scoring_); }), "");
}

// A pipe that stays open, and to which only the test writes.
class ApiCancelledPipe : public ApiCancelled {
 protected:
  ApiCancelledPipe() : path_(inputs_.file("pipe")) {
    if (::mkfifo(path_.c_str(), 0600) != 0) throw std::runtime_error("cannot make a pipe");
    writer_ = std::fopen(path_.c_str(), "r+");
  }
  ~ApiCancelledPipe() override { std::fclose(writer_); }
  void write(const std::string& text) const {
    std::fwrite(text.data(), 1, text.size(), writer_);
    std::fflush(writer_);
  }
  std::string path_;
  std::FILE* writer_ = nullptr;
};

TEST_F(ApiCancelledPipe, NextOfAQueryStreamThatWaits) {
  const Database database = proteins(1, 5);
  QueryStream stream(session_, path_, database);
  cancel_at_random_instants({.name = "QueryStream::next",
                             .run = [&](const RunControl& run) { stream.next(run); },
                             .check = works_and_left_nothing(),
                             .seconds = 0.1});
  EXPECT_FALSE(stream.failed());
  write(">q1\nMKWVTFISLL\n\n");
  const Database query = stream.next();
  ASSERT_EQ(query.size(), 1u);
  EXPECT_EQ(query.sequences()[0].id(), "q1");
}

TEST_F(ApiCancelledPipe, NextWithinARecord) {
  const Database database = proteins(1, 5);
  QueryStream stream(session_, path_, database);
  write(">q1\nMKWV");
  cancel_at_random_instants({.name = "QueryStream::next within a record",
                             .run = [&](const RunControl& run) { stream.next(run); },
                             .check = works_and_left_nothing(),
                             .seconds = 0.1});
  write("TFISLL\n\n");
  const Database query = stream.next();
  ASSERT_EQ(query.size(), 1u);
  EXPECT_EQ(query.sequences().length(0), 10u) << "what came before the request is not lost";
}

TEST_F(ApiCancelledPipe, OpenOfAPipe) {
  cancel_at_random_instants({.name = "open of a pipe",
                             .run = [&](const RunControl& run) { session_.open(path_, {}, run); },
                             .check = works_and_left_nothing(),
                             .seconds = 0.1});
}

TEST_F(ApiCancelled, AnotherCallOfTheSessionIsNotDisturbed) {
  const Database queries = proteins(1, 30), subjects = proteins(2, 2000);
  const SearchResult expected = session_.search(queries, subjects, scoring_, {.max_target_seqs = 5});
  std::stop_source source;
  bool interrupted = false;
  std::jthread cancelled([&] {
    RunControl run;
    run.stop = source.get_token();
    run.on_progress = [&](const Progress&) { source.request_stop(); };
    interrupted = thrown_by([&] {
                    session_.search(subjects, subjects, scoring_, {.max_target_seqs = 5}, run);
                  }).interrupted;
  });
  const SearchResult found = session_.search(queries, subjects, scoring_, {.max_target_seqs = 5});
  source.request_stop();
  cancelled.join();
  EXPECT_TRUE(interrupted);
  EXPECT_TRUE(std::ranges::equal(found.hits.rows.score, expected.hits.rows.score));
  EXPECT_TRUE(std::ranges::equal(found.hits.rows.subject, expected.hits.rows.subject));
  EXPECT_EQ(session_.counters().reserved_bytes, 0u);
}

TEST(ApiInterrupted, IsNoErrorAndSaysWhatHappened) {
  const Interrupted interrupted;
  EXPECT_STREQ(interrupted.what(), "The call was cancelled.");
  EXPECT_FALSE((std::is_base_of_v<Error, Interrupted>));
  EXPECT_TRUE((std::is_base_of_v<std::exception, Interrupted>));
}

}  // namespace
}  // namespace alnus::test

// Runs with a checkpoint that somebody has changed: outputs that are missing, cut or changed, and ledgers
// with impossible values. And two runs at a time with one checkpoint.
#include <algorithm>
#include <chrono>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <malloc.h>
#include <stop_token>
#include <thread>

#include "alnus/session.h"
#include "api/support/errors.h"
#include "api/support/inputs.h"
#include "io/ledger.h"
#include "support/temp_dir.h"

namespace alnus::test {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

const std::vector<std::string> kOutputs = {"rows.tsv", "matrix.npy", "matrix.npy.ids", "edges.tsv"};

class ApiTouchedCheckpoint : public testing::Test {
 protected:
  static PairFiles files_in(const TempDir& directory) {
    PairFiles files;
    files.rows = directory.file("rows.tsv");
    files.format = OutputFormat::parse("6 qseqid sseqid score cigar");
    files.matrix = directory.file("matrix.npy");
    files.edges = directory.file("edges.tsv");
    files.edge_threshold = 40;
    files.checkpoint = directory.file("ledger");
    return files;
  }
  static AllPairsOptions options() {
    AllPairsOptions options;
    options.significance = false;
    return options;
  }
  AllPairsSummary run(const PairInputs& inputs, const TempDir& directory, const RunControl& control = {}) {
    return session_.all_pairs(inputs, scoring_, options(), files_in(directory), control);
  }
  AllPairsSummary run() { return run(first_, directory_); }

  // Begins a run and interrupts it as soon as the ledger exists, after the first stripes.
  void begin() {
    std::stop_source source;
    RunControl control;
    control.stop = source.get_token();
    const std::string ledger = directory_.file("ledger/ledger.json");
    const std::jthread watcher([&](const std::stop_token& end) {
      while (!end.stop_requested() && !fs::exists(ledger))
        std::this_thread::sleep_for(std::chrono::microseconds(50));
      source.request_stop();
    });
    EXPECT_TRUE(thrown_by([&] { run(first_, directory_, control); }).interrupted);
  }
  // Changes the ledger, and saves it with a digest that is right.
  void change_ledger(const std::function<void(io::Ledger&)>& change) const {
    io::LedgerDirectory directory(directory_.file("ledger"));
    io::Ledger ledger = directory.load().value();
    change(ledger);
    directory.save(ledger);
  }
  // Changes, cuts and removes each output (a file name of kOutputs, with `suffix`), and expects that `call`
  // then refuses to go on. Each output is restored.
  void expect_refusals(const std::string& suffix, const std::function<void()>& call) {
    for (const std::string& output : kOutputs) {
      const std::string name = output + suffix, path = directory_.file(name), bytes = read_file(path);
      const auto refusal = [&] { return error_of(ErrorKind::input, call); };
      std::string changed = bytes;
      changed[std::min<std::size_t>(changed.size() / 4, 130)] ^= 1;  // 130 is in the first value of a matrix
      directory_.write_file(name, changed);
      EXPECT_THAT(refusal(), AllOf(HasSubstr(path + " is not as the run left it"), HasSubstr("start anew")));
      EXPECT_TRUE(read_file(path) == changed) << "nothing is lost";
      directory_.write_file(name, bytes.substr(0, bytes.size() / 8));
      EXPECT_THAT(thrown_by(call).text, HasSubstr(output));
      fs::remove(path);
      EXPECT_THAT(thrown_by(call).text, HasSubstr(output));
      if (suffix.empty()) {
        EXPECT_THAT(refusal(), HasSubstr(path + " is not as the run left it: it is missing"));
        directory_.write_file(name, bytes + "\n");
        EXPECT_THAT(refusal(), HasSubstr(path + " is not as the run left it"));
      }
      directory_.write_file(name, bytes);
    }
  }
  void expect_same() const {
    for (const std::string& name : kOutputs)
      EXPECT_TRUE(read_file(directory_.file(name)) == read_file(whole_.file(name))) << name;
  }

  const SequenceSet set_ = random_set({.seed = 8, .count = 70, .shortest = 30, .longest = 70});
  const SequenceSet more_ = random_set({.seed = 9, .count = 12, .prefix = "t"});
  const PairInputs first_{.set = set_}, both_{.set = set_, .added = more_};
  const Scoring scoring_ = default_scoring();
  const TempDir directory_, whole_;
  Session session_{session_options(2, 1 << 20)};
};

TEST_F(ApiTouchedCheckpoint, OutputsOfAFinishedRunAreRead) {
  run();
  run(first_, whole_);
  expect_refusals("", [&] { run(); });
  EXPECT_TRUE(run().finished_before);
  expect_same();
}

TEST_F(ApiTouchedCheckpoint, NothingIsAddedToOutputsThatWereChanged) {
  run();
  expect_refusals("", [&] { run(both_, directory_); });
  for (const std::string& name : kOutputs) EXPECT_FALSE(fs::exists(directory_.file(name + ".alnus-part")));
  EXPECT_TRUE(run().finished_before) << "the ledger is still of the first run";
  run(both_, directory_);
  run({.set = joined(set_, more_)}, whole_);
  expect_same();
}

TEST_F(ApiTouchedCheckpoint, WhatWasSyncedIsReadBeforeARunGoesOn) {
  begin();
  std::string said;
  RunControl control;
  control.on_message = [&](const Message& message) { said += message.text() + "\n"; };
  expect_refusals(".alnus-part", [&] { run(first_, directory_, control); });
  EXPECT_THAT(said, Not(HasSubstr("Going on")));
  run(first_, directory_, control);
  EXPECT_THAT(said, HasSubstr("Going on from row "));
  run(first_, whole_);
  expect_same();
}

TEST_F(ApiTouchedCheckpoint, ImpossibleValuesAreRefused) {
  const auto refusal = [&](const std::function<void(io::Ledger&)>& change) {
    const std::string path = directory_.file("ledger/ledger.json"), before = read_file(path);
    change_ledger(change);
    const std::string said = other_error([&] { run(); });
    directory_.write_file("ledger/ledger.json", before);
    return said;
  };
  begin();
  const auto rows = set_.size();
  for (const std::uint32_t row : {UINT32_MAX, rows + 1, 1'000'000U})
    EXPECT_THAT(refusal([&](io::Ledger& ledger) { ledger.next_row = row; }), HasSubstr("its next row is"));
  EXPECT_THAT(refusal([](io::Ledger& ledger) { ledger.finished = true; }), HasSubstr("its next row is"));
  EXPECT_THAT(refusal([](io::Ledger& ledger) { ledger.listed += 1'000'000; }), HasSubstr("it counts"));
  EXPECT_THAT(refusal([](io::Ledger& ledger) { ledger.empty = UINT64_MAX; }), HasSubstr("it counts"));
  EXPECT_THAT(refusal([](io::Ledger& ledger) { ledger.edges = 1'000'000; }), HasSubstr("it counts"));
  EXPECT_THAT(refusal([](io::Ledger& ledger) { ledger.left = 1.5; }),
              HasSubstr("stripe settings are out of range"));
  EXPECT_THAT(refusal([](io::Ledger& ledger) { ledger.stripe_cells = -1; }),
              HasSubstr("stripe settings are out of range"));
  EXPECT_THAT(refusal([](io::Ledger& ledger) { ledger.pair_cost[2] = -1; }),
              HasSubstr("stripe settings are out of range"));
  EXPECT_THAT(refusal([](io::Ledger& ledger) { ledger.memory_bytes = 0; }),
              HasSubstr("stripe settings are out of range"));
  EXPECT_THAT(refusal([](io::Ledger& ledger) { ledger.outputs.erase(ledger.outputs.begin()); }),
              HasSubstr("does not have the output"));
  // These values are possible, but do not fit the outputs on disk.
  const auto contents = [&](const std::function<void(io::Ledger&)>& change) {
    change_ledger(change);
    return input_error([&] { run(); });
  };
  for (const std::uint32_t row : {0U, 1U, rows / 2, rows - 1})
    EXPECT_THAT(contents([&](io::Ledger& ledger) {
                  ledger.next_row = row;
                  ledger.listed = ledger.empty = ledger.edges = 0;
                }),
                HasSubstr("matrix.npy.alnus-part is not"));
}

// The bounds of what a finished run may have counted: of 70 sequences there are 2415 pairs.
TEST_F(ApiTouchedCheckpoint, CountsUpToAllPairsAreAccepted) {
  run();
  const std::uint64_t all = std::uint64_t{set_.size()} * (set_.size() - 1) / 2;
  const std::string path = directory_.file("ledger/ledger.json"), finished = read_file(path);
  const char *const counts = "it counts", *const settings = "stripe settings are out of range";
  const std::pair<std::string, std::function<void(io::Ledger&)>> cases[] = {
      {"", [&](io::Ledger& ledger) { ledger.listed = all, ledger.empty = 0; }},
      {"", [&](io::Ledger& ledger) { ledger.listed = 0, ledger.empty = all; }},
      {"", [&](io::Ledger& ledger) { ledger.edges = all; }},
      {"", [](io::Ledger& ledger) { ledger.left = 0; }},
      {"", [](io::Ledger& ledger) { ledger.left = 1; }},
      {"", [](io::Ledger& ledger) { ledger.stripe_cells = 0; }},
      {"", [](io::Ledger& ledger) { ledger.pair_cost = {}; }},
      {counts, [&](io::Ledger& ledger) { ledger.listed = all, ledger.empty = 1; }},
      {counts, [&](io::Ledger& ledger) { ledger.listed = all + 1, ledger.empty = 0; }},
      {counts, [&](io::Ledger& ledger) { ledger.listed = 0, ledger.empty = all + 1; }},
      {counts, [&](io::Ledger& ledger) { ledger.listed = all + 2, ledger.empty = UINT64_MAX; }},
      {counts, [&](io::Ledger& ledger) { ledger.edges = all + 1; }},
      {settings, [](io::Ledger& ledger) { ledger.left = -0.01; }},
      {settings, [](io::Ledger& ledger) { ledger.left = 1.01; }},
      {settings, [](io::Ledger& ledger) { ledger.stripe_cells = -0.5; }},
      {"its next row is", [&](io::Ledger& ledger) { ledger.next_row = set_.size() - 1; }},
      {"its next row is", [&](io::Ledger& ledger) { ledger.next_row = set_.size() + 1; }},
  };
  for (const auto& [clause, change] : cases) {
    change_ledger(change);
    const Thrown thrown = thrown_by([&] { EXPECT_TRUE(run().finished_before); });
    EXPECT_EQ(thrown.error, !clause.empty()) << thrown.text;
    EXPECT_THAT(thrown.text, HasSubstr(clause));
    directory_.write_file("ledger/ledger.json", finished);
  }
}

TEST_F(ApiTouchedCheckpoint, RowsOfABlockAreThoseOfTheRun) {
  PairFiles files = files_in(directory_);
  files.matrix.clear();
  AllPairsOptions of_block = options();
  of_block.block = Block{{30, 60}, {0, 70}};
  const auto run_block = [&] { return session_.all_pairs(first_, scoring_, of_block, files); };
  EXPECT_EQ(run_block().pairs, 30u * (30 + 59) / 2);
  const std::string finished = read_file(directory_.file("ledger/ledger.json"));
  for (const std::uint32_t row : {0U, 29U, 30U, 59U, 61U}) {
    change_ledger([&](io::Ledger& ledger) {
      ledger.finished = false;
      ledger.next_row = row;
      ledger.listed = ledger.empty = ledger.edges = 0;
    });
    const bool possible = row >= 30 && row <= 60;  // if it is, the outputs do not fit it
    EXPECT_EQ(thrown_by(run_block).text.find("its next row is") == std::string::npos, possible) << row;
    for (const char* name : {"rows.tsv.alnus-part", "edges.tsv.alnus-part"})
      fs::remove(directory_.file(name));
    directory_.write_file("ledger/ledger.json", finished);
  }
  EXPECT_TRUE(run_block().finished_before);
}

// A run may stop while its files get their names. Those that have theirs are not opened again: new memory is
// filled, so that a use of such a file fails.
TEST_F(ApiTouchedCheckpoint, FilesGetTheirNamesWhereTheRunStopped) {
  run(first_, whole_);
  run();
  ::mallopt(M_PERTURB, 0x5a);
  for (std::size_t unnamed = 0; unnamed < std::size_t{1} << kOutputs.size(); ++unnamed) {
    change_ledger([](io::Ledger& ledger) { ledger.finished = false; });
    for (std::size_t k = 0; k < kOutputs.size(); ++k) {
      const std::string path = directory_.file(kOutputs[k]);
      if ((unnamed >> k & 1) != 0) fs::rename(path, path + ".alnus-part");
    }
    EXPECT_FALSE(run().finished_before) << unnamed;
    EXPECT_TRUE(run().finished_before) << unnamed;
    expect_same();
    for (const std::string& name : kOutputs)
      EXPECT_FALSE(fs::exists(directory_.file(name + ".alnus-part"))) << unnamed << ' ' << name;
  }
  ::mallopt(M_PERTURB, 0);
}

TEST_F(ApiTouchedCheckpoint, OneRunAtATimeWorksInADirectory) {
  const io::LedgerDirectory held(directory_.file("ledger"));
  EXPECT_THAT(other_error([&] { run(); }),
              AllOf(HasSubstr("Another run"), HasSubstr(directory_.file("ledger"))));
  for (const std::string& name : kOutputs) EXPECT_FALSE(fs::exists(directory_.file(name)));
}

}  // namespace
}  // namespace alnus::test

// Calls that compute parts: what they refuse, and what they leave behind when they are stopped.
#include <filesystem>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <vector>

#include "api/support/errors.h"
#include "api/support/instants.h"
#include "api/support/parts_fixture.h"

namespace alnus::test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

using ApiPartCalls = SmallPartsTest;

TEST_F(ApiPartCalls, NumbersThatNoPartHas) {
  const std::string path = new_part();
  for (const PartOfJob& part : {PartOfJob{0, 3}, {4, 3}, {1, 0}, {3, 3, 1}, {1, 3, 3}}) {
    EXPECT_THAT(input_error([&] { compute(search_, part, path); }), HasSubstr("part "));
    EXPECT_THAT(input_error([&] { compute(pairs_, part, path); }), HasSubstr("part "));
  }
  EXPECT_THAT(input_error([&] {
                compute(search_, {4, 3}, path);
              }),
              HasSubstr("part 4/3: parts of 3 have the numbers 1 to 3."));
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST_F(ApiPartCalls, APartIsAFile) {
  for (const char* path : {"", "-"}) {
    EXPECT_THAT(input_error([&] { compute(search_, {1, 2}, path); }), HasSubstr("a part is a file"));
    EXPECT_THAT(input_error([&] { compute(pairs_, {1, 2}, path); }), HasSubstr("a part is a file"));
  }
  const std::string nowhere = directory_.file("no_folder") + "/part";
  for (const bool appended : {false, true}) {
    EXPECT_THAT(other_error([&] { compute(search_, {1, 2}, {nowhere, appended}); }), HasSubstr(nowhere));
    EXPECT_THAT(other_error([&] { compute(pairs_, {1, 2}, {nowhere, appended}); }), HasSubstr(nowhere));
  }
}

TEST_F(ApiPartCalls, APartThatWouldReplaceAnInput) {
  const std::string fasta = directory_.write_file("set.fa", fasta_of(relatives_set(1, 5, 40))),
                    matrix = directory_.write_file("matrix", "a matrix");
  const Database set = two_threads_.open(fasta);
  for (const bool appended : {false, true}) {
    SearchJob search = search_;
    search.queries = set;
    EXPECT_THAT(input_error([&] { compute(search, {1, 2}, {fasta, appended}); }), HasSubstr(fasta));
    search = search_;
    search.database = set;
    EXPECT_THAT(input_error([&] { compute(search, {1, 2}, {fasta, appended}); }), HasSubstr(fasta));
    SearchFiles files = files_of(search_, "merged");
    files.other_inputs = {matrix};
    EXPECT_THAT(input_error([&] {
                  merging_.search_part(search_.queries, search_.database, search_.scoring, search_.options,
                                       files, {1, 2}, {matrix, appended});
                }),
                HasSubstr(matrix));
    PairsJob pairs = pairs_;
    pairs.inputs.set = set;
    EXPECT_THAT(input_error([&] { compute(pairs, {1, 2}, {fasta, appended}); }), HasSubstr(fasta));
    pairs = pairs_;
    pairs.inputs.against = set;
    EXPECT_THAT(input_error([&] { compute(pairs, {1, 2}, {fasta, appended}); }), HasSubstr(fasta));
    pairs = pairs_;
    pairs.files.other_inputs = {matrix};
    EXPECT_THAT(input_error([&] { compute(pairs, {1, 2}, {matrix, appended}); }), HasSubstr(matrix));
  }
  EXPECT_EQ(read_file(fasta), fasta_of(relatives_set(1, 5, 40)));
  EXPECT_EQ(read_file(matrix), "a matrix");
}

TEST_F(ApiPartCalls, WhatAPartCannotHave) {
  const std::string path = new_part();
  PairsJob job = pairs_;
  job.files.checkpoint = directory_.file("ledger");
  EXPECT_THAT(input_error([&] { compute(job, {1, 2}, path); }), HasSubstr("leave checkpoint out"));
  EXPECT_FALSE(std::filesystem::exists(directory_.file("ledger")));
  job = pairs_;
  job.inputs.added = relatives_set(2, 3, 40);
  EXPECT_THAT(input_error([&] { compute(job, {1, 2}, path); }), HasSubstr("leave add out"));
  job = pairs_;
  job.options.block = Block{{0, 2}, {0, 2}};
  EXPECT_THAT(input_error([&] { compute(job, {1, 2}, path); }), HasSubstr("AllPairsOptions::block"));
  EXPECT_FALSE(std::filesystem::exists(path));
}

// A call that computes a part throws the same errors as a call that computes the whole job.
TEST_F(ApiPartCalls, WhatTheWholeWouldThrow) {
  const std::string path = new_part();
  const auto search_error = [&](const std::function<void(SearchJob&)>& change) {
    SearchJob job = search_;
    change(job);
    clear("whole");
    const std::string text = input_error([&] { compute(job, {2, 2}, path); });
    EXPECT_EQ(text, input_error([&] {
                merging_.search(job.queries, job.database, job.scoring, job.options, files_of(job, "whole"));
              }));
    EXPECT_THAT(names_in("whole"), IsEmpty());
    EXPECT_FALSE(std::filesystem::exists(path));
    return text;
  };
  EXPECT_NE(search_error([](SearchJob& job) { job.options.max_target_seqs = 0; }), "");
  EXPECT_NE(search_error([](SearchJob& job) { job.options.evalue = -1; }), "");
  EXPECT_NE(search_error([](SearchJob& job) { job.options.strands = Strands::both; }), "");
  EXPECT_NE(search_error([](SearchJob& job) { job.queries = relatives_set(1, 3, 40, AlphabetKind::dna); }),
            "");
  EXPECT_NE(search_error([](SearchJob& job) {
              job.with_format("sam");
              job.options.detail = Detail::score;
            }),
            "");
  const auto pairs_error = [&](const std::function<void(PairsJob&)>& change) {
    PairsJob job = pairs_;
    change(job);
    clear("whole");
    const std::string text = input_error([&] { compute(job, {2, 2}, path); });
    EXPECT_EQ(text, input_error([&] {
                merging_.all_pairs(job.inputs, job.scoring, job.options, files_of(job, "whole"));
              }));
    EXPECT_THAT(names_in("whole"), IsEmpty());
    EXPECT_FALSE(std::filesystem::exists(path));
    return text;
  };
  EXPECT_NE(pairs_error([](PairsJob& job) { job.options.filter.min_identity = 200; }), "");
  EXPECT_NE(pairs_error([](PairsJob& job) { job.files.edges = "edges.tsv"; }), "");
  EXPECT_NE(pairs_error([](PairsJob& job) { job.files.matrix_type = MatrixType::int32; }), "");
  EXPECT_NE(pairs_error([](PairsJob& job) {
              job.files.phylip = "distances.phy";
              job.inputs.set = joined(relatives_set(1, 2, 30), relatives_set(1, 2, 30));
            }),
            "");
  EXPECT_NE(pairs_error([](PairsJob& job) {
              job.files.square = true;
              job.inputs.against = job.inputs.set;
              job.files.matrix = "matrix.npy";
            }),
            "");
}

// ---- Calls that are stopped ----

RunControl stopped() {
  std::stop_source source;
  source.request_stop();
  return {.stop = source.get_token()};
}

TEST_F(ApiPartCalls, AStoppedCallLeavesNothing) {
  const std::string path = new_part();
  EXPECT_TRUE(thrown_by([&] { compute(search_, {1, 2}, path, stopped()); }).interrupted);
  EXPECT_TRUE(thrown_by([&] { compute(pairs_, {1, 2}, path, stopped()); }).interrupted);
  EXPECT_FALSE(std::filesystem::exists(path));
  const std::vector<std::string> of_search = some_parts(search_, 2, {1, 2}),
                                 of_pairs = some_parts(pairs_, 2, {1, 2});
  EXPECT_TRUE(
      thrown_by([&] { merging_.merge(of_search, job_files_of(search_, "merged"), stopped()); }).interrupted);
  EXPECT_TRUE(
      thrown_by([&] { merging_.merge(of_pairs, job_files_of(pairs_, "merged"), stopped()); }).interrupted);
  EXPECT_THAT(names_in("merged"), IsEmpty());
  EXPECT_NO_THROW(merging_.merge(of_search, job_files_of(search_, "merged")));
}

// A call that fails after it has begun to append to a file of parts cuts off what it has appended.
TEST_F(ApiPartCalls, ACallThatFailsLeavesAFileWithPartsAsItWas) {
  const std::string path = new_part();
  compute(search_, {1, 2}, {path, true});
  compute(pairs_, {1, 2}, {path, true});
  const std::string bytes = read_file(path);
  RunControl failing;
  failing.on_progress = [](const Progress&) { throw std::runtime_error("no more"); };
  for (const RunControl& run : {stopped(), failing}) {
    EXPECT_TRUE(thrown_by([&] { compute(search_, {2, 2}, {path, true}, run); }).text != "nothing was thrown");
    EXPECT_EQ(read_file(path), bytes);
    EXPECT_TRUE(thrown_by([&] { compute(pairs_, {2, 2}, {path, true}, run); }).text != "nothing was thrown");
    EXPECT_EQ(read_file(path), bytes);
  }
  const std::string other = new_part();
  EXPECT_EQ(thrown_by([&] { compute(search_, {2, 2}, other, failing); }).text, "another exception: no more");
  EXPECT_EQ(thrown_by([&] { compute(pairs_, {2, 2}, other, failing); }).text, "another exception: no more");
  EXPECT_FALSE(std::filesystem::exists(other));
  for (const auto& entry : std::filesystem::directory_iterator(directory_.path()))
    EXPECT_FALSE(entry.path().string().ends_with(".alnus-part")) << entry.path();
}

// Each call throws Interrupted or ends by itself, and the next call of the same session works.
TEST_F(ApiPartCalls, StoppedAtRandomInstants) {
  SearchJob search;
  search.queries = relatives_set(1, 30, 200);
  search.database = random_set({.seed = 2, .count = 1500, .shortest = 50, .longest = 300});
  PairsJob pairs;
  pairs.inputs.set = random_set({.seed = 3, .count = 200, .shortest = 50, .longest = 300});
  pairs.with_format("6 std");
  pairs.files.matrix = "matrix.npy";
  pairs.options.value = MatrixValue{};
  const std::string path = new_part();
  const auto nothing_is_left = [&](bool interrupted) {
    EXPECT_EQ(std::filesystem::exists(path), !interrupted);
    EXPECT_FALSE(std::filesystem::exists(path + ".alnus-part"));
    std::filesystem::remove(path);
  };
  cancel_at_random_instants({.name = "search_part",
                             .run =
                                 [&](const RunControl& run) {
                                   compute(search, {2, 5}, path, run);
                                 },
                             .check = nothing_is_left});
  cancel_at_random_instants({.name = "all_pairs_part",
                             .run =
                                 [&](const RunControl& run) {
                                   compute(pairs, {2, 2}, path, run);
                                 },
                             .check = nothing_is_left});
  const std::vector<std::string> of_search = parts_of(search, 5), of_pairs = parts_of(pairs, 3);
  const auto no_output_is_left = [&](bool interrupted) {
    EXPECT_TRUE(!interrupted || names_in("merged").empty());
    clear("merged");
  };
  cancel_at_random_instants(
      {.name = "merge of a search",
       .run = [&](const RunControl& run) { merging_.merge(of_search, job_files_of(search, "merged"), run); },
       .check = no_output_is_left});
  cancel_at_random_instants(
      {.name = "merge of all pairs",
       .run = [&](const RunControl& run) { merging_.merge(of_pairs, job_files_of(pairs, "merged"), run); },
       .check = no_output_is_left});
  compute(search_, {1, 1}, path);
  EXPECT_NO_THROW(merging_.merge(std::vector<std::string>{path}, job_files_of(search_, "merged")));
}

}  // namespace
}  // namespace alnus::test

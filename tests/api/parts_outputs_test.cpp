// The outputs that a merge of parts writes: which of them are refused, and their heads.
#include <filesystem>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

#include "api/support/errors.h"
#include "api/support/parts_fixture.h"

namespace alnus::test {
namespace {

using ::testing::HasSubstr;

using ApiPartOutputs = SmallPartsTest;

TEST_F(ApiPartOutputs, AnOutputThatTheJobDoesNotHave) {
  const std::vector<std::string> of_search = some_parts(search_, 1, {1}),
                                 of_pairs = some_parts(pairs_, 1, {1});
  const auto with = [&](const auto& job, const auto& change) {
    JobFiles files = job_files_of(job, "merged");
    change(files);
    return files;
  };
  const std::string name = directory_.file("merged") + "/more";
  EXPECT_THAT(
      merge_error(of_search, with(search_, [&](JobFiles& files) { files.matrix = name; })),
      HasSubstr("matrix_out " + name + ": the parts were made without matrix_out, and do not have it."));
  EXPECT_THAT(merge_error(of_search, with(search_, [&](JobFiles& files) { files.score_plot = name; })),
              HasSubstr("score_plot " + name + ": the parts were made without score_plot"));
  EXPECT_THAT(merge_error(of_pairs, with(pairs_, [&](JobFiles& files) { files.score_plot = name; })),
              HasSubstr("the parts were made without score_plot"));
  EXPECT_THAT(merge_error(of_pairs, with(pairs_, [&](JobFiles& files) { files.edges = name; })),
              HasSubstr("the parts were made without edges"));
  EXPECT_THAT(merge_error(of_pairs, with(pairs_, [&](JobFiles& files) { files.phylip = name; })),
              HasSubstr("the parts were made without phylip"));
  EXPECT_THAT(merge_error(of_pairs,
                          with(pairs_, [&](JobFiles& files) { files.matrices[PairValue::distance] = name; })),
              HasSubstr("the parts were made without matrix_out distance:"));
}

TEST_F(ApiPartOutputs, AnOutputWithoutAName) {
  search_.score_plot = true;
  pairs_.files.matrix = "matrix.npy";
  pairs_.files.matrices = {{PairValue::score, "scores.npy"}};
  pairs_.options.value = MatrixValue{};
  const std::vector<std::string> of_search = some_parts(search_, 1, {1}),
                                 of_pairs = some_parts(pairs_, 1, {1});
  JobFiles files = job_files_of(search_, "merged");
  files.score_plot.clear();
  EXPECT_THAT(
      merge_error(of_search, files),
      HasSubstr("The parts have an output of score_plot, which has no name here: add score_plot FILE."));
  files = job_files_of(search_, "merged");
  files.rows.clear();
  EXPECT_THAT(merge_error(of_search, files), HasSubstr("an output of output, which has no name here"));
  files = job_files_of(pairs_, "merged");
  files.matrix.clear();
  EXPECT_THAT(merge_error(of_pairs, files), HasSubstr("an output of matrix_out, which has no name here"));
  files = job_files_of(pairs_, "merged");
  files.matrices.clear();
  EXPECT_THAT(
      merge_error(of_pairs, files),
      HasSubstr("an output of matrix_out score:, which has no name here: add matrix_out score:FILE."));
  EXPECT_THAT(merge_error(of_pairs, JobFiles{}), HasSubstr("which has no name here"));
}

TEST_F(ApiPartOutputs, AnOutputThatWouldReplaceAPartOrAnother) {
  const std::vector<std::string> of_search = some_parts(search_, 2, {1, 2}),
                                 of_pairs = some_parts(pairs_, 2, {1, 2});
  const std::string bytes = read_file(of_search[1]), bytes_of_pairs = read_file(of_pairs[1]);
  JobFiles files;
  files.rows = of_search[1];
  EXPECT_THAT(merge_error(of_search, files), HasSubstr(of_search[1]));
  const std::string link = directory_.file("link");
  std::filesystem::create_symlink(of_search[1], link);
  files.rows = link;
  EXPECT_THAT(merge_error(of_search, files), HasSubstr(link));
  files.rows = of_pairs[1];
  EXPECT_THAT(merge_error(of_pairs, files), HasSubstr(of_pairs[1]));
  EXPECT_EQ(read_file(of_search[1]), bytes);
  EXPECT_EQ(read_file(of_pairs[1]), bytes_of_pairs);

  search_.score_plot = true;
  files.rows = files.score_plot = directory_.file("merged") + "/one";
  EXPECT_THAT(merge_error(some_parts(search_, 1, {1}), files), HasSubstr("merged/one"));
}

TEST_F(ApiPartOutputs, OutputsThatAreToLookOtherwise) {
  pairs_.files.matrix = "matrix.npy";
  pairs_.files.phylip = "distances.phy";
  pairs_.files.edges = "edges.tsv";
  pairs_.files.edge_threshold = 40;
  pairs_.options.value = MatrixValue{PairValue::identity, Denominator::shorter};
  const std::vector<std::string> paths = some_parts(pairs_, 1, {1});
  const auto error = [&](const std::function<void(JobFiles&)>& change) {
    JobFiles files = job_files_of(pairs_, "merged");
    change(files);
    return merge_error(paths, files);
  };
  const auto other = [](const std::string& name) {
    return HasSubstr("The parts were made with another " + name +
                     ": leave it out, or give that of the parts.");
  };
  EXPECT_THAT(error([](JobFiles& files) { files.format = OutputFormat::parse("7"); }), other("outfmt"));
  EXPECT_THAT(error([](JobFiles& files) { files.format = OutputFormat::parse("6 score"); }), other("outfmt"));
  EXPECT_THAT(error([](JobFiles& files) {
                files.format = OutputFormat::parse("6 std");
                files.format->header = true;
              }),
              other("header"));
  EXPECT_THAT(error([](JobFiles& files) { files.square = true; }), other("square"));
  EXPECT_THAT(error([](JobFiles& files) { files.matrix_type = MatrixType::int32; }), other("matrix_type"));
  EXPECT_THAT(error([](JobFiles& files) { files.phylip_names = PhylipNames::strict; }),
              other("phylip_names"));
  EXPECT_THAT(error([](JobFiles& files) { files.value = PairValue::score; }), other("matrix_value"));
  EXPECT_THAT(error([](JobFiles& files) { files.denominator = Denominator::alignment; }), other("identity"));
  EXPECT_THAT(error([](JobFiles& files) { files.edge_threshold = 41; }), other("edge_threshold"));

  JobFiles same = job_files_of(pairs_, "merged");
  same.format = OutputFormat::parse("6");
  same.square = false;
  same.matrix_type = MatrixType::float32;
  same.phylip_names = PhylipNames::relaxed;
  same.value = PairValue::identity;
  same.denominator = Denominator::shorter;
  same.edge_threshold = 40;
  EXPECT_NO_THROW(merging_.merge(paths, same));
}

TEST_F(ApiPartOutputs, AnOutputThatCannotBeWritten) {
  const std::vector<std::string> paths = some_parts(search_, 1, {1});
  JobFiles files;
  files.rows = directory_.file("no_folder") + "/rows";
  EXPECT_THAT(other_error([&] { merging_.merge(paths, files); }), HasSubstr(files.rows));
}

TEST_F(ApiPartOutputs, HeadsAreThoseOfTheMerge) {
  search_.with_format("sam");
  clear("whole");
  SearchFiles whole = files_of(search_, "whole");
  whole.head = {.program_version = "1.2", .command_line = "one command", .database_name = "other name"};
  merging_.search(search_.queries, search_.database, search_.scoring, search_.options, whole);
  for (const char* format : {"sam", "0", "7", "srspair"}) {
    search_.with_format(format);
    whole.format = search_.format;
    merging_.search(search_.queries, search_.database, search_.scoring, search_.options, whole);
    JobFiles files = job_files_of(search_, "merged");
    files.program_version = "1.2";
    files.command_line = "one command";
    files.database_name = "other name";
    merging_.merge(some_parts(search_, 3, {3, 1, 2}), files);
    EXPECT_TRUE(same_files("merged", "whole"));
  }
}

}  // namespace
}  // namespace alnus::test

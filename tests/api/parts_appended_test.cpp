// Parts that are appended to a file with other parts; some calls compute and append several parts at once.
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stop_token>
#include <string>
#include <vector>

#include "alnus/session.h"
#include "api/support/errors.h"
#include "api/support/inputs.h"
#include "support/temp_dir.h"

namespace alnus::test {
namespace {

class ApiAppendedParts : public testing::Test {
 protected:
  SearchFiles files(const std::string& name) const {
    SearchFiles files;
    files.rows = directory_.file(name);
    files.format = OutputFormat::parse("0");
    return files;
  }
  void compute(const PartOfJob& part, const PartTarget& target, const RunControl& run = {}) {
    session_.search_part(queries_, database_, default_scoring(), {.query_statistics = true}, files("whole"),
                         part, target, run);
  }

  const TempDir directory_;
  Session session_{session_options()};
  const SequenceSet queries_ = relatives_set(1, 9, 70), database_ = relatives_set(1, 60, 70);
};

TEST_F(ApiAppendedParts, AreMergedLikeOthers) {
  session_.search(queries_, database_, default_scoring(), {.query_statistics = true}, files("whole"));
  const std::string file = directory_.file("all.parts"), other = directory_.file("other.parts");
  compute({5, 20, 9}, {file, true});
  compute({1, 20, 3}, {file, true});
  const std::uint64_t begin = read_file(file).size();
  compute({15, 20}, {file, true});
  compute({16, 20, 4}, {other, true});
  JobFiles merged;
  merged.rows = directory_.file("merged");
  EXPECT_EQ(session_.merge(std::vector<std::string>{other, file}, merged).parts, 20u);
  EXPECT_EQ(read_file(merged.rows), read_file(directory_.file("whole")));
  // If places are named, the merge takes these parts alone, and does not find the others of the file.
  const std::vector<PartPlace> places = {{file, 0}, {file, begin}, {other, 0}};
  EXPECT_THAT(input_error([&] { session_.merge(places, merged); }),
              testing::HasSubstr("4 parts of 20 are missing: 1 to 4."));
  verify_part({file, begin});
  EXPECT_THAT(input_error([&] {
                verify_part({file, begin + 1});
              }),
              testing::HasSubstr("no part begins there"));
}

TEST_F(ApiAppendedParts, OfAFailedCallNothingStays) {
  const std::string path = directory_.file("parts");
  RunControl run;
  std::stop_source stop;
  stop.request_stop();
  run.stop = stop.get_token();
  EXPECT_THROW(compute({1, 2}, path, run), Interrupted);
  EXPECT_FALSE(std::filesystem::exists(path));
  compute({1, 2}, {path, true});
  const std::string before = read_file(path);
  run.stop = {};
  run.on_progress = [](const Progress&) { throw 3; };
  EXPECT_THROW(compute({2, 2}, {path, true}, run), int);
  EXPECT_EQ(read_file(path), before);
  JobFiles merged;
  merged.rows = directory_.file("merged");
  EXPECT_THAT(input_error([&] { session_.merge(std::vector<std::string>{path}, merged); }),
              testing::HasSubstr("One part of 2 is missing: 2."));
  EXPECT_FALSE(std::filesystem::exists(merged.rows));
}

}  // namespace
}  // namespace alnus::test

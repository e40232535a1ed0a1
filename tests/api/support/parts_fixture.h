// Jobs that are computed by one process and in parts, with outputs of the same bytes.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "alnus/session.h"
#include "api/support/errors.h"
#include "api/support/inputs.h"
#include "support/temp_dir.h"

namespace alnus::test {

struct SearchJob {
  Database queries, database;
  Scoring scoring = default_scoring();
  SearchOptions options{};
  OutputFormat format = OutputFormat::parse("6 std score sstrand");
  bool score_plot = false;

  // Sets the format, and asks for the columns that it needs, as the program does.
  SearchJob& with_format(const std::string& text);
};

struct PairsJob {
  PairInputs inputs;
  Scoring scoring = default_scoring();
  AllPairsOptions options{};
  PairFiles files{};  // names of files, without their folder

  PairsJob& with_format(const std::string& text);
};

// `copies` copies of a set, one after the other, so that many scores are equal.
SequenceSet repeated(const SequenceSet& set, int copies);

// The numbers of parts that jobs are cut into.
inline const std::vector<std::size_t> kPartCounts = {1, 2, 5, 23};

class PartsTest : public testing::Test {
 protected:
  // The outputs of a job, with paths in `folder` of the test's directory.
  SearchFiles files_of(const SearchJob& job, const std::string& folder) const;
  PairFiles files_of(const PairsJob& job, const std::string& folder) const;
  JobFiles job_files_of(const SearchJob& job, const std::string& folder) const;
  JobFiles job_files_of(const PairsJob& job, const std::string& folder) const;

  // Computes parts. Two sessions with different threads and memory take turns.
  SearchSummary compute(const SearchJob& job, const PartOfJob& part, const PartTarget& target,
                        const RunControl& run = {});
  AllPairsSummary compute(const PairsJob& job, const PartOfJob& part, const PartTarget& target,
                          const RunControl& run = {});
  // Computes all parts, each into a file of its own, and returns the files in a shuffled order.
  template <class Job>
  std::vector<std::string> parts_of(const Job& job, std::size_t count) {
    std::vector<std::string> paths;
    for (std::size_t number = 1; number <= count; ++number) {
      paths.push_back(new_part());
      compute(job, {number, count}, paths.back());
    }
    return shuffled(std::move(paths));
  }

  // Computes the job by one process and, for each number of `counts`, in that many parts. Expects that the
  // merged files and the summary are those of one process.
  void expect_whole(const SearchJob& job, const std::vector<std::size_t>& counts = kPartCounts);
  void expect_whole(const PairsJob& job, const std::vector<std::size_t>& counts = kPartCounts);

  // The sequences in a database file, which sorts them by length.
  Database as_file(const SequenceSet& set);
  std::string new_part();  // returns a new path for a part's file
  static std::vector<std::string> shuffled(std::vector<std::string> paths);
  std::set<std::string> names_in(const std::string& folder) const;
  std::string read(const std::string& folder, const std::string& name) const;
  // Makes the folder if it does not exist, and removes what is in it.
  void clear(const std::string& folder) const;
  // Success if the files of both folders have the same names and, unpacked, the same bytes.
  testing::AssertionResult same_files(const std::string& one, const std::string& other) const;

  const TempDir directory_;
  Session one_thread_{session_options(1, 48 << 20)}, two_threads_{session_options(2)},
      merging_{session_options(1)};

 private:
  Session& next_session() { return ++calls_ % 2 == 0 ? one_thread_ : two_threads_; }
  std::string path(const std::string& folder, const std::string& name) const {
    return name.empty() ? name : directory_.file(folder) + "/" + name;
  }

  int calls_ = 0, parts_ = 0;
};

// A small search and a small job of all pairs, for tests of parts that are refused.
class SmallPartsTest : public PartsTest {
 protected:
  SmallPartsTest() {
    search_.queries = relatives_set(1, 4, 40);
    search_.database = joined(relatives_set(1, 8, 40), random_set({.seed = 2, .count = 8, .prefix = "t"}));
    pairs_.inputs.set = relatives_set(1, 8, 40);
    pairs_.with_format("6 std");
    clear("merged");
  }

  // Expects that the merge throws an input error and leaves no output, and returns the error's text.
  std::string merge_error(const std::vector<std::string>& paths, const JobFiles& files) {
    const std::string text = input_error([&] { merging_.merge(paths, files); });
    EXPECT_THAT(names_in("merged"), testing::IsEmpty());
    clear("merged");
    return text;
  }
  template <class Job>
  std::string merge_error(const std::vector<std::string>& paths, const Job& job) {
    return merge_error(paths, job_files_of(job, "merged"));
  }
  // Computes the parts with these numbers, of `count` parts of the job, and returns their files.
  template <class Job>
  std::vector<std::string> some_parts(const Job& job, std::size_t count,
                                      const std::vector<std::size_t>& numbers) {
    std::vector<std::string> paths;
    for (const std::size_t number : numbers) {
      paths.push_back(new_part());
      compute(job, {number, count}, paths.back());
    }
    return paths;
  }

  SearchJob search_;
  PairsJob pairs_;
};

}  // namespace alnus::test

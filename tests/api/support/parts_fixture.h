// Jobs by one process and in parts, whose outputs must have the same bytes.
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

  // What the format needs, as the program asks for it.
  SearchJob& with_format(const std::string& text);
};

struct PairsJob {
  PairInputs inputs;
  Scoring scoring = default_scoring();
  AllPairsOptions options{};
  PairFiles files{};  // the names are those in a folder

  PairsJob& with_format(const std::string& text);
};

// So many copies of a set, one after the other: many scores are equal.
SequenceSet repeated(const SequenceSet& set, int copies);

// The parts that a job is cut into, as many as their numbers say.
inline const std::vector<std::size_t> kPartCounts = {1, 2, 5, 23};

class PartsTest : public testing::Test {
 protected:
  // Names of outputs in a folder of the test.
  SearchFiles files_of(const SearchJob& job, const std::string& folder) const;
  PairFiles files_of(const PairsJob& job, const std::string& folder) const;
  JobFiles job_files_of(const SearchJob& job, const std::string& folder) const;
  JobFiles job_files_of(const PairsJob& job, const std::string& folder) const;

  // Sessions of different threads and memory take turns.
  SearchSummary compute(const SearchJob& job, const PartOfJob& part, const PartTarget& target,
                        const RunControl& run = {});
  AllPairsSummary compute(const PairsJob& job, const PartOfJob& part, const PartTarget& target,
                          const RunControl& run = {});
  // All parts, each in a file of its own, in an order that is not theirs.
  template <class Job>
  std::vector<std::string> parts_of(const Job& job, std::size_t count) {
    std::vector<std::string> paths;
    for (std::size_t number = 1; number <= count; ++number) {
      paths.push_back(new_part());
      compute(job, {number, count}, paths.back());
    }
    return shuffled(std::move(paths));
  }

  // The merged files and the summary are those of one process, for each number of parts.
  void expect_whole(const SearchJob& job, const std::vector<std::size_t>& counts = kPartCounts);
  void expect_whole(const PairsJob& job, const std::vector<std::size_t>& counts = kPartCounts);

  // The sequences sorted by length, as a database file has them.
  Database as_file(const SequenceSet& set);
  std::string new_part();  // a name for it
  static std::vector<std::string> shuffled(std::vector<std::string> paths);
  std::set<std::string> names_in(const std::string& folder) const;
  std::string read(const std::string& folder, const std::string& name) const;
  // Makes the folder, or removes what is in it.
  void clear(const std::string& folder) const;
  // The files of two folders have the same names and, unpacked, the same bytes.
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

// A small search and small all pairs, for what is refused of their parts.
class SmallPartsTest : public PartsTest {
 protected:
  SmallPartsTest() {
    search_.queries = relatives_set(1, 4, 40);
    search_.database = joined(relatives_set(1, 8, 40), random_set({.seed = 2, .count = 8, .prefix = "t"}));
    pairs_.inputs.set = relatives_set(1, 8, 40);
    pairs_.with_format("6 std");
    clear("merged");
  }

  // The error's text; nothing is left of the outputs.
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
  // The parts of `count` with these numbers.
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

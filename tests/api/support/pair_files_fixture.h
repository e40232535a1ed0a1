// Files that Session::all_pairs writes, in a directory of the test.
#pragma once

#include <filesystem>
#include <gtest/gtest.h>
#include <set>
#include <string>

#include "alnus/session.h"
#include "api/support/inputs.h"
#include "support/temp_dir.h"

namespace alnus::test {

class PairFilesTest : public testing::Test {
 protected:
  std::set<std::string> files() const {
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(outputs_.path()))
      names.insert(entry.path().filename().string());
    return names;
  }
  std::string read(const std::string& name) const { return read_file(outputs_.file(name)); }

  // Files for rows, a matrix and edges.
  PairFiles three_files(const TempDir& directory) const {
    PairFiles files;
    files.rows = directory.file("rows.tsv");
    files.format = OutputFormat::parse("6 std cigar");
    files.matrix = directory.file("matrix.npy");
    files.edges = directory.file("edges.tsv");
    files.edge_threshold = 40;
    return files;
  }
  AllPairsOptions with_value(PairValue kind = PairValue::identity) const {
    AllPairsOptions options;
    options.value = MatrixValue{.kind = kind};
    return options;
  }
  AllPairsSummary run(const PairFiles& files, const AllPairsOptions& options) {
    return session_.all_pairs(PairInputs{.set = set_}, scoring_, options, files);
  }

  const SequenceSet set_ =
      joined(relatives_set(1, 25, 60), random_set({.seed = 2, .count = 10, .prefix = "t"}));
  const Scoring scoring_ = default_scoring();
  const TempDir outputs_, inputs_;
  Session session_{session_options()};
};

}  // namespace alnus::test

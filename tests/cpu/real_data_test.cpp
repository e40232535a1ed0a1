// Real proteins: relatives, low complexity, ambiguous residues, lengths as they come.
#include <filesystem>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "cpu/cpu_implementations.h"
#include "io/sequence_reader.h"

namespace alnus::test {
namespace {

constexpr const char* kExamples = "/usr/share/doc/mmseqs2/example-data/";  // Debian's mmseqs2-examples

// `count` sequences spread over the file, none longer than `longest`.
std::vector<Residues> sample(const std::string& path, std::size_t count, std::size_t longest) {
  const SequenceSet all = io::read_all(path, AlphabetKind::protein);
  std::vector<Residues> chosen;
  const std::size_t step = std::max<std::size_t>(1, all.size() / count);
  for (std::size_t k = 0; k < all.size() && chosen.size() < count; k += step) {
    const auto residues = all.residues(static_cast<SequenceSet::Index>(k));
    if (residues.size() <= longest) chosen.emplace_back(residues.begin(), residues.end());
  }
  return chosen;
}

class RealData : public testing::TestWithParam<ModeAndEnds> {};

TEST_P(RealData, QueriesOfThePapersAgainstEachOther) {
  const Workload work{
      .queries = sample(std::string(ALNUS_SOURCE_DIR) + "/data/queries/queries_manavski.fasta", 5, 400),
      .subjects = sample(std::string(ALNUS_SOURCE_DIR) + "/data/queries/queries_cudasw.fasta", 20, 1000)};
  ASSERT_GE(work.queries.size(), 3U);
  ASSERT_GE(work.subjects.size(), 8U);
  EXPECT_TRUE(equals_reference_on_cpu(work, scoring_of(GetParam(), {10, 2}, "BLOSUM50")));
}

TEST_P(RealData, DatabaseOfExamples) {
  if (!std::filesystem::exists(kExamples)) GTEST_SKIP() << "Debian's package mmseqs2-examples is missing.";
  const Workload work{.queries = sample(std::string(kExamples) + "QUERY.fasta.gz", 6, 500),
                      .subjects = sample(std::string(kExamples) + "DB.fasta.gz", 150, 700)};
  EXPECT_TRUE(equals_reference_on_cpu(work, scoring_of(GetParam(), {11, 1})));
}

INSTANTIATE_TEST_SUITE_P(Cpu, RealData, testing::ValuesIn(main_modes()),
                         [](const auto& info) { return name_of(info.param); });

}  // namespace
}  // namespace alnus::test

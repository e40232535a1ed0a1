// A database file with one flipped bit: every use refuses the file and names the place. Usually 150 random
// bits are tried, with ALNUS_FULL_TESTS=1 (see support/inputs.h) 1,000.
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <random>

#include "alnus/session.h"
#include "api/support/errors.h"
#include "api/support/inputs.h"
#include "support/temp_dir.h"

namespace alnus::test {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;

class ApiDatabaseFlips : public testing::Test {
 protected:
  ApiDatabaseFlips() { session_.make_database({directory_.write_file("set.fa", fasta_of(set_))}, path_); }

  void flip(std::uint64_t bit) const {
    std::fstream file(path_, std::ios::in | std::ios::out | std::ios::binary);
    const auto byte = static_cast<std::streamoff>(bit / 8);
    file.seekg(byte);
    const int before = file.get();
    file.seekp(byte);
    file.put(static_cast<char>(before ^ 1 << bit % 8));
  }
  // Flips random bits of the file, one at a time, and expects that `use` refuses each damaged file.
  template <class Use>
  void expect_refused(const Use& use) {
    use();
    std::mt19937_64 random(5);
    const std::uint64_t bits = 8 * std::filesystem::file_size(path_);
    for (int k = 0; k < by_size(150, 1000); ++k) {
      const std::uint64_t bit = random() % bits;
      flip(bit);
      const Thrown thrown = thrown_by(use);
      flip(bit);
      ASSERT_TRUE(thrown.error && thrown.kind == ErrorKind::database) << "bit " << bit << ": " << thrown.text;
      ASSERT_THAT(thrown.text, HasSubstr("set.alnus")) << "bit " << bit;
      ASSERT_THAT(thrown.text, AnyOf(HasSubstr("byte"), HasSubstr("header"), HasSubstr("no alnus database"),
                                     HasSubstr("entry"), HasSubstr("sequence"), HasSubstr("do not span"),
                                     HasSubstr("longest or shortest length")))
          << "bit " << bit;
    }
    use();
  }

  const SequenceSet set_ = random_set({.seed = 7, .count = 40, .shortest = 1, .longest = 200});
  const TempDir directory_;
  const std::string path_ = directory_.file("set.alnus");
  Session session_{session_options()};
};

TEST_F(ApiDatabaseFlips, AreFoundByOpening) {
  expect_refused([&] {
    const Database opened = session_.open(path_);
    if (fasta_of(opened.in_file_order().sequences()) != fasta_of(set_))
      throw std::runtime_error("other sequences");
  });
}

TEST_F(ApiDatabaseFlips, AreFoundByASearch) {
  const SearchOptions options{.detail = Detail::score};
  expect_refused([&] {
    const Database opened = session_.open(path_, {.verification = Verification::deferred});
    session_.search(set_, opened, default_scoring(), options);
  });
}

TEST_F(ApiDatabaseFlips, AreFoundByAllPairs) {
  AllPairsOptions options;
  options.detail = Detail::score;
  options.statistics = no_statistics();
  int rows = 0;
  expect_refused([&] {
    rows = 0;
    const Database opened = session_.open(path_, {.verification = Verification::deferred});
    PairSink sink;
    sink.rows = [&](const Columns& batch, const std::string&) { rows += static_cast<int>(batch.size()); };
    session_.all_pairs(opened, default_scoring(), options, sink);
  });
  EXPECT_GT(rows, 0);
}

TEST_F(ApiDatabaseFlips, AreFoundBeforeSequencesAreMasked) {
  expect_refused([&] {
    OpenOptions options{.verification = Verification::deferred};
    options.masking.seg = true;
    session_.open(path_, options);
  });
}

}  // namespace
}  // namespace alnus::test

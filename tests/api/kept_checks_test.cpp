// Checks and digests of a whole database are done once for it, however many calls and parts ask for them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "api/support/errors.h"
#include "core/thread_pool.h"
#include "jobs/part_sequences.h"
#include "jobs/row_writer.h"

namespace alnus::test {
namespace {

using jobs::digest_of;
using ::testing::HasSubstr;

// Two sequences whose names the test changes while a database holds them and does not notice it. What the
// database has kept then differs from what a new database of the same sequences finds.
class KeptChecks : public ::testing::Test {
 protected:
  Database database() const {
    return Database(SequenceSet(AlphabetKind::protein,
                                {.residues = residues_,
                                 .offsets = offsets_,
                                 .headers = names_,
                                 .header_offsets = name_offsets_,
                                 .file_ordinals = {},
                                 .qualities = {}},
                                nullptr, "set.fa"));
  }
  // Returns the message of the error that SAM output of a search of these sets gives, or kNothing.
  std::string sam_error(const Database& queries, const Database& subjects) {
    const Thrown thrown = thrown_by([&] {
      jobs::check_row_output(OutputFormat::parse("sam"), "hits.sam", Detail::alignment, {}, queries, subjects,
                             threads_);
    });
    return thrown.text;
  }

  static constexpr const char* kNothing = "nothing was thrown";
  const std::vector<Residue> residues_{1, 2, 3, 4};
  const std::vector<std::uint64_t> offsets_{0, 2, 4}, name_offsets_{0, 2, 4};
  // As reads of SAM the sequences are named "a(" and "b)". As subjects they are named "a_" and "b_".
  std::string names_ = "a(b)";
  ThreadPool threads_{2};
};

TEST_F(KeptChecks, DigestsOfParts) {
  const Database kept = database();
  const jobs::Told nothing, names{.names = true}, letters{.letters = true},
      all{.names = true, .letters = true};
  const std::string before[] = {digest_of(kept, nothing), digest_of(kept, names), digest_of(kept, letters),
                                digest_of(kept, all)};
  EXPECT_EQ(std::set<std::string>(std::begin(before), std::end(before)).size(), 4);
  names_[0] = 'x';
  EXPECT_EQ(digest_of(kept, names), before[1]);
  EXPECT_EQ(digest_of(kept.stated(), all), before[3]) << "copies share what is kept";
  EXPECT_EQ(digest_of(database(), letters), before[2]);
  EXPECT_NE(digest_of(database(), names), before[1]);
  EXPECT_NE(digest_of(database(), all), before[3]);
}

TEST_F(KeptChecks, DigestsOfPartsThatThreadsAskForAtOnce) {
  const Database kept = database();
  std::vector<std::string> found(8);
  {
    std::vector<std::jthread> threads;
    for (std::string& digest : found)
      threads.emplace_back([&] { digest = digest_of(kept, {.names = true}); });
  }
  EXPECT_THAT(found, ::testing::Each(digest_of(database(), {.names = true})));
}

TEST_F(KeptChecks, NamesForSam) {
  const Database kept = database();
  EXPECT_EQ(sam_error(kept, kept), kNothing);
  names_ = "a)a(";
  EXPECT_EQ(sam_error(kept, kept), kNothing);
  const Database wrong = database();
  for (int call = 0; call < 2; ++call)
    EXPECT_THAT(sam_error(kept, wrong), HasSubstr("Two sequences of set.fa are named a_ (as SAM writes it)"));
  EXPECT_EQ(sam_error(wrong, kept), kNothing) << "reads may have parentheses";
  names_ = "a(b)";
  EXPECT_EQ(sam_error(kept, wrong), kNothing) << "what is refused is not kept";
}

}  // namespace
}  // namespace alnus::test

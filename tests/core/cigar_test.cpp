#include "core/cigar.h"

#include <gmock/gmock.h>

namespace alnus {
namespace {

using testing::ElementsAre;

TEST(CigarBuilder, JoinsEqualOperationsAndTurnsThemRound) {
  CigarBuilder builder;
  builder.prepend(CigarOp::insertion, 2);
  builder.prepend_pair(3, 3 | kLowerCase);
  builder.prepend_pair(4, 4);
  builder.prepend_pair(4, 5);
  builder.prepend(CigarOp::deletion, 1);
  builder.prepend(CigarOp::deletion, 6);
  EXPECT_THAT(builder.finish(), ElementsAre(CigarRun(CigarOp::deletion, 7), CigarRun(CigarOp::mismatch, 1),
                                            CigarRun(CigarOp::equal, 2), CigarRun(CigarOp::insertion, 2)));
  EXPECT_TRUE(builder.finish().empty());
}

TEST(CigarBuilder, TakesManyPairsAsOneByOne) {
  for (std::size_t length = 0; length < 200; ++length) {
    std::vector<Residue> query, subject;
    CigarBuilder one_by_one, at_once;
    for (std::size_t k = 0; k < length; ++k) {
      query.push_back(static_cast<Residue>(k * k % 29));
      const auto other = static_cast<Residue>((k * k + k / 3 % (1 + length % 5)) % 29);
      subject.push_back(k % 2 ? other : static_cast<Residue>(other | kLowerCase));
    }
    for (std::size_t k = length; k > 0; --k) one_by_one.prepend_pair(query[k - 1], subject[k - 1]);
    at_once.prepend_pairs(query, subject, length);
    const std::vector<CigarRun> expected = one_by_one.finish();
    EXPECT_EQ(at_once.finish(), expected) << length;
    query.insert(query.end(), 9, Residue{1});
    subject.insert(subject.end(), 7, Residue{1});
    at_once.prepend_pairs(query, subject, length);
    EXPECT_EQ(at_once.finish(), expected) << length;
  }
}

TEST(CigarBuilder, CutsRunsThatAreTooLong) {
  constexpr std::uint32_t kLongest = CigarRun::kLongest;
  CigarBuilder builder;
  builder.prepend(CigarOp::deletion, std::size_t{2} * kLongest + 5);
  builder.prepend(CigarOp::deletion, kLongest - 5);
  builder.prepend(CigarOp::deletion, 1);
  EXPECT_THAT(builder.finish(),
              ElementsAre(CigarRun(CigarOp::deletion, 1), CigarRun(CigarOp::deletion, kLongest),
                          CigarRun(CigarOp::deletion, kLongest), CigarRun(CigarOp::deletion, kLongest)));
}

}  // namespace
}  // namespace alnus

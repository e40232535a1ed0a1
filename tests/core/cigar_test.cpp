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

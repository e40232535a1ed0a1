#include "alnus/coverage.h"

#include <gtest/gtest.h>

namespace alnus {
namespace {

constexpr CoverageOf kAll[] = {CoverageOf::shorter, CoverageOf::longer, CoverageOf::query,
                               CoverageOf::subject, CoverageOf::both};

TEST(Coverage, IsOfTheSequenceThatIsNamed) {
  const Fraction query{30, 40}, subject{28, 100};
  const auto of = [](CoverageOf which) { return coverage(30, 40, 28, 100, which); };
  EXPECT_EQ(of(CoverageOf::query), query);
  EXPECT_EQ(of(CoverageOf::subject), subject);
  EXPECT_EQ(of(CoverageOf::shorter), query);
  EXPECT_EQ(of(CoverageOf::longer), subject);
  EXPECT_EQ(of(CoverageOf::both), subject) << "the lower one";
  EXPECT_EQ(coverage(28, 100, 30, 40, CoverageOf::shorter), query);
  EXPECT_EQ(coverage(28, 100, 30, 40, CoverageOf::longer), subject);
}

TEST(Coverage, OfEqualLengthsIsTheLowerOne) {
  for (const CoverageOf which : {CoverageOf::shorter, CoverageOf::longer, CoverageOf::both}) {
    EXPECT_EQ(coverage(8, 10, 7, 10, which), (Fraction{7, 10}));
    EXPECT_EQ(coverage(7, 10, 8, 10, which), (Fraction{7, 10}));
  }
}

TEST(Coverage, OfNothingIsNothing) {
  for (const CoverageOf which : kAll) EXPECT_EQ(coverage(0, 0, 0, 0, which), Fraction{});
  EXPECT_EQ(coverage(0, 0, 5, 10, CoverageOf::shorter), Fraction{});
  EXPECT_EQ(coverage(0, 0, 5, 10, CoverageOf::longer), (Fraction{5, 10}));
}

}  // namespace
}  // namespace alnus

#include <gtest/gtest.h>

#include "alnus/error.h"
#include "engine/align_list.h"
#include "support/sequences.h"

namespace alnus::engine {
namespace {

TEST(PositionsOf, AreByIndexAndEndWhenAStopIsRequested) {
  const std::vector<test::Residues> sequences = {{1}, {2, 2, 2}, {3, 3}};
  const SortedSequences sorted(test::make_set(sequences));
  EXPECT_EQ(positions_of(sorted), (std::vector<Position>{Position(2), Position(0), Position(1)}));
  StopFlag stop;
  stop.request();
  EXPECT_THROW(positions_of(sorted, stop), Interrupted);
}

}  // namespace
}  // namespace alnus::engine

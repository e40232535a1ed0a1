#include <array>
#include <gtest/gtest.h>
#include <vector>

#include "alnus/text.h"

namespace alnus {
namespace {

constexpr std::array<std::string_view, 4> kWords = {"qseqid", "sseqid", "qstart", "evalue"};

TEST(Nearest, CountsEdits) {
  EXPECT_EQ(nearest("sseqd", kWords), "sseqid");
  EXPECT_EQ(nearest("e-value", kWords), "evalue");
  EXPECT_EQ(nearest("qstrat", kWords), "qstart");
}

TEST(Nearest, IgnoresCase) { EXPECT_EQ(nearest("EVALUE", kWords), "evalue"); }

TEST(Nearest, TakesTheFirstOfEquals) { EXPECT_EQ(nearest("xseqid", kWords), "qseqid"); }

TEST(Nearest, TakesStringsAndEmptyLists) {
  EXPECT_EQ(nearest("b", std::vector<std::string>{"ax", "b"}), "b");
  EXPECT_EQ(nearest("", std::vector<std::string>{"long", "s"}), "s");
  EXPECT_EQ(nearest("b", std::vector<std::string>{}), "");
}

}  // namespace
}  // namespace alnus

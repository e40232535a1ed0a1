// The program that shows a message names the options in it.
#include <gtest/gtest.h>

#include "alnus/error.h"
#include "alnus/run.h"

namespace alnus {
namespace {

std::string flag(std::string_view identifier) { return "--" + std::string(identifier); }

TEST(Messages, AnErrorNamesOptionsByTheirIdentifiers) {
  const Error error(ErrorKind::input, option("evalue") + " is -1; " + option("min_score") + " filters, too.");
  EXPECT_STREQ(error.what(), "evalue is -1; min_score filters, too.");
  EXPECT_EQ(render_options(error.marked(), flag), "--evalue is -1; --min_score filters, too.");
}

TEST(Messages, TextWithoutOptionsStaysAsItIs) {
  EXPECT_EQ(plain_text(""), "");
  EXPECT_EQ(plain_text("nothing to name"), "nothing to name");
  const Message message{Severity::warning, "Only " + option("x")};
  EXPECT_EQ(message.text(), "Only x");
  EXPECT_EQ(message.text(flag), "Only --x");
}

TEST(Messages, AMarkThatDoesNotEndIsNamedAllTheSame) { EXPECT_EQ(plain_text("\x02open"), "open"); }

}  // namespace
}  // namespace alnus

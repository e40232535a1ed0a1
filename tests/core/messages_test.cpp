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

TEST(Messages, MarksThatAFilesNameHasAreShown) {
  EXPECT_EQ(plain_text("\x02open"), "\\x02open");
  EXPECT_EQ(plain_text("\x02no name\x03 of " + option("x")), "\\x02no name\\x03 of x");
  EXPECT_EQ(plain_text(std::string("\x02") + option("x")), "\\x02x");
}

TEST(Messages, ControlCharactersAreShown) {
  const std::string file = "a\x1b[31m\n.fa";
  const Error error(ErrorKind::input, "Cannot read " + file + " by " + option("list") + ".");
  EXPECT_STREQ(error.what(), "Cannot read a\\x1b[31m\\x0a.fa by list.");
  EXPECT_EQ(render_options(error.marked(), flag), "Cannot read a\\x1b[31m\\x0a.fa by --list.");
  EXPECT_EQ((Message{Severity::info, file}).text(), "a\\x1b[31m\\x0a.fa");
}

}  // namespace
}  // namespace alnus

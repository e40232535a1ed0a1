// The lines that scripts/quickstart prints about its stages.
#include "cli/cli_fixture.h"

namespace alnus::test {
namespace {

class Quickstart : public CliTest {
 protected:
  CommandResult stages(const std::string& script) const {
    return shell("set -euo pipefail; cd " ALNUS_SOURCE_DIR "; source scripts/common.sh; log=" + path("log") +
                 "; : >$log; noisy() { for i in {1..300}; do echo line $i; done; }\n" + script);
  }
};

TEST_F(Quickstart, AStageIsOneLineWithItsTimeAndALog) {
  const CommandResult result = stages("logged_stage $log 'First' noisy; logged_stage $log 'Second' echo two");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, ::testing::MatchesRegex("First ... +0:0[0-9]\nSecond ... +0:0[0-9]\n"));
  EXPECT_EQ(result.err, "");
  EXPECT_THAT(read("log"), HasSubstr("line 300\ntwo\n"));
}

TEST_F(Quickstart, AFailureShowsTheErrorAndTheLog) {
  const CommandResult result = stages(
      "broken() { noisy; echo 'a.cpp:1: error: no such thing'; noisy; return 7; }\n"
      "logged_stage $log 'Building' broken; echo not reached");
  EXPECT_EQ(result.exit_code, 7);
  EXPECT_THAT(result.out, HasSubstr("failed"));
  EXPECT_THAT(result.out, Not(HasSubstr("not reached")));
  EXPECT_THAT(result.err, HasSubstr("a.cpp:1: error: no such thing"));
  EXPECT_THAT(result.err, HasSubstr(path("log")));
  EXPECT_LT(result.err.size(), 1000u);
}

TEST_F(Quickstart, TheEndSaysHowToGoOn) {
  const std::string script = read_file(ALNUS_SOURCE_DIR "/scripts/quickstart");
  for (const char* text : {"search QUERIES.fasta DATABASE.fasta", "cmake --install build/release", "--help"})
    EXPECT_THAT(script, HasSubstr(text));
}

}  // namespace
}  // namespace alnus::test

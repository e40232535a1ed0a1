// Database files with a flipped bit, and files that change while they are used: the exit code is 2, and the
// message tells what happened. Usually 25 random bits are tried, with ALNUS_FULL_TESTS=1 1,000.
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <random>
#include <thread>

#include "cli/cli_fixture.h"
#include "support/sequences.h"

namespace alnus::test {
namespace {

namespace fs = std::filesystem;
using ::testing::AnyOf;

bool full_tests() {
  const char* value = std::getenv("ALNUS_FULL_TESTS");
  return value != nullptr && value == std::string("1");
}

class DamagedDatabase : public CliTest {
 protected:
  // Returns random proteins as FASTA.
  static std::string proteins(unsigned seed, int count, std::size_t length) {
    Random random(seed);
    std::string text;
    for (int k = 0; k < count; ++k)
      text += ">r" + std::to_string(k) + "\n" + decode(random_sequence(random, length, 6)) + "\n";
    return text;
  }
  void make(const std::string& name, unsigned seed, int count, std::size_t length) const {
    write(name + ".fa", proteins(seed, count, length));
    ASSERT_EQ(alnus({"makedb", name + ".fa", "-o", name + ".alnus", "--quiet"}).exit_code, 0);
  }
  void wait_for_output() const {
    for (int looks = 0; looks < 5000 && !fs::exists(path("rows.tsv.alnus-part")); ++looks)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
};

TEST_F(DamagedDatabase, EveryFlippedBitIsRefusedWithItsPlace) {
  make("db", 1, 12, 60);
  write("pairs.tsv", "r1\tr2\n");
  const std::string bytes = read("db.alnus");
  std::mt19937_64 random(9);
  const int count = full_tests() ? 1000 : 25;
  for (int k = 0; k < count; ++k) {
    const std::uint64_t bit = random() % (8 * bytes.size());
    std::string damaged = bytes;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ 1 << bit % 8);
    write("bad.alnus", damaged);
    for (const std::vector<std::string>& command :
         {std::vector<std::string>{"search", "db.fa", "bad.alnus", "-o", "rows.tsv"},
          {"allpairs", "bad.alnus", "-o", "rows.tsv"},
          {"align", "--pairs", "pairs.tsv", "bad.alnus", "-o", "rows.tsv"}}) {
      const CommandResult result = alnus(command);
      ASSERT_EQ(result.exit_code, 2) << command.front() << ", bit " << bit << ": " << result.err;
      ASSERT_THAT(result.err, HasSubstr("bad.alnus")) << "bit " << bit;
      ASSERT_THAT(result.err, AnyOf(HasSubstr("byte"), HasSubstr("header"), HasSubstr("no alnus database"),
                                    HasSubstr("entry"), HasSubstr("sequence"), HasSubstr("do not span"),
                                    HasSubstr("longest or shortest length")))
          << "bit " << bit;
      ASSERT_FALSE(fs::exists(path("rows.tsv")) || fs::exists(path("rows.tsv.alnus-part"))) << "bit " << bit;
    }
  }
}

TEST_F(DamagedDatabase, AFinishedRunOfADamagedDatabaseIsRefusedAsDamaged) {
  make("db", 1, 12, 60);
  const std::vector<std::string> run = {"allpairs", "db.alnus", "-o", "rows.tsv", "--checkpoint", "ledger"};
  ASSERT_EQ(alnus(run).exit_code, 0);
  std::string bytes = read("db.alnus");
  bytes[4096 + 5] ^= 1;
  write("db.alnus", bytes);
  const CommandResult result = alnus(run);
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("db.alnus is damaged: the checksum of block 0 of its residues"));
}

TEST_F(DamagedDatabase, ThatBecomesShorterDuringASearchIsNamed) {
  make("large", 2, 3000, 400);
  for (const std::uintmax_t left : {0, 4096, 100'000}) {
    fs::copy_file(path("large.alnus"), path("copy.alnus"));
    RunOptions options;
    options.directory = path("");
    RunningCommand running(words({"search", "large.fa", "copy.alnus", "-o", "rows.tsv", "--isa", "portable"}),
                           options);
    wait_for_output();
    fs::resize_file(path("copy.alnus"), left);
    const CommandResult result = running.wait();
    EXPECT_EQ(result.exit_code, 2) << result.err;
    EXPECT_THAT(result.err,
                HasSubstr("copy.alnus became shorter while it was used: " + std::to_string(left)));
    fs::remove(path("copy.alnus"));
    EXPECT_EQ(files(), (std::set<std::string>{"large.fa", "large.alnus"}));
  }
}

// The error comes soon: without the change the search would take a minute and more.
TEST_F(DamagedDatabase, ThatIsOverwrittenDuringASearchIsNamedSoon) {
  make("large", 2, 1500, 400);
  make("other", 3, 1500, 400);
  fs::copy_file(path("large.alnus"), path("copy.alnus"));
  RunOptions options;
  options.directory = path("");
  RunningCommand running(words({"search", "large.fa", "copy.alnus", "-o", "rows.tsv", "--isa", "portable"}),
                         options);
  wait_for_output();
  {
    const std::string bytes = read("other.alnus");
    std::fstream file(path("copy.alnus"), std::ios::in | std::ios::out | std::ios::binary);
    file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  }
  const CommandResult result = running.wait();
  EXPECT_EQ(result.exit_code, 2) << result.err;
  EXPECT_THAT(result.err, HasSubstr("copy.alnus was changed while it was used"));
  EXPECT_EQ(files().count("rows.tsv") + files().count("rows.tsv.alnus-part"), 0u);
}

TEST_F(DamagedDatabase, ThatBecomesShorterBetweenQueriesIsNamed) {
  make("db", 1, 12, 60);
  const CommandResult result = shell(
      "{ printf '>q\\nMKVLAHE\\n\\n'; while ! test -s out; do sleep 0.01; done; truncate -s 5000 db.alnus; "
      "printf '>q2\\nMKVLAHE\\n\\n'; } | \"$1\" search - db.alnus --interactive --outfmt 7 > out");
  EXPECT_EQ(result.exit_code, 2) << result.err;
  EXPECT_THAT(result.err, HasSubstr("db.alnus became shorter while it was used: 5000 of"));
}

// SIGBUS from another process does not come from a database file, and ends the program.
TEST_F(DamagedDatabase, ASignalThatWasSentEndsTheProgram) {
  make("large", 2, 3000, 400);
  RunOptions options;
  options.directory = path("");
  RunningCommand running(words({"search", "large.fa", "large.alnus", "-o", "rows.tsv", "--isa", "portable"}),
                         options);
  wait_for_output();
  running.send(SIGBUS);
  EXPECT_EQ(running.wait().exit_code, 128 + SIGBUS);
}

}  // namespace
}  // namespace alnus::test

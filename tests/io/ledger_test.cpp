#include "io/ledger.h"

#include <csignal>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

#include "alnus/error.h"
#include "io/digest.h"
#include "support/temp_dir.h"

namespace alnus::io {
namespace {

using test::read_file;
using ::testing::AllOf;
using ::testing::HasSubstr;

Ledger some_ledger() {
  return {.run = {{"mode", "local"}, {"output", "rows.tsv"}},
          .stripe_cells = 2.5e12,
          .pair_cost = {1e-11, 0, 2.5e-10, 4e-6},
          .memory_bytes = 1 << 30,
          .next_row = 17,
          .left = 0.25,
          .listed = 30,
          .empty = 4,
          .edges = 12,
          .outputs = {{"rows.tsv", {1234, std::string(32, 'a')}}, {"m.npy", {128, std::string(16, '0')}}}};
}

class LedgerTest : public ::testing::Test {
 protected:
  // Reads a ledger file of these bytes. Returns the error's message, or "" if it is read and equals
  // some_ledger().
  std::string refusal(const std::string& bytes) const {
    files_.write_file("ledger.json", bytes);
    try {
      EXPECT_EQ(LedgerDirectory(files_.path()).load(), some_ledger()) << bytes;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::other);
      EXPECT_THAT(error.what(), HasSubstr(files_.file("ledger.json")));
      return error.what();
    }
    return "";
  }
  // Returns the error's message if the directory is locked, otherwise "".
  std::string locked() const {
    try {
      const LedgerDirectory directory(files_.path());
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::other);
      return error.what();
    }
    return "";
  }
  std::string saved() const {
    LedgerDirectory(files_.path()).save(some_ledger());
    return read_file(files_.file("ledger.json"));
  }

  test::TempDir files_;
};

TEST_F(LedgerTest, IsReadAsItWasSaved) {
  EXPECT_EQ(LedgerDirectory(files_.path()).load(), std::nullopt);
  EXPECT_EQ(refusal(saved()), "");
}

TEST_F(LedgerTest, EveryByteCounts) {
  const std::string bytes = saved();
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    std::string changed = bytes;
    changed[at] = static_cast<char>(changed[at] ^ 1 << at % 8);
    const std::string said = refusal(changed);
    const bool blank = bytes[at] == ' ' || bytes[at] == '\n';
    EXPECT_TRUE(blank || !said.empty()) << changed;
  }
}

TEST_F(LedgerTest, AnEditedOneIsCalledSo) {
  std::string edited = saved();
  edited.insert(edited.find("\"next_row\": ") + 12, "1");
  EXPECT_THAT(refusal(edited), HasSubstr("(it was edited: its digest does not match)"));
}

TEST_F(LedgerTest, CutAnywhereItIsRefused) {
  const std::string bytes = saved();
  for (std::size_t size = 0; size < bytes.size() - 1; ++size)
    EXPECT_THAT(refusal(bytes.substr(0, size)), HasSubstr("is damaged")) << size;
}

TEST_F(LedgerTest, WhatIsNoLedgerIsNamedSo) {
  EXPECT_THAT(refusal("{}"), HasSubstr("ledger.json is damaged (it is no ledger of alnus)"));
  EXPECT_THAT(refusal("[1]"), HasSubstr("it is no ledger of alnus"));
  std::filesystem::remove(files_.file("ledger.json"));
  std::filesystem::create_directory(files_.file("ledger.json"));
  try {
    LedgerDirectory(files_.path()).load();
    ADD_FAILURE() << "a directory was read";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("ledger.json is no file"));
  }
}

TEST_F(LedgerTest, OfTheFormatBeforeIsNamedSo) {
  EXPECT_THAT(refusal(R"({"alnus_ledger": 1, "empty": 0, "finished": false, "left": 1.0, "listed": 0})"),
              AllOf(HasSubstr("written by another version of alnus"), HasSubstr("format is 1"),
                    HasSubstr("remove the file to start anew")));
}

TEST_F(LedgerTest, OfOtherOptionsIsOfAnotherVersion) {
  EXPECT_THAT(refusal(R"({"alnus_ledger": "8.00000000", "run": []})"),
              AllOf(HasSubstr("written by another version of alnus"), HasSubstr("format is \"8.00000000\"")));
}

TEST_F(LedgerTest, RunsOfMoreOrLessDiffer) {
  const Ledger one = some_ledger();
  EXPECT_EQ(first_difference(one, one), nullptr);
  Ledger more = one;
  more.run.emplace_back("strand", "both");
  ASSERT_NE(first_difference(one, more), nullptr);
  EXPECT_EQ(first_difference(one, more)->first, "strand");
  ASSERT_NE(first_difference(more, one), nullptr);
  EXPECT_EQ(first_difference(more, one)->first, "strand");
}

TEST_F(LedgerTest, OneAtATimeHasTheDirectory) {
  {
    const LedgerDirectory held(files_.path());
    EXPECT_THAT(locked(), AllOf(HasSubstr("Another run works in the directory " + files_.path().string()),
                                HasSubstr("name another directory")));
  }
  EXPECT_EQ(locked(), "");
}

TEST_F(LedgerTest, ADeadProcessHoldsNothing) {
  int ready[2];
  ASSERT_EQ(::pipe(ready), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const LedgerDirectory held(files_.path());
    if (::write(ready[1], "x", 1) == 1) ::pause();
    ::_exit(1);
  }
  char byte = 0;
  ASSERT_EQ(::read(ready[0], &byte, 1), 1);
  EXPECT_THAT(locked(), HasSubstr("Another run"));
  ::kill(child, SIGKILL);
  ASSERT_EQ(::waitpid(child, nullptr, 0), child);
  EXPECT_EQ(locked(), "");
  ::close(ready[0]);
  ::close(ready[1]);
}

TEST_F(LedgerTest, AForkedChildHoldsNothing) {
  auto held = std::make_unique<LedgerDirectory>(files_.path());
  const pid_t child = ::fork();
  if (child == 0) {
    held.reset();
    ::pause();
    ::_exit(1);
  }
  EXPECT_THAT(locked(), HasSubstr("Another run"));
  held.reset();
  EXPECT_EQ(locked(), "");
  ::kill(child, SIGKILL);
  ASSERT_EQ(::waitpid(child, nullptr, 0), child);
}

TEST(PlacedDigest, KnowsPlacesAndNotTheirOrder) {
  const std::vector<std::uint32_t> values = {5, 6, 7, 7};
  const auto text = [](auto... pieces) {
    PlacedDigest digest;
    (digest.add(pieces.first, pieces.second), ...);
    return digest.text();
  };
  using Piece = std::pair<std::uint64_t, std::vector<std::uint32_t>>;
  const std::string whole = text(Piece{0, {5, 6, 7, 7}});
  EXPECT_EQ(text(Piece{2, {7, 7}}, Piece{0, {5, 6}}), whole);
  for (const Piece& other :
       {Piece{0, {6, 5, 7, 7}}, Piece{1, {5, 6, 7, 7}}, Piece{0, {5, 6, 7, 8}}, Piece{0, {5, 6, 7}}})
    EXPECT_NE(text(other), whole);
}

}  // namespace
}  // namespace alnus::io

// Database files that another program overwrites, shortens or replaces while a session has them open.
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "alnus/session.h"
#include "api/support/errors.h"
#include "api/support/inputs.h"
#include "api/support/process.h"
#include "api/support/table.h"
#include "support/temp_dir.h"

namespace alnus::test {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;

class ApiFileChanges : public testing::Test {
 protected:
  ApiFileChanges() {
    make(path_, 3);
    make(other_, 4);
  }

  void make(const std::string& path, unsigned seed) {
    const std::string fasta =
        fasta_of(random_set({.seed = seed, .count = 50, .shortest = 80, .longest = 80, .prefix = "s"}));
    session_.make_database({directory_.write_file("in.fa", fasta)}, path);
  }
  // Writes over the bytes of the file in place: it remains the same file.
  static void overwrite(const std::string& path, const std::string& bytes) {
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  }
  // Moves the time of the file's last change on by ten seconds. File systems count this time in steps of some
  // milliseconds, so that two changes may otherwise have the same time.
  static void set_time(const std::string& path) {
    fs::last_write_time(path, fs::last_write_time(path) + std::chrono::seconds(10));
  }
  SearchRows search(const Database& database) {
    return SearchRows(session_.search(queries_, database, default_scoring(), {.evalue = 1e9}).hits);
  }
  Thrown search_error(const Database& database) {
    return thrown_by([&] { search(database); });
  }

  const SequenceSet queries_ = random_set({.seed = 3, .count = 5, .shortest = 60, .longest = 90});
  const TempDir directory_;
  const std::string path_ = directory_.file("set.alnus"), other_ = directory_.file("other.alnus");
  Session session_{session_options()};
};

TEST_F(ApiFileChanges, AFileThatIsOverwrittenInPlaceIsRefused) {
  for (const Verification verification : {Verification::full, Verification::deferred, Verification::none}) {
    make(path_, 3);
    const Database database = session_.open(path_, {.verification = verification});
    search(database);
    overwrite(path_, read_file(other_));
    set_time(path_);
    const Thrown thrown = search_error(database);
    EXPECT_TRUE(thrown.error && thrown.kind == ErrorKind::database) << thrown.text;
    EXPECT_THAT(thrown.text, AllOf(HasSubstr("set.alnus was changed while it was used"), HasSubstr("bytes")));
  }
}

TEST_F(ApiFileChanges, AFileThatIsOverwrittenDuringACallIsRefused) {
  const Database database = session_.open(path_);
  int batches = 0;
  const Thrown thrown = thrown_by([&] {
    session_.search(queries_, database, default_scoring(), {.evalue = 1e9}, [&](const SearchBatch&) {
      ++batches;
      overwrite(path_, read_file(other_));
      set_time(path_);
    });
  });
  EXPECT_EQ(batches, 1);
  EXPECT_TRUE(thrown.error && thrown.kind == ErrorKind::database) << thrown.text;
  EXPECT_THAT(thrown.text, HasSubstr("was changed while it was used"));
}

TEST_F(ApiFileChanges, AFileOfTheSameContentsIsNotRefused) {
  const Database database = session_.open(path_);
  const SearchRows before = search(database);
  set_time(path_);
  EXPECT_TRUE(same(search(database), before));
  overwrite(path_, read_file(path_));
  set_time(path_);
  EXPECT_TRUE(same(search(database), before));
}

TEST_F(ApiFileChanges, ANewFileOfTheSameNameLeavesTheOldOneToThoseWhoUseIt) {
  const Database database = session_.open(path_);
  const SearchRows before = search(database);
  make(path_, 5);
  EXPECT_TRUE(same(search(database), before));
  fs::remove(path_);
  EXPECT_TRUE(same(search(database), before));
}

TEST_F(ApiFileChanges, AFileThatIsShorterIsRefusedBeforeItIsRead) {
  const Database database = session_.open(path_);
  search(database);
  const std::uint64_t size = fs::file_size(path_);
  fs::resize_file(path_, 5000);
  const Thrown thrown = search_error(database);
  EXPECT_TRUE(thrown.error && thrown.kind == ErrorKind::database) << thrown.text;
  EXPECT_THAT(thrown.text, AllOf(HasSubstr("set.alnus became shorter while it was used: 5000 of"),
                                 HasSubstr(std::to_string(size) + " bytes")));
}

TEST_F(ApiFileChanges, InMemoryNothingOfItMatters) {
  const Database database = session_.open(path_, {.in_memory = true});
  const SearchRows before = search(database);
  overwrite(path_, read_file(other_));
  fs::resize_file(path_, 5000);
  EXPECT_TRUE(same(search(database), before));
}

TEST_F(ApiFileChanges, WhatElseACallFailsWithThenIsAChangedFile) {
  const Database database = session_.open(path_);
  const auto failing_after = [&](const std::function<void()>& change) {
    return thrown_by([&] {
      session_.search(queries_, database, default_scoring(), {.evalue = 1e9}, [&](const SearchBatch&) {
        change();
        throw Error(ErrorKind::other, "Internal error: two scores differ.");
      });
    });
  };
  EXPECT_THAT(failing_after([] {}).text, HasSubstr("two scores differ"));
  const Thrown thrown = failing_after([&] {
    overwrite(path_, read_file(other_));
    set_time(path_);
  });
  EXPECT_EQ(thrown.kind, ErrorKind::database);
  EXPECT_THAT(thrown.text, HasSubstr("was changed while it was used"));
}

TEST_F(ApiFileChanges, AProgramThatReadsSequencesCanAskForTheirFiles) {
  const Database database = session_.open(path_);
  const Database part = database.part(3, 9), ordered = database.in_file_order();
  const Database in_memory = session_.open(path_, {.in_memory = true});
  const Database unchecked = session_.open(path_, {.verification = Verification::deferred});
  const auto error = [](const Database& some) { return thrown_by([&] { some.check_files(); }); };
  for (const Database& some : {database, part, ordered, in_memory, unchecked, Database(queries_)})
    EXPECT_FALSE(error(some).error);
  set_time(path_);
  EXPECT_FALSE(error(database).error) << "the contents are the same";
  overwrite(path_, read_file(other_));
  set_time(path_);
  EXPECT_THAT(error(database).text, HasSubstr("was changed while it was used"));
  overwrite(other_, read_file(path_));
  const Database another = session_.open(other_);
  fs::resize_file(other_, 5000);
  for (const Database& some : {another, another.part(3, 9)}) {
    EXPECT_EQ(error(some).kind, ErrorKind::database);
    EXPECT_THAT(error(some).text, HasSubstr("other.alnus became shorter while it was used: 5000 of"));
  }
  EXPECT_FALSE(error(in_memory).error);
}

TEST_F(ApiFileChanges, RowsAreNotWrittenFromAFileThatIsShorter) {
  const Database database = session_.open(path_);
  const SearchResult found = session_.search(queries_, database, default_scoring(), {.evalue = 1e9});
  fs::resize_file(path_, fs::file_size(path_) - 1);
  OutputFile out(session_, directory_.file("rows.tsv"));
  RowWriter writer(out, OutputFormat::parse("6 saccver"), default_scoring(), queries_, database, {});
  writer.write(found.hits.rows, "");
  const Thrown thrown = thrown_by([&] { writer.finish(); });
  EXPECT_EQ(thrown.kind, ErrorKind::database);
  EXPECT_THAT(thrown.text, HasSubstr("became shorter"));
}

// ---- SIGBUS ----

void zero(int, siginfo_t* info, void*) {
  if (!zero_lost_pages(info->si_addr)) ::_exit(3);
}

void install() {
  struct sigaction action {};
  action.sa_sigaction = zero;
  action.sa_flags = SA_SIGINFO;
  ::sigaction(SIGBUS, &action, nullptr);
}

TEST_F(ApiFileChanges, LostPagesAreZerosAndTheNextCallSaysSo) {
  const ChildResult result = in_child([&] {
    install();
    Session session(session_options(1));
    const Database database = session.open(path_);
    fs::resize_file(path_, 100);
    int sum = 0;
    for (const Residue residue : database.sequences().residues(7)) sum += residue;
    fs::resize_file(path_, 100'000);
    const Thrown thrown = thrown_by([&] { session.search(queries_, database, default_scoring()); });
    return std::to_string(sum) + " " + thrown.text;
  });
  EXPECT_THAT(result.text, AllOf(::testing::StartsWith("0 "), HasSubstr("set.alnus"),
                                 HasSubstr("could not be read while it was used")))
      << "signal " << result.signal << ", exit code " << result.exit_code;
}

TEST_F(ApiFileChanges, LostPagesEndACallSoon) {
  const SequenceSet large = random_set({.seed = 3, .count = 1500, .shortest = 1000, .longest = 1000});
  const std::string path = directory_.file("large.alnus");
  session_.make_database({directory_.write_file("large.fa", fasta_of(large))}, path);
  const ChildResult result = in_child([&] {
    install();
    Session session(session_options(2));
    const Database database = session.open(path);
    RunControl run;
    run.on_progress = [&](const Progress& progress) {
      if (progress.cells_done > 0) fs::resize_file(path, 8192);
    };
    return thrown_by([&] {
             session.search(
                 large, database, default_scoring(), {.detail = Detail::score}, [](const SearchBatch&) {},
                 run);
           })
        .text;
  });
  EXPECT_THAT(result.text, HasSubstr("large.alnus became shorter while it was used: 8192 of"))
      << "signal " << result.signal << ", exit code " << result.exit_code;
}

TEST_F(ApiFileChanges, OtherAddressesAreNotThoseOfADatabase) {
  int here = 0;
  EXPECT_FALSE(zero_lost_pages(&here));
  EXPECT_FALSE(zero_lost_pages(nullptr));
  const void* inside = nullptr;
  {
    const Database database = session_.open(path_);
    inside = database.sequences().arrays().residues.data();
  }
  EXPECT_FALSE(zero_lost_pages(inside)) << "it is closed";
}

}  // namespace
}  // namespace alnus::test

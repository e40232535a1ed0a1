// OutputFile, print and OutputFormat: output files are complete or absent.
#include <csignal>
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>
#include <sys/resource.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

#include "alnus/session.h"
#include "api/support/errors.h"
#include "api/support/inputs.h"
#include "api/support/process.h"
#include "support/compression.h"
#include "support/temp_dir.h"

namespace alnus::test {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// A text that is larger than any buffer.
std::string much_text() {
  std::string text;
  for (unsigned i = 0; text.size() < 4'000'000; ++i)
    text += "row " + std::to_string(i * 7919 % 100003) + "\n";
  return text;
}

class ApiOutputFile : public testing::Test {
 protected:
  std::set<std::string> files() const {
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(directory_.path()))
      names.insert(entry.path().filename().string());
    return names;
  }
  static void write_in_pieces(OutputFile& out, std::string_view text) {
    for (std::size_t at = 0; at < text.size(); at += 70'001) out.write(text.substr(at, 70'001));
  }
  static std::string contents(const std::string& path) {
    return path.ends_with(".tsv") ? read_file(path) : unpacked(path);
  }

  const TempDir directory_;
  const std::string name_ = directory_.file("out.tsv"), text_ = much_text();
  Session session_{session_options()};
};

constexpr const char* kSuffixes[] = {"", ".gz", ".zst"};

TEST_F(ApiOutputFile, AppearsUnderItsNameWithCommit) {
  for (const char* suffix : kSuffixes) {
    const std::string name = name_ + suffix;
    {
      OutputFile out(session_, name);
      EXPECT_EQ(out.path(), name);
      write_in_pieces(out, text_);
      EXPECT_FALSE(std::filesystem::exists(name));
      EXPECT_TRUE(std::filesystem::exists(name + ".alnus-part"));
      out.commit();
      EXPECT_TRUE(contents(name) == text_);
    }
    EXPECT_EQ(files(), std::set<std::string>{"out.tsv" + std::string(suffix)});
    std::filesystem::remove(name);
  }
}

TEST_F(ApiOutputFile, LeavesNothingWithoutCommit) {
  for (const char* suffix : kSuffixes) {
    OutputFile out(session_, name_ + suffix);
    write_in_pieces(out, text_);
  }
  try {
    OutputFile out(session_, name_);
    out.write("half a row");
    throw std::runtime_error("before commit");
  } catch (const std::runtime_error&) {
  }
  EXPECT_THAT(files(), IsEmpty());
}

TEST_F(ApiOutputFile, AnOldFileStaysUntilCommit) {
  directory_.write_file("out.tsv", "old");
  { OutputFile(session_, name_).write("new"); }
  EXPECT_EQ(read_file(name_), "old");
  OutputFile out(session_, name_);
  out.write("new");
  EXPECT_EQ(read_file(name_), "old");
  out.commit();
  EXPECT_EQ(read_file(name_), "new");
}

TEST_F(ApiOutputFile, OfNothingIsAnEmptyFile) {
  for (const char* suffix : kSuffixes) {
    OutputFile(session_, name_ + suffix).commit();
    EXPECT_EQ(contents(name_ + suffix), "");
  }
}

TEST_F(ApiOutputFile, ASecondWriterOfTheSameOutputIsRefused) {
  OutputFile first(session_, name_);
  Session other(session_options());
  for (Session* session : {&session_, &other})
    EXPECT_THAT(other_error([&] { OutputFile second(*session, name_); }), HasSubstr("out.tsv"));
  const ChildResult child = in_child([&] {
    Session session(session_options());
    return thrown_by([&] { OutputFile second(session, name_); }).text;
  });
  EXPECT_THAT(child.text, HasSubstr("out.tsv"));
  first.write("first");
  first.commit();
  EXPECT_EQ(read_file(name_), "first");
  OutputFile(session_, name_).commit();
  EXPECT_EQ(read_file(name_), "");
}

TEST_F(ApiOutputFile, GoesOnFromWhereItWasSynced) {
  const std::string_view text = text_;
  const std::string_view pieces[] = {text.substr(0, 1'500'000), text.substr(1'500'000, 10),
                                     text.substr(1'500'010)};
  for (const char* suffix : kSuffixes) {
    const std::string name = name_ + suffix;
    std::vector<std::uint64_t> synced;
    {
      OutputFile out(session_, name);
      for (const std::string_view piece : pieces) {
        write_in_pieces(out, piece);
        synced.push_back(out.sync());
      }
      out.commit();
    }
    const std::string whole = read_file(name);
    EXPECT_EQ(synced.back(), whole.size()) << "the file's bytes so far";
    EXPECT_TRUE(contents(name) == text_);
    std::filesystem::remove(name);
    std::uint64_t at = 0;
    for (std::size_t k = 0; k < std::size(pieces); ++k) {
      OutputFile out(session_, name, at);
      write_in_pieces(out, pieces[k]);
      at = out.sync();
      EXPECT_EQ(at, synced[k]);
      out.write("written, but lost before the next sync");
    }
    EXPECT_EQ(files(), std::set<std::string>{"out.tsv" + std::string(suffix) + ".alnus-part"})
        << "what is synced outlives the writer";
    OutputFile(session_, name, at).commit();
    EXPECT_TRUE(read_file(name) == whole) << "the bytes depend on the text and on where syncs were";
    std::filesystem::remove(name);
  }
}

TEST_F(ApiOutputFile, OnlyWhatIsThereIsResumed) {
  EXPECT_THAT(other_error([&] { OutputFile out(session_, name_, 1); }), HasSubstr("out.tsv"));
  {
    OutputFile out(session_, name_);
    out.write("12345");
    EXPECT_EQ(out.sync(), 5u);
  }
  EXPECT_THAT(other_error([&] { OutputFile out(session_, name_, 6); }), HasSubstr("out.tsv"));
}

TEST_F(ApiOutputFile, ErrorsNameTheFileAndTheSystemsReason) {
  EXPECT_THAT(other_error([&] { OutputFile out(session_, directory_.file("none/out.tsv")); }),
              AllOf(HasSubstr("none/out.tsv"), HasSubstr("No such file or directory")));
  for (const char* name : {"/dev/full"}) {
    EXPECT_THAT(other_error([&] {
                  OutputFile out(session_, name);
                  write_in_pieces(out, text_);
                  out.commit();
                }),
                AllOf(HasSubstr(name), HasSubstr("No space left on device")));
  }
  EXPECT_THAT(other_error([&] {
                OutputFile out(session_, "/dev/full");
                out.write("one line\n");
                out.sync();
              }),
              HasSubstr("No space left on device"));
  std::filesystem::create_symlink("/dev/full", directory_.file("full.gz"));
  EXPECT_THAT(other_error([&] {
                OutputFile out(session_, directory_.file("full.gz"));
                write_in_pieces(out, text_);
                out.commit();
              }),
              HasSubstr("No space left on device"));
}

TEST_F(ApiOutputFile, AFolderWithoutPermissionIsNamed) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may write everywhere";
  std::filesystem::permissions(directory_.path(), std::filesystem::perms::owner_read);
  const std::string text = other_error([&] { OutputFile out(session_, name_); });
  std::filesystem::permissions(directory_.path(), std::filesystem::perms::owner_all);
  EXPECT_THAT(text, AllOf(HasSubstr("out.tsv"), HasSubstr("Permission denied")));
}

TEST_F(ApiOutputFile, BeyondTheLimitOfFileSizesNothingIsLeft) {
  const ChildResult result = in_child([&] {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{100'000, 100'000};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    Session session(session_options());
    return thrown_by([&] {
             OutputFile out(session, name_);
             write_in_pieces(out, text_);
             out.commit();
           })
        .text;
  });
  EXPECT_THAT(result.text, AllOf(HasSubstr("out.tsv"), HasSubstr("File too large")));
  EXPECT_THAT(files(), IsEmpty());
}

TEST_F(ApiOutputFile, DevicesAndPipesAreWrittenAsTheyAre) {
  OutputFile null(session_, "/dev/null");
  null.write("line\n");
  null.commit();
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
  const std::string fifo = directory_.file("fifo");
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  std::string received;
  std::jthread reader([&] { received = read_file(fifo); });
  OutputFile out(session_, fifo);
  write_in_pieces(out, text_);
  out.commit();
  reader.join();
  EXPECT_TRUE(received == text_);
  EXPECT_TRUE(std::filesystem::is_fifo(fifo));
}

// Calls `write` in a child process, and returns what comes to the child's standard output.
std::string standard_output_of(const std::function<void(Session&)>& write, const std::string& path) {
  const ChildResult result = in_child([&] {
    const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    ::dup2(file, STDOUT_FILENO);
    Session session(session_options());
    return thrown_by([&] { write(session); }).text;
  });
  EXPECT_EQ(result.text, "nothing was thrown");
  return read_file(path);
}

TEST_F(ApiOutputFile, NoNameAndADashAreStandardOutput) {
  for (const char* name : {"", "-"}) {
    EXPECT_EQ(standard_output_of(
                  [&](Session& session) {
                    OutputFile out(session, name);
                    out.write("a line\n");
                    out.commit();
                  },
                  name_),
              "a line\n");
  }
  EXPECT_EQ(standard_output_of([](Session&) { print("printed\n"); }, name_), "printed\n");
}

TEST_F(ApiOutputFile, AReaderThatWentAwayIsAClosedPipe) {
  const ChildResult result = in_child([] {
    std::signal(SIGPIPE, SIG_IGN);
    int ends[2] = {};
    if (::pipe(ends) != 0) return std::string("no pipe");
    ::close(ends[0]);
    ::dup2(ends[1], STDOUT_FILENO);
    Session session(session_options());
    std::string thrown;
    try {
      OutputFile out(session, "-");
      out.write("line\n");
      out.commit();
    } catch (const ClosedPipe&) {
      thrown += "ClosedPipe ";
    }
    try {
      print("line\n");
    } catch (const ClosedPipe&) {
      thrown += "ClosedPipe";
    }
    return thrown;
  });
  EXPECT_EQ(result.text, "ClosedPipe ClosedPipe") << "signal " << result.signal;
}

TEST_F(ApiOutputFile, PrintThrowsAsOutputFilesDo) {
  const ChildResult result = in_child([] {
    ::dup2(::open("/dev/full", O_WRONLY), STDOUT_FILENO);
    const Thrown thrown = thrown_by([] { print("line\n"); });
    return thrown.error && thrown.kind == ErrorKind::other ? thrown.text : "not: " + thrown.text;
  });
  EXPECT_THAT(result.text, ::testing::StartsWith("Cannot write standard output: No space left on device"));
}

TEST_F(ApiOutputFile, UnfinishedFilesAreRemovedButNotThoseSyncedOrCommitted) {
  const ChildResult result = in_child([&] {
    Session session(session_options());
    OutputFile begun(session, directory_.file("begun")), synced(session, directory_.file("synced")),
        committed(session, directory_.file("committed"));
    for (OutputFile* out : {&begun, &synced, &committed}) out->write("text\n");
    synced.sync();
    committed.commit();
    remove_unfinished_files();
    std::string names;
    for (const std::string& name : files()) names += name + " ";
    return names;
  });
  EXPECT_EQ(result.text, "committed synced.alnus-part ");
}

TEST_F(ApiOutputFile, SeveralAtOnceFromSeveralThreads) {
  std::vector<std::jthread> threads;
  for (int k = 0; k < 6; ++k)
    threads.emplace_back([&, k] {
      OutputFile out(session_, directory_.file("out" + std::to_string(k) + (k % 2 == 0 ? ".gz" : ".zst")));
      write_in_pieces(out, std::string_view(text_).substr(static_cast<std::size_t>(k)));
      out.commit();
    });
  threads.clear();
  for (int k = 0; k < 6; ++k)
    EXPECT_TRUE(unpacked(directory_.file("out" + std::to_string(k) + (k % 2 == 0 ? ".gz" : ".zst"))) ==
                text_.substr(static_cast<std::size_t>(k)));
}

// ---- Formats ----

TEST(ApiOutputFormat, ParsesWhatTheProgramTakes) {
  using Kind = OutputFormat::Kind;
  for (const auto& [text, kind] : {std::pair<const char*, Kind>{"0", Kind::pairwise},
                                   {"6", Kind::tabular},
                                   {"7", Kind::tabular_comments},
                                   {"10", Kind::csv},
                                   {"srspair", Kind::srspair},
                                   {"sam", Kind::sam},
                                   {"jsonl", Kind::jsonl}})
    EXPECT_EQ(OutputFormat::parse(text).kind, kind) << text;
  EXPECT_THAT(OutputFormat::parse("6 query,target raw").columns, ElementsAre("qseqid", "sseqid", "score"));
  EXPECT_EQ(OutputFormat::parse("6").columns.size(), 12u);
  EXPECT_EQ(OutputFormat::parse("6 std cigar").columns.size(), 13u);
}

TEST(ApiOutputFormat, WhatIsUnknownIsAnErrorThatNamesTheNearest) {
  EXPECT_THAT(input_error([] { OutputFormat::parse("jsnl"); }), HasSubstr("jsonl"));
  EXPECT_THAT(input_error([] { OutputFormat::parse("6 qseqid evalu"); }), HasSubstr("evalue"));
  EXPECT_NE(input_error([] { OutputFormat::parse(""); }), "");
  EXPECT_NE(input_error([] { OutputFormat::parse("sam qseqid"); }), "") << "columns are for tables only";
}

TEST(ApiOutputFormat, KnowsWhatItNeeds) {
  const auto parse = [](const char* text) { return OutputFormat::parse(text); };
  EXPECT_EQ(parse("6 qseqid score").needed_detail(), Detail::score);
  EXPECT_EQ(parse("6 qend").needed_detail(), Detail::ends);
  for (const char* text : {"6", "6 qstart", "0", "sam", "srspair", "6 pident"})
    EXPECT_EQ(parse(text).needed_detail(), Detail::alignment) << text;
  EXPECT_FALSE(parse("6").needs_cigars());
  for (const char* text : {"0", "sam", "srspair", "jsonl", "6 cigar", "6 btop", "6 qseq"})
    EXPECT_TRUE(parse(text).needs_cigars()) << text;
  EXPECT_FALSE(parse("6 qseqid score").needs_significance());
  for (const char* column : {"evalue", "bitscore", "zscore", "zscore_se", "zfit"})
    EXPECT_TRUE(parse(("6 " + std::string(column)).c_str()).needs_significance()) << column;
  EXPECT_TRUE(parse("0").needs_query_statistics());
  EXPECT_FALSE(parse("6").needs_query_statistics());
  EXPECT_THAT(parse("6").identity_ranges(), IsEmpty());
  EXPECT_THAT(parse("6 pident_min pident_max pident_mean_max").identity_ranges(),
              ::testing::UnorderedElementsAre(Denominator::alignment, Denominator::mean))
      << "each once";
  for (const char* text : {"0", "7", "sam", "srspair"}) EXPECT_TRUE(parse(text).has_head()) << text;
  for (const char* text : {"6", "10", "jsonl"}) EXPECT_FALSE(parse(text).has_head()) << text;
}

TEST(ApiOutputFormat, RowsHaveAboutTheExpectedBytes) {
  const SequenceSet set = relatives_set(1, 10, 100);
  EXPECT_GT(expected_row_bytes(OutputFormat::parse("6"), set, set), 20);
  EXPECT_LT(expected_row_bytes(OutputFormat::parse("6"), set, set), 500);
  EXPECT_GT(expected_row_bytes(OutputFormat::parse("6 full_qseq full_sseq"), set, set), 200);
}

}  // namespace
}  // namespace alnus::test

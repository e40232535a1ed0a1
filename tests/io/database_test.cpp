#include "io/database.h"

#include <csignal>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include "core/masking.h"
#include "io/atomic_file.h"
#include "io/database_fixture.h"
#include "io/database_writer.h"

namespace alnus::io {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// Returns the file ordinal of each sequence.
std::vector<std::uint32_t> places(const SequenceSet& set) {
  std::vector<std::uint32_t> result;
  for (SequenceSet::Index i = 0; i < set.size(); ++i)
    result.push_back(static_cast<std::uint32_t>(set.file_ordinal(i)));
  return result;
}

TEST_F(DatabaseTest, StoresByLengthTiesByFileOrder) {
  const std::string in =
      fasta("in.fasta", {{"a one", "MKV"}, {"b", "MKVLa"}, {"c  three", "WWW"}, {"d", "mkvlr"}, {"e", "A"}});
  const DatabaseInfo made = make_database({in}, database_, {}, pool_);
  const SequenceSet set = open_database(database_);
  ASSERT_EQ(set.size(), 5u);
  EXPECT_EQ(set.origin(), database_);
  const std::vector<Record> expected = {
      {"b", "MKVLa"}, {"d", "mkvlr"}, {"a one", "MKV"}, {"c  three", "WWW"}, {"e", "A"}};
  for (SequenceSet::Index i = 0; i < set.size(); ++i) {
    EXPECT_EQ(set[i].header, expected[i].header);
    EXPECT_EQ(letters(set[i], set.alphabet()), expected[i].letters);
  }
  EXPECT_THAT(places(set), ::testing::ElementsAre(1, 3, 0, 2, 4));
  EXPECT_EQ(set.longest(), 5u);
  verify_database(database_, pool_);

  const DatabaseInfo info = database_info(database_);
  EXPECT_EQ(info.format_version, 1u);
  EXPECT_EQ(info.alphabet, AlphabetKind::protein);
  EXPECT_EQ(info.sequences, 5u);
  EXPECT_EQ(info.residues, 17u);
  EXPECT_EQ(info.longest, 5u);
  EXPECT_EQ(info.shortest, 1u);
  EXPECT_EQ(info.file_bytes, fs::file_size(database_));
  EXPECT_EQ(info.digest.size(), 32u);
  EXPECT_EQ(info.digest, made.digest);
  EXPECT_THAT(files(), ::testing::ElementsAre("db.alnus", "in.fasta"));
}

TEST_F(DatabaseTest, ConcatenatesInputs) {
  const std::vector<Record> records = random_records(50, 30, 1);
  const std::string all = fasta("all.fasta", records);
  const std::string one = fasta("one.fasta", {records.begin(), records.begin() + 20});
  const std::string two = fasta("two.fasta", {records.begin() + 20, records.end()});
  const DatabaseInfo whole = make_database({all}, path("all.alnus"), {}, pool_);
  const DatabaseInfo parts = make_database({one, two}, path("parts.alnus"), {}, pool_);
  EXPECT_EQ(read(path("all.alnus")), read(path("parts.alnus")));
  EXPECT_NE(make_database({two, one}, database_, {}, pool_).digest, whole.digest);
  EXPECT_EQ(parts.digest, whole.digest);
}

TEST_F(DatabaseTest, ExternalSortGivesTheSameBytes) {
  const std::vector<Record> records = random_records(3000, 200, 2);
  const std::string in = fasta("in.fasta", records);
  make_database({in}, database_, {}, pool_);
  const std::string expected = read(database_);
  const SequenceSet set = open_database(database_);
  ASSERT_EQ(set.size(), records.size());
  const std::vector<std::uint32_t> of_records = places(set);
  for (SequenceSet::Index i = 0; i < set.size(); ++i) {
    const Record& record = records[of_records[i]];
    ASSERT_EQ(set[i].header, record.header);
    ASSERT_EQ(letters(set[i], set.alphabet()), record.letters);
  }
  // The smallest memory makes a sorted run of each record, the largest makes two runs.
  for (const std::uint64_t memory : {0, 100, 1000, 5000, 40'000, 150'000, 400'000}) {
    MakeDatabaseOptions options;
    options.memory_bytes = memory;
    make_database({in}, path("spilled.alnus"), options, pool_);
    EXPECT_EQ(read(path("spilled.alnus")), expected) << memory;
  }
  EXPECT_THAT(files(), ::testing::ElementsAre("db.alnus", "in.fasta", "spilled.alnus"));
}

TEST_F(DatabaseTest, SeveralBlocksPerSection) {
  const std::vector<Record> records = random_records(150'000, 40, 3);
  make_database({fasta("in.fasta", records)}, database_, {}, pool_);
  std::string bytes = read(database_);
  const Header header = header_of(bytes);
  ASSERT_EQ(header.section(SectionId::residues).blocks(), 3u);
  ASSERT_EQ(header.section(SectionId::offsets).blocks(), 2u);
  verify_database(database_, pool_);

  bytes[header.section(SectionId::residues).offset + 2 * format::kBlockBytes + 5] ^= 1;
  write(database_, bytes);
  EXPECT_EQ(open_message(), "");
  EXPECT_THAT(verify_message(),
              AllOf(HasSubstr(database_), HasSubstr("block 2 of its residues (bytes 2101248 to ")));
}

TEST_F(DatabaseTest, VerifyTellsOfTheFirstDamagedBlock) {
  make_database({fasta("in.fasta", random_records(150'000, 200, 3))}, database_, {}, pool_);
  const std::string bytes = read(database_);
  const Header header = header_of(bytes);
  const std::uint64_t begin = header.section(SectionId::residues).offset;
  ASSERT_GT(header.section(SectionId::residues).blocks(), 12u);
  for (const int threads : {1, 4}) {
    ThreadPool pool(threads);
    const auto told = [&] { return message(ErrorKind::database, [&] { verify_database(database_, pool); }); };
    std::string damaged = bytes;
    for (const std::uint64_t offset :
         {header.section(SectionId::headers).offset + 7, begin + 11 * format::kBlockBytes,
          begin + 9 * format::kBlockBytes + 5, begin + 3 * format::kBlockBytes - 1}) {
      damaged[offset] ^= 1;
      write(database_, damaged);
      const std::string expected =
          offset < begin + header.residues
              ? fmt::format("block {} of its residues", (offset - begin) / format::kBlockBytes)
              : "block 0 of its headers";
      for (int round = 0; round < 5; ++round) EXPECT_THAT(told(), HasSubstr(expected));
    }
  }
}

TEST_F(DatabaseTest, InMemoryNobodyChangesIt) {
  small();
  const auto file = std::make_shared<const DatabaseFile>(database_, true);
  const SequenceSet set = open_database(file), mapped = open_database(database_);
  EXPECT_TRUE(std::ranges::equal(set.arrays().residues, mapped.arrays().residues));
  EXPECT_TRUE(std::ranges::equal(set.arrays().headers, mapped.arrays().headers));
  EXPECT_TRUE(std::ranges::equal(set.arrays().file_ordinals, mapped.arrays().file_ordinals));
  EXPECT_EQ(set.origin(), database_);
  fs::resize_file(database_, 100);
  EXPECT_EQ(letters(set[0], set.alphabet()), "MKVLAARNDa");
  EXPECT_NO_THROW(verify_database(*file, pool_));
  EXPECT_THAT(message(ErrorKind::database, [&] { open_database(database_, true); }), HasSubstr("truncated"));
}

TEST_F(DatabaseTest, Dna) {
  MakeDatabaseOptions options;
  options.alphabet = AlphabetChoice::dna;
  const std::string in = fasta("in.fasta", {{"x", "ACGTNacgtn"}, {"y", "RYKMSWBDHVN"}});
  make_database({in}, database_, options, pool_);
  const SequenceSet set = open_database(database_);
  EXPECT_EQ(set.alphabet(), AlphabetKind::dna);
  EXPECT_EQ(letters(set[0], set.alphabet()), "RYKMSWBDHVN");
  EXPECT_EQ(letters(set[1], set.alphabet()), "ACGTNacgtn");
  verify_database(database_, pool_);
}

TEST_F(DatabaseTest, GuessesTheAlphabetOfAllInputs) {
  MakeDatabaseOptions options;
  options.alphabet = AlphabetChoice::automatic;
  const std::string dna = fasta("dna.fasta", {{"x", "ACGTNacgtnACGT"}});
  const std::string protein = fasta("protein.fasta", {{"p", "MKVLAARND"}});
  EXPECT_EQ(make_database({dna, dna}, database_, options, pool_).alphabet, AlphabetKind::dna);
  EXPECT_EQ(make_database({protein}, database_, options, pool_).alphabet, AlphabetKind::protein);
  EXPECT_THAT(message(ErrorKind::input,
                      [&] {
                        make_database({dna, protein}, database_, options, pool_);
                      }),
              AllOf(HasSubstr(dna + " looks like dna"), HasSubstr(protein)));
}

TEST_F(DatabaseTest, EmptySequencesAndLongHeaders) {
  const std::string title(100'000, 'h');
  const std::string in = fasta("in.fasta", {{"empty", ""}, {"long " + title, "MKV"}, {"also empty", ""}});
  ReadCounts counts;
  for (const std::uint64_t memory : {1000, 1 << 30}) {
    MakeDatabaseOptions options;
    options.memory_bytes = memory;
    counts = {};
    make_database({in}, database_, options, pool_, &counts);
    const SequenceSet set = open_database(database_);
    ASSERT_EQ(set.size(), 3u);
    EXPECT_EQ(set[0].title(), title);
    EXPECT_EQ(set[1].header, "empty");
    EXPECT_EQ(set[2].header, "also empty");
    EXPECT_EQ(set.length(2), 0u);
    verify_database(database_, pool_);
  }
  EXPECT_EQ(counts.empty_records, 2u);
  EXPECT_EQ(database_info(database_).shortest, 0u);
}

TEST_F(DatabaseTest, CountsUnknownBytes) {
  ReadCounts counts;
  make_database({fasta("in.fasta", {{"a", "MK?V"}, {"b", "M--"}})}, database_, {}, pool_, &counts);
  EXPECT_EQ(database_info(database_).unknown_bytes, counts.unknown_bytes);
  EXPECT_GT(counts.unknown_bytes, 0u);
}

TEST_F(DatabaseTest, IsMaskedWhenItIsBuilt) {
  const std::string in = fasta("in.fasta", {{"a", "MKVlaARNDC"}, {"b", "QQQQQQQQQQQQQQ"}});
  MakeDatabaseOptions options;
  options.masking = {.lower = true, .seg = true};
  ReadCounts counts;
  make_database({in}, database_, options, pool_, &counts);
  const SequenceSet set = open_database(database_);
  EXPECT_EQ(letters(set[0], set.alphabet()), "XXXXXXXXXXXXXX");
  EXPECT_EQ(letters(set[1], set.alphabet()), "MKVXXARNDC");
  EXPECT_EQ(counts.masked.residues, 16u);
  EXPECT_EQ(counts.masked.sequences, 2u);
  EXPECT_EQ(database_info(database_).unknown_bytes, 0u) << "they were letters";
  verify_database(database_, pool_);
}

TEST_F(DatabaseTest, MaskedCopyOutlivesTheMapping) {
  const std::string in = fasta("in.fasta", {{"a", "MKV"}, {"b title", "MKVlaARNDC"}});
  make_database({in}, database_, {}, pool_);
  MaskCounts counts;
  const SequenceSet set = masked_copy(open_database(database_), {.lower = true}, counts, pool_);
  fs::remove(database_);
  EXPECT_EQ(letters(set[0], set.alphabet()), "MKVXXARNDC");
  EXPECT_EQ(set[0].header, "b title");
  EXPECT_THAT(places(set), ::testing::ElementsAre(1, 0));
  EXPECT_EQ(counts.residues, 2u);
}

TEST_F(DatabaseTest, NoSequences) {
  AtomicFile file(database_);
  DatabaseWriter writer(file, {});
  writer.finish();
  file.commit();
  EXPECT_EQ(open_message(), "");
  EXPECT_EQ(verify_message(), "");
  EXPECT_TRUE(open_database(database_).empty());
  EXPECT_EQ(database_info(database_).residues, 0u);
}

TEST_F(DatabaseTest, SetOutlivesTheName) {
  small();
  const SequenceSet set = open_database(database_);
  fs::remove(database_);
  const SequenceSet copy = set;
  EXPECT_EQ(letters(copy[0], copy.alphabet()), "MKVLAARNDa");
}

TEST_F(DatabaseTest, GoldenFileOfVersion1) {
  const fs::path data = fs::path(ALNUS_SOURCE_DIR) / "tests" / "data";
  const std::string golden = (data / "v1.alnus").string();
  verify_database(golden, pool_);
  const SequenceSet set = open_database(golden);
  ASSERT_EQ(set.size(), 4u);
  EXPECT_EQ(set[0].header, "second 2 longest");
  EXPECT_EQ(letters(set[0], set.alphabet()), "ARNDCQEGHILKMFPSTWYVBZX*UOJarndcqeghilkmfpstwyvbzx*uoj");
  EXPECT_EQ(set[3].id(), "empty");
  EXPECT_THAT(places(set), ::testing::ElementsAre(1, 0, 3, 2));
  EXPECT_EQ(database_info(golden).unknown_bytes, 1u);

  make_database({(data / "v1.fasta").string()}, database_, {}, pool_);
  EXPECT_EQ(read(database_), read(golden));
}

TEST_F(DatabaseTest, IsDatabaseByItsFirstBytes) {
  small();
  EXPECT_TRUE(is_database(database_));
  EXPECT_FALSE(is_database(path("small.fasta")));
  EXPECT_FALSE(is_database(path("missing")));
  EXPECT_FALSE(is_database("-"));
  EXPECT_FALSE(is_database(directory_.string()));
  write(path("short"),
        "\x89"
        "AL");
  EXPECT_FALSE(is_database(path("short")));
}

// Whoever opens the file then says why that is not possible.
TEST_F(DatabaseTest, AFileThatCannotBeOpenedIsNone) {
  small();
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  const rlimit none{0, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &none), 0);
  const bool found = is_database(database_);
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
  EXPECT_FALSE(found);
}

TEST_F(DatabaseTest, BadInputLeavesNothing) {
  const std::string in = fasta("in.fasta", random_records(100, 50, 4));
  const auto refused = [&](const std::vector<std::string>& inputs) {
    return message(ErrorKind::input, [&] { make_database(inputs, database_, {}, pool_); });
  };
  EXPECT_THAT(refused({}), HasSubstr("No input"));
  EXPECT_THAT(refused({in, path("missing.fasta")}), HasSubstr(path("missing.fasta")));
  write(path("empty.fasta"), "");
  EXPECT_THAT(refused({path("empty.fasta")}), HasSubstr(path("empty.fasta")));
  EXPECT_THAT(files(), ::testing::ElementsAre("empty.fasta", "in.fasta"));
}

TEST_F(DatabaseTest, RefusesToOverwriteAnInput) {
  const std::string in = fasta("in.fasta", {{"a", "MKV"}});
  fs::create_hard_link(in, path("link"));
  const std::string before = read(in);
  EXPECT_THAT(message(ErrorKind::input, [&] { make_database({in}, in, {}, pool_); }),
              HasSubstr("one of the inputs"));
  EXPECT_THAT(message(ErrorKind::input, [&] { make_database({in}, path("link"), {}, pool_); }),
              HasSubstr("one of the inputs"));
  EXPECT_EQ(read(in), before);
  small();
  EXPECT_THAT(message(ErrorKind::input, [&] { make_database({database_}, path("new"), {}, pool_); }),
              HasSubstr("is an alnus database already"));
}

TEST_F(DatabaseTest, RefusesASecondWriter) {
  const std::string in = fasta("in.fasta", {{"a", "MKV"}});
  AtomicFile first(database_);
  EXPECT_THAT(message(ErrorKind::database, [&] { make_database({in}, database_, {}, pool_); }),
              AllOf(HasSubstr(database_), HasSubstr("another process")));
}

TEST_F(DatabaseTest, OutputThatCannotBeWritten) {
  const std::string in = fasta("in.fasta", {{"a", "MKV"}});
  const auto refused = [&](const std::string& output, const MakeDatabaseOptions& options = {}) {
    return message(ErrorKind::database, [&] { make_database({in}, output, options, pool_); });
  };
  EXPECT_THAT(refused("/dev/full"), AllOf(HasSubstr("/dev/full"), HasSubstr("No space left")));
  EXPECT_THAT(refused(path("missing/db.alnus")), HasSubstr("No such file or directory"));
  MakeDatabaseOptions options;
  options.memory_bytes = 0;
  options.temporary_directory = path("nowhere");
  EXPECT_THAT(refused(database_, options), HasSubstr(path("nowhere")));
  EXPECT_THAT(files(), ::testing::ElementsAre("in.fasta"));
}

// A limit on the size of files makes writing fail in the middle, as a full disk does.
TEST_F(DatabaseTest, FullDiskLeavesNothing) {
  const std::string in = fasta("in.fasta", random_records(20'000, 200, 5));
  ::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  rlimit limit = before;
  limit.rlim_cur = 1'500'000;
  for (const std::uint64_t memory : {1 << 30, 1 << 20}) {
    MakeDatabaseOptions options;
    options.memory_bytes = memory;
    ::setrlimit(RLIMIT_FSIZE, &limit);
    const std::string said =
        message(ErrorKind::database, [&] { make_database({in}, database_, options, pool_); });
    ::setrlimit(RLIMIT_FSIZE, &before);
    EXPECT_THAT(said, AllOf(HasSubstr(directory_.string()), HasSubstr("File too large")));
  }
  EXPECT_THAT(files(), ::testing::ElementsAre("in.fasta"));
}

}  // namespace
}  // namespace alnus::io

#include "io/database.h"

#include <algorithm>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <iterator>
#include <random>
#include <string>
#include <sys/resource.h>
#include <unistd.h>
#include <vector>
#include <xxhash.h>

#include "alnus/error.h"
#include "io/atomic_file.h"
#include "io/database_format.h"
#include "io/database_writer.h"

namespace alnus::io {
namespace {

namespace fs = std::filesystem;
using format::Header;
using format::SectionId;
using ::testing::AllOf;
using ::testing::HasSubstr;

struct Record {
  std::string header, letters;
};

std::string letters(SequenceView sequence, AlphabetKind kind) {
  std::string text;
  for (const Residue residue : sequence.residues) text += Alphabet::of(kind).decode(residue);
  return text;
}

class DatabaseTest : public ::testing::Test {
 protected:
  DatabaseTest() {
    std::string name = (fs::temp_directory_path() / "alnus-database-XXXXXX").string();
    directory_ = ::mkdtemp(name.data());
    database_ = path("db.alnus");
  }
  ~DatabaseTest() override { fs::remove_all(directory_); }

  std::string path(const std::string& name) const { return (directory_ / name).string(); }
  static std::string read(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  static void write(const std::string& path, const std::string& bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
  }
  // Flips a bit of the database where it lies; twice is as before.
  void flip(std::size_t byte, int bit) const {
    std::fstream file(database_, std::ios::in | std::ios::out | std::ios::binary);
    file.seekg(static_cast<std::streamoff>(byte));
    const int value = file.get();
    file.seekp(static_cast<std::streamoff>(byte));
    file.put(static_cast<char>(value ^ 1 << bit));
  }
  std::string fasta(const std::string& name, const std::vector<Record>& records) const {
    std::string text;
    for (const Record& record : records) text += ">" + record.header + "\n" + record.letters + "\n";
    write(path(name), text);
    return path(name);
  }
  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(directory_)) names.push_back(entry.path().filename());
    std::sort(names.begin(), names.end());
    return names;
  }
  static std::vector<Record> random_records(std::size_t count, std::size_t longest, unsigned seed) {
    std::mt19937 random(seed);
    std::vector<Record> records(count);
    for (std::size_t i = 0; i < count; ++i) {
      records[i].header = "s" + std::to_string(i) + " " + std::string(random() % 40, 't');
      records[i].letters.resize(1 + random() % longest);
      for (char& letter : records[i].letters) letter = "ARNDCQEGHILKMFPSTWYVBZX*UOJacd"[random() % 30];
    }
    return records;
  }

  // The error's message, "" when there was none.
  static std::string message(ErrorKind kind, const std::function<void()>& action) {
    try {
      action();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), kind) << error.what();
      return error.what();
    }
    return "";
  }
  std::string open_message() const {
    return message(ErrorKind::database, [&] { open_database(database_); });
  }
  std::string verify_message() const {
    return message(ErrorKind::database, [&] { verify_database(database_); });
  }

  // A database of four sequences, and its bytes.
  std::string small() const {
    make_database({fasta("small.fasta",
                         {{"a first", "MKV"}, {"b", "MKVLAARNDa"}, {"c third", "WWWWW"}, {"d", "RNDC"}})},
                  database_, {});
    return read(database_);
  }
  static Header header_of(const std::string& bytes) {
    Header header;
    std::memcpy(&header, bytes.data(), sizeof(header));
    return header;
  }
  // With a header that was changed on purpose, and its checksum mended.
  static std::string with_header(std::string bytes, const std::function<void(Header&)>& change) {
    Header header = header_of(bytes);
    change(header);
    header.checksum = format::header_checksum(header);
    std::memcpy(bytes.data(), &header, sizeof(header));
    return bytes;
  }
  template <typename Item>
  static std::string with_item(std::string bytes, SectionId id, std::size_t index, Item value) {
    std::memcpy(bytes.data() + header_of(bytes).section(id).offset + index * sizeof(Item), &value,
                sizeof(value));
    return bytes;
  }

  fs::path directory_;
  std::string database_;
};

TEST_F(DatabaseTest, StoresByLengthTiesByFileOrder) {
  const std::string in =
      fasta("in.fasta", {{"a one", "MKV"}, {"b", "MKVLa"}, {"c  three", "WWW"}, {"d", "mkvlr"}, {"e", "A"}});
  const DatabaseInfo made = make_database({in}, database_, {});
  const SequenceSet set = open_database(database_);
  ASSERT_EQ(set.size(), 5u);
  EXPECT_EQ(set.origin(), database_);
  const std::vector<Record> expected = {
      {"b", "MKVLa"}, {"d", "mkvlr"}, {"a one", "MKV"}, {"c  three", "WWW"}, {"e", "A"}};
  for (SequenceSet::Index i = 0; i < set.size(); ++i) {
    EXPECT_EQ(set[i].header, expected[i].header);
    EXPECT_EQ(letters(set[i], set.alphabet()), expected[i].letters);
  }
  EXPECT_THAT(set.arrays().file_order, ::testing::ElementsAre(1, 3, 0, 2, 4));
  EXPECT_EQ(set.longest(), 5u);
  verify_database(database_);

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
  const DatabaseInfo whole = make_database({all}, path("all.alnus"), {});
  const DatabaseInfo parts = make_database({one, two}, path("parts.alnus"), {});
  EXPECT_EQ(read(path("all.alnus")), read(path("parts.alnus")));
  EXPECT_NE(make_database({two, one}, database_, {}).digest, whole.digest);
  EXPECT_EQ(parts.digest, whole.digest);
}

TEST_F(DatabaseTest, ExternalSortGivesTheSameBytes) {
  const std::vector<Record> records = random_records(3000, 200, 2);
  const std::string in = fasta("in.fasta", records);
  make_database({in}, database_, {});
  const std::string expected = read(database_);
  const SequenceSet set = open_database(database_);
  ASSERT_EQ(set.size(), records.size());
  for (SequenceSet::Index i = 0; i < set.size(); ++i) {
    const Record& record = records[set.file_order(i)];
    ASSERT_EQ(set[i].header, record.header);
    ASSERT_EQ(letters(set[i], set.alphabet()), record.letters);
  }
  // From every record a run of its own to two runs.
  for (const std::uint64_t memory : {0, 100, 1000, 5000, 40'000, 150'000, 400'000}) {
    MakeDatabaseOptions options;
    options.memory_bytes = memory;
    make_database({in}, path("spilled.alnus"), options);
    EXPECT_EQ(read(path("spilled.alnus")), expected) << memory;
  }
  EXPECT_THAT(files(), ::testing::ElementsAre("db.alnus", "in.fasta", "spilled.alnus"));
}

TEST_F(DatabaseTest, SeveralBlocksPerSection) {
  const std::vector<Record> records = random_records(150'000, 40, 3);
  make_database({fasta("in.fasta", records)}, database_, {});
  std::string bytes = read(database_);
  const Header header = header_of(bytes);
  ASSERT_EQ(header.section(SectionId::residues).blocks(), 3u);
  ASSERT_EQ(header.section(SectionId::offsets).blocks(), 2u);
  verify_database(database_);

  bytes[header.section(SectionId::residues).offset + 2 * format::kBlockBytes + 5] ^= 1;
  write(database_, bytes);
  EXPECT_EQ(open_message(), "");
  EXPECT_THAT(verify_message(),
              AllOf(HasSubstr(database_), HasSubstr("block 2 of its residues (bytes 2101248 to ")));
}

TEST_F(DatabaseTest, Dna) {
  MakeDatabaseOptions options;
  options.alphabet = AlphabetKind::dna;
  const std::string in = fasta("in.fasta", {{"x", "ACGTNacgtn"}, {"y", "RYKMSWBDHVN"}});
  make_database({in}, database_, options);
  const SequenceSet set = open_database(database_);
  EXPECT_EQ(set.alphabet(), AlphabetKind::dna);
  EXPECT_EQ(letters(set[0], set.alphabet()), "RYKMSWBDHVN");
  EXPECT_EQ(letters(set[1], set.alphabet()), "ACGTNacgtn");
  verify_database(database_);

  options.alphabet.reset();
  make_database({in}, path("guessed.alnus"), options);
  EXPECT_EQ(database_info(path("guessed.alnus")).alphabet, AlphabetKind::dna);
  const std::string protein = fasta("protein.fasta", {{"p", "MKVLAARND"}});
  EXPECT_THAT(message(ErrorKind::input,
                      [&] {
                        make_database({in, protein}, database_, options);
                      }),
              HasSubstr(protein));
}

TEST_F(DatabaseTest, EmptySequencesAndLongHeaders) {
  const std::string title(100'000, 'h');
  const std::string in = fasta("in.fasta", {{"empty", ""}, {"long " + title, "MKV"}, {"also empty", ""}});
  ReadCounts counts;
  for (const std::uint64_t memory : {1000, 1 << 30}) {
    MakeDatabaseOptions options;
    options.memory_bytes = memory;
    counts = {};
    make_database({in}, database_, options, &counts);
    const SequenceSet set = open_database(database_);
    ASSERT_EQ(set.size(), 3u);
    EXPECT_EQ(set[0].title(), title);
    EXPECT_EQ(set[1].header, "empty");
    EXPECT_EQ(set[2].header, "also empty");
    EXPECT_EQ(set.length(2), 0u);
    verify_database(database_);
  }
  EXPECT_EQ(counts.empty_records, 2u);
  EXPECT_EQ(database_info(database_).shortest, 0u);
}

TEST_F(DatabaseTest, CountsUnknownBytes) {
  ReadCounts counts;
  make_database({fasta("in.fasta", {{"a", "MK?V"}, {"b", "M--"}})}, database_, {}, &counts);
  EXPECT_EQ(database_info(database_).unknown_bytes, counts.unknown_bytes);
  EXPECT_GT(counts.unknown_bytes, 0u);
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
  verify_database(golden);
  const SequenceSet set = open_database(golden);
  ASSERT_EQ(set.size(), 4u);
  EXPECT_EQ(set[0].header, "second 2 longest");
  EXPECT_EQ(letters(set[0], set.alphabet()), "ARNDCQEGHILKMFPSTWYVBZX*UOJarndcqeghilkmfpstwyvbzx*uoj");
  EXPECT_EQ(set[3].id(), "empty");
  EXPECT_THAT(set.arrays().file_order, ::testing::ElementsAre(1, 0, 3, 2));
  EXPECT_EQ(database_info(golden).unknown_bytes, 1u);

  make_database({(data / "v1.fasta").string()}, database_, {});
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

TEST_F(DatabaseTest, RefusesWhatIsNoDatabase) {
  EXPECT_THAT(open_message(), AllOf(HasSubstr(database_), HasSubstr("No such file")));
  write(database_, "");
  EXPECT_THAT(open_message(), HasSubstr("the file is empty"));
  write(database_, ">a\nMKV\n");
  EXPECT_THAT(open_message(), HasSubstr("is no alnus database"));
  write(database_, std::string(10'000, '\0'));
  EXPECT_THAT(open_message(), HasSubstr("is no alnus database"));
  EXPECT_THAT(message(ErrorKind::database, [&] { open_database(directory_.string()); }),
              HasSubstr("directory"));
  EXPECT_THAT(message(ErrorKind::database, [] { open_database("/dev/null"); }), HasSubstr("no regular file"));
}

TEST_F(DatabaseTest, RefusesOtherVersionsAndByteOrders) {
  const std::string bytes = small();
  write(database_, with_header(bytes, [](Header& header) { header.version = 2; }));
  EXPECT_THAT(open_message(), AllOf(HasSubstr("version 2"), HasSubstr("reads version 1 only")));
  write(database_, with_header(bytes, [](Header& header) { header.byte_order = 0x04030201; }));
  EXPECT_THAT(open_message(), HasSubstr("little-endian"));
}

TEST_F(DatabaseTest, FindsEveryTruncation) {
  const std::size_t whole = small().size();
  fs::resize_file(database_, whole + 1);
  EXPECT_THAT(open_message(), HasSubstr("longer"));
  fs::resize_file(database_, whole - 1);
  EXPECT_THAT(open_message(), HasSubstr(std::to_string(whole) + " bytes were written, and the file has " +
                                        std::to_string(whole - 1)));
  for (std::size_t size = whole - 2; size > 0; size -= std::min<std::size_t>(size, size < 5000 ? 7 : 501)) {
    fs::resize_file(database_, size);
    EXPECT_THAT(open_message(), AllOf(HasSubstr("truncated"), HasSubstr(std::to_string(size))));
  }
}

TEST_F(DatabaseTest, FindsEveryChangedHeaderByte) {
  small();
  for (std::size_t i = 0; i < sizeof(Header); ++i) {
    flip(i, i % 8);
    ASSERT_NE(open_message(), "") << i;
    ASSERT_NE(verify_message(), "") << i;
    flip(i, i % 8);
  }
  EXPECT_EQ(verify_message(), "");
}

TEST_F(DatabaseTest, VerifyFindsEveryChangedByte) {
  const std::string bytes = small();
  for (std::size_t i = sizeof(Header); i < bytes.size(); i += 13) {
    flip(i, i % 8);
    ASSERT_NE(verify_message(), "") << i;
    flip(i, i % 8);
  }
  const Header header = header_of(bytes);
  for (std::size_t i = 0; i < format::kSections; ++i) {
    const std::uint64_t first = header.sections[i].offset;
    flip(first, 2);
    EXPECT_THAT(verify_message(), AllOf(HasSubstr("block"), HasSubstr(std::string(format::kSectionNames[i])),
                                        HasSubstr("bytes " + std::to_string(first) + " to ")));
    flip(first, 2);
  }
  EXPECT_EQ(verify_message(), "");
}

TEST_F(DatabaseTest, OpenRefusesIndexesThatLeadOutside) {
  const std::string bytes = small();
  const auto refused = [&](const std::string& changed) {
    write(database_, changed);
    return open_message();
  };
  const std::uint64_t huge = ~0ULL - 3;
  for (const SectionId id : {SectionId::offsets, SectionId::header_offsets}) {
    for (std::size_t i = 0; i < 4; ++i)
      EXPECT_THAT(refused(with_item(bytes, id, i, huge)), HasSubstr("offsets"));
  }
  EXPECT_THAT(refused(with_item(bytes, SectionId::offsets, 1, std::uint64_t{9})), HasSubstr("longest"));
  EXPECT_THAT(refused(with_item(bytes, SectionId::offsets, 2, std::uint64_t{14})),
              HasSubstr("sequence 2 is longer"));
  EXPECT_THAT(refused(with_item(bytes, SectionId::file_order, 2, std::uint32_t{4})), HasSubstr("entry 2"));
}

TEST_F(DatabaseTest, OpenRefusesHeadersThatContradictThemselves) {
  const std::string bytes = small();
  const std::vector<std::function<void(Header&)>> changes = {
      [](Header& h) { h.alphabet = 2; },
      [](Header& h) { h.sequences = 5; },
      [](Header& h) { h.sequences = ~0ULL; },
      [](Header& h) { h.sequences = 0xffffffff; },
      [](Header& h) { h.residues += 1; },
      [](Header& h) { h.residues = 1ULL << 63; },
      [](Header& h) { h.longest = 11; },
      [](Header& h) { h.shortest = 2; },
      [](Header& h) { h.sections[2].bytes = ~0ULL; },
      [](Header& h) { h.sections[0].offset += 4096; },
      [](Header& h) { h.sections[0].offset = ~0ULL; },
      [](Header& h) { h.sections[1].id = SectionId::residues; },
      [](Header& h) { h.section_count = 7; },
      [](Header& h) { h.block_bytes = 0; },
      [](Header& h) { h.reserved[5] = 1; },
  };
  for (std::size_t i = 0; i < changes.size(); ++i) {
    write(database_, with_header(bytes, changes[i]));
    EXPECT_THAT(open_message(), HasSubstr("damaged")) << i;
  }
}

// Files with right checksums that no writer of ours has written.
TEST_F(DatabaseTest, VerifyChecksWhatChecksumsCannot) {
  const auto sealed = [](std::string bytes) {
    const Header header = header_of(bytes);
    std::vector<std::uint64_t> sums;
    for (std::size_t i = 0; i < format::kDataSections; ++i) {  // each of one block
      sums.push_back(XXH3_64bits(bytes.data() + header.sections[i].offset, header.sections[i].bytes));
    }
    std::memcpy(bytes.data() + header.section(SectionId::block_sums).offset, sums.data(), sums.size() * 8);
    return with_header(bytes, [&](Header& h) {
      h.digest = format::digest(sums.data(), sums.size(), AlphabetKind::protein);
    });
  };
  const std::string bytes = small();
  EXPECT_EQ(sealed(bytes), bytes);
  write(database_, sealed(with_item(bytes, SectionId::residues, 3, Residue{27})));
  EXPECT_THAT(verify_message(), HasSubstr("byte 4099 holds 27"));
  write(database_, sealed(with_item(bytes, SectionId::residues, 3, Residue{0x40})));
  EXPECT_THAT(verify_message(), HasSubstr("byte 4099 holds 64"));
  write(database_, sealed(with_item(bytes, SectionId::file_order, 0, std::uint32_t{2})));
  EXPECT_THAT(verify_message(), HasSubstr("place 2"));
}

TEST_F(DatabaseTest, BadInputLeavesNothing) {
  const std::string in = fasta("in.fasta", random_records(100, 50, 4));
  const auto refused = [&](const std::vector<std::string>& inputs) {
    return message(ErrorKind::input, [&] { make_database(inputs, database_, {}); });
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
  EXPECT_THAT(message(ErrorKind::input, [&] { make_database({in}, in, {}); }),
              HasSubstr("one of the inputs"));
  EXPECT_THAT(message(ErrorKind::input, [&] { make_database({in}, path("link"), {}); }),
              HasSubstr("one of the inputs"));
  EXPECT_EQ(read(in), before);
  small();
  EXPECT_THAT(message(ErrorKind::input, [&] { make_database({database_}, path("new"), {}); }),
              HasSubstr("is an alnus database already"));
}

TEST_F(DatabaseTest, RefusesASecondWriter) {
  const std::string in = fasta("in.fasta", {{"a", "MKV"}});
  AtomicFile first(database_);
  EXPECT_THAT(message(ErrorKind::database, [&] { make_database({in}, database_, {}); }),
              AllOf(HasSubstr(database_), HasSubstr("another process")));
}

TEST_F(DatabaseTest, OutputThatCannotBeWritten) {
  const std::string in = fasta("in.fasta", {{"a", "MKV"}});
  const auto refused = [&](const std::string& output, const MakeDatabaseOptions& options = {}) {
    return message(ErrorKind::database, [&] { make_database({in}, output, options); });
  };
  EXPECT_THAT(refused("/dev/full"), AllOf(HasSubstr("/dev/full"), HasSubstr("No space left")));
  EXPECT_THAT(refused(path("missing/db.alnus")), HasSubstr("No such file or directory"));
  MakeDatabaseOptions options;
  options.memory_bytes = 0;
  options.temporary_directory = path("nowhere");
  EXPECT_THAT(refused(database_, options), HasSubstr(path("nowhere")));
  EXPECT_THAT(files(), ::testing::ElementsAre("in.fasta"));
}

// A limit on the size of files stands for a disk that fills up in the middle.
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
    const std::string said = message(ErrorKind::database, [&] { make_database({in}, database_, options); });
    ::setrlimit(RLIMIT_FSIZE, &before);
    EXPECT_THAT(said, AllOf(HasSubstr(directory_.string()), HasSubstr("File too large")));
  }
  EXPECT_THAT(files(), ::testing::ElementsAre("in.fasta"));
}

}  // namespace
}  // namespace alnus::io

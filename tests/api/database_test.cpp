// Databases: their files, checks, parts and digests.
#include <algorithm>
#include <cstring>
#include <future>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>
#include <thread>

#include "alnus/session.h"
#include "api/support/calls.h"
#include "api/support/errors.h"
#include "api/support/inputs.h"
#include "api/support/process.h"
#include "api/support/table.h"
#include "session/database_state.h"
#include "support/temp_dir.h"

namespace alnus::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::MatchesRegex;

class ApiDatabase : public testing::Test {
 protected:
  ApiDatabase() { session_.make_database({fasta_}, path_); }

  std::set<std::string> files() const {
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(directory_.path()))
      names.insert(entry.path().filename().string());
    return names;
  }
  std::uint64_t number_at(const std::string& bytes, std::size_t at) const {
    std::uint64_t number = 0;
    std::memcpy(&number, bytes.data() + at, sizeof(number));
    return number;
  }
  // Returns the byte at which a section begins (docs/database-format.md). The numbers from 1 are: residues,
  // offsets, headers, header offsets, file order, block checksums.
  std::size_t section(int number) const { return number_at(bytes_, 96 + 24 * (number - 1) + 8); }
  // Writes a copy of the database in which a bit of byte `at` is flipped, and returns the copy's path.
  std::string damaged(std::size_t at) const {
    std::string bytes = bytes_;
    bytes[at] ^= 2;
    return directory_.write_file("damaged.alnus", bytes);
  }
  // Returns what opening and searching the file throws. If it throws, the sink must not have been called.
  Thrown search_of(const std::string& path, const OpenOptions& options = {}) {
    int batches = 0;
    const Thrown thrown = thrown_by([&] {
      const Database database = session_.open(path, options);
      session_.search(set_, database, scoring_, {.evalue = 1e9}, [&](const SearchBatch&) { ++batches; });
    });
    EXPECT_EQ(batches > 0, !thrown.error) << thrown.text;
    return thrown;
  }

  const SequenceSet set_ = random_set({.seed = 3, .count = 50, .shortest = 1, .longest = 90});
  const TempDir directory_;
  const std::string fasta_ = directory_.write_file("set.fa", fasta_of(set_)),
                    path_ = directory_.file("set.alnus");
  const Scoring scoring_ = default_scoring();
  Session session_{session_options()};
  const std::string bytes_ = [this] {
    session_.make_database({fasta_}, directory_.file("copy.alnus"));
    std::string bytes = read_file(directory_.file("copy.alnus"));
    std::filesystem::remove(directory_.file("copy.alnus"));
    return bytes;
  }();
};

// ---- Checks ----

TEST_F(ApiDatabase, DamageIsAnErrorBeforeAnyResultReachesTheSink) {
  for (const Verification verification : {Verification::full, Verification::deferred}) {
    const OpenOptions options{.verification = verification};
    EXPECT_FALSE(search_of(path_, options).error);
    for (const std::size_t at : {section(1), section(1) + 500, section(2) + 8, section(3) + 3, section(4) + 8,
                                 section(5), section(6), std::size_t{20}, std::size_t{30}, std::size_t{81},
                                 std::size_t{4090}, bytes_.size() - 1}) {
      const Thrown thrown = search_of(damaged(at), options);
      EXPECT_TRUE(thrown.error && thrown.kind == ErrorKind::database) << "byte " << at << ": " << thrown.text;
      EXPECT_THAT(thrown.text, HasSubstr("damaged.alnus"));
    }
  }
}

TEST_F(ApiDatabase, DamageEndsEveryCallThatUsesIt) {
  const std::string path = damaged(section(1) + 7);
  const std::vector<IndexPair> pairs = {{0, 1}};
  const TempDir outputs;
  int calls = 0;
  const auto rows = [&](const auto&...) { ++calls; };
  const auto open = [&] { return session_.open(path, {.verification = Verification::deferred}); };
  EXPECT_THAT(database_error([&] { session_.open(path); }), HasSubstr("is damaged")) << "where it is not";
  const std::vector<NamedCall> uses = {
      {"search with it as queries", [&] { session_.search(open(), set_, scoring_, SearchOptions{}, rows); }},
      {"align", [&] { session_.align(open(), set_, pairs, scoring_, AlignOptions{}, rows); }},
      {"align, collected", [&] { session_.align(set_, open(), pairs, scoring_); }},
      {"align_all", [&] { session_.align_all(set_, open(), scoring_, {}, rows); }},
      {"all_pairs", [&] { session_.all_pairs(open(), scoring_, {}, PairSink{.rows = rows}); }},
      {"all_pairs against it",
       [&] { session_.all_pairs(set_, open(), scoring_, {}, PairSink{.rows = rows}); }},
      {"all_pairs into files",
       [&] {
         const PairFiles files{.rows = outputs.file("rows.tsv"), .format = OutputFormat::parse("6")};
         session_.all_pairs(PairInputs{.set = open()}, scoring_, {}, files);
       }},
      {"all_pairs of its sequences in file order",
       [&] { session_.all_pairs(open().in_file_order(), scoring_, {}, PairSink{.rows = rows}); }},
      {"search of a part",
       [&] {
         const Database part = open().part(0, 5);
         session_.search(set_, part, scoring_, SearchOptions{}, rows);
       }},
      {"z_values", [&] { session_.z_values(set_, open(), pairs, {}, scoring_, {.shuffles = 10}); }},
      {"identity_range",
       [&] { session_.identity_range(set_, open(), pairs, scoring_, Denominator::alignment); }},
      {"prepare", [&] { session_.prepare(open()); }},
      {"verify_database", [&] { session_.verify_database(path); }},
  };
  for (const NamedCall& use : uses) {
    const Thrown thrown = thrown_by(use.run);
    EXPECT_TRUE(thrown.error && thrown.kind == ErrorKind::database) << use.name << ": " << thrown.text;
  }
  EXPECT_EQ(calls, 0);
  EXPECT_TRUE(std::filesystem::is_empty(outputs.path()));
  expect_works(session_);
}

TEST_F(ApiDatabase, ATruncatedFileIsAnError) {
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{5}, std::size_t{4000}, bytes_.size() / 2, bytes_.size() - 1}) {
    const std::string path = directory_.write_file("cut.alnus", bytes_.substr(0, size));
    EXPECT_NE(database_error([&] { session_.open(path); }), "") << size;
  }
}

TEST_F(ApiDatabase, WithoutVerificationResiduesAreNotChecked) {
  const Thrown thrown = search_of(damaged(section(1) + 7), {.verification = Verification::none});
  EXPECT_FALSE(thrown.error) << thrown.text;
}

TEST_F(ApiDatabase, VerifyDatabaseNamesSectionBlockAndBytes) {
  session_.verify_database(path_);
  const std::string text = database_error([&] { session_.verify_database(damaged(section(1) + 7)); });
  EXPECT_THAT(text, AllOf(HasSubstr("damaged.alnus"), HasSubstr("residues"), HasSubstr("block"),
                          HasSubstr("bytes " + std::to_string(section(1)) + " to ")));
  EXPECT_NE(database_error([&] { session_.verify_database(directory_.file("none.alnus")); }), "");
  EXPECT_NE(database_error([&] { session_.verify_database(fasta_); }), "");
}

TEST_F(ApiDatabase, VerifyDatabaseFindsEveryFlippedByte) {
  for (std::size_t at = 0; at < bytes_.size(); at += bytes_.size() / by_size(60, 2000))
    EXPECT_NE(database_error([&] { session_.verify_database(damaged(at)); }), "") << at;
}

// ---- In memory ----

TEST_F(ApiDatabase, InMemoryGivesTheSame) {
  const SearchRows expected(session_.search(set_, session_.open(path_), scoring_).hits);
  const Database in_memory = session_.open(path_, {.in_memory = true});
  EXPECT_TRUE(same(SearchRows(session_.search(set_, in_memory, scoring_).hits), expected));
  EXPECT_EQ(in_memory.digest(), session_.open(path_).digest());
}

TEST_F(ApiDatabase, InMemoryAFileThatShrinksDoesNoHarm) {
  const SearchRows expected(session_.search(set_, session_.open(path_), scoring_).hits);
  const ChildResult result = in_child([&] {
    Session session(session_options(1));
    const Database database = session.open(path_, {.in_memory = true});
    std::filesystem::resize_file(path_, 100);
    const SearchRows found(session.search(set_, database, scoring_).hits);
    return std::string(found == expected ? "the same" : "something else");
  });
  EXPECT_EQ(result.text, "the same") << "signal " << result.signal;
}

TEST_F(ApiDatabase, DamageIsFoundInMemoryToo) {
  const Thrown thrown = search_of(damaged(section(1) + 7), {.in_memory = true});
  EXPECT_TRUE(thrown.error && thrown.kind == ErrorKind::database) << thrown.text;
}

// ---- Copies, orders and digests ----

TEST_F(ApiDatabase, CopiesAreTheSameDatabase) {
  const Database database(set_), copy = database;
  EXPECT_EQ(copy.state(), database.state());
  EXPECT_EQ(copy.digest(), database.digest());
  EXPECT_EQ(Database().size(), 0u);
  EXPECT_EQ(database.name(), set_.origin());
  EXPECT_THAT(session_.open(path_).name(), HasSubstr("set.alnus"));
}

TEST_F(ApiDatabase, InFileOrderAreTheSequencesOfTheFile) {
  const Database opened = session_.open(path_), ordered = opened.in_file_order();
  EXPECT_EQ(fasta_of(ordered.sequences()), fasta_of(set_));
  EXPECT_NE(fasta_of(opened.sequences()), fasta_of(set_)) << "a database file is sorted by length";
  EXPECT_EQ(fasta_of(Database(set_).in_file_order().sequences()), fasta_of(set_));
}

TEST_F(ApiDatabase, ExtendedHasTheSequencesOfBothInTheOrderOfTheirFiles) {
  const SequenceSet more = random_set({.seed = 4, .count = 7, .prefix = "t"});
  for (const Database& first : {Database(set_), session_.open(path_)}) {
    const Database both = first.extended(Database(more));
    EXPECT_EQ(fasta_of(both.sequences()), fasta_of(set_) + fasta_of(more));
    for (Index k = 0; k < both.size(); ++k) EXPECT_EQ(both.sequences().file_ordinal(k), FileOrdinal{k});
  }
  EXPECT_EQ(fasta_of(Database().extended(Database(more)).sequences()), fasta_of(more));
}

TEST_F(ApiDatabase, CopiesAndOrdersEndWhenAStopIsRequested) {
  StopFlag stop;
  stop.request();
  const Database opened = session_.open(path_), more(set_);
  EXPECT_THROW(session::in_file_order(opened, stop), Interrupted);
  EXPECT_THROW(session::extended(opened, more, stop), Interrupted);
  EXPECT_THROW(session::extended(more, opened, stop), Interrupted);
  EXPECT_THROW(opened.state()->sorted(stop), Interrupted);
  const auto& sorted = opened.state()->sorted();
  ASSERT_TRUE(sorted);
  EXPECT_EQ(opened.state()->sorted(stop), sorted) << "there is nothing to do any more";
}

TEST_F(ApiDatabase, AnOrderIsMadeByOneThreadAndAwaitedByOthersUntilTheyAreStopped) {
  const Database database(set_);
  Database::State& state = *database.state();
  std::shared_ptr<const SortedSequences> stopped, awaited;
  StopFlag stop;
  std::promise<void> begun, ended;
  std::jthread first([&] {
    const auto sort = [&] {
      begun.set_value();
      ended.get_future().wait();
      throw Interrupted();
    };
    EXPECT_THROW(state.prepared->sorting.run(sort), Interrupted);
  });
  begun.get_future().wait();
  std::jthread other([&] { awaited = state.sorted(); });
  std::jthread third([&] { EXPECT_THROW(stopped = state.sorted(stop), Interrupted); });
  stop.request();
  third.join();
  ended.set_value();
  other.join();
  ASSERT_TRUE(awaited);
  EXPECT_FALSE(stopped);
  EXPECT_EQ(state.sorted(), awaited);
  EXPECT_EQ(awaited->size(), set_.size());
}

TEST_F(ApiDatabase, DigestsIdentifyContents) {
  const Database database(set_);
  EXPECT_THAT(database.digest(), MatchesRegex("[0-9a-f]{32}"));
  EXPECT_EQ(database.digest(), Database(joined(set_, SequenceSet())).digest());
  EXPECT_EQ(session_.open(fasta_).digest(), session_.open(fasta_).digest());
  EXPECT_EQ(session_.open(fasta_).digest(), database.digest()) << "of names and residues, not of the source";
  const auto changed = [&](const std::string& headers, const std::string& letters, AlphabetKind kind) {
    SequenceSetBuilder builder(kind);
    builder.add_text(headers, letters);
    builder.add_text("other", "ACGT");
    return Database(builder.finish()).digest();
  };
  const std::set<std::string> digests = {
      changed("a", "ACG", AlphabetKind::protein),  changed("b", "ACG", AlphabetKind::protein),
      changed("a", "ACGT", AlphabetKind::protein), changed("a", "ACC", AlphabetKind::protein),
      changed("aACG", "", AlphabetKind::protein),  changed("a", "ACG", AlphabetKind::dna),
  };
  EXPECT_EQ(digests.size(), 6u);
  EXPECT_NE(Database(reversed(set_)).digest(), database.digest());
  EXPECT_NE(database.part(0, 3).digest(), database.part(1, 4).digest());
}

TEST_F(ApiDatabase, TheDigestOfAFileIsThatOfItsHeader) {
  EXPECT_EQ(session_.open(path_).digest(), database_info(path_).digest);
  EXPECT_EQ(session_.open(path_, {.verification = Verification::none, .in_memory = true}).digest(),
            database_info(path_).digest);
}

// ---- Making ----

TEST_F(ApiDatabase, MakeDatabaseTellsWhatIsInTheFile) {
  const std::string more = directory_.write_file("more.fa", ">x\nMK!V\n>y\n\n");
  const std::string output = directory_.file("made.alnus");
  const DatabaseInfo info = session_.make_database({fasta_, more}, output);
  EXPECT_EQ(info.format_version, 1u);
  EXPECT_EQ(info.alphabet, AlphabetKind::protein);
  EXPECT_EQ(info.sequences, 52u);
  EXPECT_EQ(info.residues, set_.total_residues() + 4);
  EXPECT_EQ(info.longest, set_.longest());
  EXPECT_EQ(info.shortest, 0u);
  EXPECT_EQ(info.unknown_bytes, 1u);
  EXPECT_EQ(info.file_bytes, std::filesystem::file_size(output));
  const DatabaseInfo read = database_info(output);
  EXPECT_EQ(read.digest, info.digest);
  EXPECT_EQ(read.sequences, info.sequences);
  EXPECT_EQ(read.file_bytes, info.file_bytes);
  const Database opened = session_.open(output).in_file_order();
  EXPECT_EQ(fasta_of(opened.sequences().part(0, 50)), fasta_of(set_)) << "one file after the other";
  EXPECT_EQ(opened.sequences()[50].id(), "x");
}

TEST_F(ApiDatabase, MakeDatabaseSortsByLengthWhateverItsMemory) {
  const std::string large = directory_.write_file(
      "large.fa", fasta_of(random_set({.seed = 6, .count = 4000, .shortest = 1, .longest = 900})));
  MakeDatabaseOptions options;
  options.temporary_directory = directory_.path().string();
  session_.make_database({large, fasta_}, directory_.file("a.alnus"), options);
  options.memory_bytes = 1 << 20;
  session_.make_database({large, fasta_}, directory_.file("b.alnus"), options);
  EXPECT_TRUE(read_file(directory_.file("a.alnus")) == read_file(directory_.file("b.alnus")));
  const Database opened = session_.open(directory_.file("b.alnus"));
  for (Index k = 1; k < opened.size(); ++k)
    ASSERT_GE(opened.sequences().length(k - 1), opened.sequences().length(k));
  EXPECT_EQ(files(), (std::set<std::string>{"a.alnus", "b.alnus", "large.fa", "set.alnus", "set.fa"}));
}

TEST_F(ApiDatabase, MakeDatabaseLeavesNothingAfterAnError) {
  const std::set<std::string> before = files();
  const std::string bad = directory_.write_file("bad.fa", ">ok\nMKV\n>bad\nM\x01K\n"),
                    output = directory_.file("made.alnus");
  EXPECT_THAT(input_error([&] {
                session_.make_database({fasta_, bad}, output);
              }),
              AllOf(HasSubstr("bad.fa"), HasSubstr("record 2"), HasSubstr("byte")));
  EXPECT_THAT(input_error([&] { session_.make_database({directory_.file("none.fa")}, output); }),
              HasSubstr("none.fa"));
  std::filesystem::remove(bad);
  EXPECT_EQ(files(), before);
  EXPECT_THAT(database_error([&] { session_.make_database({fasta_}, directory_.file("none/made.alnus")); }),
              HasSubstr("none/made.alnus"))
      << "an output that cannot be written";
  EXPECT_EQ(files(), before);
}

TEST_F(ApiDatabase, MakeDatabaseReplacesAnOldFileWhenItIsComplete) {
  const std::string old = read_file(path_);
  const std::string bad = directory_.write_file("bad.fa", "MKV\n");
  EXPECT_NE(input_error([&] { session_.make_database({fasta_, bad}, path_); }), "");
  EXPECT_TRUE(read_file(path_) == old);
  const std::string more = directory_.write_file("more.fa", ">x\nMKV\n");
  EXPECT_EQ(session_.make_database({more}, path_).sequences, 1u);
  EXPECT_EQ(session_.open(path_).size(), 1u);
}

TEST_F(ApiDatabase, MakeDatabaseGuessesOneAlphabetForAllInputsAndMasks) {
  const std::string dna = directory_.write_file("dna.fa", ">d\nACGTACGTAAcgt\n");
  MakeDatabaseOptions options;
  options.alphabet = AlphabetChoice::automatic;
  EXPECT_EQ(session_.make_database({dna, dna}, directory_.file("dna.alnus"), options).alphabet,
            AlphabetKind::dna);
  EXPECT_NE(input_error([&] {
              session_.make_database({dna, fasta_}, directory_.file("both.alnus"), options);
            }),
            "");
  options.masking.lower = true;
  session_.make_database({dna}, directory_.file("masked.alnus"), options);
  EXPECT_EQ(decode(session_.open(directory_.file("masked.alnus")).sequences().residues(0), AlphabetKind::dna),
            "ACGTACGTAANNN");
}

TEST_F(ApiDatabase, FilesAreKnownByTheirFirstBytesOrTheirName) {
  EXPECT_TRUE(is_database_file(path_));
  std::filesystem::copy_file(path_, directory_.file("other-name"));
  EXPECT_TRUE(is_database_file(directory_.file("other-name")));
  EXPECT_TRUE(is_database_file(directory_.write_file("damaged.alnus", "no database any more")));
  EXPECT_FALSE(is_database_file(fasta_));
  EXPECT_FALSE(is_database_file("-"));
  EXPECT_NE(database_error([&] { database_info(fasta_); }), "");
  EXPECT_NE(database_error([&] { database_info(directory_.file("none.alnus")); }), "");
  EXPECT_NE(database_error([&] { database_info(damaged(25)); }), "");
}

// ---- Lists of pairs ----

TEST_F(ApiDatabase, PairListsComeInTheirOrder) {
  const SequenceSet queries = set_of({"MKV", "WW", "AA"}), subjects = set_of({"MKV", "WW"});
  const std::string list = directory_.write_file(
      "pairs.tsv", "# query\tsubject\ns2\ts1\n\ns0\ts0\tmore\tcolumns\r\ns2 s1\ns1   s0");
  EXPECT_EQ(read_pair_list(list, queries, subjects),
            (std::vector<IndexPair>{{2, 1}, {0, 0}, {2, 1}, {1, 0}}));
}

TEST_F(ApiDatabase, PairListsHaveAnyLineEndsAndAByteOrderMark) {
  const SequenceSet queries = set_of({"MKV", "WW", "AA"});
  const std::string list =
      directory_.write_file("pairs.tsv", "\xef\xbb\xbfs2\ts1\r\ns0 s1\r# none\rs1\ts0\n\rs1 s1");
  EXPECT_EQ(read_pair_list(list, queries, queries), (std::vector<IndexPair>{{2, 1}, {0, 1}, {1, 0}, {1, 1}}));
}

TEST_F(ApiDatabase, MistakesInPairListsNameTheLine) {
  SequenceSetBuilder builder(AlphabetKind::protein, "twice.fa");
  for (const char* id : {"a", "b", "b"}) builder.add_text(id, "MKV");
  const SequenceSet twice = builder.finish();
  const auto error = [&](const std::string& list) {
    const std::string path = directory_.write_file("pairs.tsv", list);
    return input_error([&] { read_pair_list(path, twice, set_); });
  };
  EXPECT_THAT(error("a\ts1\nc\ts1\n"), AllOf(HasSubstr("pairs.tsv"), HasSubstr("line 2"), HasSubstr("c")));
  EXPECT_THAT(error("a\tnone\n"), AllOf(HasSubstr("line 1"), HasSubstr("none")));
  EXPECT_THAT(error("\na\n"), HasSubstr("line 2"));
  EXPECT_THAT(error("a\ts1\nb\ts1\n"), AllOf(HasSubstr("line 2"), HasSubstr("several")));
  EXPECT_NE(input_error([&] { read_pair_list(directory_.file("none.tsv"), twice, set_); }), "");
}

TEST_F(ApiDatabase, ReadCountsAdd) {
  ReadCounts sum{.records = 1,
                 .residues = 2,
                 .unknown_bytes = 3,
                 .gaps_removed = 4,
                 .empty_records = 5,
                 .unnamed_records = 6,
                 .masked = {7, 8}};
  sum += sum;
  EXPECT_EQ(sum.records, 2u);
  EXPECT_EQ(sum.residues, 4u);
  EXPECT_EQ(sum.unknown_bytes, 6u);
  EXPECT_EQ(sum.gaps_removed, 8u);
  EXPECT_EQ(sum.empty_records, 10u);
  EXPECT_EQ(sum.unnamed_records, 12u);
  EXPECT_EQ(sum.masked.residues, 14u);
  EXPECT_EQ(sum.masked.sequences, 16u);
}

}  // namespace
}  // namespace alnus::test

// Session::open, open_search and open_sets: kinds of files, alphabets, warnings and errors.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
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
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class ApiOpen : public testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& bytes) const {
    return directory_.write_file(name, bytes);
  }
  Database open(const std::string& path, const OpenOptions& options = {}) {
    messages_.clear();
    RunControl run;
    run.on_message = [this](const Message& message) { messages_.push_back(message.text()); };
    return session_.open(path, options, run);
  }
  template <class Open>
  Session::Inputs open_two(const Open& open, const OpenOptions& options = {}) {
    messages_.clear();
    RunControl run;
    run.on_message = [this](const Message& message) { messages_.push_back(message.text()); };
    return open(options, run);
  }
  Session::Inputs open_search(const std::string& queries, const std::string& database,
                              const OpenOptions& options = {}) {
    return open_two([&](const OpenOptions& o,
                        const RunControl& run) { return session_.open_search(queries, database, o, run); },
                    options);
  }
  Session::Inputs open_sets(const std::string& first, const std::string& second,
                            const OpenOptions& options = {}) {
    return open_two([&](const OpenOptions& o,
                        const RunControl& run) { return session_.open_sets(first, second, o, run); },
                    options);
  }
  std::string database(const std::string& name, const std::string& fasta,
                       AlphabetChoice alphabet = AlphabetChoice::protein) {
    MakeDatabaseOptions options;
    options.alphabet = alphabet;
    session_.make_database({fasta}, directory_.file(name), options);
    return directory_.file(name);
  }
  static std::string letters_of(const Database& opened) {
    std::string letters;
    for (Index k = 0; k < opened.size(); ++k)
      letters += std::string(opened.sequences()[k].id()) + ":" +
                 decode(opened.sequences().residues(k), opened.alphabet()) + " ";
    return letters;
  }

  const TempDir directory_;
  const std::string protein_ = write("protein.fa", ">p1 one\nMKVLAHEAGAWGHEE\nKLMNPQRSTVWYF\n>p2\nPAWHEAE\n"),
                    dna_ = write("dna.fa", ">d1\nACGTTGCAACGGATCTACGATTACGACTAGCATCAGC\n>d2\nACGTTTGACAG\n");
  Session session_{session_options()};
  std::vector<std::string> messages_;
};

TEST_F(ApiOpen, FastaAndFastqPlainGzipAndZstdAreTheSameSequences) {
  const std::string fasta = ">a first\nMKVL\nAHE\n>b\nWW\n",
                    fastq = "@a first\nMKVLAHE\n+\nIIIIIII\n@b\nWW\n+\nII\n";
  for (const std::string& text : {fasta, fastq}) {
    for (const auto& [name, bytes] : {std::pair<std::string, std::string>{"plain", text},
                                      {"packed.gz", gzip(text)},
                                      {"a-name-that-says-nothing", zstd(text)}}) {
      const Database opened = open(write(name, bytes));
      EXPECT_EQ(letters_of(opened), "a:MKVLAHE b:WW ");
      EXPECT_EQ(opened.sequences()[0].title(), "first");
      EXPECT_EQ(opened.alphabet(), AlphabetKind::protein);
      EXPECT_THAT(opened.name(), HasSubstr(name));
      EXPECT_THAT(messages_, IsEmpty());
    }
  }
}

TEST_F(ApiOpen, ATextIsReadAsAFileIs) {
  const std::string fasta = ">a the first\nMKVLAW\n>b\nMK-HLA?WQ\n";
  const Database of_file = open(write("in.fa", fasta));
  for (const std::string& text : {fasta, gzip(fasta), zstd(fasta)}) {
    std::vector<std::string> messages;
    RunControl run;
    run.on_message = [&](const Message& message) { messages.push_back(message.text()); };
    const Database of_text = session_.open_text(text, "a text", {}, run);
    EXPECT_EQ(letters_of(of_text), letters_of(of_file));
    EXPECT_EQ(of_text.digest(), of_file.digest());
    EXPECT_EQ(of_text.name(), "a text");
    EXPECT_FALSE(of_text.is_stated());
    EXPECT_THAT(messages,
                Contains(HasSubstr("1 letter of a text (in record 2, 'b') outside the protein alphabet")));
  }
  EXPECT_THAT(input_error([&] { session_.open_text(">a\nMKV\n>b\nM\x02\n", "a text"); }),
              AllOf(HasSubstr("a text"), HasSubstr("record 2"), HasSubstr("0x02")));
  const std::string database_file = read_file(database("in.alnus", write("in.fa", fasta)));
  EXPECT_THAT(input_error([&] { session_.open_text(database_file, "a text"); }),
              HasSubstr("a text is a database file"));
  EXPECT_EQ(session_.open_text(">a\nACGTACGT\n", "a", {.alphabet = AlphabetChoice::automatic}).alphabet(),
            AlphabetKind::dna);
}

TEST_F(ApiOpen, QualitiesAreThoseOfTheFirstInputIfTheyAreWanted) {
  const std::string reads = write("reads.fq", "@a\nMKV\n+\nI!~\n");
  const OpenOptions wanted{.qualities = true};
  const auto quality = [](const Database& of) { return of.sequences()[0].quality; };
  EXPECT_EQ(quality(open(reads)), "");
  EXPECT_EQ(quality(open(reads, wanted)), "I!~");
  EXPECT_EQ(quality(open(protein_, wanted)), "");
  EXPECT_EQ(quality(open(database("reads.alnus", reads), wanted)), "");
  for (const Session::Inputs& inputs : {open_search(reads, reads, wanted), open_sets(reads, reads, wanted)}) {
    EXPECT_EQ(quality(inputs.first), "I!~");
    EXPECT_EQ(quality(inputs.second), "");
  }
  const Session::Inputs one_set = open_sets(reads, "", wanted);
  EXPECT_EQ(quality(one_set.first), "I!~");
  EXPECT_EQ(quality(one_set.second), "I!~");
  EXPECT_EQ(quality(one_set.first.in_file_order()), "I!~");
  EXPECT_EQ(quality(one_set.first.part(0, 1)), "I!~");
}

TEST_F(ApiOpen, ADatabaseFileIsRecognisedByItsFirstBytes) {
  const std::string path = database("set.alnus", protein_);
  std::filesystem::rename(path, directory_.file("renamed"));
  const Database opened = open(directory_.file("renamed"));
  EXPECT_EQ(opened.size(), 2u);
  EXPECT_EQ(opened.digest(), database_info(directory_.file("renamed")).digest);
}

TEST_F(ApiOpen, ADashIsStandardInput) {
  const ChildResult result = in_child([&] {
    int ends[2] = {};
    if (::pipe(ends) != 0) return std::string("no pipe");
    const std::string text = ">a\nMKV\n>b\nWW\n";
    if (::write(ends[1], text.data(), text.size()) < 0) return std::string("nothing written");
    ::close(ends[1]);
    ::dup2(ends[0], STDIN_FILENO);
    Session session(session_options(1));
    const Database opened = session.open("-");
    return letters_of(opened) + opened.name();
  });
  EXPECT_THAT(result.text, ::testing::StartsWith("a:MKV b:WW ")) << "signal " << result.signal;
}

TEST_F(ApiOpen, OddRecordsAreMessages) {
  const Database opened = open(write("odd.fa", ">q1\nMKV!!L\n>q2\n>q3\nM-K.V\n>\nWW\n"));
  EXPECT_EQ(letters_of(opened), "q1:MKVXXL q2: q3:MKV :WW ");
  EXPECT_THAT(messages_,
              Contains(AllOf(HasSubstr("2 letters"), HasSubstr("odd.fa"), HasSubstr("read as X"))));
  EXPECT_THAT(messages_, Contains(AllOf(HasSubstr("1 record"), HasSubstr("without a sequence"))));
  EXPECT_THAT(messages_, Contains(HasSubstr("gap")));
  EXPECT_THAT(messages_, Contains(HasSubstr("name")));
}

TEST_F(ApiOpen, WhatWasMaskedIsAMessage) {
  OpenOptions options;
  options.masking.lower = true;
  const Database opened = open(write("soft.fa", ">q1\nMKvlW\n>q2\nMK\n"), options);
  EXPECT_EQ(decode(opened.sequences().residues(0)), "MKXXW");
  EXPECT_THAT(messages_, Contains(AllOf(HasSubstr("lower"), HasSubstr("2 residues in 1 sequence"))));
  open(write("soft.fa", ">q1\nMKvlW\n"));
  EXPECT_THAT(messages_, IsEmpty());
}

TEST_F(ApiOpen, ADatabaseFileIsMaskedAsTheFileItWasMadeOf) {
  const std::string fasta = write("run.fa", ">q1\nMKWVTF" + std::string(40, 'Q') + "LLFLFSS\n>q2\nMKwvTF\n");
  const std::string made = database("run.alnus", fasta);
  for (const Masking& masking : {Masking{.seg = true}, Masking{.lower = true}, Masking{true, true}}) {
    OpenOptions options;
    options.masking = masking;
    const Database from_file = open(fasta, options);
    EXPECT_EQ(letters_of(open(made, options)), letters_of(from_file));
    EXPECT_THAT(letters_of(from_file), HasSubstr("XX"));
  }
}

TEST_F(ApiOpen, ASetIsMaskedAsTheFileThatHasIt) {
  const std::string fasta = write("run.fa", ">q1\nMKWVTF" + std::string(40, 'Q') + "LLFLFSS\n>q2\nMKwvTF\n");
  const Database plain = open(fasta);
  const std::string letters = letters_of(plain);
  for (const Masking& masking : {Masking{.seg = true}, Masking{.lower = true}, Masking{true, true}}) {
    OpenOptions options;
    options.masking = masking;
    const Database from_file = open(fasta, options);
    const std::vector<std::string> expected = messages_;
    messages_.clear();
    RunControl run;
    run.on_message = [this](const Message& message) { messages_.push_back(message.text()); };
    const Database masked = session_.masked(plain, masking, run);
    EXPECT_EQ(letters_of(masked), letters_of(from_file));
    EXPECT_EQ(masked.digest(), from_file.digest());
    EXPECT_EQ(masked.name(), plain.name());
    EXPECT_EQ(messages_, expected);
    EXPECT_EQ(letters_of(session_.masked(masked, masking)), letters_of(masked));
  }
  EXPECT_EQ(letters_of(plain), letters);
  EXPECT_THAT(input_error([&] { session_.masked(plain, {.dust = true}); }),
              AllOf(HasSubstr("dust"), HasSubstr("run.fa")));
}

TEST_F(ApiOpen, WhatIsWrongNamesFileRecordAndByte) {
  const auto error = [&](const std::string& name, const std::string& bytes) {
    return input_error([&] { open(write(name, bytes)); });
  };
  EXPECT_THAT(error("nul.fa", std::string(">r1\nMKV\n>r2\nMK\0LA\n", 19)),
              AllOf(HasSubstr("nul.fa"), HasSubstr("record 2"), HasSubstr("r2"), HasSubstr("byte 14")));
  EXPECT_THAT(error("bare.fa", "MKVLA\n"), AllOf(HasSubstr("bare.fa"), HasSubstr("byte 0")));
  EXPECT_THAT(error("empty.fa", ""), AllOf(HasSubstr("empty.fa"), HasSubstr("no sequences")));
  EXPECT_THAT(error("short.fq", "@r1\nMKV\n+\nII\n"), AllOf(HasSubstr("short.fq"), HasSubstr("record 1")));
  const std::string packed = gzip(fasta_of(random_set({.count = 300})));
  EXPECT_THAT(error("cut.gz", packed.substr(0, packed.size() / 2)), HasSubstr("truncated"));
  EXPECT_THAT(input_error([&] { open(directory_.file("none.fa")); }),
              AllOf(HasSubstr("none.fa"), HasSubstr("No such file")));
  EXPECT_THAT(input_error([&] { open(directory_.path().string()); }), HasSubstr("directory"));
}

TEST_F(ApiOpen, ADatabaseFileThatIsWrongIsAnErrorOfTheDatabase) {
  const std::string path = database("set.alnus", protein_);
  const std::string bytes = read_file(path);
  write("set.alnus", bytes.substr(0, bytes.size() - 1));
  EXPECT_THAT(database_error([&] { open(path); }), HasSubstr("set.alnus"));
  write("named.alnus", "this is none");
  EXPECT_THAT(database_error([&] { open(directory_.file("named.alnus")); }),
              AllOf(HasSubstr("named.alnus"), HasSubstr("no alnus database")))
      << "its name says that it is a database";
}

TEST_F(ApiOpen, AlphabetsAreStatedGuessedOrProtein) {
  EXPECT_EQ(open(dna_, {.alphabet = AlphabetChoice::dna}).alphabet(), AlphabetKind::dna);
  EXPECT_EQ(open(dna_, {.alphabet = AlphabetChoice::automatic}).alphabet(), AlphabetKind::dna);
  EXPECT_EQ(open(protein_, {.alphabet = AlphabetChoice::automatic}).alphabet(), AlphabetKind::protein);
  EXPECT_EQ(open(dna_, {.alphabet = AlphabetChoice::protein}).alphabet(), AlphabetKind::protein);
  EXPECT_THAT(messages_, IsEmpty()) << "what is stated is no surprise";
  EXPECT_EQ(open(protein_).alphabet(), AlphabetKind::protein);
}

TEST_F(ApiOpen, AFileThatLooksLikeSomethingElseIsAWarningOrAnError) {
  const Database doubtful = open(dna_);
  EXPECT_EQ(doubtful.alphabet(), AlphabetKind::protein);
  EXPECT_THAT(input_error([&] { session_.search(doubtful, open(dna_), default_scoring()); }),
              AllOf(HasSubstr("dna.fa looks like dna"), HasSubstr("alphabet")));
  EXPECT_THAT(input_error([&] {
                session_.all_pairs(doubtful, default_scoring(), {}, {.rows = [](const auto&...) {}});
              }),
              HasSubstr("dna.fa looks like dna"));
  const Database proteins = open(protein_);
  for (int time = 0; time < 2; ++time)  // the second call throws, too
    EXPECT_THAT(input_error([&] { session_.search(doubtful, proteins, default_scoring()); }),
                HasSubstr("looks like dna"));
}

TEST_F(ApiOpen, GuessesAskForNineLettersOfTenInTheFirstHalfMegabyte) {
  const auto kind = [&](const std::string& letters) {
    return open(write("guess.fa", ">g\n" + letters + "\n"), {.alphabet = AlphabetChoice::automatic})
        .alphabet();
  };
  EXPECT_EQ(kind(std::string(90, 'A') + std::string(10, 'W')), AlphabetKind::dna);
  EXPECT_EQ(kind(std::string(89, 'A') + std::string(11, 'W')), AlphabetKind::protein);
  EXPECT_EQ(kind(std::string(100, 'N')), AlphabetKind::dna);
  EXPECT_EQ(kind(std::string(600'000, 'C') + std::string(600'000, 'W')), AlphabetKind::dna);
}

TEST_F(ApiOpen, ProteinsThatAreStatedToBeDnaAreAnError) {
  const OpenOptions dna{.alphabet = AlphabetChoice::dna};
  const auto refused = AllOf(HasSubstr("protein.fa are no nucleotides"), HasSubstr("does not translate"));
  EXPECT_THAT(input_error([&] { open(protein_, dna); }), refused);
  EXPECT_THAT(input_error([&] { open_sets(dna_, protein_, dna); }), refused);
  EXPECT_THAT(database_error([&] { open_search(dna_, protein_, dna); }), refused);
  MakeDatabaseOptions options;
  options.alphabet = AlphabetChoice::dna;
  EXPECT_THAT(
      input_error([&] { session_.make_database({protein_}, directory_.file("made.alnus"), options); }),
      refused);
}

TEST_F(ApiOpen, AnAlignmentIsToldOfOnce) {
  const std::string rows = write("rows.fa", ">a\nMKV-LAW\n>b\nMKVHLAW\n");
  const auto notice = HasSubstr("rows.fa looks like an alignment, because all its 2 records have 7 columns");
  open(rows);
  EXPECT_THAT(messages_, ::testing::ElementsAre(HasSubstr("1 gap letter of"), notice));
  open_sets(rows, rows);
  EXPECT_THAT(messages_, ::testing::ElementsAre(HasSubstr("1 gap letter of"), notice));
  open_search(protein_, rows);
  EXPECT_THAT(messages_, ::testing::ElementsAre(HasSubstr("1 gap letter of"), notice));
  open(write("one.fa", ">a\nMKV-LAW\n"));
  EXPECT_THAT(messages_, ::testing::ElementsAre(HasSubstr("1 gap letter of")));
}

TEST_F(ApiOpen, SegIsForProteins) {
  OpenOptions options{.alphabet = AlphabetChoice::dna};
  options.masking.seg = true;
  EXPECT_THAT(input_error([&] { open(dna_, options); }), AllOf(HasSubstr("seg"), HasSubstr("dna.fa")));
}

TEST_F(ApiOpen, DustIsForDna) {
  OpenOptions options;
  options.masking.dust = true;
  const std::string fasta = write("run.fa", ">d\nACGTCAGG" + std::string(20, 'T') + "\n");
  EXPECT_THAT(input_error([&] { open(fasta, options); }), AllOf(HasSubstr("dust"), HasSubstr("run.fa")));
  options.alphabet = AlphabetChoice::dna;
  EXPECT_THAT(letters_of(open(fasta, options)), HasSubstr("ACGTCAGG" + std::string(20, 'N')));
}

// ---- Two inputs ----

TEST_F(ApiOpen, ADatabaseFilesAlphabetCountsForBothInputs) {
  const std::string made = database("dna.alnus", dna_, AlphabetChoice::dna);
  for (const auto& inputs : {open_search(dna_, made), open_sets(dna_, made), open_sets(made, dna_)}) {
    EXPECT_EQ(inputs.first.alphabet(), AlphabetKind::dna);
    EXPECT_EQ(inputs.second.alphabet(), AlphabetKind::dna);
    EXPECT_EQ(session_
                  .search(inputs.first, inputs.second, default_scoring("local", AlphabetKind::dna),
                          {.detail = Detail::score})
                  .hits.rows.score[0],
              37 * 5);
  }
  EXPECT_THAT(messages_, IsEmpty());
}

TEST_F(ApiOpen, QueriesThatDoNotFitTheDatabaseAreErrors) {
  const std::string proteins = database("protein.alnus", protein_),
                    dna = database("dna.alnus", dna_, AlphabetChoice::dna);
  EXPECT_THAT(input_error([&] { open_search(dna_, proteins); }), HasSubstr("dna.fa looks like dna"));
  EXPECT_THAT(input_error([&] { open_search(dna_, protein_); }), HasSubstr("dna.fa looks like dna"));
  EXPECT_THAT(input_error([&] { open_search(protein_, dna); }), HasSubstr("protein.fa"));
  EXPECT_NE(input_error([&] { open_search(dna_, dna, {.alphabet = AlphabetChoice::protein}); }), "")
      << "what is stated contradicts the database file";
  const Session::Inputs stated = open_search(dna_, proteins, {.alphabet = AlphabetChoice::protein});
  EXPECT_EQ(stated.first.alphabet(), AlphabetKind::protein);
}

TEST_F(ApiOpen, NucleotidesWithProteinsAreErrorsInEveryCall) {
  const auto refused = [&](const auto& action) {
    EXPECT_THAT(input_error(action), AllOf(HasSubstr("dna.fa looks like dna"), HasSubstr("protein.fa")));
  };
  refused([&] { open_search(dna_, protein_); });
  refused([&] { open_sets(dna_, protein_); });
  const Database proteins = open(protein_), doubtful = open(dna_);
  const Scoring scoring = default_scoring();
  const std::vector<IndexPair> pairs = {{0, 0}};
  refused([&] { session_.search(doubtful, proteins, scoring); });
  refused([&] { session_.align(doubtful, proteins, pairs, scoring); });
  refused([&] { session_.all_pairs(doubtful, proteins, scoring, {}, PairSink{}); });
  refused([&] { session_.cost_of_search(doubtful, proteins, scoring, {}); });
  refused([&] {
    session_.all_pairs(
        PairInputs{.set = doubtful, .added = proteins}, scoring, {},
        PairFiles{.rows = directory_.file("rows.tsv"), .checkpoint = directory_.file("ledger")});
  });
  const Database stated = open(dna_, {.alphabet = AlphabetChoice::protein});
  EXPECT_EQ(session_.search(stated, proteins, scoring).summary.pairs, 4u);
  EXPECT_EQ(session_.search(doubtful.sequences(), proteins, scoring).summary.pairs, 4u)
      << "sequences in memory are what their alphabet says";
}

TEST_F(ApiOpen, SubjectsThatLookLikeDnaAreOneWarning) {
  const auto warning = HasSubstr("dna.fa looks like dna and is aligned as protein");
  const Session::Inputs inputs = open_search(protein_, dna_);
  EXPECT_THAT(messages_, ::testing::ElementsAre(warning));
  RunControl run;
  run.on_message = [this](const Message& message) { messages_.push_back(message.text()); };
  const Database other = open(protein_);
  messages_.clear();
  for (const Database& queries : {inputs.first, other})
    session_.search(queries, inputs.second, default_scoring(), {}, run);
  EXPECT_THAT(messages_, IsEmpty()) << "it was said";
  open_search(protein_, dna_, {.alphabet = AlphabetChoice::protein});
  EXPECT_THAT(messages_, IsEmpty()) << "what is stated is no surprise";
}

TEST_F(ApiOpen, APartOfAMaskedFileLooksLikeTheWholeFile) {
  const std::string soft =
      write("soft.fa", ">d1\nACGTTGCAACGGATCTACGATTACGACTAGCATCAGC\n>d2\nacgtttgacagACG\n");
  OpenOptions options;
  options.masking.lower = true;
  const Database masked = open(soft, options), proteins = open(protein_);
  EXPECT_THAT(input_error([&] { session_.search(masked.part(1, 2), proteins, default_scoring()); }),
              HasSubstr("soft.fa looks like dna"));
}

TEST_F(ApiOpen, ADatabaseOfProteinsIsNotMadeOfNucleotidesInSilence) {
  const std::string made = directory_.file("made.alnus");
  const auto make = [&](const std::vector<std::string>& inputs, AlphabetChoice alphabet) {
    MakeDatabaseOptions options;
    options.alphabet = alphabet;
    return session_.make_database(inputs, made, options);
  };
  EXPECT_THAT(input_error([&] { make({dna_}, AlphabetChoice::unstated); }),
              AllOf(HasSubstr("dna.fa looks like dna"), HasSubstr("alphabet")));
  EXPECT_THAT(input_error([&] {
                make({protein_, dna_}, AlphabetChoice::unstated);
              }),
              HasSubstr("dna.fa looks like dna"));
  EXPECT_FALSE(std::filesystem::exists(made));
  EXPECT_EQ(make({dna_}, AlphabetChoice::protein).alphabet, AlphabetKind::protein);
  EXPECT_EQ(make({dna_}, AlphabetChoice::dna).alphabet, AlphabetKind::dna);
  EXPECT_EQ(make({dna_}, AlphabetChoice::automatic).alphabet, AlphabetKind::dna);
  EXPECT_EQ(make({protein_}, AlphabetChoice::unstated).alphabet, AlphabetKind::protein);
}

TEST_F(ApiOpen, TwoFilesThatLookLikeDnaAreAnErrorThatNamesBoth) {
  const std::string other = write("other.fa", ">o\nACGTTGCAACGGATCTACGATTACGACTAGCATCAGC\n");
  EXPECT_THAT(input_error([&] { open_search(dna_, other); }),
              AllOf(HasSubstr("dna.fa and "), HasSubstr("other.fa look like dna")));
  EXPECT_EQ(open_search(dna_, other, {.alphabet = AlphabetChoice::protein}).first.alphabet(),
            AlphabetKind::protein);
}

TEST_F(ApiOpen, TwoFilesAreGuessedAsOneAlphabetOrRefused) {
  const OpenOptions guess{.alphabet = AlphabetChoice::automatic};
  const Session::Inputs same = open_search(dna_, dna_, guess);
  EXPECT_EQ(same.first.alphabet(), AlphabetKind::dna);
  EXPECT_EQ(same.second.alphabet(), AlphabetKind::dna);
  EXPECT_NE(input_error([&] { open_search(dna_, protein_, guess); }), "");
}

TEST_F(ApiOpen, WhatIsWrongWithTheSecondInputOfASearchIsAnErrorOfTheDatabase) {
  const std::string bad = write("bad.fa", "MKV\n"), missing = directory_.file("none.fa");
  for (const std::string& wrong : {bad, missing}) {
    EXPECT_NE(database_error([&] { open_search(protein_, wrong); }), "");
    EXPECT_NE(input_error([&] { open_search(wrong, protein_); }), "");
    EXPECT_NE(input_error([&] { open_sets(protein_, wrong); }), "");
    EXPECT_NE(input_error([&] { open_sets(wrong, protein_); }), "");
  }
}

TEST_F(ApiOpen, AnEmptyPathIsTheFirstInputAgain) {
  for (const Session::Inputs& inputs : {open_sets(protein_, ""), open_search(protein_, "")}) {
    EXPECT_EQ(letters_of(inputs.second), letters_of(inputs.first));
    EXPECT_EQ(inputs.second.state(), inputs.first.state()) << "copies are the same database";
  }
}

}  // namespace
}  // namespace alnus::test

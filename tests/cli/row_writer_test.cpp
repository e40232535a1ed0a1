// RowWriter writes what the program writes for the same inputs, in every format.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sstream>

#include "alnus/query_stream.h"
#include "alnus/session.h"
#include "api/support/errors.h"
#include "api/support/inputs.h"
#include "support/run_command.h"
#include "support/temp_dir.h"

namespace alnus::test {
namespace {

using ::testing::HasSubstr;

constexpr const char* kFormats[] = {"0",
                                    "5",
                                    "6",
                                    "7",
                                    "10",
                                    "srspair",
                                    "sam",
                                    "jsonl",
                                    "6 std cigar qseq sseq btop pident_min pident_max",
                                    "7 qseqid sseqid score evalue bitscore zscore",
                                    "6 qseqid sseqid score",
                                    "10 qtitle stitle qend send"};

// The text without the line that has the command.
std::string without_command_line(const std::string& text) {
  std::istringstream lines(text);
  std::string rest;
  for (std::string line; std::getline(lines, line);)
    if (!line.starts_with("@PG") && !line.starts_with("# Commandline")) rest += line + "\n";
  return rest;
}

class RowWriterAndProgram : public testing::TestWithParam<const char*> {
 protected:
  RowWriterAndProgram() {
    SequenceSetBuilder builder(AlphabetKind::protein);
    const SequenceSet queries = relatives_set(1, 5, 70), more = random_set({.count = 2, .prefix = "t"});
    for (Index k = 0; k < queries.size(); ++k)
      builder.add("q" + std::to_string(k) + " a title", queries.residues(k));
    directory_.write_file("q.fa", fasta_of(builder.finish()));
    directory_.write_file("db.fa", fasta_of(joined(relatives_set(1, 30, 70), more)));
  }
  // Runs the program, and returns what it writes.
  std::string program(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), ALNUS_PROGRAM);
    for (const char* word : {"--outfmt", GetParam(), "-o", "program.out", "--quiet", "--devices", "cpu"})
      arguments.emplace_back(word);
    RunOptions options;
    options.directory = directory_.path().string();
    const CommandResult result = run_command(arguments, options);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return without_command_line(read_file(directory_.file("program.out")));
  }
  // Gives a RowWriter to `use`, and returns what the writer writes.
  std::string writer(const Scoring& scoring, const Database& queries, const Database& subjects,
                     const std::function<void(RowWriter&)>& use) {
    ReportHead head;
    head.program_version = version();
    head.command_line = "a command";
    head.database_name = "db.fa";
    head.detail = format_.needed_detail();
    head.max_evalue = max_evalue_;
    OutputFile out(session_, directory_.file("library.out"));
    RowWriter writer(out, format_, scoring, queries, subjects, head);
    use(writer);
    writer.finish();
    out.commit();
    return without_command_line(read_file(directory_.file("library.out")));
  }
  SearchOptions search_options() const {
    SearchOptions options;
    options.detail = format_.needed_detail();
    options.cigars = format_.needs_cigars();
    options.significance = format_.needs_significance();
    options.query_statistics = format_.needs_query_statistics();
    options.identity_ranges = format_.identity_ranges();
    return options;
  }
  AlignOptions align_options() const {
    AlignOptions options;
    options.detail = format_.needed_detail();
    options.cigars = format_.needs_cigars();
    options.significance = format_.needs_significance();
    options.identity_ranges = format_.identity_ranges();
    return options;
  }

  const TempDir directory_;
  const OutputFormat format_ = OutputFormat::parse(GetParam());
  std::optional<double> max_evalue_{};  // searches only
  Session session_{session_options()};
};

TEST_P(RowWriterAndProgram, OfASearch) {
  max_evalue_ = kDefaultEvalue;
  const auto [queries, database] = session_.open_search(directory_.file("q.fa"), directory_.file("db.fa"));
  for (const char* mode : {"local", "global"}) {
    const Scoring scoring = default_scoring(mode);
    const std::string expected = program({"search", "q.fa", "db.fa", "--mode", mode});
    const Database& subjects = database;
    const Database& of = queries;
    EXPECT_EQ(writer(scoring, of, subjects,
                     [&](RowWriter& writer) {
                       session_.search(of, subjects, scoring, search_options(),
                                       [&](const SearchBatch& batch) { writer.write(batch); });
                     }),
              expected);
    EXPECT_EQ(writer(scoring, of, subjects,
                     [&](RowWriter& writer) {
                       writer.write(session_.search(of, subjects, scoring, search_options()).hits);
                     }),
              expected);
    EXPECT_GT(expected.size(), 0u);
  }
}

TEST_P(RowWriterAndProgram, OfADatabaseFile) {
  max_evalue_ = kDefaultEvalue;
  session_.make_database({directory_.file("db.fa")}, directory_.file("db.alnus"));
  std::filesystem::rename(directory_.file("db.fa"), directory_.file("source.fa"));
  std::filesystem::rename(directory_.file("db.alnus"), directory_.file("db.fa"));
  const Session::Inputs inputs = session_.open_search(directory_.file("q.fa"), directory_.file("db.fa"));
  EXPECT_EQ(writer(default_scoring(), inputs.first, inputs.second,
                   [&](RowWriter& writer) {
                     session_.search(inputs.first, inputs.second, default_scoring(), search_options(),
                                     [&](const SearchBatch& batch) { writer.write(batch); });
                   }),
            program({"search", "q.fa", "db.fa"}));
}

TEST_P(RowWriterAndProgram, OfQueriesThatComeOneByOne) {
  max_evalue_ = kDefaultEvalue;
  const std::string path = directory_.file("q.fa");
  const Database database = session_.open(directory_.file("db.fa"));
  const std::string expected = program({"search", "q.fa", "db.fa"});
  EXPECT_EQ(writer(default_scoring(), Database(), database,
                   [&](RowWriter& writer) {
                     QueryStream stream(session_, path, database);
                     for (Database query = stream.next(); query.size() > 0; query = stream.next()) {
                       writer.write(
                           session_.search(query, database, default_scoring(), search_options()).hits, query);
                       writer.flush();
                     }
                   }),
            expected);
}

TEST_P(RowWriterAndProgram, OfEveryQueryWithEverySubject) {
  const Session::Inputs inputs = session_.open_sets(directory_.file("q.fa"), directory_.file("db.fa"));
  for (const char* mode : {"local", "semiglobal"}) {
    const Scoring scoring = default_scoring(mode);
    EXPECT_EQ(writer(scoring, inputs.first, inputs.second,
                     [&](RowWriter& writer) {
                       session_.align_all(inputs.first, inputs.second, scoring, align_options(),
                                          [&](const Columns& rows, const std::string& statistics) {
                                            writer.write(rows, statistics);
                                          });
                     }),
              program({"align", "--all", "q.fa", "db.fa", "--mode", mode}));
  }
}

TEST_P(RowWriterAndProgram, OfAllPairs) {
  const Database set = session_.open(directory_.file("db.fa"));
  AllPairsOptions options;
  options.detail = format_.needed_detail();
  options.cigars = format_.needs_cigars();
  options.significance = format_.needs_significance();
  options.identity_ranges = format_.identity_ranges();
  const std::string expected = program({"allpairs", "db.fa", "--min-score", "50"});
  options.filter.min_score = 50;
  EXPECT_EQ(writer(default_scoring(), set, set,
                   [&](RowWriter& writer) {
                     session_.all_pairs(
                         set, default_scoring(), options,
                         PairSink{.rows = [&](const Columns& rows, const std::string& statistics) {
                           writer.write(rows, statistics, RowWriter::Grouping::apart);
                         }});
                   }),
            expected);
  PairFiles files{.rows = directory_.file("files.out"), .format = format_};
  files.head = {.program_version = std::string(version()),
                .command_line = "a command",
                .database_name = "db.fa",
                .detail = format_.needed_detail()};
  session_.all_pairs(PairInputs{.set = set}, default_scoring(), options, files);
  EXPECT_EQ(without_command_line(read_file(files.rows)), expected);
}

INSTANTIATE_TEST_SUITE_P(, RowWriterAndProgram, testing::ValuesIn(kFormats), [](const auto& info) {
  std::string name = "format";
  for (const char letter : std::string(info.param))
    name += std::isalnum(static_cast<unsigned char>(letter)) != 0 ? letter : '_';
  return name;
});

TEST(RowWriterAndProgramErrors, ReportsAndSamNeedAlignments) {
  Session session(session_options());
  const TempDir directory;
  const Database set(relatives_set(1, 4, 30));
  for (const char* format : {"0", "5", "srspair", "sam"}) {
    for (const Detail detail : {Detail::score, Detail::ends}) {
      OutputFile out(session, directory.file("out"));
      ReportHead head;
      head.detail = detail;
      EXPECT_NE(input_error([&] {
                  RowWriter writer(out, OutputFormat::parse(format), default_scoring(), set, set, head);
                }),
                "")
          << format;
    }
  }
}

TEST(RowWriterAndProgramErrors, ColumnsThatNeedMoreDetailAreNotAvailable) {
  Session session(session_options());
  const TempDir directory;
  const Database set(set_of({"MKWVTFISLL"}));
  OutputFile out(session, directory.file("out"));
  ReportHead head;
  head.detail = Detail::score;
  RowWriter writer(out, OutputFormat::parse("6 qseqid sseqid score qend qstart"), default_scoring(), set, set,
                   head);
  writer.write(session.search(set, set, default_scoring(), {.detail = Detail::score, .evalue = 1e9}).hits);
  writer.finish();
  out.commit();
  EXPECT_THAT(read_file(directory.file("out")), ::testing::MatchesRegex("s0\ts0\t[0-9]+\tNA\tNA\n"));
}

TEST(RowWriterAndProgramErrors, FlushBringsRowsToTheOutput) {
  Session session(session_options());
  const TempDir directory;
  const Database set(set_of({"MKWVTFISLL"}));
  OutputFile out(session, directory.file("out"));
  RowWriter writer(out, OutputFormat::parse("6 qseqid sseqid"), default_scoring(), set, set, {});
  writer.write(session.search(set, set, default_scoring(), {.evalue = 1e9}).hits);
  writer.flush();
  out.sync();
  EXPECT_EQ(read_file(directory.file("out.alnus-part")), "s0\ts0\n");
}

TEST(RowWriterAndProgramErrors, LocalAlignmentsOfScoreZeroAreNotWritten) {
  Session session(session_options());
  const TempDir directory;
  const SequenceSet set = set_of({"WWW", "CCC"});
  const std::vector<IndexPair> pairs = {{0, 1}, {0, 0}};
  OutputFile out(session, directory.file("out"));
  RowWriter writer(out, OutputFormat::parse("6 qseqid sseqid score"), default_scoring(), set, set, {});
  writer.write(session.align(set, set, pairs, default_scoring()), "");
  writer.finish();
  out.commit();
  EXPECT_EQ(read_file(directory.file("out")), "s0\ts0\t33\n");
}

TEST(RowWriterAndProgramOfPairs, AQueryThatIsNamedAgainHasOnePrimaryRecord) {
  Session session(session_options());
  const TempDir directory;
  const SequenceSet set = set_of({"WWWWW", "WWWWWH", "HHHHH"});
  const std::vector<IndexPair> pairs = {{0, 0}, {1, 0}, {1, 1}, {0, 1}, {2, 0}};
  OutputFile out(session, directory.file("out"));
  RowWriter writer(out, OutputFormat::parse("sam"), default_scoring(), set, set, {});
  writer.write(session.align(set, set, pairs, default_scoring()), "");
  writer.finish();
  out.commit();
  std::vector<std::string> records;
  std::istringstream lines(read_file(directory.file("out")));
  for (std::string line; std::getline(lines, line);)
    if (!line.starts_with("@")) records.push_back(line.substr(0, line.find("\t255")));
  EXPECT_THAT(records, ::testing::ElementsAre("s0\t0\ts0\t1", "s1\t256\ts0\t1", "s1\t0\ts1\t1",
                                              "s0\t256\ts1\t1", ::testing::StartsWith("s2\t4\t*\t0\t0\t*")));
}

TEST(ApiScorePlot, IsAWholePicture) {
  Session session(session_options());
  const SequenceSet queries = relatives_set(1, 4, 60), subjects = relatives_set(1, 50, 60);
  const SearchResult result = session.search(queries, subjects, default_scoring(), {.score_histogram = true});
  const std::string svg = score_plot_svg(result.summary.histogram, result.hits.rows.score, default_scoring(),
                                         queries.size(), subjects.size(), result.summary.statistics);
  EXPECT_THAT(svg, HasSubstr("<svg"));
  EXPECT_THAT(svg, HasSubstr("4 queries and 50 subjects"));
  EXPECT_THAT(svg, HasSubstr("</svg>"));
}

}  // namespace
}  // namespace alnus::test

// RowWriter writes what the program writes for the same inputs, in every format.
#include <gtest/gtest.h>
#include <sstream>

#include "alnus/query_stream.h"
#include "alnus/session.h"
#include "api/support/inputs.h"
#include "support/run_command.h"
#include "support/temp_dir.h"

namespace alnus::test {
namespace {

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

}  // namespace
}  // namespace alnus::test

// Reports of many rows: their bytes do not depend on the number of threads, and an error or a stop ends the
// writing.
#include "io/report.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "alnus/error.h"
#include "io/writer_fixture.h"

namespace alnus::io {
namespace {

constexpr const char* kFormats[] = {
    "0",       "5",   "6",     "7 std qtitle",       "10 qseqid stitle evalue",
    "srspair", "sam", "jsonl", "6 sseqid cigar btop"};

// Answers to queries with no, few and many rows; `most` is the highest number of rows. It can be more than a
// piece of text has, or than all threads take at once.
struct ManyRows {
  Example example = local_example();
  std::vector<std::vector<Row>> rows;

  explicit ManyRows(std::size_t most) {
    for (const std::size_t count :
         {std::size_t{0}, std::size_t{1}, most, std::size_t{0}, most / 3, std::size_t{2}, std::size_t{0}})
      for (std::vector<Row>& of_query = rows.emplace_back(); of_query.size() < count;) {
        Row& row = of_query.emplace_back(example.hits[0][of_query.size() % 3]);
        row.significance.evalue = static_cast<double>(of_query.size()) * 1e-5;
      }
  }
  std::vector<Answer> answers() const {
    std::vector<Answer> result;
    for (const std::vector<Row>& of_query : rows) {
      const auto query = static_cast<SequenceSet::Index>(of_query.empty() ? 1 : 0);
      Answer& answer = result.emplace_back(Answer{example.queries[query], Rows(of_query)});
      answer.number = result.size() - 1;
      answer.primary = primary_row(answer.rows);
    }
    return result;
  }
};

std::string written_by(int threads, const ManyRows& rows, const char* format, bool at_once) {
  const TemporaryDirectory directory;
  ThreadPool pool(threads);
  OutputFile out(pool, directory.file("out"));
  Report report(OutputFormat::parse(format), rows.example.context(), out);
  report.begin();
  const std::vector<Answer> answers = rows.answers();
  if (at_once)
    report.write(answers);
  else
    for (const Answer& answer : answers) report.write({&answer, 1});
  report.end(answers.size());
  out.commit();
  return read_file(directory.file("out"));
}

// Returns the text of a single writer that gets all rows of an answer at once.
std::string written_by_one_writer(const ManyRows& rows, const char* format) {
  const TemporaryDirectory directory;
  ThreadPool pool(1);
  OutputFile out(pool, directory.file("out"));
  const ReportContext context = rows.example.context();
  const std::unique_ptr<Writer> writer = make_writer(OutputFormat::parse(format), context);
  writer->begin(out);
  const std::vector<Answer> answers = rows.answers();
  for (const Answer& answer : answers) writer->write(answer, 0, answer.rows.size());
  writer->end(answers.size());
  return std::string(view(writer->text()));
}

TEST(Report, BytesDoNotDependOnThreadsOrPieces) {
  for (const char* format : kFormats) {
    const bool is_short = OutputFormat::parse(format).needs_letters() == false;
    const ManyRows rows(is_short ? 70'000 : 7'000);
    const std::string expected = written_by_one_writer(rows, format);
    for (const int threads : {1, 2, 3})
      for (const bool at_once : {false, true})
        EXPECT_TRUE(written_by(threads, rows, format, at_once) == expected) << format << ", " << threads;
  }
}

TEST(Report, RowsOfColumnsAreThoseOfRecords) {
  const std::vector<SequenceSet::Index> query = {0, 0, 0}, subject = {2, 0, 1};
  const std::vector<std::int32_t> score = {7, 5, 3};
  Columns columns;
  columns.query = query;
  columns.subject = subject;
  columns.score = score;
  const Rows rows(columns, 1, 3);
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows.subject(0), 0u);
  EXPECT_EQ(rows[1].subject, 1u);
  EXPECT_EQ(rows[1].score, 3);
}

TEST(Report, AFullDiskIsNamedAndEndsTheWriting) {
  const ManyRows rows(70'000);
  for (const int threads : {1, 2}) {
    ThreadPool pool(threads);
    OutputFile out(pool, "/dev/full");
    Report report(OutputFormat::parse("6"), rows.example.context(), out);
    try {
      report.write(rows.answers());
      ADD_FAILURE() << "nothing failed";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::other);
      EXPECT_NE(std::string(error.what()).find("No space left on device"), std::string::npos);
    }
  }
}

TEST(Report, AStopRequestEndsTheWriting) {
  const ManyRows rows(70'000);
  const TemporaryDirectory directory;
  ThreadPool pool(2);
  StopFlag stop;
  OutputFile out(pool, directory.file("out"), FileState{}, stop);
  Report report(OutputFormat::parse("6"), rows.example.context(), out);
  stop.request();
  EXPECT_THROW(report.write(rows.answers()), Interrupted);
}

}  // namespace
}  // namespace alnus::io

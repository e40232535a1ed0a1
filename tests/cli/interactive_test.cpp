// alnus search --interactive: the answers to a program that sends queries through a pipe.
#include <algorithm>
#include <sstream>

#include "cli/cli_fixture.h"

namespace alnus::test {
namespace {

class Interactive : public CliTest {
 protected:
  Interactive() {
    write("db.fa", ">s1 the subject\nPAWHEAE\n>s2\nWWWWW\n>s3\nMKVLAHEAGAWGHEEKLMNPQRSTVWYF\n");
    write("q.fa", ">q1 first\nHEAGAWGHEE\n>q2\nPAWHEAE\n>q3 hits nothing\nDDDDD\n>q4\nWWWWW\n");
  }
  CommandResult search(const std::string& input, std::vector<std::string> more = {}) const {
    std::vector<std::string> arguments = {"search", "-", "db.fa", "-t", "1", "--evalue", "1e9"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    RunOptions options;
    options.input = input;
    return alnus(std::move(arguments), options);
  }
  CommandResult answers(const std::string& input, std::vector<std::string> more = {}) const {
    more.insert(more.begin(), "--interactive");
    return search(input, std::move(more));
  }
};

TEST_F(Interactive, AnswersEachQueryBeforeTheNextIsSent) {
  const CommandResult result = shell(R"(
    coproc "$1" search - db.fa --interactive --quiet --min-score 20 --evalue 1e9 --outfmt "6 qseqid sseqid score"
    in=${COPROC[1]} out=${COPROC[0]} pid=$COPROC_PID
    send() { printf "$1" >&$in; }
    ask() { send "$1"; read -r -t 60 answer <&$out && echo "$answer"; }
    ask '>q1 first\nPAWH\nEAE\n\n'
    ask '>q2\r\nWWWWW\r\n\r\n'
    send 'PAWHEAE\n\n'
    ask '>q4\nWWW\nWW\n>q5'
    exec {in}>&-
    cat <&$out
    wait $pid)");
  EXPECT_EQ(result.out, "q1\ts1\t44\nq2\ts2\t55\nq4\ts2\t55\n");
  EXPECT_THAT(result.err, HasSubstr("record 3"));
  EXPECT_EQ(result.exit_code, 1);
}

// The text without the lines that start with `beginning`.
std::string without(const std::string& text, std::string_view beginning) {
  std::string rest;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (!line.starts_with(beginning)) rest += line + "\n";
  return rest;
}

TEST_F(Interactive, SaysWhatASearchSays) {
  for (const char* format : {"sam", "srspair"}) {
    const char* command_line = format == std::string("sam") ? "@PG" : "# Commandline";
    const std::string expected = search(read("q.fa"), {"--outfmt", format}).out;
    EXPECT_NE(without(expected, command_line), expected);
    EXPECT_EQ(without(answers(read("q.fa"), {"--outfmt", format}).out, command_line),
              without(expected, command_line));
  }
  for (const char* format : {"0", "5", "6", "7", "10", "jsonl", "6 qseqid sseqid score qseq"}) {
    const CommandResult expected = search(read("q.fa"), {"--outfmt", format});
    const CommandResult result = answers(read("q.fa"), {"--outfmt", format});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(result.out, expected.out) << format;
    EXPECT_THAT(result.out, HasSubstr("q2")) << format;
    EXPECT_THAT(result.err, Not(HasSubstr("warning"))) << format;
  }
}

TEST_F(Interactive, WithEveryMethodOfStatisticsAndMasks) {
  for (const std::vector<std::string>& options :
       {std::vector<std::string>{"--stats", "karlin", "--composition", "scale"},
        {"--stats", "zvalue", "--shuffles", "20"},
        {"--stats", "regression"},
        {"--mask", "lower,seg"},
        {"--mode", "global", "--method", "striped"}}) {
    const std::string queries = read("q.fa") + ">q5\nmkvlaHEAGAWGHEE\n";
    EXPECT_EQ(answers(queries, options).out, search(queries, options).out) << options[1];
  }
}

TEST_F(Interactive, AQueryThatIsWrongIsNamedAndTheNextIsAnswered) {
  const std::string nul(1, '\0');
  const CommandResult result =
      answers(">q1\nPAWHEAE\n\n>q2\nPAW" + nul + "HEAE\nAAA\n\nWWWWW\n\n>q3\nACGTACGTACGT\n\n>q4\nWWWWW\n",
              {"--outfmt", "6 qseqid sseqid", "--min-score", "20"});
  EXPECT_EQ(result.out, "q1\ts1\nq4\ts2\n");
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err,
              HasSubstr("error: standard input, record 2 ('q2'), line 5, byte 20: the sequence has a NUL"));
  EXPECT_THAT(result.err,
              HasSubstr("error: standard input, record 3, line 8, byte 31: the character 'W' stands where"));
  EXPECT_THAT(result.err,
              HasSubstr("error: standard input, record 4 ('q3') looks like dna, but db.fa holds"));
  EXPECT_THAT(result.err, HasSubstr("2 hits listed, 4 pairs left out"));
  EXPECT_THAT(result.err, HasSubstr("2 queries, 3 subjects, 6 pairs, "));
  EXPECT_THAT(result.err, HasSubstr("error: 3 queries had no answer: the errors above say why."));
}

TEST_F(Interactive, ALastQueryThatIsNotCompleteIsNoFileThatWasCut) {
  const CommandResult result = answers("@q1\nMKV\nIII");
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err,
              HasSubstr("record 1 ('q1'), line 3, byte 11: the input ends in the middle of a FASTQ record "
                        "(without qualities). Complete the record."));
}

TEST_F(Interactive, WarningsNameTheRecord) {
  const CommandResult result = answers(">q1\nPAWHEAE\n\n>q2\nPAW1!HEAE\n\n>q3\nPAWHEAE\n");
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.err,
              HasSubstr("warning: 1 letter of standard input, record 2 ('q2') outside the protein"));
  EXPECT_THAT(result.err, Not(HasSubstr("'q3'")));
}

TEST_F(Interactive, AQueryWithoutASequenceOrANameIsAnswered) {
  const CommandResult result = answers(">q1\n\n>\nPAWHEAE\n", {"--outfmt", "6 sseqid", "--min-score", "20"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.out, "s1\n");
  EXPECT_THAT(result.err, HasSubstr("warning: standard input, record 1 ('q1') has no sequence."));
  EXPECT_THAT(result.err, HasSubstr("warning: standard input, record 2 ('') has no name."));
}

TEST_F(Interactive, CompressedQueriesAreOneError) {
  const CommandResult result = shell(R"(gzip -c q.fa | "$1" search - db.fa --interactive --quiet)");
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(result.out, "");
  EXPECT_THAT(result.err,
              ::testing::MatchesRegex("alnus: error: standard input is compressed by gzip; .*\n"));
  EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1);
}

TEST_F(Interactive, WithoutQueries) {
  const CommandResult result = answers("\n\n", {"--outfmt", "7"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, ::testing::StrEq("# BLAST processed 0 queries\n"));
}

TEST_F(Interactive, ADatabaseFileThatIsDamagedAnswersNothing) {
  ASSERT_EQ(alnus({"makedb", "db.fa", "-o", "db.alnus", "--quiet"}).exit_code, 0);
  const std::vector<std::string> command = {"search", "q.fa", "db.alnus", "--interactive", "--evalue", "1e9"};
  const CommandResult whole = alnus(command);
  EXPECT_EQ(whole.exit_code, 0) << whole.err;
  EXPECT_EQ(whole.out, search(read("q.fa")).out);
  std::string bytes = read("db.alnus");
  const std::size_t residue = bytes.find("the subject");
  ASSERT_NE(residue, bytes.npos);
  bytes[residue] = 'T';
  write("db.alnus", bytes);
  const CommandResult damaged = alnus(command);
  EXPECT_EQ(damaged.exit_code, 2);
  EXPECT_EQ(damaged.out, "");
  EXPECT_THAT(damaged.err, HasSubstr("checksum"));
}

// A sequence file that cannot be a database is the database's fault. An option that does not fit a database
// file is the option's.
TEST_F(Interactive, TheExitCodeTellsWhatIsWrong) {
  ASSERT_EQ(alnus({"makedb", "db.fa", "-o", "db.alnus", "--quiet"}).exit_code, 0);
  const auto exit_code = [&](const std::string& database, const std::vector<std::string>& more = {}) {
    std::vector<std::string> arguments = {"search", "q.fa", database, "--interactive"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return alnus(std::move(arguments)).exit_code;
  };
  write("bad.fa", "not FASTA\n");
  EXPECT_EQ(exit_code("bad.fa"), 2);
  EXPECT_EQ(exit_code("missing.fa"), 2);
  EXPECT_EQ(exit_code("db.alnus", {"--alphabet", "dna"}), 1);
  EXPECT_EQ(exit_code("db.fa", {"--memory", "1"}), 1);
}

TEST_F(Interactive, RefusesWhatItCannotDoAtOnce) {
  const std::set<std::string> before = files();
  for (const std::vector<std::string>& options :
       {std::vector<std::string>{"-o", "hits.tsv"}, {"--score-plot", "scores.svg"}, {"--dry-run"}}) {
    const CommandResult result = answers(read("q.fa"), options);
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_EQ(result.out, "");
    EXPECT_THAT(result.err, HasSubstr("--interactive answers each query at once: "));
    EXPECT_THAT(result.err, HasSubstr(options.front()));
  }
  EXPECT_EQ(files(), before);
}

TEST_F(Interactive, ASignalEndsIt) {
  const CommandResult result = shell(R"(
    coproc "$1" search - db.fa --interactive --quiet --evalue 1e9 --outfmt "6 qseqid sseqid"
    pid=$COPROC_PID
    printf '>q1\nWWWWW\n\n' >&${COPROC[1]}
    read -r -t 60 answer <&${COPROC[0]} && echo "$answer"
    kill -TERM $pid
    wait $pid)");
  EXPECT_EQ(result.out, "q1\ts2\n");
  EXPECT_EQ(result.exit_code, 143);
}

}  // namespace
}  // namespace alnus::test

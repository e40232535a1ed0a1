// Matrices of all pairs as tables (.csv, .tsv): their contents, checkpoints, more sequences, and parts.
#include <algorithm>
#include <charconv>
#include <cstring>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <stop_token>
#include <vector>

#include "alnus/matrix_table.h"
#include "alnus/session.h"
#include "api/support/errors.h"
#include "api/support/inputs.h"
#include "api/support/pair_files_fixture.h"
#include "api/support/parts_fixture.h"
#include "io/byte_source.h"
#include "support/temp_dir.h"

namespace alnus::test {
namespace {

using ::testing::HasSubstr;

// Returns the cells of each line of a table in which no id is quoted.
std::vector<std::vector<std::string>> cells_of(const std::string& text, char separator) {
  std::vector<std::vector<std::string>> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    std::vector<std::string>& line = lines.emplace_back();
    for (std::size_t from = at;;) {
      const std::size_t to = std::min(text.find(separator, from), end);
      line.push_back(text.substr(from, to - from));
      if (to == end) break;
      from = to + 1;
    }
    at = end + 1;
  }
  return lines;
}

template <class Value>
std::vector<Value> numbers_of_npy(const std::string& npy) {
  std::vector<Value> numbers((npy.size() - 128) / sizeof(Value));
  std::memcpy(numbers.data(), npy.data() + 128, numbers.size() * sizeof(Value));
  return numbers;
}

class ApiMatrixTables : public PairFilesTest {
 protected:
  // Expects that the table has the ids of these sequences as labels and, to the last bit, the numbers of the
  // .npy file.
  template <class Value>
  void expect_table(const std::string& table, char separator, const SequenceSet& rows,
                    const SequenceSet& columns, const std::string& npy) const {
    const auto lines = cells_of(table, separator);
    const std::vector<Value> numbers = numbers_of_npy<Value>(npy);
    ASSERT_EQ(numbers.size(), std::size_t{rows.size()} * columns.size());
    ASSERT_EQ(lines.size(), rows.size() + 1u);
    for (const auto& line : lines) ASSERT_EQ(line.size(), columns.size() + 1u);
    EXPECT_EQ(lines[0][0], "");
    for (Index i = 0; i < columns.size(); ++i) EXPECT_EQ(lines[0][i + 1], columns[i].id());
    for (Index j = 0; j < rows.size(); ++j) {
      EXPECT_EQ(lines[j + 1][0], rows[j].id());
      for (Index i = 0; i < columns.size(); ++i) {
        const std::string& cell = lines[j + 1][i + 1];
        Value value{};
        EXPECT_EQ(std::from_chars(cell.data(), cell.data() + cell.size(), value).ptr,
                  cell.data() + cell.size());
        EXPECT_EQ(value, numbers[std::size_t{j} * columns.size() + i]) << cell;
      }
    }
  }
};

TEST_F(ApiMatrixTables, HaveTheNumbersOfTheWholeMatrix) {
  for (const PairValue kind :
       {PairValue::score, PairValue::identity, PairValue::distance, PairValue::score_distance})
    for (const char* name : {"m.csv", "m.tsv", "m.csv.gz", "m.tsv.zst"}) {
      run({.matrix = outputs_.file(name)}, with_value(kind));
      EXPECT_EQ(files(), std::set<std::string>{name}) << "no ids and no values are left beside the table";
      run({.matrix = inputs_.file("m.npy"), .square = true}, with_value(kind));
      const std::string text = io::read_text(outputs_.file(name)), npy = read_file(inputs_.file("m.npy"));
      const char separator = std::string(name).find("csv") == std::string::npos ? '\t' : ',';
      if (kind == PairValue::score || kind == PairValue::score_distance)
        expect_table<std::int32_t>(text, separator, set_, set_, npy);
      else
        expect_table<float>(text, separator, set_, set_, npy);
      std::filesystem::remove(outputs_.file(name));
    }
}

TEST_F(ApiMatrixTables, OfTwoSetsAreRectangles) {
  const SequenceSet against = random_set({.seed = 5, .count = 4, .prefix = "t"});
  const PairInputs inputs{.set = set_, .against = against};
  session_.all_pairs(inputs, scoring_, with_value(), {.matrix = outputs_.file("m.csv")});
  session_.all_pairs(inputs, scoring_, with_value(), {.matrix = inputs_.file("m.npy")});
  EXPECT_EQ(files(), std::set<std::string>{"m.csv"});
  expect_table<float>(read("m.csv"), ',', set_, against, read_file(inputs_.file("m.npy")));
}

TEST_F(ApiMatrixTables, StandBesideOtherOutputs) {
  PairFiles files = three_files(outputs_);
  files.matrices = {{PairValue::score, outputs_.file("s.csv")},
                    {PairValue::distance, outputs_.file("d.tsv.gz")}};
  files.phylip = outputs_.file("d.phy");
  std::string said;
  RunControl control;
  control.on_message = [&](const Message& message) { said += message.text() + "\n"; };
  session_.all_pairs(PairInputs{.set = set_}, scoring_, with_value(), files, control);
  EXPECT_THAT(said, HasSubstr("s.csv has a diagonal: each sequence is aligned with itself, too"));
  EXPECT_EQ(this->files(), (std::set<std::string>{"rows.tsv", "matrix.npy", "matrix.npy.ids", "edges.tsv",
                                                  "s.csv", "d.tsv.gz", "d.phy"}));
  said.clear();
  session_.all_pairs(PairInputs{.set = set_}, scoring_, with_value(), {.matrix = outputs_.file("alone.csv")},
                     control);
  EXPECT_THAT(said, testing::Not(HasSubstr("diagonal"))) << "no other output gets pairs by the table";
  AllPairsOptions self = with_value();
  self.self = true;
  PairFiles alone = three_files(inputs_);
  alone.phylip = inputs_.file("d.phy");
  run(alone, self);
  for (const char* name : {"rows.tsv", "matrix.npy", "edges.tsv", "d.phy"})
    EXPECT_TRUE(read(name) == read_file(inputs_.file(name))) << name;
}

TEST_F(ApiMatrixTables, OfScoresWithDecimalsHaveThem) {
  ScoringOptions options;
  options.gap_open = "9.5";
  options.gap_extend = "0.5";
  const SequenceSet set = set_of({"MKVLAWQRYTWW", "MKVLARYTWW"});
  session_.all_pairs(PairInputs{.set = set}, make_scoring(options), with_value(PairValue::score),
                     {.matrix = outputs_.file("m.tsv")});
  const auto lines = cells_of(read("m.tsv"), '\t');
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[1][2], lines[2][1]);
  EXPECT_THAT(lines[1][2], HasSubstr(".5"));
  EXPECT_THAT(lines[1][1], testing::Not(HasSubstr(".")));
}

TEST_F(ApiMatrixTables, NamesOfOtherFormatsAreRefused) {
  for (const char* name : {"m.xlsx", "m.csv.bz2", "m.html", "m.txt", "m.npy.gz", "m.ods", "m.phy"}) {
    const std::string error = input_error([&] { run({.matrix = outputs_.file(name)}, with_value()); });
    EXPECT_THAT(error, HasSubstr("Name it .npy, or .csv or .tsv")) << name;
  }
  EXPECT_THAT(input_error([&] {
                run({.matrix = outputs_.file("m.csv"), .matrix_type = MatrixType::int32},
                    with_value(PairValue::score));
              }),
              HasSubstr("a table has numbers as text"));
  EXPECT_NE(input_error([&] {
              run({.rows = outputs_.file("m.csv.values"), .matrix = outputs_.file("m.csv")}, with_value());
            }),
            "")
      << "the values of the table go to this name until they are complete";
  EXPECT_TRUE(files().empty());
}

TEST_F(ApiMatrixTables, TooLargeForSpreadsheetsAreAWarning) {
  const SequenceSet many = random_set({.seed = 3, .count = 16'384, .shortest = 1, .longest = 2});
  const SequenceSet few = random_set({.seed = 4, .count = 2, .prefix = "t"});
  const auto warnings = [&](const PairInputs& inputs) {
    std::string said;
    RunControl control;
    control.on_message = [&](const Message& message) { said += message.text(); };
    session_.all_pairs(inputs, scoring_, with_value(PairValue::score), {.matrix = outputs_.file("m.csv")},
                       control);
    return said;
  };
  EXPECT_THAT(warnings({.set = few, .against = many}),
              HasSubstr("m.csv has 2 rows and 16,384 columns, of which a spreadsheet shows the first "
                        "1,048,576 and 16,384, labels included."));
  EXPECT_THAT(warnings({.set = many, .against = few}), testing::Not(HasSubstr("spreadsheet")));
}

TEST_F(ApiMatrixTables, TheirExpectedSizeIsNearTheirSize) {
  for (const PairValue kind : {PairValue::score, PairValue::identity, PairValue::distance}) {
    const PairFiles files{.matrix = outputs_.file("m.csv")};
    const Cost cost = session_.cost_of_all_pairs(PairInputs{.set = set_}, scoring_, with_value(kind), files);
    EXPECT_EQ(cost.pairs, 35u * 36 / 2) << "each sequence is aligned with itself, too";
    run(files, with_value(kind));
    const auto bytes = static_cast<double>(std::filesystem::file_size(files.matrix));
    EXPECT_GT(static_cast<double>(cost.matrix_bytes), 0.5 * bytes);
    EXPECT_LT(static_cast<double>(cost.matrix_bytes), 2 * bytes);
  }
}

// ---- Checkpoints ----

class ApiCheckpointOfTables : public ApiMatrixTables {
 protected:
  PairFiles tables_in(const TempDir& directory, bool with_checkpoint = true) const {
    PairFiles files{.matrix = directory.file("m.csv"),
                    .matrices = {{PairValue::score, directory.file("s.tsv.gz")},
                                 {PairValue::distance, directory.file("d.npy")}}};
    if (with_checkpoint) files.checkpoint = directory.file("ledger");
    return files;
  }
  void expect_same() const {
    for (const char* name : {"m.csv", "d.npy", "d.npy.ids"})
      EXPECT_TRUE(read(name) == read_file(inputs_.file(name))) << name;
    EXPECT_TRUE(io::read_text(outputs_.file("s.tsv.gz")) == io::read_text(inputs_.file("s.tsv.gz")));
    EXPECT_EQ(files(), (std::set<std::string>{"m.csv", "s.tsv.gz", "d.npy", "d.npy.ids", "ledger"}));
  }
};

// The run is cancelled up to three times, each time when more stripes are in the ledger than before.
TEST_F(ApiCheckpointOfTables, GoOnToTheSameBytes) {
  const SequenceSet some = random_set({.seed = 8, .count = 300, .shortest = 20, .longest = 40});
  const SequenceSet others = random_set({.seed = 9, .count = 200, .shortest = 20, .longest = 40});
  for (const PairInputs& inputs : {PairInputs{.set = some}, PairInputs{.set = some, .against = others}}) {
    Session session(session_options(2, 1 << 18));
    const AllPairsOptions options = with_value(PairValue::score_distance);
    const auto files_in = [&](const TempDir& directory, bool with_checkpoint) {
      std::filesystem::remove_all(directory.path() / (with_checkpoint ? "none" : "ledger"));
      PairFiles files = tables_in(directory, with_checkpoint);
      files.matrices.erase(PairValue::distance);
      return files;
    };
    session.all_pairs(inputs, scoring_, options, files_in(inputs_, false));
    std::filesystem::remove_all(outputs_.file("ledger"));
    int interrupted = 0;
    for (bool done = false; !done;) {
      const auto ledger = outputs_.file("ledger/ledger.json");
      const std::string before = std::filesystem::exists(ledger) ? read_file(ledger) : "";
      std::stop_source source;
      RunControl stopped;
      stopped.stop = source.get_token();
      stopped.on_progress = [&](const Progress&) {
        if (interrupted < 3 && std::filesystem::exists(ledger) && read_file(ledger) != before)
          source.request_stop();
      };
      const Thrown thrown =
          thrown_by([&] { session.all_pairs(inputs, scoring_, options, files_in(outputs_, true), stopped); });
      done = !thrown.interrupted;
      interrupted += thrown.interrupted;
      EXPECT_TRUE(thrown.interrupted || thrown.text == "nothing was thrown") << thrown.text;
    }
    EXPECT_TRUE(read("m.csv") == read_file(inputs_.file("m.csv")));
    EXPECT_TRUE(io::read_text(outputs_.file("s.tsv.gz")) == io::read_text(inputs_.file("s.tsv.gz")));
    EXPECT_EQ(files(), (std::set<std::string>{"m.csv", "s.tsv.gz", "ledger"}));
    EXPECT_TRUE(session.all_pairs(inputs, scoring_, options, files_in(outputs_, true)).finished_before);
  }
}

TEST_F(ApiCheckpointOfTables, ThatStopsWhenAllValuesAreKnownGoesOn) {
  run(tables_in(inputs_, false), with_value());
  RunControl control;
  control.on_progress = [&](const Progress&) {  // a file cannot replace a directory
    std::filesystem::create_directory(outputs_.file("s.tsv.gz"));
  };
  EXPECT_THAT(other_error([&] {
                session_.all_pairs(PairInputs{.set = set_}, scoring_, with_value(), tables_in(outputs_),
                                   control);
              }),
              HasSubstr("Cannot rename the output file"));
  for (const char* name : {"m.csv", "m.csv.values.alnus-part", "s.tsv.gz.values.alnus-part"})
    EXPECT_TRUE(files().contains(name)) << name;
  std::filesystem::remove(outputs_.file("s.tsv.gz"));
  EXPECT_EQ(run(tables_in(outputs_), with_value()).pairs, 0u) << "that are computed again";
  expect_same();
}

TEST_F(ApiCheckpointOfTables, AFileThatCannotBeWrittenIsKnownBeforeTheRun) {
  std::filesystem::create_directory(outputs_.file("m.csv"));
  RunControl control;
  control.on_progress = [&](const Progress& progress) { EXPECT_EQ(progress.pairs_done, 0u); };
  EXPECT_THAT(other_error([&] {
                session_.all_pairs(PairInputs{.set = set_}, scoring_, with_value(), tables_in(outputs_),
                                   control);
              }),
              HasSubstr("m.csv"));
  EXPECT_EQ(files(), (std::set<std::string>{"m.csv", "ledger"}));
}

TEST_F(ApiCheckpointOfTables, OfAFinishedRunChecksTheTable) {
  run(tables_in(outputs_), with_value());
  EXPECT_TRUE(run(tables_in(outputs_), with_value()).finished_before);
  outputs_.write_file("m.csv", "," + read("m.csv"));
  EXPECT_THAT(input_error([&] { run(tables_in(outputs_), with_value()); }),
              HasSubstr("m.csv is not as the run"));
}

TEST_F(ApiCheckpointOfTables, MoreSequencesExtendTheTable) {
  AllPairsOptions options = with_value();
  options.significance = false;
  const SequenceSet more = joined(relatives_set(4, 9, 60), set_.part(3, 6));
  session_.all_pairs(PairInputs{.set = joined(set_, more)}, scoring_, options, tables_in(inputs_, false));
  run(tables_in(outputs_), options);
  const PairInputs added{.set = set_, .added = more};
  const AllPairsSummary summary = session_.all_pairs(added, scoring_, options, tables_in(outputs_));
  EXPECT_EQ(summary.first_row, set_.size()) << "only the rows of these are computed";
  expect_same();
  EXPECT_TRUE(
      session_.all_pairs(PairInputs{.set = joined(set_, more)}, scoring_, options, tables_in(outputs_))
          .finished_before);
}

// ---- Parts ----

class ApiPartsOfTables : public PartsTest {};

TEST_F(ApiPartsOfTables, AreMergedToTheSameBytes) {
  for (const bool two : {false, true}) {
    PairsJob job;
    job.inputs.set = relatives_set(1, 12, 60);
    if (two) job.inputs.against = random_set({.seed = 3, .count = 4, .prefix = "t"});
    job.files.matrix = "identity.csv";
    job.files.matrices = {{PairValue::score, "score.tsv"}, {PairValue::distance, "distance.npy"}};
    job.files.edges = "edges.tsv";
    job.files.edge_threshold = 30;
    job.options.value = MatrixValue{};
    expect_whole(job);
  }
}

TEST_F(ApiPartsOfTables, AreMergedToTablesAlone) {
  PairsJob job;
  job.inputs.set = relatives_set(1, 5, 60);
  job.options.value = MatrixValue{};
  job.files.matrix = "m.csv";
  const std::vector<std::string> of_table = parts_of(job, 2);
  job.files.matrix = "m.npy";
  const std::vector<std::string> of_array = parts_of(job, 2);
  Session session(session_options());
  const TempDir merged;
  const auto merge = [&](const std::vector<std::string>& parts, const char* name) {
    session.merge(parts, JobFiles{.matrix = merged.file(name)});
  };
  EXPECT_THAT(input_error([&] { merge(of_table, "m.npy"); }), HasSubstr("the parts have a table here"));
  EXPECT_THAT(input_error([&] { merge(of_array, "m.csv"); }),
              HasSubstr("the parts have a matrix in NumPy's format here, not a table"));
  merge(of_table, "m.tsv.gz");  // a table of another form has the same values
  EXPECT_EQ(cells_of(io::read_text(merged.file("m.tsv.gz")), '\t').size(), 6u);
}

}  // namespace
}  // namespace alnus::test

// Session::all_pairs on the strands of DNA: on the minus strand the reverse complement of a pair's longer
// sequence is aligned.
#include <algorithm>
#include <chrono>
#include <gtest/gtest.h>
#include <map>
#include <stop_token>
#include <thread>

#include "alnus/session.h"
#include "api/support/errors.h"
#include "api/support/strands.h"
#include "api/support/table.h"
#include "support/scorings.h"
#include "support/temp_dir.h"

namespace alnus::test {
namespace {

AllPairsOptions options_of(Strands strands, Detail detail = Detail::alignment, bool self = false) {
  AllPairsOptions options;
  options.self = self;
  options.detail = detail;
  options.strands = strands;
  options.statistics = no_statistics();
  return options;
}

struct Found {
  std::vector<Columns> batches;
  std::map<std::pair<Index, Index>, double> values;  // by row and column of the pair matrix
  std::size_t stripes = 0;
  AllPairsSummary summary;

  Table table() const {
    Table all;
    for (const Columns& batch : batches) all.append(batch);
    return all;
  }
};

// Returns what a call finds: all pairs of two sets, or of one set if `against` is null.
Found all_pairs(Session& session, const SequenceSet& set, const SequenceSet* against, const Scoring& scoring,
                const AllPairsOptions& options) {
  Found found;
  PairSink sink;
  sink.rows = [&](const Columns& batch, const std::string&) { found.batches.push_back(batch); };
  if (options.value)
    sink.values = [&](const ValueStripe& stripe) {
      ++found.stripes;
      for (Index row = stripe.rows.begin; row < stripe.rows.end; ++row) {
        const Index last = against ? stripe.columns.end : std::min(stripe.columns.end, row + options.self);
        for (Index column = stripe.columns.begin; column < last; ++column)
          found.values[{row, column}] = stripe.row(row)[column - stripe.columns.begin];
      }
    };
  found.summary = against ? session.all_pairs(set, *against, scoring, options, sink)
                          : session.all_pairs(set, scoring, options, sink);
  return found;
}

double value_of(const StrandRow& row, const SequenceSet& queries, const SequenceSet& subjects,
                const Scoring& scoring, const MatrixValue& value) {
  if (value.kind == PairValue::score) return static_cast<double>(row.result.alignment.score) / scoring.scale;
  const Fraction identity = identity_of(row.result.counts, queries.length(row.query),
                                        subjects.length(row.subject), value.denominator);
  const double share = static_cast<double>(identity.numerator) / static_cast<double>(identity.denominator);
  return value.kind == PairValue::identity ? 100 * share : 1 - share;
}

class ApiStrandAllPairsScorings : public testing::TestWithParam<NamedScoring> {
 protected:
  const Scoring& scoring_ = GetParam().scoring;
  // Some sequences have equal lengths, and some are equal.
  const SequenceSet set_ =
                        joined(strands_set({.seed = 11, .count = 18}), strands_set({.seed = 11, .count = 4})),
                    against_ = strands_set({.seed = 12, .count = 15});
  Session session_{session_options()};
};

TEST_P(ApiStrandAllPairsScorings, EveryPairOfASet) {
  for (const Strands strands : kAllStrands) {
    for (const bool self : {false, true}) {
      const std::vector<StrandRow> all = strand_pairs(set_, scoring_, strands, self),
                                   expected = without_empty(all, scoring_);
      std::uint64_t cells = 0;
      for (const StrandRow& row : all) cells += set_.length(row.query) * set_.length(row.subject);
      for (const Detail detail : {Detail::score, Detail::ends, Detail::alignment}) {
        const Found found = all_pairs(session_, set_, nullptr, scoring_, options_of(strands, detail, self));
        EXPECT_TRUE(equal(found.batches, expected, {strands, detail}))
            << to_string(strands) << ", detail " << static_cast<int>(detail);
        EXPECT_EQ(found.summary.pairs, all.size());
        EXPECT_EQ(found.summary.cells, number_of(strands) * cells);
        EXPECT_EQ(found.summary.listed, expected.size());
        EXPECT_EQ(found.summary.empty, all.size() - expected.size());
        EXPECT_EQ(found.summary.filtered, 0u);
      }
    }
  }
}

TEST_P(ApiStrandAllPairsScorings, EverySequenceWithEveryOneOfAnotherSet) {
  for (const Strands strands : kAllStrands) {
    const std::vector<StrandRow> all = strand_pairs(set_, against_, scoring_, strands);
    for (const Detail detail : {Detail::score, Detail::ends, Detail::alignment}) {
      const Found found = all_pairs(session_, set_, &against_, scoring_, options_of(strands, detail));
      EXPECT_TRUE(equal(found.batches, without_empty(all, scoring_), {strands, detail}))
          << to_string(strands);
      EXPECT_EQ(found.summary.cells, number_of(strands) * set_.total_residues() * against_.total_residues());
    }
  }
}

TEST_P(ApiStrandAllPairsScorings, ValuesAreThoseOfTheBetterStrand) {
  for (const SequenceSet* against : {static_cast<const SequenceSet*>(nullptr), &against_}) {
    const std::vector<StrandRow> all = against ? strand_pairs(set_, *against, scoring_, Strands::both)
                                               : strand_pairs(set_, scoring_, Strands::both, false);
    for (const PairValue kind : {PairValue::score, PairValue::identity, PairValue::distance}) {
      AllPairsOptions options = options_of(Strands::both, Detail::score);
      options.value = MatrixValue{kind, Denominator::shorter};
      options.filter.min_score = 12;
      const Found found = all_pairs(session_, set_, against, scoring_, options);
      ASSERT_EQ(found.values.size(), all.size());
      std::size_t listed = 0;
      for (const StrandRow& row : all) {
        const std::pair<Index, Index> place =
            against ? std::pair(row.query, row.subject) : std::pair(row.subject, row.query);
        EXPECT_NEAR(found.values.at(place),
                    value_of(row, set_, against ? *against : set_, scoring_, *options.value), 1e-9);
        listed += row.result.alignment.score >= 12 * scoring_.scale;
      }
      EXPECT_EQ(found.summary.listed, listed);
      EXPECT_EQ(found.summary.filtered, all.size() - listed);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(, ApiStrandAllPairsScorings, testing::ValuesIn(strand_scorings()),
                         [](const auto& info) { return info.param.name; });

class ApiStrandAllPairs : public testing::Test {
 protected:
  const Scoring scoring_ = dna("2", "-3", "5", "2");
  const SequenceSet set_ = strands_set({.seed = 13, .count = 30}),
                    against_ = strands_set({.seed = 14, .count = 20});
  Session session_{session_options()};
};

TEST_F(ApiStrandAllPairs, ThePlusStrandIsTheDefault) {
  AllPairsOptions options = options_of(Strands::plus);
  options.strands = AllPairsOptions().strands;
  const Found found = all_pairs(session_, set_, nullptr, scoring_, options);
  EXPECT_TRUE(equal(found.batches,
                    without_empty(strand_pairs(set_, scoring_, Strands::plus, false), scoring_),
                    {Strands::plus}));
}

TEST_F(ApiStrandAllPairs, AResultDoesNotDependOnTheOrderInTheFile) {
  for (const NamedScoring& named : strand_scorings()) {
    const Found forth = all_pairs(session_, set_, nullptr, named.scoring, options_of(Strands::both)),
                back = all_pairs(session_, reversed(set_), nullptr, named.scoring, options_of(Strands::both));
    // With an asymmetric matrix or asymmetric free ends a score depends on which sequence is the row's query.
    if (named.name.find("asymmetric") != std::string::npos || named.name.find("some") != std::string::npos ||
        named.scoring.free_ends.query_begin != named.scoring.free_ends.subject_begin ||
        named.scoring.free_ends.query_end != named.scoring.free_ends.subject_end)
      continue;
    std::map<std::pair<Index, Index>, std::vector<std::int32_t>> results;
    const auto values = [](const Columns& rows, std::size_t i) {
      return std::vector<std::int32_t>{static_cast<std::int32_t>(rows.strand[i]), rows.score[i],
                                       rows.length[i], rows.identical[i], rows.gap_residues[i]};
    };
    for (const Columns& rows : forth.batches)
      for (std::size_t i = 0; i < rows.size(); ++i)
        results[{rows.query[i], rows.subject[i]}] = values(rows, i);
    const Index last = set_.size() - 1;
    std::size_t compared = 0;
    for (const Columns& rows : back.batches)
      for (std::size_t i = 0; i < rows.size(); ++i, ++compared)
        EXPECT_EQ(values(rows, i), results.at({last - rows.subject[i], last - rows.query[i]})) << named.name;
    EXPECT_EQ(compared, results.size());
  }
}

TEST_F(ApiStrandAllPairs, EachBlockHasItsPairsOfTheMatrix) {
  Random random(3);
  const SequenceSet* const sets[] = {nullptr, &against_};
  for (const SequenceSet* against : sets) {
    for (int k = 0; k < 12; ++k) {
      const bool self = against == nullptr && k % 2 == 0;
      const auto range = [&](Index size) {
        const auto a = static_cast<Index>(below(random, size + 1)),
                   b = static_cast<Index>(below(random, size + 1));
        return IndexRange{std::min(a, b), std::max(a, b)};
      };
      AllPairsOptions options = options_of(Strands::both, Detail::alignment, self);
      options.block = Block{range(set_.size()), range(against ? against->size() : set_.size())};
      std::vector<StrandRow> expected =
          without_empty(against ? strand_pairs(set_, *against, scoring_, Strands::both)
                                : strand_pairs(set_, scoring_, Strands::both, self),
                        scoring_);
      std::erase_if(expected, [&](const StrandRow& row) {
        const Index of_row = against ? row.query : row.subject, of_column = against ? row.subject : row.query;
        const auto in = [](const IndexRange& all, Index i) { return i >= all.begin && i < all.end; };
        return !in(options.block->rows, of_row) || !in(options.block->columns, of_column);
      });
      EXPECT_TRUE(equal(all_pairs(session_, set_, against, scoring_, options).batches, expected, {}));
    }
  }
}

TEST_F(ApiStrandAllPairs, PairsAreFilteredByTheirBetterStrand) {
  const std::vector<StrandRow> all = strand_pairs(set_, scoring_, Strands::both, false);
  AllPairsOptions options = options_of(Strands::both, Detail::score);
  options.filter = {{.min_identity = 70, .denominator = Denominator::alignment}, 15};
  std::vector<StrandRow> expected = all;
  std::erase_if(expected, [&](const StrandRow& row) {
    return row.result.alignment.score < 15 ||
           100.0 * row.result.counts.identical < 70.0 * row.result.counts.columns;
  });
  const Found found = all_pairs(session_, set_, nullptr, scoring_, options);
  std::vector<std::pair<Index, Index>> pairs, wanted;
  for (const Columns& rows : found.batches)
    for (std::size_t i = 0; i < rows.size(); ++i) pairs.emplace_back(rows.query[i], rows.subject[i]);
  for (const StrandRow& row : expected) wanted.emplace_back(row.query, row.subject);
  EXPECT_GT(wanted.size(), 10u);
  EXPECT_EQ(pairs, wanted);
  EXPECT_EQ(found.summary.filtered, all.size() - wanted.size());
}

TEST_F(ApiStrandAllPairs, StripesThreadsMemoryAndInstructionSetsChangeNothing) {
  const SequenceSet set = strands_set({.seed = 15, .count = 400, .longest = 16});
  AllPairsOptions options;
  options.strands = Strands::both;
  options.value = MatrixValue{.kind = PairValue::identity};
  options.identity_ranges = {Denominator::shorter};
  options.filter.min_score = 10;
  const auto found_by = [&](SessionOptions with, const char* isa = "auto") {
    with.isa = isa;
    Session session(with);
    return all_pairs(session, set, nullptr, scoring_, options);
  };
  const Found expected = found_by(session_options(1));
  EXPECT_GT(expected.table().size(), 1000u);
  const auto expect_same = [&](const Found& found) {
    EXPECT_TRUE(same(found.table(), expected.table()));
    EXPECT_EQ(found.values, expected.values);
  };
  expect_same(found_by(session_options(4)));
  const Found small = found_by(session_options(2, 1 << 20));
  EXPECT_GT(small.stripes, expected.stripes) << "there are several stripes";
  expect_same(small);
  for (const Backend& backend : backends()) {
    if (backend.name != "cpu" || devices_of_tests() != "cpu") continue;
    for (const std::string& isa : backend.isas) expect_same(found_by(session_options(2), isa.c_str()));
  }
}

TEST_F(ApiStrandAllPairs, ProteinsHaveOneStrand) {
  const SequenceSet set = relatives_set(1, 3, 30);
  for (const Strands strands : {Strands::minus, Strands::both})
    EXPECT_NE(input_error([&] { all_pairs(session_, set, nullptr, default_scoring(), options_of(strands)); }),
              "");
}

TEST_F(ApiStrandAllPairs, OfNothing) {
  const SequenceSet empty = set_of({"", "", "A"}, AlphabetKind::dna);
  for (const char* mode : {"local", "global", "semiglobal"}) {
    Scoring scoring = scoring_;
    scoring.mode = default_scoring(mode).mode;
    scoring.free_ends = default_scoring(mode).free_ends;
    for (const Strands strands : kAllStrands) {
      EXPECT_TRUE(equal(
          all_pairs(session_, empty, nullptr, scoring, options_of(strands, Detail::alignment, true)).batches,
          without_empty(strand_pairs(empty, scoring, strands, true), scoring), {strands}));
      EXPECT_EQ(all_pairs(session_, set_of({}, AlphabetKind::dna), nullptr, scoring, options_of(strands))
                    .table()
                    .size(),
                0u);
    }
  }
}

TEST_F(ApiStrandAllPairs, TheCostIsThatOfTheStrands) {
  for (const Strands strands : kAllStrands) {
    const AllPairsOptions options = options_of(strands);
    PairInputs inputs{.set = set_};
    const PairFiles files{.rows = "rows.tsv", .format = OutputFormat::parse("6")};
    const Cost cost = session_.cost_of_all_pairs(inputs, scoring_, options, files);
    const Found found = all_pairs(session_, set_, nullptr, scoring_, options);
    EXPECT_EQ(cost.cells, found.summary.cells);
    EXPECT_EQ(cost.pairs, found.summary.pairs);
  }
}

TEST_F(ApiStrandAllPairs, ProgressEndsAtItsTotal) {
  for (const Detail detail : {Detail::score, Detail::alignment}) {
    Progress last;
    RunControl run;
    run.on_progress = [&](const Progress& progress) { last = progress; };
    const AllPairsSummary summary = session_.all_pairs(set_, scoring_, options_of(Strands::both, detail),
                                                       {.rows = [](const auto&...) {}}, run);
    EXPECT_EQ(last.pairs_done, last.pairs_total);
    EXPECT_EQ(last.cells_done, last.cells_total);
    EXPECT_GE(last.cells_done, summary.cells);
  }
}

// Runs into files that continue from a checkpoint.
class ApiStrandCheckpoint : public ApiStrandAllPairs {
 protected:
  PairFiles files() const {
    PairFiles files{.rows = directory_.file("rows.tsv"),
                    .format = OutputFormat::parse("6 std sstrand cigar")};
    files.checkpoint = directory_.file("checkpoint");
    return files;
  }
  const TempDir directory_;
};

TEST_F(ApiStrandCheckpoint, ARunDoesNotGoOnWithOtherStrands) {
  AllPairsOptions options = options_of(Strands::both);
  session_.all_pairs(PairInputs{.set = set_}, scoring_, options, files());
  EXPECT_TRUE(session_.all_pairs(PairInputs{.set = set_}, scoring_, options, files()).finished_before);
  for (const Strands other : {Strands::plus, Strands::minus}) {
    options.strands = other;
    const std::string text =
        input_error([&] { session_.all_pairs(PairInputs{.set = set_}, scoring_, options, files()); });
    EXPECT_NE(text.find("strand"), std::string::npos) << text;
  }
}

TEST_F(ApiStrandCheckpoint, AnInterruptedRunGoesOnToTheSameBytes) {
  const SequenceSet set = strands_set({.seed = 16, .count = 500, .longest = 24});
  const AllPairsOptions options = options_of(Strands::both);
  PairFiles whole = files();
  whole.rows = directory_.file("whole.tsv");
  whole.checkpoint.clear();
  Session session(session_options(2, 4 << 20));
  session.all_pairs(PairInputs{.set = set}, scoring_, options, whole);
  int interrupted = 0;
  for (int attempt = 0; attempt < 200; ++attempt) {
    std::stop_source source;
    RunControl run;
    run.stop = source.get_token();
    const std::jthread stopper([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(5 + 3 * attempt));
      source.request_stop();
    });
    const Thrown thrown =
        thrown_by([&] { session.all_pairs(PairInputs{.set = set}, scoring_, options, files(), run); });
    if (!thrown.interrupted) break;
    ++interrupted;
  }
  EXPECT_GT(interrupted, 0);
  EXPECT_EQ(read_file(directory_.file("rows.tsv")), read_file(directory_.file("whole.tsv")));
}

}  // namespace
}  // namespace alnus::test

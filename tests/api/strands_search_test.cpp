// Session::search on the strands of DNA: hits are those that follow from align_reference() on the better
// strand of each pair.
#include <algorithm>
#include <bit>
#include <gtest/gtest.h>
#include <tuple>

#include "alnus/session.h"
#include "api/support/errors.h"
#include "api/support/strands.h"
#include "api/support/table.h"
#include "support/scorings.h"
#include "support/temp_dir.h"

namespace alnus::test {
namespace {

SearchOptions options_of(Strands strands, std::uint32_t max_target_seqs, Detail detail = Detail::alignment) {
  return {.detail = detail,
          .max_target_seqs = max_target_seqs,
          .strands = strands,
          .statistics = no_statistics()};
}

class ApiStrandSearchScorings : public testing::TestWithParam<NamedScoring> {};

TEST_P(ApiStrandSearchScorings, AHitIsAPairOnItsBetterStrand) {
  const Scoring& scoring = GetParam().scoring;
  const SequenceSet queries = strands_set({.seed = 1, .count = 14}),
                    subjects = strands_set({.seed = 2, .count = 26});
  Session session(session_options());
  for (const Strands strands : kAllStrands) {
    for (const std::uint32_t max_target_seqs : {1U, 4U, 500U}) {
      SCOPED_TRACE(to_string(strands) + ", " + std::to_string(max_target_seqs));
      const StrandHits expected = strand_hits(queries, subjects, scoring, strands, max_target_seqs);
      for (const Detail detail : {Detail::score, Detail::ends, Detail::alignment}) {
        const SearchResult result =
            session.search(queries, subjects, scoring, options_of(strands, max_target_seqs, detail));
        EXPECT_TRUE(equal(result.hits.rows, expected.rows, {strands, detail}));
        EXPECT_EQ(SearchRows(result.hits).hits, expected.hits);
        const SearchSummary& summary = result.summary;
        EXPECT_EQ(summary.queries, queries.size());
        EXPECT_EQ(summary.pairs, std::uint64_t{queries.size()} * subjects.size());
        EXPECT_EQ(summary.cells, number_of(strands) * queries.total_residues() * subjects.total_residues());
        EXPECT_EQ(summary.hits, expected.rows.size());
        EXPECT_EQ(summary.left_out, summary.pairs - expected.rows.size());
        EXPECT_EQ(summary.cut_ties, expected.cut_ties);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(, ApiStrandSearchScorings, testing::ValuesIn(strand_scorings()),
                         [](const auto& info) { return info.param.name; });

class ApiStrandSearch : public testing::Test {
 protected:
  const Scoring scoring_ = dna("2", "-3", "5", "2");
  const SequenceSet queries_ = strands_set({.seed = 1, .count = 18}),
                    subjects_ = strands_set({.seed = 2, .count = 40});
  Session session_{session_options()};
};

TEST_F(ApiStrandSearch, BothStrandsOfDnaAreTheDefault) {
  SearchOptions options = options_of(Strands::both, 10);
  const SearchRows both(session_.search(queries_, subjects_, scoring_, options).hits);
  options.strands.reset();
  const SearchResult usual = session_.search(queries_, subjects_, scoring_, options);
  EXPECT_TRUE(same(SearchRows(usual.hits), both));
  EXPECT_EQ(usual.hits.rows.strand.size(), usual.hits.rows.size());
  EXPECT_EQ(default_search_strands(AlphabetKind::dna), Strands::both);
  EXPECT_EQ(default_search_strands(AlphabetKind::protein), Strands::plus);
}

TEST_F(ApiStrandSearch, ProteinsHaveOneStrand) {
  const SequenceSet set = relatives_set(1, 6, 30);
  const Columns usual = session_.search(set, set, default_scoring()).hits.rows;
  EXPECT_GT(usual.size(), 0u);
  EXPECT_TRUE(usual.strand.empty());
  EXPECT_EQ(usual.row(0).strand, Strand::plus);
  const Columns plus = session_.search(set, set, default_scoring(), {.strands = Strands::plus}).hits.rows;
  EXPECT_TRUE(same(Table(plus), Table(usual)));
  for (const Strands strands : {Strands::minus, Strands::both})
    EXPECT_NE(input_error([&] { session_.search(set, set, default_scoring(), {.strands = strands}); }), "");
  EXPECT_NE(
      input_error([&] { session_.cost_of_search(set, set, default_scoring(), {.strands = Strands::both}); }),
      "");
}

TEST_F(ApiStrandSearch, EqualScoresAreHitsOfThePlusStrand) {
  // The first query is its own reverse complement. The second scores the same on both strands of its subject.
  const SequenceSet queries = set_of({"ACGTTAACGT", "GGGGTTTT"}, AlphabetKind::dna),
                    subjects = set_of({"CCACGTTAACGTCC", "GGGGTTTTAAAACCCC"}, AlphabetKind::dna);
  const Columns rows = session_.search(queries, subjects, scoring_, options_of(Strands::both, 1)).hits.rows;
  ASSERT_EQ(rows.size(), 2u);
  for (const Strand strand : rows.strand) EXPECT_EQ(strand, Strand::plus);
  EXPECT_EQ(rows.subject_begin[1], 0);
}

TEST_F(ApiStrandSearch, ADatabaseFileAndAnyThreadsMemoryAndInstructionSetGiveTheSameBytes) {
  const TempDir directory;
  const SequenceSet queries = strands_set({.seed = 3, .count = 60, .longest = 60}),
                    subjects = strands_set({.seed = 4, .count = 300, .longest = 60});
  session_.make_database({directory.write_file("s.fa", fasta_of(subjects))}, directory.file("s.alnus"),
                         {.alphabet = AlphabetChoice::dna});
  const Database opened = session_.open(directory.file("s.alnus"));
  for (const Mode mode : {Mode::local, Mode::semiglobal}) {
    Scoring scoring = scoring_;
    scoring.mode = mode;
    if (mode == Mode::semiglobal) scoring.free_ends = FreeEnds::all();
    SearchOptions options{.max_target_seqs = 20, .evalue = 1e9, .strands = Strands::both};
    options.identity_ranges = {Denominator::alignment};
    const auto searched = [&](const SessionOptions& with) {
      Session session(with);
      SearchRows streamed;
      session.search(queries, subjects, scoring, options, streamed.sink());
      return streamed;
    };
    const SearchRows expected = searched(session_options(1));
    EXPECT_GT(expected.rows.size(), 60u);
    EXPECT_TRUE(same(searched(session_options(4)), expected));
    EXPECT_TRUE(same(searched(session_options(2, 1 << 20)), expected));
    for (const Backend& backend : backends()) {
      if (backend.name != "cpu") continue;
      for (const std::string& isa : backend.isas) {
        SessionOptions with = session_options(2);
        with.devices = "cpu";
        with.isa = isa;
        EXPECT_TRUE(same(searched(with), expected)) << isa;
      }
    }
    const SearchRows in_file(session_.search(queries, opened, scoring, options).hits);
    EXPECT_EQ(in_file.rows.integers, expected.rows.integers) << "only the indices of subjects differ";
    EXPECT_EQ(in_file.rows.strand, expected.rows.strand);
  }
}

TEST_F(ApiStrandSearch, AMinScoreJudgesTheBetterStrand) {
  for (const double min_score : {6.0, 12.0, 21.0}) {
    SearchOptions options = options_of(Strands::both, 6);
    options.min_score = min_score;
    const StrandHits expected = strand_hits(queries_, subjects_, scoring_, Strands::both, 6,
                                            static_cast<std::int32_t>(min_score * scoring_.scale));
    const SearchResult result = session_.search(queries_, subjects_, scoring_, options);
    EXPECT_TRUE(equal(result.hits.rows, expected.rows, {}));
    EXPECT_EQ(result.summary.left_out, result.summary.pairs - expected.rows.size());
  }
}

TEST_F(ApiStrandSearch, RowsWithoutCigarsAreTheSameRows) {
  SearchOptions options = options_of(Strands::both, 5);
  options.cigars = false;
  const StrandHits expected = strand_hits(queries_, subjects_, scoring_, Strands::both, 5);
  const Columns rows = session_.search(queries_, subjects_, scoring_, options).hits.rows;
  EXPECT_TRUE(equal(rows, expected.rows, {.cigars = false}));
}

TEST_F(ApiStrandSearch, TheHistogramHasEachStrand) {
  SearchOptions options = options_of(Strands::both, 5);
  options.score_histogram = true;
  const ScoreHistogram histogram = session_.search(queries_, subjects_, scoring_, options).summary.histogram;
  EXPECT_EQ(histogram.stride, 1u);
  std::vector<std::uint64_t> expected(histogram.pairs.size());
  for (const Strands strand : {Strands::plus, Strands::minus})
    for (const StrandRow& row :
         strand_rows(queries_, subjects_, every_pair(queries_, subjects_), scoring_, strand))
      ++expected.at(static_cast<std::size_t>(row.result.alignment.score - histogram.lowest));
  EXPECT_EQ(histogram.pairs, expected);
}

TEST_F(ApiStrandSearch, TheCostIsThatOfTheStrands) {
  for (const Strands strands : kAllStrands) {
    const SearchOptions options = options_of(strands, 10);
    const Cost cost = session_.cost_of_search(queries_, subjects_, scoring_, options);
    const SearchSummary summary = session_.search(queries_, subjects_, scoring_, options).summary;
    EXPECT_EQ(cost.cells, summary.cells);
    EXPECT_EQ(cost.pairs, summary.pairs);
    EXPECT_EQ(cost.queries, queries_.size());
  }
  SearchOptions usual = options_of(Strands::both, 10);
  const Cost both = session_.cost_of_search(queries_, subjects_, scoring_, usual);
  usual.strands.reset();
  EXPECT_EQ(session_.cost_of_search(queries_, subjects_, scoring_, usual).cells, both.cells);
}

TEST_F(ApiStrandSearch, ProgressEndsAtTheTotalThatItAnnounced) {
  Progress last;
  RunControl run;
  run.on_progress = [&](const Progress& progress) { last = progress; };
  const SearchSummary summary =
      session_.search(queries_, subjects_, scoring_, options_of(Strands::both, 3, Detail::score), run)
          .summary;
  EXPECT_EQ(last.cells_total, summary.cells);
  EXPECT_GE(last.cells_done, last.cells_total);
}

TEST_F(ApiStrandSearch, PartsOfADatabaseHaveTheHitsOfTheWhole) {
  const Database database(subjects_);
  SearchOptions options{.max_target_seqs = 6, .evalue = 1e9, .strands = Strands::both};
  options.statistics.residues = static_cast<double>(subjects_.total_residues());
  options.statistics.sequences = subjects_.size();
  const SearchRows whole(session_.search(queries_, database, scoring_, options).hits);
  struct Hit {
    Index query, ordinal;
    Table row;
  };
  std::vector<Hit> hits;
  for (const auto& [begin, end] : {std::pair<Index, Index>{0, 11}, {11, 30}, {30, 40}}) {
    const SearchRows part(session_.search(queries_, database.part(begin, end), scoring_, options).hits);
    for (std::size_t i = 0; i < part.rows.size(); ++i) {
      Table row = part_of(part.rows, i, i + 1);
      row.subject[0] += begin;
      hits.push_back({part.rows.query[i], row.subject[0], row});
    }
  }
  std::ranges::sort(hits, [](const Hit& a, const Hit& b) {
    const auto key = [](const Hit& hit) {
      const double evalue = std::bit_cast<double>(hit.row.significance[1][0]),
                   adjusted_score = std::bit_cast<double>(hit.row.significance[5][0]);
      return std::tuple(hit.query, evalue, -adjusted_score, -hit.row.integers[0][0], hit.ordinal);
    };
    return key(a) < key(b);
  });
  std::size_t next = 0;
  for (Index query = 0; query < queries_.size(); ++query) {
    std::uint64_t kept = 0;
    for (const Hit& hit : hits) {
      if (hit.query != query || ++kept > options.max_target_seqs) continue;
      ASSERT_LT(next, whole.rows.size());
      EXPECT_TRUE(same(hit.row, part_of(whole.rows, next, next + 1)));
      ++next;
    }
  }
  EXPECT_EQ(next, whole.rows.size());
}

TEST_F(ApiStrandSearch, OfNothing) {
  const SequenceSet empty = set_of({"", ""}, AlphabetKind::dna);
  for (const char* mode : {"local", "global", "semiglobal"}) {
    const Scoring scoring = default_scoring(mode, AlphabetKind::dna);
    for (const auto& [queries, subjects] : {std::pair<Database, Database>{queries_, empty},
                                            {empty, subjects_},
                                            {empty, empty},
                                            {set_of({}, AlphabetKind::dna), subjects_}}) {
      for (const Strands strands : kAllStrands) {
        const StrandHits expected =
            strand_hits(queries.sequences(), subjects.sequences(), scoring, strands, 9);
        const SearchResult result = session_.search(queries, subjects, scoring, options_of(strands, 9));
        EXPECT_TRUE(equal(result.hits.rows, expected.rows, {strands})) << mode;
        EXPECT_EQ(SearchRows(result.hits).hits, expected.hits);
      }
    }
  }
}

}  // namespace
}  // namespace alnus::test

// The hits of a search's parts, one after the other: which of them a merge refuses, and which it keeps of a
// query whose subjects lie in several parts.
#include "jobs/merge_hits.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "alnus/row_check.h"
#include "alnus/row_columns.h"
#include "api/support/errors.h"
#include "api/support/inputs.h"

namespace alnus::test {
namespace {

using engine::CandidateKey;
using jobs::HitMerger;
using jobs::PartHits;
using ::testing::ElementsAre;
using ::testing::ElementsAreArray;

class MergedHits : public ::testing::Test {
 protected:
  struct Hit {
    Index subject = 0;
    std::int32_t score = 20;
    std::optional<double> evalue = 1, adjusted{};
    Strand strand = Strand::plus;
    std::optional<Index> query{};  // what the row says; empty: the query whose hit it is
    std::int32_t hsp = 1;
  };
  using Hits = std::vector<Hit>;  // a row for each alignment of each hit
  using Keys = std::vector<CandidateKey>;
  using Pair = std::pair<Index, Index>;  // query and subject

  // The hits among these rows, each by its first row: what a piece whose filter looks at alignments has.
  std::vector<PartHits::Candidates> candidates_of(const Hits& rows) const {
    std::vector<PartHits::Candidates> result{{Strand::plus, {}}, {Strand::minus, {}}};
    for (std::size_t k = 0; k < rows.size(); ++k)
      if (k == 0 || rows[k].subject != rows[k - 1].subject)
        result[rows[k].strand == Strand::plus ? 0 : 1].keys.push_back(
            {rows[k].score, database_.file_ordinal(rows[k].subject)});
    return result;
  }
  static CandidateKey key(std::int32_t score, std::uint32_t ordinal) { return {score, FileOrdinal{ordinal}}; }

  MergedHits() {
    job_.rows = queries_.size();
    job_.columns = database_.size();
    job_.scoring = default_scoring();
    job_.fields.detail = Detail::score;
    job_.fields.significance = true;
    job_.max_target_seqs = 2;
    job_.most_candidates = 1000;
  }

  HitMerger merger() {
    return {job_,
            queries_,
            database_,
            [this](Index subject) { return subject != nameless_; },
            summary_,
            [this](const SearchBatch& batch) {
              for (std::size_t row = 0; row < batch.rows.size(); ++row) {
                taken_.emplace_back(batch.rows.query[row], batch.rows.subject[row]);
                rows_.push_back(batch.rows.row(row));
              }
            }};
  }

  // Hits of consecutive queries from `first` on, a list for each of them, and candidates on the plus strand.
  PartHits hits(const Block& block, Index first, const std::vector<Hits>& of_queries,
                const Keys& candidates = {}) const {
    const bool judged = job_.fields.significance || block.columns.size() < job_.columns;
    const auto groups =
        ColumnGroups::of(Detail::score, job_.fields.strands != Strands::plus, judged, job_.fields.hsps);
    struct Owner {
      Columns rows;
      std::vector<std::uint64_t> first_row{0};
    };
    const auto owner = std::make_shared<Owner>();
    OwnedColumns columns;
    Index query = first;
    for (const Hits& of_query : of_queries) {
      for (const Hit& hit : of_query) {
        Row row;
        row.query = hit.query.value_or(query);
        row.subject = hit.subject;
        row.score = hit.score;
        row.strand = hit.strand;
        row.hsp = hit.hsp;
        row.significance.evalue = hit.evalue;
        row.significance.adjusted_score = hit.adjusted;
        columns.add(row, groups);
      }
      owner->first_row.push_back(columns.size());
      ++query;
    }
    owner->rows = columns.finish();
    PartHits hits;
    hits.block = block;
    hits.batch.queries = {first, query};
    hits.batch.rows = owner->rows;
    hits.batch.rows.owner = owner;
    hits.batch.first_row = owner->first_row;
    if (!candidates.empty()) hits.candidates = {{Strand::plus, candidates}};
    return hits;
  }

  // Expects that hits which come first in a part with these blocks are refused with this clause or, if it is
  // empty, that they are not.
  void expect_first(const std::string& clause, const std::vector<Block>& blocks, const PartHits& hits) {
    HitMerger merger = this->merger();
    merger.begin(blocks);
    expect_refusal(clause, [&] { merger.require_next(hits); });
  }

  // The best score that the sequences may have.
  std::int32_t highest(Index query, Index subject) const {
    return static_cast<std::int32_t>(
        possible_scores(job_.scoring, queries_.length(query), database_.length(subject)).highest);
  }
  std::uint64_t cells(IndexRange queries, IndexRange subjects) const {
    return queries_.part(queries.begin, queries.end).total_residues() *
           database_.part(subjects.begin, subjects.end).total_residues();
  }

  // Makes the database seven subjects, which it does not have in the order of their file, and the job one
  // query on both strands.
  void search_seven_subjects() {
    SequenceSet::Arrays arrays = seven_.arrays();
    arrays.file_ordinals = ordinals_;
    database_ = SequenceSet(AlphabetKind::dna, arrays, nullptr, "subjects");
    queries_ = set_of({"ACGTACGTAC"}, AlphabetKind::dna);
    ScoringOptions scoring;
    scoring.alphabet = AlphabetKind::dna;
    scoring.gap_open = "2.5";  // scores are in halves
    scoring.gap_extend = "1";
    job_.scoring = make_scoring(scoring);
    ASSERT_EQ(job_.scoring.scale, 2);
    ASSERT_GE(highest(0, 0), 3);
    job_.rows = 1;
    job_.columns = 7;
    job_.fields.strands = Strands::both;
    nameless_ = 7;
  }
  // Cuts the seven subjects into two to four pieces.
  static std::vector<Block> some_pieces(Random& random) {
    std::vector<Block> blocks;
    for (Index begin = 0; begin < 7; begin = blocks.back().columns.end) {
      const Index longest = begin == 0 ? 6 : 7 - begin;
      const Index size = 1 + static_cast<Index>(below(random, longest));
      blocks.push_back({{0, 1}, {begin, blocks.size() == 3 ? 7 : begin + size}});
    }
    return blocks;
  }

  // What decides about the place of a row before the place of its subject: E-value, adjusted score or score,
  // and score, which is in halves. The lesser one comes first.
  using RowKey = std::tuple<double, double, std::int32_t>;
  static RowKey key_of(const Hit& row) {
    return {row.evalue.value_or(kInfinite), -row.adjusted.value_or(row.score / 2.0), -row.score};
  }
  // The key of the best row.
  static RowKey best_key(const Hits& rows) {
    RowKey best = key_of(rows.front());
    for (const Hit& row : rows) best = std::min(best, key_of(row));
    return best;
  }
  // Subject, strand, number and score of a row of the merge.
  using MergedRow = std::tuple<Index, Strand, std::int32_t, std::int32_t>;
  std::vector<MergedRow> merged_rows() const {
    std::vector<MergedRow> merged;
    for (const Row& row : rows_) merged.emplace_back(row.subject, row.strand, row.hsp, row.score);
    return merged;
  }

  SequenceSet queries_ = set_of({"MKTAYIAKQR", "WWWWWWWW", "ACDEFGHIKL"}),
              database_ = set_of({"MKTAYIAKQR", "WWWW", "ACDEFGHIKLMNP", "KKKKKK"});
  jobs::Job job_;
  SearchSummary summary_;
  Index nameless_ = 3;       // the parts do not have the name of this subject
  std::vector<Pair> taken_;  // all rows of the merge
  std::vector<Row> rows_;    // the same, without their CIGARs

  const SequenceSet seven_ = set_of(std::vector<std::string>(7, "ACGTACGTAC"), AlphabetKind::dna);
  const std::vector<FileOrdinal> ordinals_ = {FileOrdinal{4}, FileOrdinal{0}, FileOrdinal{6}, FileOrdinal{3},
                                              FileOrdinal{5}, FileOrdinal{1}, FileOrdinal{2}};

  static constexpr double kInfinite = std::numeric_limits<double>::infinity();
  static constexpr const char* kNext = "its hits are not those that come next";
};

// ---- What is refused ----

TEST_F(MergedHits, OfWholeQueries) {
  const Block two{{0, 2}, {0, 4}}, single{{0, 1}, {0, 4}}, last{{2, 3}, {0, 4}};
  const Hits some = {{.subject = 2, .score = 30, .evalue = 1e-3}, {.subject = 0, .evalue = 0.01}};
  const char* const order = "its hits are not in their order";
  const struct {
    std::string clause;
    Block block;
    Index first;
    std::vector<Hits> lists;
  } cases[] = {
      {"", two, 0, {some, {{.subject = 1}}}},
      {"", two, 0, {{}, some}},
      {"", two, 0, {some}},
      {kNext, single, 0, {some}},
      {kNext, last, 2, {some}},
      {kNext, two, 1, {some}},
      {kNext, two, 0, {some, some, {}}},
      {"a query has too many hits", two, 0, {{}, {some[0], some[1], {.subject = 1}}}},
      {"its hits are of other queries", two, 0, {{}, {{.query = 0}}}},
      {"whose name or letters no part has", two, 0, {{{.subject = 3}}}},
      {"a query has a subject twice", two, 0, {{{.subject = 1, .evalue = 0.1}, {.subject = 1}}}},
      // The order is by E-value, then adjusted score or score, then score, then the subject's place.
      {order, two, 0, {{some[1], some[0]}}},
      {order, two, 0, {{}, {{.subject = 0, .evalue = {}}, {.subject = 1}}}},
      {"", two, 0, {{{.subject = 1}, {.subject = 0, .score = 30, .evalue = {}}}}},
      {order, two, 0, {{{.subject = 0, .score = 20}, {.subject = 1, .score = 21}}}},
      {"", two, 0, {{{.subject = 1, .score = 21}, {.subject = 0, .score = 20}}}},
      {order, two, 0, {{{.subject = 0, .adjusted = 5}, {.subject = 1, .adjusted = 5.5}}}},
      {"", two, 0, {{{.subject = 1, .score = 20, .adjusted = 5.5}, {.score = 21, .adjusted = 5}}}},
      {order,
       two,
       0,
       {{{.subject = 0, .score = 20, .adjusted = 5}, {.subject = 1, .score = 21, .adjusted = 5}}}},
      {"",
       two,
       0,
       {{{.subject = 1, .score = 21, .adjusted = 5}, {.subject = 0, .score = 20, .adjusted = 5}}}},
      {"", two, 0, {{{.subject = 1, .score = 20, .adjusted = 25}, {.subject = 0, .score = 21}}}},
      {order, two, 0, {{{.subject = 1}, {.subject = 0}}}},
      {"", two, 0, {{{.subject = 0}, {.subject = 1}}}},
  };
  for (const auto& one : cases) {
    SCOPED_TRACE("case " + std::to_string(&one - cases));
    expect_first(one.clause, {two, last}, hits(one.block, one.first, one.lists));
  }
  expect_first(kNext, {}, hits(two, 0, {some}));
  expect_first("candidates of a whole query", {two}, hits(two, 0, {{}}, {key(20, 0)}));
  // Without E-values nothing tells in which order the hits have to be.
  job_.fields.significance = false;
  expect_first("", {two}, hits(two, 0, {{some[1], some[0]}}));
  expect_first("a query has a subject twice", {two}, hits(two, 0, {{some[1], some[1]}}));
}

// The rows of a hit follow each other, and its best row decides about its place.
TEST_F(MergedHits, WithSeveralAlignments) {
  job_.fields.hsps = true;
  job_.max_hsps = 3;
  const Block whole{{0, 1}, {0, 4}};
  const char *const order = "its hits are not in their order", *const twice = "a query has a subject twice";
  const struct {
    std::string clause;
    Hits list;
  } cases[] = {
      {"", {{.subject = 2}, {.subject = 2, .hsp = 2}, {.subject = 2, .hsp = 3}, {.subject = 1, .evalue = 2}}},
      {"", {{.subject = 2}, {.subject = 2, .hsp = 3}}},
      {"", {{.subject = 1, .evalue = 5}, {.subject = 1, .evalue = 7, .hsp = 2}, {.subject = 0, .evalue = 6}}},
      {"", {{.subject = 1, .evalue = 5}, {.subject = 1, .evalue = 3, .hsp = 2}, {.evalue = 4}}},
      {order, {{.subject = 1, .evalue = 5}, {.subject = 1, .evalue = 7, .hsp = 2}, {.evalue = 4}}},
      {order, {{.evalue = 4}, {.subject = 1, .evalue = 5}, {.subject = 1, .evalue = 3, .hsp = 2}}},
      {order, {{.subject = 1}, {.subject = 1}}},
      {twice, {{.subject = 1, .hsp = 2}, {.subject = 1, .evalue = 2, .hsp = 1}}},
      {twice, {{.subject = 1, .hsp = 2}, {.subject = 1, .evalue = 2, .hsp = 2}}},
      {"a query has too many hits",
       {{.subject = 1}, {.subject = 0, .evalue = 2}, {.subject = 1, .evalue = 3, .hsp = 2}}},
      {"a hit has more alignments than were asked for", {{.subject = 1}, {.subject = 1, .hsp = 4}}},
      {"its number among the alignments of its pair is impossible", {{.subject = 1, .hsp = 0}}},
  };
  for (const auto& one : cases) {
    SCOPED_TRACE("case " + std::to_string(&one - cases));
    expect_first(one.clause, {whole}, hits(whole, 0, {one.list}));
  }
  const Block first{{0, 1}, {0, 2}}, second{{0, 1}, {2, 4}};
  const auto expect_piece = [&](const std::string& clause, const Hits& list) {
    expect_first(clause, {first, second}, hits(first, 0, {list}, {key(20, 0), key(15, 1)}));
  };
  expect_piece("", {{.subject = 1, .score = 15}, {.subject = 1, .score = 9, .hsp = 2}, {.subject = 0}});
  expect_piece("it has a hit that is no candidate", {{.subject = 1, .score = 9, .hsp = 2}});
  expect_piece(twice, {{.subject = 0}, {.subject = 0, .score = 9, .hsp = 2}, {.subject = 0}});
}

TEST_F(MergedHits, OfAQueryInPieces) {
  const Block first{{0, 1}, {0, 2}}, second{{0, 1}, {2, 4}};
  const char *const none = "its candidates are none of its subjects", *const twice = "a candidate twice",
                    *const no_candidate = "it has a hit that is no candidate";
  const struct {
    std::string clause;
    Hits list;
    Keys candidates;
  } cases[] = {
      {"", {{.subject = 0}}, {key(20, 0), key(10, 1)}},
      {"", {{.subject = 1}, {.subject = 0, .evalue = 0.1}}, {key(20, 1), key(20, 0)}},
      {"", {}, {key(0, 0), key(highest(0, 1), 1)}},
      {"", {}, {}},
      {none, {}, {key(20, 0), key(highest(0, 1) + 1, 1)}},
      {none, {}, {key(-1, 0)}},
      {none, {}, {key(20, 2)}},
      {none, {}, {key(20, 4)}},
      {none, {}, {key(20, std::numeric_limits<std::uint32_t>::max())}},
      {twice, {}, {key(20, 0), key(20, 1), key(10, 0)}},
      {no_candidate, {{.subject = 0}}, {}},
      {no_candidate, {{.subject = 0}}, {key(20, 1)}},
      {no_candidate, {{.subject = 1}}, {key(20, 0)}},
      {no_candidate, {{.subject = 0}}, {key(21, 0)}},
      {"a query has a subject twice", {{.subject = 0}, {.subject = 0}}, {key(20, 0), key(20, 1)}},
      {"its hits are of other subjects", {{.subject = 2}}, {key(20, 0)}},
  };
  for (const auto& one : cases) {
    SCOPED_TRACE("case " + std::to_string(&one - cases));
    expect_first(one.clause, {first, second}, hits(first, 0, {one.list}, one.candidates));
  }
  expect_first(kNext, {second}, hits(second, 0, {{}}));
  const char* const one_at_a_time = "some subjects alone are for one query at a time";
  expect_first(one_at_a_time, {first}, hits(first, 0, {}));
  const Block of_two{{0, 2}, {0, 2}};
  expect_first(one_at_a_time, {of_two}, hits(of_two, 0, {{}, {}}));
  expect_first(one_at_a_time, {of_two}, hits(of_two, 0, {{}}));

  nameless_ = 0;
  const Block whole{{0, 1}, {0, 4}};
  const std::vector<Block> blocks = {first, second}, wrong = {first, whole};
  const auto expect_second = [&](const std::string& clause, const std::vector<Block>& all,
                                 const PartHits& of_second) {
    HitMerger merger = this->merger();
    merger.begin(all);
    merger.require_next(hits(first, 0, {{}}));
    merger.add(hits(first, 0, {{}}));
    expect_refusal(clause, [&] { merger.require_next(of_second); });
    expect_refusal("the hits of the last queries are missing", [&] { merger.require_end(); });
  };
  expect_second("", blocks, hits(second, 0, {{{.subject = 2}, {.subject = 3}}}, {key(20, 2), key(20, 3)}));
  expect_second("its hits are of other subjects", blocks, hits(second, 0, {{{.subject = 1}}}, {key(20, 2)}));
  expect_second(none, blocks, hits(second, 0, {{}}, {key(20, 1)}));
  expect_second(kNext, wrong, hits(whole, 0, {{}}));
  expect_second(kNext, blocks, hits(first, 0, {{}}));
}

TEST_F(MergedHits, ThatAreNotAllOfTheirPart) {
  const Block piece{{0, 1}, {0, 2}}, rest{{0, 1}, {2, 4}}, whole{{1, 3}, {0, 4}};
  const std::vector<Block> blocks = {piece, rest, whole};
  HitMerger merger = this->merger();
  merger.begin(blocks);
  SearchSummary right;
  right.queries = 4;  // a query counts in each piece
  right.pairs = 2 + 2 + 8;
  right.hits = 3;
  right.cells = cells({0, 1}, {0, 4}) + cells({1, 3}, {0, 4});
  const auto add = [&](const PartHits& next) {
    expect_refusal("the hits of its last queries are missing", [&] { merger.end(right); });
    expect_refusal("the hits of the last queries are missing", [&] { merger.require_end(); });
    expect_refusal("", [&] { merger.require_next(next); });
    merger.add(next);
  };
  add(hits(piece, 0, {{{.subject = 0}}}, {key(20, 0)}));
  add(hits(rest, 0, {{{.subject = 2}}}, {key(20, 2), key(10, 3)}));
  add(hits(whole, 1, {{{.subject = 1}}}));
  add(hits(whole, 2, {{}}));
  expect_refusal("", [&] { merger.require_end(); });
  expect_refusal("", [&] { merger.end(right); });
  EXPECT_THAT(taken_, ElementsAre(Pair(0, 0), Pair(0, 2), Pair(1, 1)));
  EXPECT_EQ(summary_.hits, 3u);
  EXPECT_THAT(summary_.without_hits_ids, ElementsAre("s2"));

  for (std::uint64_t SearchSummary::*const count :
       {&SearchSummary::queries, &SearchSummary::pairs, &SearchSummary::cells, &SearchSummary::hits})
    for (const int off : {-1, 1}) {
      SearchSummary wrong = right;
      wrong.*count += static_cast<std::uint64_t>(off);
      expect_refusal("its counts are not those of its hits and sequences", [&] { merger.end(wrong); });
    }
}

// The counts of a picture are of scores that the sequences can have, and of no more pairs than there are on
// all strands.
TEST_F(MergedHits, WhosePictureCannotBe) {
  for (const char* mode : {"local", "global"})
    for (const Strands strands : {Strands::plus, Strands::both}) {
      SCOPED_TRACE(std::string(mode) + (strands == Strands::both ? ", both strands" : ""));
      job_.scoring = default_scoring(mode);
      job_.fields.strands = strands;
      const std::uint64_t scores = 12 * (strands == Strands::both ? 2 : 1);
      const ScoreRange range = possible_scores(job_.scoring, queries_.longest(), database_.longest());
      const auto lowest = static_cast<std::int32_t>(range.lowest);
      const auto size = static_cast<std::size_t>(range.highest - range.lowest) + 1;
      const Block whole{{0, 3}, {0, 4}};
      const auto expect_picture = [&](const std::string& clause, std::int32_t first, std::size_t count,
                                      const std::vector<std::uint64_t>& pairs) {
        taken_.clear();
        HitMerger merger = this->merger();
        const std::vector<Block> blocks = {whole};
        merger.begin(blocks);
        merger.add(hits(whole, 0, {{}, {}, {}}));
        SearchSummary summary;
        summary.queries = 3;
        summary.pairs = 12;
        summary.cells = cells({0, 3}, {0, 4}) * (scores / 12);
        summary.histogram.lowest = first;
        summary.histogram.pairs = pairs;
        summary.histogram.pairs.resize(count);
        expect_refusal(clause, [&] { merger.end(summary); });
      };
      const char* const wrong = "its scores are not those of its sequences";
      expect_picture("", 0, 0, {});
      expect_picture("", lowest, size, {scores});
      expect_picture("", lowest, size, {scores - 3, 1, 2});
      expect_picture(wrong, lowest, size, {scores + 1});
      expect_picture(wrong, lowest, size, {scores - 1, 2});
      expect_picture(wrong, lowest, size, {std::uint64_t{1} << 63, std::uint64_t{1} << 63});
      expect_picture(wrong, lowest - 1, size, {1});
      expect_picture(wrong, lowest - 1, size + 1, {1});
      expect_picture(wrong, lowest + 1, size, {1});
      expect_picture("", lowest + 1, size - 1, {1});
    }
}

// ---- What is kept of a query in pieces ----

// Random candidates and hits of seven subjects, in two to four pieces, against the engine's rule
// (engine/hit_aligner.h). In half of the rounds, hits have several alignments. These do not matter for the
// choice among candidates, but the best one decides about the hit's place.
TEST_F(MergedHits, AreChosenAmongThoseOfAllPieces) {
  ASSERT_NO_FATAL_FAILURE(search_seven_subjects());
  Random random(5);
  struct Candidate {
    Hit hit;
    std::uint32_t ordinal = 0;
    bool is_hit = false;
    Hits further{};

    Hits rows() const {
      Hits all = further;
      all.insert(all.begin(), hit);
      return all;
    }
  };
  std::uint64_t cuts = 0;
  for (int round = 0; round < 1500; ++round) {
    SCOPED_TRACE(round);
    job_.most_candidates = 1 + static_cast<std::uint32_t>(below(random, 8));
    job_.max_target_seqs = 1 + static_cast<std::uint32_t>(below(random, 8));
    job_.chosen_by_score = below(random, 2) == 0;
    job_.fields.hsps = below(random, 2) == 0;
    job_.max_hsps = job_.fields.hsps ? 4 : 1;
    const std::size_t scores = 1 + below(random, 4), evalues = 1 + below(random, 3);
    std::vector<Candidate> all;
    for (Index subject = 0; subject < 7; ++subject)
      for (const Strand strand : {Strand::plus, Strand::minus}) {
        if (below(random, 4) == 0) continue;
        Candidate candidate{{.subject = subject, .strand = strand},
                            static_cast<std::uint32_t>(ordinals_[subject])};
        candidate.hit.score = static_cast<std::int32_t>(below(random, scores));
        candidate.hit.evalue = static_cast<double>(below(random, evalues));
        if (candidate.hit.evalue == 2) candidate.hit.evalue.reset();
        if (below(random, 2) == 0) candidate.hit.adjusted = static_cast<double>(below(random, 3)) / 2;
        candidate.is_hit = job_.chosen_by_score || below(random, 4) > 0;
        for (std::int32_t hsp = 2; hsp <= static_cast<std::int32_t>(job_.max_hsps); ++hsp)
          if (below(random, 2) == 0)
            candidate.further.push_back({.subject = subject,
                                         .score = static_cast<std::int32_t>(below(random, scores)),
                                         .evalue = static_cast<double>(below(random, evalues)),
                                         .strand = below(random, 2) == 0 ? Strand::plus : Strand::minus,
                                         .hsp = hsp});
        all.push_back(candidate);
      }

    // The rule: the best candidates of each strand, of which a pair keeps the better strand.
    std::vector<Candidate> kept;
    for (const Strand strand : {Strand::plus, Strand::minus}) {
      std::vector<Candidate> of_strand;
      for (const Candidate& one : all)
        if (one.hit.strand == strand) of_strand.push_back(one);
      std::ranges::sort(of_strand, {},
                        [](const Candidate& one) { return std::pair(-one.hit.score, one.ordinal); });
      if (of_strand.size() > job_.most_candidates) of_strand.resize(job_.most_candidates);
      for (const Candidate& one : of_strand) {
        const auto other = std::ranges::find(kept, one.ordinal, &Candidate::ordinal);
        if (other == kept.end())
          kept.push_back(one);
        else if (one.hit.score > other->hit.score)
          *other = one;
      }
    }
    bool cut_tie = false;
    const auto keep_the_first = [&](const auto& order, const auto& what_ties) {
      std::ranges::sort(kept, {}, order);
      const std::size_t most = job_.max_target_seqs;
      if (kept.size() <= most) return;
      cut_tie = what_ties(kept[most - 1]) == what_ties(kept[most]);
      kept.resize(most);
    };
    if (job_.chosen_by_score)
      keep_the_first([](const Candidate& one) { return std::pair(-one.hit.score, one.ordinal); },
                     [](const Candidate& one) { return one.hit.score; });
    std::erase_if(kept, [](const Candidate& one) { return !one.is_hit; });
    const auto best = [](const Candidate& one) { return best_key(one.rows()); };
    keep_the_first([&](const Candidate& one) { return std::pair(best(one), one.ordinal); }, best);
    std::vector<MergedRow> expected;
    for (const Candidate& one : kept)
      for (const Hit& row : one.rows()) expected.emplace_back(row.subject, row.strand, row.hsp, row.score);

    // The same candidates in pieces.
    const std::vector<Block> blocks = some_pieces(random);
    summary_ = {};
    rows_.clear();
    HitMerger merger = this->merger();
    merger.begin(blocks);
    for (const Block& block : blocks) {
      Hits list;
      std::vector<PartHits::Candidates> candidates = {{Strand::plus, {}}, {Strand::minus, {}}};
      for (const Candidate& one : all) {
        if (one.hit.subject < block.columns.begin || one.hit.subject >= block.columns.end) continue;
        candidates[static_cast<std::size_t>(one.hit.strand)].keys.push_back(key(one.hit.score, one.ordinal));
        const Hits rows = one.rows();
        if (one.is_hit) list.insert(list.end(), rows.begin(), rows.end());
      }
      PartHits piece = hits(block, 0, {list});
      piece.candidates = candidates;
      expect_refusal("", [&] { merger.require_next(piece); });
      merger.add(std::move(piece));
    }
    EXPECT_THAT(merged_rows(), ElementsAreArray(expected));
    EXPECT_EQ(summary_.cut_ties, cut_tie ? 1u : 0u);
    EXPECT_EQ(summary_.hits, kept.size());
    cuts += summary_.cut_ties;
    if (HasFailure()) break;
  }
  EXPECT_GT(cuts, 100u);
}

// Alignments that a filter left out do not count, whether they are the first ones or others.
TEST_F(MergedHits, OfFilteredPiecesComeByTheirBestRows) {
  job_.fields.hsps = true;
  job_.max_hsps = 4;
  nameless_ = 7;
  const std::vector<Block> blocks = {{{0, 1}, {0, 2}}, {{0, 1}, {2, 4}}};
  const Hits of_first = {{.subject = 0, .evalue = 3, .hsp = 2},
                         {.subject = 0, .evalue = 1, .hsp = 3},
                         {.subject = 1, .evalue = 2}},
             of_second = {{.subject = 3, .evalue = 1, .hsp = 4}, {.subject = 2, .evalue = 7, .hsp = 2}};
  const auto merge = [&](std::uint32_t most) {
    job_.max_target_seqs = most;
    summary_ = {};
    rows_.clear();
    HitMerger merger = this->merger();
    merger.begin(blocks);
    for (const auto& [block, list] : {std::pair(blocks[0], of_first), std::pair(blocks[1], of_second)}) {
      PartHits piece = hits(block, 0, {list});
      piece.candidates = candidates_of(list);
      expect_refusal("", [&] { merger.require_next(piece); });
      merger.add(piece);
    }
    return merged_rows();
  };
  const auto row = [](Index subject, std::int32_t hsp) { return MergedRow(subject, Strand::plus, hsp, 20); };
  EXPECT_THAT(merge(4), ElementsAre(row(0, 2), row(0, 3), row(3, 4), row(1, 1), row(2, 2)));
  EXPECT_EQ(summary_.hits, 4u);
  EXPECT_EQ(summary_.cut_ties, 0u);
  EXPECT_THAT(merge(2), ElementsAre(row(0, 2), row(0, 3), row(3, 4)));
  EXPECT_EQ(summary_.hits, 2u);
  EXPECT_EQ(summary_.cut_ties, 0u);
  EXPECT_THAT(merge(1), ElementsAre(row(0, 2), row(0, 3)));
  EXPECT_EQ(summary_.hits, 1u);
  EXPECT_EQ(summary_.cut_ties, 1u) << "the last row of subject 3 is as good as the last one of subject 0";
}

// Random rows of seven subjects in pieces.
TEST_F(MergedHits, OfFilteredPiecesAreTheBestOfAll) {
  ASSERT_NO_FATAL_FAILURE(search_seven_subjects());
  Random random(6);
  std::uint64_t cuts = 0, without_first = 0;
  for (int round = 0; round < 500; ++round) {
    SCOPED_TRACE(round);
    job_.max_target_seqs = 1 + static_cast<std::uint32_t>(below(random, 8));
    job_.fields.hsps = below(random, 4) != 0;
    job_.max_hsps = job_.fields.hsps ? 4 : 1;
    const std::size_t scores = 1 + below(random, 4), evalues = 1 + below(random, 3);
    std::vector<Hits> rows_of(7);
    for (Index subject = 0; subject < 7; ++subject)
      for (std::int32_t hsp = 1; hsp <= static_cast<std::int32_t>(job_.max_hsps); ++hsp) {
        if (below(random, 2) == 0) continue;
        Hit row{.subject = subject,
                .score = static_cast<std::int32_t>(below(random, scores)),
                .evalue = static_cast<double>(below(random, evalues)),
                .strand = below(random, 2) == 0 ? Strand::plus : Strand::minus,
                .hsp = hsp};
        if (row.evalue == 2) row.evalue.reset();
        if (below(random, 2) == 0) row.adjusted = static_cast<double>(below(random, 3)) / 2;
        rows_of[subject].push_back(row);
      }
    std::vector<Hits> kept;
    for (const Hits& rows : rows_of)
      if (!rows.empty()) kept.push_back(rows);
    std::ranges::sort(kept, {}, [&](const Hits& rows) {
      return std::pair(best_key(rows), ordinals_[rows.front().subject]);
    });
    bool cut_tie = false;
    if (const std::size_t most = job_.max_target_seqs; kept.size() > most) {
      cut_tie = best_key(kept[most - 1]) == best_key(kept[most]);
      kept.resize(most);
    }
    std::vector<MergedRow> expected;
    for (const Hits& rows : kept) {
      without_first += rows.front().hsp > 1;
      for (const Hit& row : rows) expected.emplace_back(row.subject, row.strand, row.hsp, row.score);
    }

    summary_ = {};
    rows_.clear();
    const std::vector<Block> blocks = some_pieces(random);
    HitMerger merger = this->merger();
    merger.begin(blocks);
    for (const Block& block : blocks) {
      Hits list;
      for (Index subject = block.columns.begin; subject < block.columns.end; ++subject)
        list.insert(list.end(), rows_of[subject].begin(), rows_of[subject].end());
      PartHits piece = hits(block, 0, {list});
      piece.candidates = candidates_of(list);
      expect_refusal("", [&] { merger.require_next(piece); });
      merger.add(piece);
    }
    EXPECT_THAT(merged_rows(), ElementsAreArray(expected));
    EXPECT_EQ(summary_.cut_ties, cut_tie ? 1u : 0u);
    EXPECT_EQ(summary_.hits, kept.size());
    cuts += summary_.cut_ties;
    if (HasFailure()) break;
  }
  EXPECT_GT(cuts, 20u);
  EXPECT_GT(without_first, 100u);
}

}  // namespace
}  // namespace alnus::test

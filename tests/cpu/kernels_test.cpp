// Every kernel, mode, detail and instruction set against the reference, on random sequences.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <map>
#include <random>

#include "alnus/alignment.h"
#include "cpu/cpu_device.h"

namespace alnus::cpu {
namespace {

using Residues = std::vector<Residue>;

// Takes every result once, by (row, column) in the sets' own numbering.
class Collect : public Sink {
 public:
  void accept(const Tile& tile, std::span<const PairResult> results) override {
    for (const PairResult& r : results) {
      Alignment a;
      a.score = r.score;
      a.query_begin = r.query_begin;
      a.query_end = r.query_end;
      a.subject_begin = r.subject_begin;
      a.subject_end = r.subject_end;
      a.cigar.assign(r.cigar.begin(), r.cigar.end());
      const auto key = std::pair(tile.rows->index(r.row), tile.columns->index(r.column));
      EXPECT_TRUE(found.emplace(key, a).second) << "pair " << key.first << "," << key.second << " came twice";
    }
  }
  std::map<std::pair<std::uint32_t, std::uint32_t>, Alignment> found;
};

SequenceSet make_set(const std::vector<Residues>& sequences) {
  SequenceSetBuilder builder(AlphabetKind::protein);
  for (std::size_t k = 0; k < sequences.size(); ++k) builder.add(fmt::format("s{}", k), sequences[k]);
  return builder.finish();
}

Residues random_sequence(std::mt19937& rng, std::size_t length, int letters) {
  Residues s(length);
  for (auto& r : s) r = static_cast<Residue>(rng() % static_cast<unsigned>(letters));
  return s;
}

struct Case {
  std::string isa, method;
};

class Kernels : public testing::TestWithParam<Case> {
 protected:
  void compare(const std::vector<Residues>& queries, const std::vector<Residues>& subjects,
               const Scoring& scoring, Detail detail, TileShape shape = TileShape::rectangle,
               std::uint64_t memory = 1ULL << 30) {
    auto device = make_cpu_device({1, GetParam().isa, GetParam().method, memory});
    const SequenceSet q = make_set(queries), s = make_set(subjects);
    Tile tile;
    const auto rows = device->load(q), columns = device->load(s);
    tile.rows = rows.get();
    tile.columns = columns.get();
    tile.shape = shape;
    tile.row_range = {0, q.size()};
    tile.column_range = {0, s.size()};
    if (shape == TileShape::list) {
      for (std::uint32_t i = 0; i < q.size(); ++i) {
        for (std::uint32_t j = 0; j < s.size(); ++j) tile.pairs.push_back({i, j});
      }
    }
    Collect sink;
    device->run(tile, {scoring, detail}, sink);
    ASSERT_EQ(sink.found.size(), queries.size() * subjects.size());
    for (const auto& [key, alignment] : sink.found) {
      const Alignment expected = align_reference(queries[key.first], subjects[key.second], scoring, detail);
      ASSERT_EQ(alignment, expected) << "query " << key.first << " of " << queries[key.first].size()
                                     << ", subject " << key.second << " of " << subjects[key.second].size()
                                     << ": score " << alignment.score << " against " << expected.score
                                     << ", ends " << alignment.query_end << "," << alignment.subject_end
                                     << " against " << expected.query_end << "," << expected.subject_end
                                     << ", cigar " << to_string(alignment.cigar) << " against "
                                     << to_string(expected.cigar);
    }
  }
};

Scoring scoring_of(Mode mode, int open, int extend, FreeEnds free = {}, const char* matrix = "BLOSUM62") {
  Scoring s{SubstitutionMatrix::builtin(matrix)};
  s.open = open;
  s.extend = extend;
  s.mode = mode;
  s.free_ends = free;
  return s;
}

std::vector<Scoring> all_scorings() {
  std::vector<Scoring> all;
  for (const auto& [open, extend] : {std::pair(11, 1), {10, 2}, {0, 4}, {3, 0}}) {
    all.push_back(scoring_of(Mode::local, open, extend));
    all.push_back(scoring_of(Mode::global, open, extend));
    for (int ends = 1; ends < 16; ++ends) {
      const FreeEnds free{(ends & 1) != 0, (ends & 2) != 0, (ends & 4) != 0, (ends & 8) != 0};
      all.push_back(scoring_of(Mode::semiglobal, open, extend, free));
    }
  }
  return all;
}

TEST_P(Kernels, EqualTheReferenceOnRandomSequences) {
  std::mt19937 rng(7);
  for (const Scoring& scoring : all_scorings()) {
    std::vector<Residues> queries, subjects;
    for (const int length : {0, 1, 2, 7, 33, 70}) queries.push_back(random_sequence(rng, length, 24));
    for (int k = 0; k < 75; ++k) subjects.push_back(random_sequence(rng, rng() % 90, k % 2 ? 4 : 24));
    for (const Detail detail : {Detail::score, Detail::ends, Detail::alignment}) {
      compare(queries, subjects, scoring, detail);
      if (HasFatalFailure())
        FAIL() << to_string(scoring.mode) << " open " << scoring.open << " extend " << scoring.extend
               << " ends " << scoring.free_ends.query_begin << scoring.free_ends.query_end
               << scoring.free_ends.subject_begin << scoring.free_ends.subject_end << " detail "
               << int(detail);
    }
  }
}

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const auto& isa : supported_isas()) {
    for (const auto& method : methods()) all.push_back({isa, method});
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(All, Kernels, testing::ValuesIn(cases()),
                         [](const auto& info) { return info.param.isa + "_" + info.param.method; });

}  // namespace
}  // namespace alnus::cpu

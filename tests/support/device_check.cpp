#include "support/device_check.h"

#include <algorithm>
#include <fmt/format.h>
#include <future>
#include <set>

#include "alnus/error.h"

namespace alnus::test {
namespace {

std::string_view name_of(Detail detail) {
  return detail == Detail::score ? "score" : detail == Detail::ends ? "ends" : "alignment";
}

// Returns the letters, or only their number if there are too many to read.
std::string show(const Residues& residues, AlphabetKind alphabet) {
  if (residues.size() > 300) return fmt::format("{} residues", residues.size());
  return fmt::format("\"{}\" ({} residues)", decode(residues, alphabet), residues.size());
}

testing::AssertionResult nobody_supports(const Problem& problem) {
  return testing::AssertionFailure() << "no implementation supports "
                                     << describe(problem.scoring, problem.detail);
}

class Comparison {
 public:
  Comparison(const Workload& workload, const Scoring& scoring) : workload_(workload), scoring_(scoring) {}

  testing::AssertionResult run(const Implementation& implementation) {
    const auto device = implementation.make(workload_.memory_bytes);
    const LoadedWorkload loaded(*device, workload_);
    const Tile& tile = loaded.tile();
    for (const Detail detail : workload_.details) {
      const Problem problem{scoring_, detail};
      if (const std::string reason = device->declines(problem); !reason.empty()) {
        if (implementation.may_decline) continue;
        return failure(implementation, detail) << ": " << reason;
      }
      supported_.insert(detail);
      Collect sink;
      try {
        device->run(tile, problem, sink);
      } catch (const Error& error) {
        return failure(implementation, detail) << ": " << error.what();
      }
      if (sink.calls != 1)
        return failure(implementation, detail) << ": the sink was called " << sink.calls << " times";
      if (!sink.repeated.empty())
        return failure(implementation, detail) << ": " << sink.repeated.size() << " results came twice";
      const auto result = compare(implementation, detail, pairs_of(tile), sink);
      if (!result) return result;
    }
    return testing::AssertionSuccess();
  }

  testing::AssertionResult every_detail_ran() const {
    for (const Detail detail : workload_.details)
      if (!supported_.contains(detail)) return nobody_supports({scoring_, detail});
    return testing::AssertionSuccess();
  }

 private:
  testing::AssertionResult failure(const Implementation& implementation, Detail detail) const {
    constexpr const char* kShapes[] = {"rectangle", "staircase", "list"};
    return testing::AssertionFailure()
           << implementation.name << ", " << kShapes[static_cast<int>(workload_.shape)] << ", "
           << workload_.memory_bytes << " bytes, " << describe(scoring_, detail);
  }

  testing::AssertionResult compare(const Implementation& implementation, Detail detail,
                                   const std::vector<Pair>& pairs, const Collect& sink) {
    if (sink.found.size() != pairs.size())
      return failure(implementation, detail)
             << ": " << sink.found.size() << " results for " << pairs.size() << " pairs";
    for (const Pair& pair : pairs) {
      const auto found = sink.found.find(pair);
      const Residues& query = workload_.queries[pair.first];
      const Residues& subject = workload_.subjects[pair.second];
      const auto fail = [&] {
        return failure(implementation, detail)
               << "\nquery " << pair.first << ": " << show(query, workload_.alphabet) << "\nsubject "
               << pair.second << ": " << show(subject, workload_.alphabet) << "\n";
      };
      if (found == sink.found.end()) return fail() << "did not come";
      const Alignment& actual = found->second;
      const Alignment expected = at_detail(reference(pair), detail);
      if (actual != expected)
        return fail() << "is       " << describe(actual) << "\nshall be " << describe(expected);
      if (detail == Detail::alignment) {
        const std::int64_t recomputed = rescore(actual, query, subject, scoring_);
        if (recomputed != actual.score) return fail() << describe(actual) << " scores " << recomputed;
        if (sink.counts.at(pair) != count(actual, query, subject, scoring_.matrix))
          return fail() << describe(actual) << " is counted wrong";
      }
    }
    return testing::AssertionSuccess();
  }

  const Alignment& reference(const Pair& pair) {
    const auto known = reference_.find(pair);
    if (known != reference_.end()) return known->second;
    const Detail most = *std::ranges::max_element(workload_.details);
    return reference_
        .emplace(pair, align_reference(workload_.queries[pair.first], workload_.subjects[pair.second],
                                       scoring_, most))
        .first->second;
  }

  const Workload& workload_;
  const Scoring& scoring_;
  std::map<Pair, Alignment> reference_;
  std::set<Detail> supported_;  // by at least one implementation
};

}  // namespace

void Collect::accept(const Tile& tile, std::span<const PairResult> results) {
  ++calls;
  for (const PairResult& r : results) {
    const Pair pair(tile.rows->index(r.row), tile.columns->index(r.column));
    Alignment alignment{r.score,         r.query_begin, r.query_end,
                        r.subject_begin, r.subject_end, {r.cigar.begin(), r.cigar.end()}};
    if (!found.emplace(pair, std::move(alignment)).second) repeated.push_back(pair);
    counts[pair] = r.counts;
    if (r.slack != 0) slack[pair] = r.slack;
  }
}

Workload triangle_of(const std::vector<Residues>& sequences) {
  return {.queries = sequences,
          .subjects = sequences,
          .shape = TileShape::staircase,
          .first_columns = triangle_steps(static_cast<std::uint32_t>(sequences.size()))};
}

LoadedWorkload::LoadedWorkload(Device& device, const Workload& workload)
    : rows_(std::make_shared<const SortedSequences>(make_set(workload.queries, workload.alphabet))),
      columns_(std::make_shared<const SortedSequences>(make_set(workload.subjects, workload.alphabet))),
      device_columns_(device.load(columns_)) {
  tile_.rows = rows_.get();
  tile_.columns = columns_.get();
  tile_.device_columns = device_columns_.get();
  tile_.shape = workload.shape;
  tile_.row_range = rows_->all();
  tile_.column_range = columns_->all();
  tile_.first_columns = workload.first_columns;
  if (workload.shape == TileShape::list) {
    std::map<SequenceSet::Index, Position> row_positions, column_positions;
    for (Position row = rows_->begin(); row < rows_->end(); ++row) row_positions[rows_->index(row)] = row;
    for (Position column = columns_->begin(); column < columns_->end(); ++column)
      column_positions[columns_->index(column)] = column;
    for (const auto& [query, subject] : workload.pairs)
      tile_.pairs.push_back({row_positions.at(query), column_positions.at(subject)});
    std::ranges::stable_sort(tile_.pairs, {}, &PositionPair::row);
  }
  for (const auto& [query, subject] : pairs_of(tile_))
    tile_.cells += workload.queries[query].size() * workload.subjects[subject].size();
}

Tile whole(const SortedSequences& rows, const SortedSequences& columns) {
  Tile tile;
  tile.rows = &rows;
  tile.columns = &columns;
  tile.row_range = rows.all();
  tile.column_range = columns.all();
  tile.cells = rows.set().total_residues() * columns.set().total_residues();
  return tile;
}

std::vector<Pair> pairs_of(const Tile& tile) {
  std::vector<Pair> pairs;
  const auto add = [&](Position row, Position column) {
    pairs.emplace_back(tile.rows->index(row), tile.columns->index(column));
  };
  if (tile.shape == TileShape::list) {
    for (const auto& [row, column] : tile.pairs) add(row, column);
    return pairs;
  }
  for (Position row = tile.row_range.begin; row < tile.row_range.end; ++row) {
    for (Position column = tile.column_range.begin; column < tile.column_range.end; ++column)
      if (tile.shape == TileShape::rectangle || column >= tile.first_columns[row.value()]) add(row, column);
  }
  return pairs;
}

testing::AssertionResult equals_reference(const Implementations& implementations, const Workload& workload,
                                          const Scoring& scoring) {
  Comparison comparison(workload, scoring);
  for (const Implementation& implementation : implementations) {
    const auto result = comparison.run(implementation);
    if (!result) return result;
  }
  return comparison.every_detail_ran();
}

void for_each_device(const Implementations& implementations, const Problem& problem,
                     const std::function<void(Device&)>& use) {
  bool used = false;
  for (const Implementation& implementation : implementations) {
    SCOPED_TRACE(implementation.name);
    const auto device = implementation.make(1ULL << 30);
    if (device->declines(problem).empty()) {
      used = true;
      use(*device);
    } else {
      EXPECT_TRUE(implementation.may_decline) << "declines " << describe(problem.scoring, problem.detail);
    }
  }
  EXPECT_TRUE(used || nobody_supports(problem));
}

void check_slots(Device& device, const Workload& workload, const Problem& problem) {
  const LoadedWorkload loaded(device, workload);
  std::vector<Collect> sinks(static_cast<std::size_t>(device.info().concurrency));
  std::vector<std::future<void>> slots;
  for (Collect& sink : sinks) {
    slots.push_back(std::async(std::launch::async, [&] {
      for (int again = 0; again < 3; ++again) {
        sink = {};
        device.run(loaded.tile(), problem, sink);
      }
    }));
  }
  for (std::future<void>& slot : slots) slot.get();
  for (const Collect& sink : sinks) EXPECT_EQ(sink.found, sinks[0].found);
  ASSERT_EQ(sinks[0].found.size(), workload.queries.size() * workload.subjects.size());
  for (const auto& [pair, alignment] : sinks[0].found)
    ASSERT_EQ(alignment, align_reference(workload.queries[pair.first], workload.subjects[pair.second],
                                         problem.scoring, problem.detail));
}

Alignment at_detail(Alignment alignment, Detail detail) {
  if (detail != Detail::alignment) {
    alignment.query_begin = alignment.subject_begin = -1;
    alignment.cigar.clear();
  }
  if (detail == Detail::score) alignment.query_end = alignment.subject_end = -1;
  return alignment;
}

std::string describe(const Alignment& a) {
  return fmt::format("score {}, query {}-{}, subject {}-{}, {}", a.score, a.query_begin, a.query_end,
                     a.subject_begin, a.subject_end, to_string(a.cigar));
}

std::string describe(const Scoring& scoring, Detail detail) {
  return fmt::format("{} {}/{}, {}, detail {}", scoring.matrix.name(), scoring.open, scoring.extend,
                     name_of(ModeAndEnds{scoring.mode, scoring.free_ends}), name_of(detail));
}

std::vector<ModeAndEnds> all_modes() {
  std::vector<ModeAndEnds> modes = {{Mode::local}, {Mode::global}};
  for (unsigned ends = 0; ends < 16; ++ends) {
    const auto bit = [ends](unsigned k) { return (ends >> k & 1) != 0; };
    modes.push_back({Mode::semiglobal, {bit(0), bit(1), bit(2), bit(3)}});
  }
  return modes;
}

std::vector<ModeAndEnds> main_modes() {
  return {{Mode::local}, {Mode::global}, {Mode::semiglobal, FreeEnds::all()}};
}

std::string name_of(const ModeAndEnds& mode) {
  if (mode.mode != Mode::semiglobal) return std::string(to_string(mode.mode));
  const FreeEnds& free = mode.free_ends;
  if (free == FreeEnds{}) return "semiglobal_none";
  return fmt::format("semiglobal{}{}{}{}", free.query_begin ? "_qbegin" : "", free.query_end ? "_qend" : "",
                     free.subject_begin ? "_sbegin" : "", free.subject_end ? "_send" : "");
}

Scoring scoring_of(const ModeAndEnds& mode, Gaps gaps, const SubstitutionMatrix& matrix) {
  return {matrix, gaps.open, gaps.extend, matrix.scale(), mode.mode, mode.free_ends};
}

Scoring scoring_of(const ModeAndEnds& mode, Gaps gaps, std::string_view matrix) {
  return scoring_of(mode, gaps, SubstitutionMatrix::builtin(matrix));
}

SubstitutionMatrix matrix_of(const std::function<int(int, int)>& score, AlphabetKind kind) {
  const Alphabet& alphabet = Alphabet::of(kind);
  std::string text = " ";
  for (const char letter : alphabet.letters()) text += fmt::format(" {}", letter);
  for (int query = 0; query < alphabet.size(); ++query) {
    text += fmt::format("\n{}", alphabet.letters()[query]);
    for (int subject = 0; subject < alphabet.size(); ++subject)
      text += fmt::format(" {}", score(query, subject));
  }
  return SubstitutionMatrix::parse(text, "test matrix", kind);
}

}  // namespace alnus::test

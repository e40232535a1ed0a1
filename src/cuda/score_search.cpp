#include "cuda/score_search.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <utility>

#include "alnus/error.h"
#include "core/best_scores.h"
#include "cuda/limits.h"
#include "cuda/range16.h"
#include "cuda/scores16_inputs.h"

namespace alnus::cuda {
namespace {

DeviceScoring scoring_by_letter(const Scoring& scoring, const Letters& letters) {
  DeviceScoring result = device_scoring(scoring);
  for (std::size_t query = 0; query < kMaxLetters; ++query)
    for (std::size_t subject = 0; subject < kMaxLetters; ++subject)
      result.matrix[query][subject] = letters.scores()[query * kMaxLetters + subject];
  return result;
}

}  // namespace

struct ScoreSearch::Work {
  Work(const Tile& tile, const Scoring& scoring, const Sink& sink, const Letters& letters,
       std::optional<bool> forced_coarse, bool is_short)
      : tile(tile),
        scoring(scoring),
        letters(letters),
        queries(*tile.rows, tile.row_range, letters),
        sink(sink),
        wanted(sink.limit()),
        lists(wanted > 0 || has_floors(sink, tile.row_range)),
        is_short(is_short) {
    const BestScores best_scores(scoring.matrix);
    for (Position row = tile.row_range.begin; row < tile.row_range.end; ++row) {
      const std::int64_t best_score = best_scores.of(tile.rows->residues(row));
      most_score = std::max(most_score, best_score);
      if (scoring.mode == Mode::local)
        span = std::max(span, longest_span(tile.rows->length(row), best_score, scoring.open, scoring.extend));
    }
    if (scoring.mode == Mode::local)
      set_local(forced_coarse);
    else
      set_ends();
  }

  void set_local(std::optional<bool> forced_coarse) {
    if (span > 0) span = std::max(span, kShortestSpan);
    const bool chosen = forced_coarse ? *forced_coarse
                                      : coarse_pays(scoring, static_cast<double>(tile.cells),
                                                    tile.column_range.size(), wanted);
    if (wanted > 0 && chosen && !is_short) goal = Goal::coarse;
    if (coarse()) slack = coarse_slack(scoring.open, scoring.extend);
    // Before the score of any cell exceeds 16 bits, a cell that is looked at has at least this score.
    overflow = kHighest16 - kFloor - std::max(scoring.matrix.highest(), 0) - slack;
  }
  void set_ends() {
    goal = Goal::ends;
    range.emplace(tile, scoring);
    overflow = INT32_MAX;
  }

  std::uint32_t rows() const { return static_cast<std::uint32_t>(queries.lengths.size()); }
  bool coarse() const { return goal == Goal::coarse; }
  // True if all pairs that reach their floors are wanted, and no others.
  bool listed_by_floor() const { return lists && wanted == 0; }
  // True if most residues are in queries of more than kPassRows residues.
  bool long_queries() const {
    std::uint64_t residues = 0;
    for (const std::uint32_t length : queries.lengths) residues += length > kPassRows ? length : 0;
    return 2 * residues > queries.codes.size();
  }
  // The goal of the wide parts, which no coarse version scores.
  Goal exact_goal() const { return coarse() ? Goal::local : goal; }
  // The floors of the columns at `positions` (floors_of_ranges()). If none are listed, no score reaches a
  // floor.
  std::vector<std::int32_t> floors(PositionRange positions) const {
    if (lists) return floors_of_ranges(sink, tile.row_range, positions);
    return std::vector<std::int32_t>(std::size_t{rows()} * kFloorRanges,
                                     std::numeric_limits<std::int32_t>::max());
  }
  // True if every pair that is wanted has a score above 0.
  bool floors_above_0() const {
    for (Position row = tile.row_range.begin; row < tile.row_range.end; ++row)
      if (sink.floor(row) <= 0) return false;
    return lists;
  }
  // For each row, the columns at `positions` whose scores are known: those for which 16 bits suffice, and the
  // first `long_columns` columns (scored in 32 bits) if no other column lies between the two.
  std::vector<KnownColumns> known(PositionRange positions, std::uint32_t long_columns) const {
    std::vector<KnownColumns> all(rows(), {0, positions.size()});
    for (std::uint32_t row = 0; range && row < rows(); ++row) {
      const PositionRange of_row = range->known_columns(tile.row_range.begin + row);
      const auto column = [&](Position position) {
        return std::clamp(position, positions.begin, positions.end) - positions.begin;
      };
      const std::uint32_t begin = column(of_row.begin), end = column(of_row.end);
      all[row] =
          begin > long_columns ? KnownColumns{begin, end} : KnownColumns{0, std::max(end, long_columns)};
    }
    return all;
  }

  std::int32_t& score_at(std::uint32_t row, Position column) const {
    return all_scores[std::uint64_t{row} * tile.column_range.size() + (column - tile.column_range.begin)];
  }

  const Tile& tile;
  const Scoring& scoring;
  const Letters& letters;
  const LettersOfRows queries;
  const Sink& sink;
  const std::uint32_t wanted;          // best pairs of each row; 0: all pairs that reach their floors
  const bool lists;                    // if true, pairs are listed; otherwise all scores are handed over
  const bool is_short;                 // if true, short_scores_ scores the tile
  std::int32_t* all_scores = nullptr;  // pinned; null if pairs are listed
  std::uint64_t span = 0;              // overlap of windows in columns (make_strips()); 0: no subject is cut
  std::int64_t most_score = 0;         // the highest that any query can have
  Goal goal = Goal::local;
  std::optional<Range16> range;  // only with Goal::ends
  std::int32_t slack = 0, overflow = 0;
  Packing packing = Packing::two_queries;
  std::optional<Shape> shape;  // the forced shape, if any
  std::uint32_t columns = 0,
                first_column = 0;  // columns at work, and the first one's offset in the slab
  // Where the arrays of the tile are on the device.
  Staging::Place<std::uint8_t> codes_at;
  Staging::Place<std::uint64_t> offsets_at;
  Staging::Place<std::int32_t> floors_at, matrix_at;
  Staging::Place<KnownColumns> known_at;
  Staging::Place<DeviceScoring> scoring_at;
};

// A part, and what its launch has on the device.
struct ScoreSearch::Launch {
  const Part& part;
  std::size_t number;         // of the part in its slab
  std::uint64_t first_entry;  // where the part's entries begin in boundary_
  Staging::Place<Strip> strips_at;
  Staging::Place<LaneBlock> blocks_at;
  Staging::Place<Bin> bins_at;
};

// Three quarters of the memory are for the rows between the passes of scores16. A 16th is for the rows
// between the passes of score_passes, and three 16ths are for the selection.
ScoreSearch::ScoreSearch(int multiprocessors, std::size_t shared_bytes, std::uint64_t memory_bytes,
                         Uploader& uploader, Stopper& stopper)
    : multiprocessors_(multiprocessors),
      shared_bytes_(shared_bytes),
      part_maker_(multiprocessors, memory_bytes / 4 * 3),
      uploader_(uploader),
      stopper_(stopper),
      short_scores_(multiprocessors),
      long_subjects_(multiprocessors, memory_bytes / 16),
      selector_(multiprocessors, memory_bytes / 16 * 3, stopper) {}

bool ScoreSearch::fits(const Scoring& scoring) {
  constexpr std::int32_t kHalf = kHighest16 / 2;
  if (scoring.mode != Mode::local) return Range16::fits(scoring);
  return scoring.open + scoring.extend <= kFloor && scoring.matrix.highest() <= kHalf - 4 * kFloor &&
         scoring.matrix.lowest() >= -kHalf;
}

double ScoreSearch::known_share(const Tile& tile, const Scoring& scoring) {
  return scoring.mode == Mode::local ? 1 : Range16(tile, scoring).known_share();
}

QueryKind ScoreSearch::kind_of(const Work& work) const {
  return {work.queries.lengths, work.letters.count(), shared_bytes_};
}

PartsProblem ScoreSearch::problem_of(const Work& work) const {
  return {.queries = kind_of(work),
          .packing = work.packing,
          .shape = work.shape,
          .goal = work.goal,
          .wide_goal = work.shape ? work.goal : work.exact_goal(),
          .extend = static_cast<std::uint32_t>(work.scoring.extend),
          .span = work.span,
          .cells = static_cast<double>(work.tile.cells)};
}

// Adds the arrays of the parts to what is copied to the device.
std::vector<ScoreSearch::Launch> ScoreSearch::stage(const std::vector<Part>& parts) {
  std::vector<Launch> launches;
  std::uint64_t entries = 0;
  for (const Part& part : parts) {
    launches.push_back({part, launches.size(), entries, staging_.add(part.strips),
                        staging_.add(part.chains.blocks), staging_.add(part.chains.bins)});
    entries += part.all_boundary_entries();
  }
  return launches;
}

void ScoreSearch::reserve(const std::vector<Launch>& launches, const Work& work) {
  std::uint64_t entries = 0;
  for (const Launch& launch : launches) {
    const std::uint64_t fours = static_cast<std::uint64_t>(launch.part.shape.rows + 3) / 4;
    profiles_[launch.number].reserve(launch.part.chains.blocks.size() * work.letters.count() * fours);
    entries = launch.first_entry + launch.part.all_boundary_entries();
  }
  boundary_.reserve(entries);
}

// The input of a kernel for these subjects, with what is the same for all versions of the kernels.
Scores16 ScoreSearch::task_of(const Work& work, const Slab& slab, SlabRange subjects) const {
  Scores16 task = scores16_of(work.scoring, work.range ? work.range->zero() : kFloor);
  task.begin = subjects.begin;
  task.end = subjects.end;
  task.first_column = work.first_column;
  task.places = slab.places;
  task.lengths = slab.lengths;
  task.packed = slab.packed;
  task.letters = work.letters.count();
  task.scores = scores_.data();
  task.stride = work.columns;
  task.stop = stopper_.word();
  return task;
}

// The input of fill_profiles without lane blocks and output.
Profiles ScoreSearch::profiles_of(const Work& work) const {
  return {.blocks = nullptr,
          .block_count = 0,
          .rows = 0,
          .letters = work.letters.count(),
          .queries = staging_.at(work.codes_at),
          .scores = staging_.at(work.matrix_at),
          .pad_score = pad_score(work.scoring),
          .profiles = nullptr};
}

void ScoreSearch::launch_part(const Launch& launch, const Work& work, const Slab& slab) {
  const Part& part = launch.part;
  if (part.blocks == 0) return;
  const Stream& stream = stream_of(part);
  Profiles profiles = profiles_of(work);
  profiles.blocks = staging_.at(launch.blocks_at);
  profiles.block_count = static_cast<std::uint32_t>(part.chains.blocks.size());
  profiles.rows = static_cast<std::uint32_t>(part.shape.rows);
  profiles.profiles = profiles_[launch.number].data();
  check(launch_profiles(profiles, stream), "the kernel fill_profiles");

  Scores16 task = task_of(work, slab, part.subjects);
  task.profiles = profiles.profiles;
  task.blocks = profiles.blocks;
  task.bins = staging_.at(launch.bins_at);
  task.strips = part.strips.empty() ? nullptr : staging_.at(launch.strips_at);
  task.bin_count = static_cast<std::uint32_t>(part.chains.bins.size());
  task.strip_count = part.strip_count;
  task.next_item = items_taken_.data() + launch.number;
  if (part.spread_items > 0)
    task.spread = {items_taken_.data() + kMostParts, part.spread_items,
                   static_cast<std::uint32_t>(multiprocessors_)};
  task.boundary = boundary_.data() + launch.first_entry;
  task.boundary_entries = part.boundary_entries;
  check(part.kernel.launch(task, part.blocks, stream), "the kernel scores16");
}

Found ScoreSearch::run(const Tile& tile, const Scoring& scoring, const Sink& sink,
                       const CudaSequences& columns, const std::optional<Version>& forced,
                       FoundBuffers& buffers, Stages& stages) {
  const Letters letters(scoring.matrix);
  Work work(tile, scoring, sink, letters,
            forced && forced->shape ? std::optional(forced->coarse) : std::nullopt,
            !forced && ShortScores::suits(tile, letters.count(), shared_bytes_));
  if (forced)
    work.packing = forced->packing;
  else if (work.goal != Goal::ends && !work.is_short)
    work.packing = choose_packing(kind_of(work));
  if (forced) work.shape = forced->shape;
  buffers.pairs.clear();
  if (!work.lists)
    work.all_scores = buffers.all_scores.reserve(std::uint64_t{work.rows()} * tile.column_range.size());
  const auto found = [&]() -> Found {
    if (!work.lists) return TileScores{tile.column_range, work.all_scores};
    return &buffers.pairs;
  };
  if (tile.row_range.size() == 0 || tile.column_range.size() == 0) return found();
  if (work.queries.codes.empty() && work.floors_above_0()) return found();
  const auto bring = [&](std::uint32_t slab) {
    const auto start = std::chrono::steady_clock::now();
    const Slab brought = columns.bring(slab, letters, upload_, uploader_);
    stages.upload += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return brought;
  };
  std::uint32_t number = columns.slab_of(tile.column_range.begin);
  for (Slab slab = bring(number);; ++number) {
    const PositionRange positions{std::max(slab.range.begin, tile.column_range.begin),
                                  std::min(slab.range.end, tile.column_range.end)};
    const ScoredSlab scored = start(work, slab, positions);
    const bool last = slab.range.end >= tile.column_range.end;
    if (!last) slab = bring(number + 1);  // while the kernels run
    collect(work, scored, positions, buffers.pairs);
    stages.kernel += scored_.seconds_since(begun_);
    stages.selection += done_.seconds_since(scored_);
    if (last) return found();
  }
}

void ScoreSearch::settle() {
  for (const Stream& stream : beside_) stream.wait();
  stream_.wait();
  upload_.wait();
  long_subjects_.settle();
}

// Returns the input of score_passes for the longest of the subjects at work. `residues`: of all subjects at
// work. Of the addresses on the device only that of the stop word is set.
LongScores ScoreSearch::long_scores_of(const Work& work, const Slab& slab, std::uint64_t residues) const {
  LongScores long_scores{};
  if (work.shape || work.is_short) return long_scores;
  const std::span<const std::uint32_t> lengths =
      slab.subjects.lengths.subspan(work.first_column, work.columns);
  long_scores.rows = work.rows();
  long_scores.columns = count_long_subjects(work.packing, kind_of(work), lengths, residues, 2 * work.span);
  long_scores.longest_query = work.queries.lengths.front();
  long_scores.longest_subject = lengths.front();
  long_scores.stride = work.columns;
  long_scores.stop = stopper_.word();
  return long_subjects_.cut(long_scores);
}

// Launches all kernels and copies for the subjects at these positions of the slab.
ScoredSlab ScoreSearch::start(Work& work, const Slab& slab, PositionRange positions) {
  const std::uint32_t columns = work.columns = positions.size();
  const SlabRange in_slab = slab.offsets_of(positions);
  work.first_column = in_slab.begin;
  const std::uint64_t residues = work.tile.columns->residues(positions);
  LongScores long_scores = long_scores_of(work, slab, residues);
  const std::uint32_t long_columns = long_scores.columns;
  Parts parts;
  if (!work.is_short)
    parts = part_maker_.make(problem_of(work), *work.tile.columns, slab,
                             {in_slab.begin + long_columns, in_slab.end}, work.first_column);
  const std::uint32_t coarse_from = !work.coarse() ? columns
                                    : work.shape   ? 0
                                                   : parts.narrow_begin - in_slab.begin;

  const std::vector<KnownColumns> known = work.known(positions, long_columns);
  std::uint64_t unknown = std::uint64_t{work.rows()} * columns;
  for (const KnownColumns& row : known) unknown -= row.end - row.begin;
  if (work.listed_by_floor() && unknown > kMostFound) throw TooManyFound();  // unknown pairs are candidates

  staging_.clear();
  work.known_at = staging_.add(known);
  work.codes_at = staging_.add(work.queries.codes);
  work.offsets_at = staging_.add(work.queries.offsets);
  work.floors_at = staging_.add(work.floors(positions));
  work.matrix_at = staging_.add(work.letters.scores());
  const DeviceScoring exact = scoring_by_letter(work.scoring, work.letters);
  work.scoring_at = staging_.add(std::span(&exact, 1));
  if (work.is_short)
    short_scores_.lay_out(work.tile, work.queries.lengths, positions, work.goal,
                          static_cast<std::uint32_t>(work.scoring.extend), work.letters.count(), staging_);
  const std::vector<Launch> launches = stage(parts.all);

  begun_.record(stream_);
  staging_.upload(stream_);
  const std::uint64_t pairs = std::uint64_t{work.rows()} * columns;
  constexpr std::uint8_t kZero = 0, kLow = 0x80;
  fill(scores_.reserve(pairs), work.goal == Goal::ends ? kLow : kZero, pairs * sizeof(std::int32_t), stream_);
  const std::uint64_t counters = kMostParts + Spread::words(multiprocessors_);
  fill_zero(items_taken_.reserve(counters), counters * sizeof(std::uint32_t), stream_);
  const ScoredSlab scored{
      .scores = scores_.data(),
      .rows = work.rows(),
      .columns = columns,
      .floors = staging_.at(work.floors_at),
      .known = staging_.at(work.known_at),
      .wanted = work.wanted,
      .has_floors = work.lists,
      .coarse_from = coarse_from,
      .slack = work.slack,
      .overflow = work.overflow,
      .exact = unknown == 0 && !work.coarse() && work.most_score < work.overflow,
      .sequences = {.query_offsets = staging_.at(work.offsets_at),
                    .queries = staging_.at(work.codes_at),
                    .places = slab.places,
                    .lengths = slab.lengths,
                    .packed = slab.packed,
                    .first_column = work.first_column},
      .scoring = staging_.at(work.scoring_at),
      .longest_subject = slab.subjects.lengths[in_slab.begin],
      .cells = static_cast<double>(work.queries.codes.size()) * static_cast<double>(residues),
      .long_queries = work.long_queries(),
      .unknown = unknown};
  // All memory is allocated before the first kernel: freeing a buffer that grows would wait for kernels that
  // run, and nobody would look at the stop flag meanwhile.
  selector_.prepare(scored);
  reserve(launches, work);
  long_subjects_.reserve(long_scores);
  if (work.is_short) short_scores_.reserve(work.letters.count());
  ready_.record(stream_);
  for (const Stream& stream : beside_) ready_.hold(stream);
  long_scores.sequences = scored.sequences;
  long_scores.scoring = scored.scoring;
  long_scores.scores = scores_.data();
  long_subjects_.launch(long_scores, ready_);  // first, because the other kernels fill the multiprocessors
  if (work.is_short) short_scores_.launch(task_of(work, slab, in_slab), profiles_of(work), staging_, stream_);
  for (const Launch& launch : launches) launch_part(launch, work, slab);
  for (std::uint32_t k = 0; k < beside_.size(); ++k) {
    const auto is_on = [&](const Part& part) { return &stream_of(part) == &beside_[k]; };
    if (std::ranges::none_of(parts.all, is_on)) continue;  // what follows would lengthen short searches
    beside_done_[k].record(beside_[k]);
    beside_done_[k].hold(stream_);
  }
  if (long_columns > 0) long_subjects_.hold(stream_);
  scored_.record(stream_);

  selector_.start(scored, stream_);
  if (!work.lists) copy_all(work, positions);
  done_.record(stream_);
  return scored;
}

// Copies the scores of these positions to their places among all scores of the tile.
void ScoreSearch::copy_all(const Work& work, PositionRange positions) {
  const std::uint64_t columns = positions.size();
  const std::uint32_t at_once = columns == work.tile.column_range.size() ? work.rows() : 1;
  for (std::uint32_t row = 0; row < work.rows(); row += at_once)
    copy_to_host(&work.score_at(row, positions.begin), scores_.data() + row * columns, at_once * columns,
                 stream_);
}

// Waits for what start() began, and takes its results.
void ScoreSearch::collect(const Work& work, const ScoredSlab& scored, PositionRange positions,
                          FoundPairs& pairs) {
  if (!work.lists) {
    for (const Candidate& candidate : selector_.finish(scored, stream_, rescored_)) {
      stopper_.look();
      work.score_at(candidate.row, positions.begin + candidate.column) = candidate.score;
    }
    return;
  }
  FoundPairs::Part& part = pairs.add();
  part.first_column = positions.begin;
  part.count = static_cast<std::uint32_t>(selector_.finish(scored, stream_, part.candidates).size());
  if (work.listed_by_floor() && pairs.size() > kMostFound) throw TooManyFound();
}

}  // namespace alnus::cuda

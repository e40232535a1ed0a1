#include "cpu/matrix_scorer.h"

#include <algorithm>
#include <array>
#include <vector>

#include "cpu/lane_value.h"

namespace alnus::cpu {
namespace {

constexpr std::size_t kMostLanes = 64;

// Subjects of more residues share no lanes: side by side, the letters of chromosomes would fill the memory.
constexpr std::size_t kLongestTogether = 1 << 16;

// Score of the padding behind a subject's end with any letter: below 0, so that no alignment gains by it.
constexpr std::int16_t kPadScore = -1;

// Costs in vectors of cells. With a table for each lane, a column costs kTogetherColumn besides its rows,
// since its profile is made from all tables. A pair alone costs kAloneRow for each vector of a column, and
// kAloneColumn for each column.
constexpr double kTogetherColumn = 18, kAloneRow = 1.6, kAloneColumn = 5;

}  // namespace

MatrixScorer::Bounds MatrixScorer::bounds(const ScoredSubject& subject, std::int32_t open,
                                          std::int32_t extend) const {
  const auto [lowest, highest] = std::ranges::minmax(subject.scores);
  return {lowest, highest,
          std::max<std::int64_t>(std::int64_t{open} + 3 * std::int64_t{extend}, -std::int64_t{lowest})};
}

bool MatrixScorer::together(std::size_t rows, std::span<const std::size_t> numbers) const {
  const auto lanes = static_cast<double>(kernels_.wide16.lanes), all = static_cast<double>(rows);
  const double alone = (all / lanes + 1) * kAloneRow + kAloneColumn;
  return all + kTogetherColumn < static_cast<double>(numbers.size()) * alone;
}

void MatrixScorer::local_scores(std::span<const Residue> query, std::span<const ScoredSubject> subjects,
                                std::int32_t open, std::int32_t extend, std::span<std::int32_t> best,
                                const StopFlag& stop_flag) {
  std::fill_n(best.begin(), subjects.size(), 0);
  if (query.empty()) return;
  std::vector<std::size_t> narrow,
      alone;  // numbers of the subjects that may share 16-bit lanes, and of the others
  for (std::size_t k = 0; k < subjects.size(); ++k) {
    const ScoredSubject& subject = subjects[k];
    if (subject.residues.empty()) continue;
    const Bounds of = bounds(subject, open, extend);
    const auto shorter = static_cast<std::int64_t>(std::min(query.size(), subject.residues.size()));
    if (std::max<std::int64_t>(of.highest, 0) * shorter >= kernels_.wide32.highest ||
        of.below > -kernels_.wide32.lowest)
      throw_scores_too_large();
    const bool fits = of.below <= -kernels_.wide16.lowest && of.highest <= kernels_.wide16.highest &&
                      subject.residues.size() <= kLongestTogether;
    (fits && subject.barred.empty() ? narrow : alone).push_back(k);
  }
  std::ranges::stable_sort(narrow, [&](std::size_t a, std::size_t b) {
    return subjects[a].residues.size() > subjects[b].residues.size();
  });
  for (std::size_t first = 0; first < narrow.size(); first += side_by_side()) {
    const std::span<const std::size_t> numbers =
        std::span(narrow).subspan(first, std::min(side_by_side(), narrow.size() - first));
    if (together(query.size(), numbers))
      score_together(query, subjects, numbers, open, extend, best, stop_flag);
    else
      alone.insert(alone.end(), numbers.begin(), numbers.end());
  }
  for (const std::size_t k : alone) best[k] = score_alone(query, subjects[k], open, extend, stop_flag);
}

void MatrixScorer::score_together(std::span<const Residue> query, std::span<const ScoredSubject> subjects,
                                  std::span<const std::size_t> numbers, std::int32_t open,
                                  std::int32_t extend, std::span<std::int32_t> best,
                                  const StopFlag& stop_flag) {
  const WideKernels& kernels = kernels_.wide16;
  const auto lanes = static_cast<std::size_t>(kernels.lanes);
  constexpr std::size_t kTable = kLetters * kLetters;
  auto* tables = reinterpret_cast<std::int16_t*>(tables_.at_least(lanes * kTable * sizeof(std::int16_t)));
  std::int64_t below = 0;
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    std::int16_t* table = tables + lane * kTable;
    if (lane < numbers.size()) {
      const ScoredSubject& subject = subjects[numbers[lane]];
      std::ranges::transform(subject.scores, table,
                             [](std::int32_t score) { return static_cast<std::int16_t>(score); });
      below = std::max(below, bounds(subject, open, extend).below);
    }
    std::fill_n(table + std::size_t{kPadLetter} * kLetters, kLetters, kPadScore);
  }

  const std::int64_t zero = std::min<std::int64_t>(kernels.lowest + below, 0), room = kernels.highest - zero;
  const Stop end{pack(subjects, numbers, kernels.lanes, kWideColumns), nullptr};
  std::array<std::int32_t, kMostLanes> lengths{}, scores{};
  InterseqJob job;
  job.rules.local = true;
  job.rules.open = open;
  job.rules.extend = extend;
  job.rules.zero = static_cast<std::int32_t>(zero);
  job.query = query.data();
  job.rows = static_cast<std::int32_t>(query.size());
  job.used_count = *std::ranges::max_element(query) + 1;
  job.lane_scores = tables;
  job.letters = letters_.at_least(0);
  job.stops = &end;
  job.stop_count = 1;
  job.lengths = lengths.data();
  job.score = scores.data();
  job.workspace = workspace_.at_least(kernels.interseq_workspace(job.rows));
  job.stop_flag = stop_flag.raw();
  kernels.interseq(job);
  stop_flag.throw_if_requested();
  for (std::size_t lane = 0; lane < numbers.size(); ++lane) {
    const ScoredSubject& subject = subjects[numbers[lane]];
    best[numbers[lane]] =
        scores[lane] < room ? scores[lane] : score_alone(query, subject, open, extend, stop_flag);
  }
}

std::int32_t MatrixScorer::pack(std::span<const ScoredSubject> subjects, std::span<const std::size_t> numbers,
                                std::int32_t lanes, std::int32_t block_columns) {
  const auto width = static_cast<std::size_t>(lanes), block = static_cast<std::size_t>(block_columns);
  const std::size_t blocks = (subjects[numbers.front()].residues.size() + block - 1) / block;
  std::uint8_t* letters = letters_.at_least(blocks * block * width);
  std::fill_n(letters, blocks * block * width, kPadLetter);
  for (std::size_t lane = 0; lane < numbers.size(); ++lane) {
    const std::span<const Residue> residues = subjects[numbers[lane]].residues;
    for (std::size_t j = 0; j < residues.size(); ++j) letters[j * width + lane] = residues[j];
  }
  return static_cast<std::int32_t>(blocks);
}

void MatrixScorer::coarse_scores(std::span<const Residue> query, std::span<const ScoredSubject> subjects,
                                 std::int32_t open, std::int32_t extend, std::span<std::int32_t> best,
                                 const StopFlag& stop_flag) {
  std::fill_n(best.begin(), subjects.size(), 0);
  if (query.empty()) return;
  const CoarseScores coarse(open, extend);
  std::vector<std::size_t> numbers;
  for (std::size_t k = 0; k < subjects.size(); ++k) {
    if (subjects[k].residues.empty()) continue;
    if (coarse.fit(subjects[k].scores) && subjects[k].residues.size() <= kLongestTogether)
      numbers.push_back(k);
    else
      best[k] = kUnknownScore;
  }
  std::ranges::stable_sort(numbers, [&](std::size_t a, std::size_t b) {
    return subjects[a].residues.size() > subjects[b].residues.size();
  });
  for (std::size_t first = 0; first < numbers.size(); first += side_by_side_coarse()) {
    const std::size_t count = std::min(side_by_side_coarse(), numbers.size() - first);
    score_coarsely(query, subjects, std::span(numbers).subspan(first, count), coarse, best, stop_flag);
  }
}

void MatrixScorer::score_coarsely(std::span<const Residue> query, std::span<const ScoredSubject> subjects,
                                  std::span<const std::size_t> numbers, const CoarseScores& coarse,
                                  std::span<std::int32_t> best, const StopFlag& stop_flag) {
  const Local8Kernel& kernel = kernels_.local8;
  const auto lanes = static_cast<std::size_t>(kernel.lanes);
  constexpr std::size_t kTable = kLetters * kLetters;
  auto* tables = reinterpret_cast<std::int8_t*>(tables_.at_least(lanes * kTable));
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    std::int8_t* table = tables + lane * kTable;
    if (lane < numbers.size())
      std::ranges::transform(subjects[numbers[lane]].scores, table, [&](std::int32_t score) {
        return static_cast<std::int8_t>(coarse.rounded(score));
      });
    std::fill_n(table + std::size_t{kPadLetter} * kLetters, kLetters, std::int8_t{kPadScore});
    for (std::size_t s = 0; s < kLetters; ++s) table[s * kLetters + kPadLetter] = kPadScore;
  }

  std::vector<Residue> padded(query.begin(), query.end());
  padded.resize((query.size() + kRowStep - 1) / kRowStep * kRowStep, kPadLetter);
  const Stop end{pack(subjects, numbers, kernel.lanes, kernel.columns), nullptr};
  std::array<std::int16_t, kMostLanes> scores{};
  Local8Job job;
  job.query = padded.data();
  job.rows = static_cast<std::int32_t>(padded.size());
  job.lane_scores = tables;
  job.first = coarse.first;
  job.extend = coarse.extend;
  job.zero = coarse.zero;
  job.letters = letters_.at_least(0);
  job.stops = &end;
  job.stop_count = 1;
  job.best = scores.data();
  job.workspace = workspace_.at_least(kernel.workspace(job.rows));
  job.stop_flag = stop_flag.raw();
  kernel.run(job);
  stop_flag.throw_if_requested();
  for (std::size_t lane = 0; lane < numbers.size(); ++lane)
    best[numbers[lane]] = scores[lane] > coarse.highest_known ? kUnknownScore : scores[lane] << coarse.shift;
}

std::int32_t MatrixScorer::score_alone(std::span<const Residue> query, const ScoredSubject& subject,
                                       std::int32_t open, std::int32_t extend, const StopFlag& stop_flag) {
  const Bounds of = bounds(subject, open, extend);
  std::array<std::int32_t, kLetters * kLetters> by_query;  // the query's letter first
  for (std::size_t s = 0; s < kLetters; ++s)
    for (std::size_t q = 0; q < kLetters; ++q) by_query[q * kLetters + s] = subject.scores[s * kLetters + q];

  std::vector<BarredCell> barred;
  for (const ResiduePair& pair : subject.barred)
    barred.push_back(
        {static_cast<std::int32_t>(pair.subject) + 1, static_cast<std::int32_t>(pair.query) + 1});

  StripedJob job;
  job.barred = barred.data();
  job.barred_count = static_cast<std::int64_t>(barred.size());
  job.rules.local = true;
  job.rules.open = open;
  job.rules.extend = extend;
  job.want = Want::score;
  job.query = query.data();
  job.rows = static_cast<std::int32_t>(query.size());
  job.subject = subject.residues.data();
  job.columns = job.column_end = static_cast<std::int32_t>(subject.residues.size());
  job.scores = by_query.data();
  job.stop_flag = stop_flag.raw();
  for (const WideKernels* kernels : {&kernels_.wide16, &kernels_.wide32}) {
    const std::int64_t zero = std::min<std::int64_t>(kernels->lowest + of.below, 0),
                       room = kernels->highest - zero;
    if (of.highest > kernels->highest || of.below > -kernels->lowest) continue;
    job.rules.zero = static_cast<std::int32_t>(zero);
    job.workspace = workspace_.at_least(kernels->striped_workspace(job.rows));
    job.state = state_.at_least(kernels->striped_state(job.rows));
    job.score = 0;
    kernels->striped(job);
    stop_flag.throw_if_requested();
    if (job.score < room) break;
  }
  return job.score;
}

}  // namespace alnus::cpu

#include "cpu/window_further.h"

#include <algorithm>
#include <bit>

#include "core/aligned_pairs.h"
#include "core/best_scores.h"
#include "core/cigar.h"
#include "cpu/single_pair.h"

namespace alnus::cpu {
namespace {

// The least score of an alignment that next() returns.
std::int64_t least_score(std::span<const Residue> query, const Scoring& scoring, std::int32_t lowest) {
  return std::max<std::int64_t>(lowest, score_of_nothing(scoring, query.size()) + 1);
}

// Returns the multiple of `step` that is at least `count`.
std::int64_t rounded_up(std::int64_t count, std::int64_t step) { return (count + step - 1) / step * step; }

}  // namespace

bool WindowFurther::finds_all(std::span<const Residue> query, const Scoring& scoring,
                              std::int32_t lowest) const {
  constexpr std::size_t kLongest = 10'000;  // of a query: the scan's tables grow with it
  if (query.size() > kLongest || scoring.mode != Mode::semiglobal ||
      scoring.free_ends != FreeEnds{.subject_begin = true, .subject_end = true})
    return false;
  // Each residue of the query is aligned or in a gap. Those that are aligned score at most `best` together,
  // for which no residue counts less than 0. A gap costs as much as that of one residue, or more.
  constexpr std::int64_t kHighestScore = 1'000'000'000;
  const std::int64_t best = BestScores(scoring.matrix).of(query),
                     may_lose = best - least_score(query, scoring, lowest);
  return may_lose < std::int64_t{scoring.open} + scoring.extend && may_lose <= kernels_.gapless16.most &&
         best <= kHighestScore;
}

void WindowFurther::begin(std::span<const Residue> query, std::span<const Residue> subject,
                          const Scoring& scoring, std::int32_t lowest, const StopFlag& stop_flag) {
  query_ = query;
  subject_ = subject;
  stop_flag_ = &stop_flag;
  windows_.clear();
  next_ = 0;
  barred_.clear();
  const BestScores best(scoring.matrix);
  const std::int64_t least = least_score(query, scoring, lowest), may_lose = best.of(query) - least;
  found_ = query.empty() || query.size() > subject.size() || may_lose < 0;  // there are none
  if (found_) return;
  least_ = static_cast<std::int32_t>(least);
  may_lose_ = static_cast<std::int32_t>(may_lose);
  for (int q = 0; q < kLetters; ++q) {
    const auto letter = static_cast<Residue>(q);
    const std::int64_t best_of_letter = best.of({&letter, 1});
    for (int s = 0; s < kLetters; ++s) {
      const std::int64_t loss = best_of_letter - scoring.matrix.value(letter, static_cast<Residue>(s));
      losses_[q * kLetters + s] =
          s == kPadLetter ? may_lose_ + 1
                          : static_cast<std::int32_t>(std::min<std::int64_t>(loss, may_lose_ + 1));
    }
  }
}

void WindowFurther::bar(const Alignment& alignment) {
  for_each_aligned_pair(alignment, [&](std::size_t i, std::size_t j) {
    barred_.insert(static_cast<std::int64_t>(j) - static_cast<std::int64_t>(i));
  });
}

void WindowFurther::find_windows() {
  const GaplessKernel& kernel = may_lose_ <= kernels_.gapless8.most ? kernels_.gapless8 : kernels_.gapless16;
  // The subject is done in blocks, whose profile a nearby cache holds. A longer query has wider blocks:
  // otherwise most of the profile would belong to residues of the next block, too.
  constexpr std::int64_t kWindows = 4096;
  const auto rows = static_cast<std::int64_t>(query_.size()),
             residues = static_cast<std::int64_t>(subject_.size()), count = residues - rows + 1;
  const std::int64_t windows = rounded_up(std::min(std::max(kWindows, rows), count), kGaplessStep),
                     columns = rounded_up(windows + rows - 1, kGaplessLanes);
  GaplessJob job;
  job.query = query_.data();
  job.rows = static_cast<std::int32_t>(rows);
  for (const Residue residue : query_) job.used |= 1U << code_of(residue);
  job.losses = losses_.data();
  job.may_lose = may_lose_;
  std::uint8_t* const codes = codes_.at_least(static_cast<std::uint64_t>(columns));
  job.subject = codes;
  job.columns = static_cast<std::int32_t>(columns);
  job.windows = static_cast<std::int32_t>(windows);
  hits_.resize(static_cast<std::size_t>(windows));
  job.hits = hits_.data();
  job.workspace =
      workspace_.at_least(static_cast<std::uint64_t>(columns * kernel.lane_bytes * std::popcount(job.used)));
  job.stop_flag = stop_flag_->raw();

  windows_.resize(static_cast<std::size_t>(may_lose_) + 1);
  for (std::int64_t begin = 0; begin < count; begin += windows) {
    const std::span<const Residue> part = subject_.subspan(
        static_cast<std::size_t>(begin), static_cast<std::size_t>(std::min(columns, residues - begin)));
    std::ranges::transform(part, codes, code_of);
    std::fill(codes + part.size(), codes + columns, kPadLetter);
    kernel.run(job);
    stop_flag_->throw_if_requested();
    for (const GaplessHit& hit : std::span(hits_).first(static_cast<std::size_t>(job.hit_count)))
      windows_[static_cast<std::size_t>(hit.left)].push_back(static_cast<std::int32_t>(begin) + hit.window);
  }
  found_ = true;
}

Alignment WindowFurther::alignment_of(std::int32_t window, std::int32_t score) const {
  const auto rows = static_cast<std::int32_t>(query_.size());
  CigarBuilder cigar;
  cigar.prepend_pairs(query_, subject_.subspan(static_cast<std::size_t>(window), query_.size()),
                      query_.size());
  return {score, 0, rows, window, window + rows, cigar.finish()};
}

std::optional<Alignment> WindowFurther::next() {
  stop_flag_->throw_if_requested();
  if (!found_) find_windows();
  for (; !windows_.empty(); windows_.pop_back(), next_ = 0) {
    const std::vector<std::int32_t>& equal = windows_.back();
    while (next_ < equal.size()) {
      const std::int32_t window = equal[next_++];
      if (!barred_.contains(window))
        return alignment_of(window, least_ + static_cast<std::int32_t>(windows_.size()) - 1);
    }
  }
  return std::nullopt;
}

}  // namespace alnus::cpu

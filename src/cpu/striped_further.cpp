#include "cpu/striped_further.h"

#include <algorithm>
#include <limits>

#include "core/aligned_pairs.h"
#include "cpu/lane_value.h"

namespace alnus::cpu {

void StripedFurther::begin(std::span<const Residue> query, std::span<const Residue> subject,
                           const Scoring& scoring, std::int32_t lowest, const StopFlag& stop_flag) {
  runs_.reset();
  ends_.clear();
  changed_begin_ = changed_end_ = 0;
  if (query.empty() || subject.empty()) return;
  query_ = query;
  subject_ = subject;
  const std::int64_t least = std::max<std::int64_t>(lowest, score_of_nothing(scoring, query.size()) + 1);
  tables_.prepare(scoring);
  query_codes_.resize(query.size());
  std::ranges::transform(query, query_codes_.begin(), code_of);
  buffers_.subject.resize(subject.size());
  std::ranges::transform(subject, buffers_.subject.begin(), code_of);

  job_ = {};
  const QueryBounds bounds(query, tables_);
  const WideKernels& kernels =
      bounds.width_for(kernels_, static_cast<std::int64_t>(subject.size()), job_.rules);
  if (least > kernels.highest - job_.rules.zero) return;  // no score is as high
  lowest_ = static_cast<std::int32_t>(least);
  job_.query = query_codes_.data();
  job_.rows = static_cast<std::int32_t>(query.size());
  job_.subject = buffers_.subject.data();
  job_.columns = static_cast<std::int32_t>(subject.size());
  for (const std::uint8_t letter : buffers_.subject) job_.letters |= 1U << letter;
  job_.scores = tables_.scores32();
  job_.workspace = buffers_.workspace.at_least(kernels.striped_workspace(job_.rows));
  const std::uint64_t state_bytes = kernels.striped_state(job_.rows);
  job_.state = buffers_.state.at_least(state_bytes);

  // Narrow blocks are computed again in little time, wide ones have fewer states. Half of the memory for
  // states is for those before the blocks, half for those within a block whose trace is too large (Cuts).
  constexpr std::int32_t kNarrowest = 128;
  const MemoryLimits limits{limits_.trace, limits_.states / 2};
  const auto blocks_at = [&](std::int64_t width) { return (job_.columns + width - 1) / width; };
  const auto fits = [&](std::int64_t width) {
    return static_cast<std::uint64_t>(blocks_at(width)) * state_bytes <= limits.states;
  };
  width_ = kNarrowest;
  while (width_ < job_.columns && !fits(width_))
    width_ = width_ > job_.columns / 2 ? job_.columns : 2 * width_;
  const std::uint64_t column_bytes =
      static_cast<std::uint64_t>(kernels.striped_segment(job_.rows)) * kernels.trace_bytes;
  const Cuts cuts(std::min(width_, job_.columns), static_cast<double>(column_bytes),
                  static_cast<double>(state_bytes), limits);
  job_.trace = buffers_.trace.at_least(column_bytes * static_cast<std::uint64_t>(cuts.piece));
  blocks_.resize(static_cast<std::size_t>(blocks_at(width_)));
  for (Block& block : blocks_) {  // they keep their memory
    block.barred.clear();
    block.best.reset();
  }
  changed_end_ = blocks_.size();
  runs_.emplace(kernels, job_, cuts, stop_flag);
}

std::int32_t StripedFurther::end_of(std::size_t block) const {
  return block + 1 == blocks_.size() ? job_.columns : begin_of(block + 1);
}

void StripedFurther::bar(const Alignment& alignment) {
  if (!runs_) return;
  std::size_t first = blocks_.size(), last = 0;
  for_each_aligned_pair(alignment, [&](std::size_t i, std::size_t j) {
    const BarredCell cell{static_cast<std::int32_t>(j) + 1, static_cast<std::int32_t>(i) + 1};
    last = j / static_cast<std::size_t>(width_);
    first = std::min(first, last);
    std::vector<BarredCell>& cells = blocks_[last].barred;
    cells.insert(std::ranges::upper_bound(cells, cell.column, {}, &BarredCell::column), cell);
  });
  if (first == blocks_.size()) return;
  const bool unchanged = changed_begin_ == changed_end_;
  changed_begin_ = unchanged ? first : std::min(changed_begin_, first);
  changed_end_ = unchanged ? last + 1 : std::max(changed_end_, last + 1);
}

void StripedFurther::compute_changed() {
  if (changed_begin_ == changed_end_) return;
  const auto rows = static_cast<std::int32_t>(query_.size());
  job_.rows = rows;
  if (changed_begin_ > 0) runs_->load(blocks_[changed_begin_].before, rows);
  for (std::size_t number = changed_begin_; number < blocks_.size(); ++number) {
    Block& block = blocks_[number];
    if (block.best) ends_.erase(*block.best);
    block.best.reset();
    job_.score = lowest_ - 1;
    runs_->bar(block.barred);
    runs_->run(begin_of(number), end_of(number), Want::ends);
    if (job_.score >= lowest_) {
      block.best = {job_.score, job_.query_end, job_.subject_end};
      ends_.insert(*block.best);
    }
    if (number + 1 == blocks_.size()) break;
    StripedRuns::State& before_next = blocks_[number + 1].before;
    if (number + 1 >= changed_end_ && runs_->is_in(before_next)) break;
    runs_->save(before_next);
  }
  changed_begin_ = changed_end_ = 0;
}

Alignment StripedFurther::trace_back(const End& end) {
  Alignment alignment;
  alignment.score = end.score;
  alignment.query_end = end.row;
  alignment.subject_end = end.column;
  Traceback traceback(query_, subject_, tables_.scoring(), alignment);
  while (!traceback.done()) {
    const std::size_t number =
        static_cast<std::size_t>(traceback.column() - 1) / static_cast<std::size_t>(width_);
    job_.score = end.score;  // no end is better, so that the run looks for none
    runs_->bar(blocks_[number].barred);
    if (number > 0) runs_->load(blocks_[number].before, traceback.row());
    job_.rows = traceback.row();
    runs_->trace_columns(begin_of(number), traceback);
  }
  return traceback.finish();
}

std::optional<Alignment> StripedFurther::next() {
  if (!runs_) return std::nullopt;
  compute_changed();
  if (ends_.empty()) return std::nullopt;
  Alignment alignment = trace_back(*ends_.begin());
  bar(alignment);
  return alignment;
}

}  // namespace alnus::cpu

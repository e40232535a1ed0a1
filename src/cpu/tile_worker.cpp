#include "cpu/tile_worker.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <numeric>

#include "alnus/error.h"
#include "cpu/traceback.h"

namespace alnus::cpu {

std::uint8_t* AlignedBuffer::at_least(std::uint64_t bytes) {
  constexpr std::uint64_t kPage = 4096;
  if (bytes > size_) {
    data_.reset();
    size_ = 0;
    const std::uint64_t rounded = (bytes + kPage - 1) / kPage * kPage;
    data_.reset(static_cast<std::uint8_t*>(std::aligned_alloc(kPage, rounded)));
    if (!data_)
      throw Error(ErrorKind::memory, fmt::format("Out of memory: {} bytes for a tile on the CPU.", bytes));
    size_ = rounded;
  }
  return data_.get();
}

TileWorker::Query TileWorker::prepare(std::span<const Residue> residues) {
  Query query;
  query.residues = residues;
  std::uint8_t index_of[kLetters];
  std::fill(std::begin(index_of), std::end(index_of), 0xff);
  query.codes.reserve(residues.size());
  query.indices.reserve(residues.size() + kRowStep);
  for (const Residue r : residues) {
    const std::uint8_t code = r & kCodeMask;
    if (index_of[code] == 0xff) {
      index_of[code] = static_cast<std::uint8_t>(query.used.size());
      query.used.push_back(code);
    }
    query.codes.push_back(code);
    query.indices.push_back(index_of[code]);
  }
  const auto pad = static_cast<std::uint8_t>(query.used.size());
  query.used.push_back(kPadLetter);
  while (query.indices.size() % kRowStep != 0) query.indices.push_back(pad);
  return query;
}

void TileWorker::start(const Tile& tile, const Problem& problem, Sink& sink) {
  tile_ = &tile;
  problem_ = &problem;
  sink_ = &sink;
  want_ = problem.detail == Detail::score  ? Want::score
          : problem.detail == Detail::ends ? Want::ends
                                           : Want::trace;
  range8_ = range8(problem.scoring);
  const int letters = Alphabet::of(problem.scoring.matrix.alphabet()).size();
  const std::int32_t pad = pad_score(problem.scoring);
  for (int q = 0; q < kLetters; ++q) {
    for (int s = 0; s < kLetters; ++s) {
      const std::int32_t value =
          q < letters && s < letters
              ? problem.scoring.matrix.value(static_cast<Residue>(q), static_cast<Residue>(s))
              : pad;
      scores32_[q * kLetters + s] = value;
      scores8_[q * kLetters + s] = static_cast<std::int8_t>(value);
      best_of_letter_[s] = std::max(q == 0 ? 0 : best_of_letter_[s], value);
    }
  }
  results_.clear();
  cigars_.clear();
}

void TileWorker::run(const Tile& tile, const Problem& problem, Sink& sink) {
  start(tile, problem, sink);
  const bool narrow = problem.scoring.mode == Mode::local && range8_.usable;
  if (narrow && want_ == Want::score && tile.shape != TileShape::list && method_ != Method::striped) {
    local_scores(tile);
    return hand_over();
  }
  const auto align_row = [&](std::uint32_t row, std::span<const std::uint32_t> columns) {
    const Query query = prepare(tile.rows->residues(row));
    if (narrow && want_ == Want::trace && method_ == Method::automatic) {
      local_alignments(row, query, columns);
    } else {
      exact(row, query, columns);
    }
  };
  std::vector<std::uint32_t> columns;
  if (tile.shape == TileShape::list) {
    for (std::size_t k = 0; k < tile.pairs.size();) {
      const std::uint32_t row = tile.pairs[k].row;
      columns.clear();
      for (; k < tile.pairs.size() && tile.pairs[k].row == row; ++k) columns.push_back(tile.pairs[k].column);
      std::sort(columns.begin(), columns.end());  // by decreasing length
      align_row(row, columns);
    }
  } else {
    for (std::uint32_t row = tile.row_range.begin; row < tile.row_range.end; ++row) {
      columns.clear();
      for (std::uint32_t c = tile.column_range.begin; c < tile.column_range.end; ++c) {
        if (wanted(row, c)) columns.push_back(c);
      }
      align_row(row, columns);
    }
  }
  hand_over();
}

namespace {

// Relative costs of striped against interseq, per cell of all lanes, and of starting it, in columns.
constexpr double kStripedCell = 1.6;
constexpr double kStripedStart = 24;

}  // namespace

void TileWorker::throw_too_large(std::uint32_t row, std::uint32_t column) const {
  throw Error(ErrorKind::input,
              fmt::format("Scores of query '{}' against '{}' may pass 1,000,000,000; use smaller scores.",
                          tile_->rows->sequences()[tile_->rows->index(row)].id(),
                          tile_->columns->sequences()[tile_->columns->index(column)].id()));
}

// `columns` by decreasing length: in batches of lanes, but those alone that would leave lanes empty.
void TileWorker::exact(std::uint32_t row, const Query& query, std::span<const std::uint32_t> columns) {
  const Scoring& scoring = problem_->scoring;
  const auto rows = static_cast<double>(query.codes.size());
  const QueryBounds bounds(query.residues, scoring);
  const auto length = [&](std::size_t k) { return tile_->columns->length(columns[k]); };
  for (std::size_t k = 0; k < columns.size();) {
    if (length(k) == 0 || query.codes.empty()) {
      const std::int64_t border =
          std::int64_t{scoring.extend} * static_cast<std::int64_t>(length(k) + query.codes.size());
      if (scoring.mode != Mode::local && scoring.open + border > kernels_.wide32.highest)
        throw_too_large(row, columns[k]);
      add(row, columns[k],
          align_reference(query.residues, tile_->columns->residues(columns[k]), scoring, problem_->detail));
      ++k;
      continue;
    }
    const auto padded = static_cast<std::int64_t>((length(k) + 3) / 4 * 4);
    Rules rules;
    const WideKernels* kernels = &kernels_.wide16;
    if (!bounds.fits(*kernels, padded, rules)) kernels = &kernels_.wide32;
    if (!bounds.fits(*kernels, padded, rules)) {
      throw_too_large(row, columns[k]);
    }
    std::size_t count = 0;
    double one_by_one = 0;
    const double segment = std::ceil(rows / kernels->lanes) + 3;  // and the carry from lane to lane
    const auto alone = [&](std::size_t c) {
      return segment * (static_cast<double>(length(c)) + kStripedStart) * kStripedCell;
    };
    while (count < static_cast<std::size_t>(kernels->lanes) && k + count < columns.size() &&
           length(k + count) > 0) {
      one_by_one += alone(k + count++);
    }
    const std::size_t second = count > 1 ? length(k + 1) : 0;
    const double saved = rows * static_cast<double>(length(k) - second);  // by leaving the first one out
    const auto trace_bytes =
        static_cast<std::uint64_t>(rows) * static_cast<std::uint64_t>(padded) * kernels->trace_bytes;
    const bool fits_memory = want_ != Want::trace || trace_bytes <= trace_limit_;
    const bool slower = one_by_one < rows * static_cast<double>(padded) || alone(k) < saved;
    if (method_ == Method::striped || !fits_memory || (slower && method_ == Method::automatic)) {
      striped(row, query, bounds, columns[k]);
      ++k;
    } else {
      interseq(*kernels, rules, row, query, columns.subspan(k, count));
      k += count;
    }
  }
}

void TileWorker::interseq(const WideKernels& kernels, const Rules& rules, std::uint32_t row,
                          const Query& query, std::span<const std::uint32_t> columns) {
  constexpr int kMaxLanes = 64;
  std::int32_t lengths[kMaxLanes] = {}, score[kMaxLanes], query_end[kMaxLanes], subject_end[kMaxLanes];
  Batch batch;
  const auto step = static_cast<std::size_t>(kernels.columns_step);
  for (std::size_t k = 0; k < columns.size(); ++k) {
    const std::size_t length = tile_->columns->length(columns[k]);
    lengths[k] = static_cast<std::int32_t>(length);
    const auto blocks = static_cast<std::int32_t>((length + step - 1) / step);
    batch.segments.push_back({static_cast<std::int32_t>(k), 0, blocks, columns[k]});
    batch.blocks = std::max(batch.blocks, blocks);
  }
  InterseqJob job;
  job.rules = rules;
  job.want = want_;
  job.query = query.indices.data();
  job.rows = static_cast<std::int32_t>(query.codes.size());
  job.used = query.used.data();
  job.used_count = static_cast<std::int32_t>(query.used.size());
  job.scores = scores32_;
  job.columns = batch.blocks * kernels.columns_step;
  const auto cells = static_cast<std::uint64_t>(job.rows) * static_cast<std::uint64_t>(job.columns);
  std::uint8_t* letters = letters_.at_least(static_cast<std::uint64_t>(job.columns) * kernels.lanes);
  pack(*tile_->columns, batch, kernels.lanes, kernels.columns_step, letters);
  job.letters = letters;
  job.lengths = lengths;
  job.score = score;
  job.query_end = query_end;
  job.subject_end = subject_end;
  if (want_ == Want::trace) job.trace = trace_.at_least(cells * kernels.trace_bytes);
  job.workspace = workspace_.at_least(kernels.interseq_workspace(job.rows));
  kernels.interseq(job);

  const std::int32_t floor = sink_->floor(row);
  for (std::size_t k = 0; k < columns.size(); ++k) {
    if (score[k] < floor) continue;
    Alignment alignment;
    alignment.score = score[k];
    if (want_ != Want::score) {
      alignment.query_end = query_end[k];
      alignment.subject_end = subject_end[k];
    }
    if (want_ == Want::trace) {
      Traceback traceback(query.residues, tile_->columns->residues(columns[k]), problem_->scoring, score[k],
                          query_end[k], subject_end[k]);
      const auto lane = static_cast<std::int32_t>(k);
      traceback.walk(0, std::numeric_limits<std::int32_t>::min(), [&](std::int32_t i, std::int32_t j) {
        const std::int64_t block = (j - 1) / kernels.columns_step;
        const std::int64_t cell =
            (block * job.rows + i - 1) * kernels.columns_step + (j - 1) % kernels.columns_step;
        return kernels.trace_at(job.trace + cell * kernels.trace_bytes, lane);
      });
      traceback.finish(alignment);
    }
    add(row, columns[k], alignment);
  }
}

void TileWorker::striped(std::uint32_t row, const Query& query, const QueryBounds& bounds,
                         std::uint32_t column) {
  const auto residues = tile_->columns->residues(column);
  Rules rules;
  const WideKernels* kernels = &kernels_.wide16;
  const auto width = [&] { return static_cast<std::int64_t>(residues.size()); };
  if (!bounds.fits(*kernels, width(), rules)) {
    kernels = &kernels_.wide32;
    bounds.fits(*kernels, width(), rules);
  }
  std::vector<std::uint8_t> subject(residues.begin(), residues.end());
  for (std::uint8_t& letter : subject) letter &= kCodeMask;
  Alignment alignment;
  align_in_pieces(*kernels, rules, query, subject, residues, alignment);
  if (alignment.score >= sink_->floor(row)) add(row, column, alignment);
}

// Columns are done in pieces whose traces fit the memory allowed, if that is possible. The first pass goes
// through all pieces and keeps the column before each; the traceback then does pieces again, from the end
// cell back, now with traces. With a single piece, or without traceback, there is one pass.
void TileWorker::align_in_pieces(const WideKernels& kernels, const Rules& rules, const Query& query,
                                 std::span<const std::uint8_t> subject, std::span<const Residue> residues,
                                 Alignment& alignment) {
  const auto rows = static_cast<std::int32_t>(query.codes.size());
  const auto columns = static_cast<std::int32_t>(subject.size());
  const std::int32_t segment = kernels.striped_segment(rows);
  const std::uint64_t column_bytes = static_cast<std::uint64_t>(segment) * kernels.trace_bytes;
  const std::uint64_t state_bytes = kernels.striped_state(rows);
  // Pieces of n columns keep columns / n states: where few columns fit, as many as make both equal.
  const double balanced = std::sqrt(static_cast<double>(columns) * static_cast<double>(state_bytes) /
                                    static_cast<double>(column_bytes));
  const auto fitting = static_cast<std::int32_t>(std::min<double>(
      columns, std::max(static_cast<double>(trace_limit_ / column_bytes), std::ceil(balanced))));
  const bool pieces = want_ == Want::trace && fitting < columns;
  const std::int32_t piece = pieces ? fitting : columns;

  StripedJob job;
  job.rules = rules;
  job.query = query.codes.data();
  job.rows = rows;
  job.subject = subject.data();
  job.columns = columns;
  job.scores = scores32_;
  job.score = std::numeric_limits<std::int32_t>::min();
  job.workspace = workspace_.at_least(kernels.striped_workspace(rows));
  job.state = state_.at_least(state_bytes);
  job.want = pieces ? Want::ends : want_;
  if (want_ == Want::trace) job.trace = trace_.at_least(column_bytes * static_cast<std::uint64_t>(piece));
  std::vector<std::vector<std::uint8_t>> before;  // the column before each piece
  for (job.column_begin = 0; job.column_begin < columns; job.column_begin = job.column_end) {
    job.column_end = std::min(columns, job.column_begin + piece);
    if (pieces) before.emplace_back(job.state, job.state + state_bytes);
    kernels.striped(job);
  }
  alignment.score = job.score;
  if (want_ == Want::score) return;
  alignment.query_end = job.query_end;
  alignment.subject_end = job.subject_end;
  if (want_ == Want::ends) return;

  Traceback traceback(query.residues, residues, problem_->scoring, job.score, job.query_end, job.subject_end);
  for (std::int32_t begin = std::max(0, job.subject_end - 1) / piece * piece; !traceback.done();
       begin -= piece) {
    if (pieces) {
      const auto& column = before[static_cast<std::size_t>(begin / piece)];
      std::copy(column.begin(), column.end(), job.state);
      job.want = Want::trace;
      job.column_begin = begin;
      job.column_end = std::max(begin, traceback.column());
      kernels.striped(job);
    }
    traceback.walk(begin, std::numeric_limits<std::int32_t>::min(), [&](std::int32_t i, std::int32_t j) {
      const std::int64_t cell = static_cast<std::int64_t>(j - 1 - begin) * segment + (i - 1) % segment;
      return kernels.trace_at(job.trace + cell * kernels.trace_bytes, (i - 1) / segment);
    });
  }
  traceback.finish(alignment);
}

void TileWorker::add(std::uint32_t row, std::uint32_t column, const Alignment& alignment) {
  PairResult result;
  result.row = row;
  result.column = column;
  result.score = alignment.score;
  result.query_begin = alignment.query_begin;
  result.query_end = alignment.query_end;
  result.subject_begin = alignment.subject_begin;
  result.subject_end = alignment.subject_end;
  // The spans get their addresses in hand_over(), when the cigars do not move any more.
  result.cigar = {static_cast<const CigarRun*>(nullptr), alignment.cigar.size()};
  cigars_.insert(cigars_.end(), alignment.cigar.begin(), alignment.cigar.end());
  results_.push_back(result);
}

void TileWorker::hand_over() {
  const CigarRun* next = cigars_.data();
  for (PairResult& result : results_) {
    result.cigar = {next, result.cigar.size()};
    next += result.cigar.size();
  }
  sink_->accept(*tile_, results_);
}

}  // namespace alnus::cpu

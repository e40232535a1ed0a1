#include "engine/random_pairs.h"

#include <algorithm>
#include <numeric>

#include "core/split_mix.h"
#include "engine/scheduler.h"

namespace alnus::engine {
namespace {

constexpr double kWhole = 4294967296;  // 2^32

// Writes results into a square. Positions are indices, since all sequences are of one length.
class SquareSink : public Sink {
 public:
  explicit SquareSink(PairSquare& square) : square_(square) {}

  void accept(const Tile& /*tile*/, std::span<const PairResult> results) override {
    for (const PairResult& r : results)
      square_.pairs[std::size_t{r.row.value()} * square_.side + r.column.value()] = {
          r.score, r.query_end - r.query_begin, r.subject_end - r.subject_begin};
  }

 private:
  PairSquare& square_;
};

}  // namespace

RandomSequences::RandomSequences(AlphabetKind alphabet, const Background& background) : alphabet_(alphabet) {
  const auto letters = static_cast<double>(background.size());
  std::vector<double> left;  // by letter: probability that no column has yet; 1: a whole column
  for (const double p : background) {
    columns_.push_back({static_cast<std::uint32_t>(kWhole - 1), static_cast<Residue>(left.size()),
                        static_cast<Residue>(left.size())});
    left.push_back(p * letters);
  }
  // Repeatedly, the most frequent letter fills up the column of the rarest letter.
  std::vector<std::size_t> open(background.size());
  std::iota(open.begin(), open.end(), std::size_t{0});
  const auto rarer = [&](std::size_t a, std::size_t b) { return left[a] < left[b]; };
  while (open.size() > 1) {
    const auto [rarest, commonest] = std::minmax_element(open.begin(), open.end(), rarer);
    columns_[*rarest].below = static_cast<std::uint32_t>(std::clamp(left[*rarest] * kWhole, 0.0, kWhole - 1));
    columns_[*rarest].other = static_cast<Residue>(*commonest);
    left[*commonest] -= 1 - left[*rarest];
    open.erase(rarest);
  }
}

SequenceSet RandomSequences::draw(std::uint64_t seed, std::uint32_t count, std::uint32_t length) const {
  std::uint64_t counter = split_mix(seed + kSplitMixStep);
  SequenceSetBuilder builder(alphabet_);
  std::vector<Residue> residues(length);
  for (std::uint32_t i = 0; i < count; ++i) {
    for (Residue& residue : residues) {
      const std::uint64_t number = split_mix(counter += kSplitMixStep);
      const Column& column = columns_[(number >> 32) * columns_.size() >> 32];
      residue = (number & 0xffffffff) < column.below ? column.letter : column.other;
    }
    builder.add({}, residues);
  }
  return builder.finish();
}

double PairSquare::mean_score() const {
  const double sum = std::accumulate(pairs.begin(), pairs.end(), 0.0,
                                     [](double so_far, const auto& pair) { return so_far + pair.score; });
  return sum / static_cast<double>(pairs.size());
}

// Two-way analysis of variance. The mean of a row varies with the row's sequence, and also with its `side`
// pairs, by their variance divided by `side`, which is subtracted; likewise for columns.
PairSquare::Variance PairSquare::variance() const {
  const double n = side, center = mean_score();
  const auto deviation = [&](std::uint32_t row, std::uint32_t column) {
    return pairs[std::size_t{row} * side + column].score - center;
  };
  double squares = 0, means = 0;
  for (std::uint32_t i = 0; i < side; ++i) {
    double row = 0, column = 0;
    for (std::uint32_t j = 0; j < side; ++j) {
      row += deviation(i, j) / n;
      column += deviation(j, i) / n;
      squares += deviation(i, j) * deviation(i, j);
    }
    means += row * row + column * column;
  }
  const double all = squares / (n * n);
  return {all, means / (n - 1) - 2 * all / n};
}

RandomPairs::RandomPairs(const Scoring& scoring, const Background& background, CallState& call)
    : scoring_(scoring), sequences_(scoring.matrix.alphabet(), background), call_(call) {}

PairSquare RandomPairs::square(std::uint32_t side, std::uint32_t length, Detail detail) {
  const auto draw = [&] {
    return std::make_shared<const SortedSequences>(sequences_.draw(next_seed_++, side, length));
  };
  const auto rows = draw(), columns = draw();
  const Problem problem{.scoring = scoring_, .detail = detail, .cigars = false};
  Scheduler scheduler(call_, rows, columns, problem);
  PairSquare result{side, std::vector<stats::AlignedLengths>(std::size_t{side} * side)};
  SquareSink sink(result);
  scheduler.run({}, problem, sink);
  return result;
}

}  // namespace alnus::engine

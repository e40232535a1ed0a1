#include "engine/pair_list.h"

#include <algorithm>
#include <numeric>

#include "io/writer.h"

namespace alnus::engine {
namespace {

bool before(const PairIndex& a, const PairIndex& b) {
  return a.row != b.row ? a.row < b.row : a.column < b.column;
}

// Puts each result into the places where its pair stands in a list.
class Collector : public Sink {
 public:
  // `order`: the indices of `pairs`, sorted by pair.
  Collector(std::span<const PairIndex> pairs, std::span<const std::size_t> order)
      : pairs_(pairs), order_(order), alignments_(pairs.size()) {}

  void accept(const Tile& /*tile*/, std::span<const PairResult> results) override {
    for (const PairResult& result : results) {
      const PairIndex pair{result.row, result.column};
      auto place =
          std::lower_bound(order_.begin(), order_.end(), pair,
                           [&](std::size_t i, const PairIndex& wanted) { return before(pairs_[i], wanted); });
      for (; place != order_.end() && pairs_[*place] == pair; ++place)
        alignments_[*place] = {result.score,       result.query_begin,
                               result.query_end,   result.subject_begin,
                               result.subject_end, {result.cigar.begin(), result.cigar.end()}};
    }
  }
  std::vector<Alignment> take() { return std::move(alignments_); }

 private:
  std::span<const PairIndex> pairs_;
  std::span<const std::size_t> order_;
  std::vector<Alignment> alignments_;
};

}  // namespace

std::vector<Alignment> align_list(Scheduler& scheduler, std::span<const PairIndex> pairs,
                                  const Problem& problem) {
  std::vector<std::size_t> order(pairs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return before(pairs[a], pairs[b]); });
  std::vector<PairIndex> distinct;
  distinct.reserve(pairs.size());
  for (const std::size_t i : order)
    if (distinct.empty() || distinct.back() != pairs[i]) distinct.push_back(pairs[i]);

  Collector collector(pairs, order);
  scheduler.run({.shape = TileShape::list, .pairs = distinct}, problem, collector);
  return collector.take();
}

std::vector<std::uint32_t> positions(const Resident& resident) {
  std::vector<std::uint32_t> result(resident.size());
  for (std::uint32_t position = 0; position < resident.size(); ++position)
    result[resident.index(position)] = position;
  return result;
}

std::uint64_t result_bytes(std::size_t query_length, std::size_t subject_length, Detail detail) {
  // A CIGAR seldom has more runs than the shorter sequence has residues.
  const std::size_t runs = detail == Detail::alignment ? std::min(query_length, subject_length) : 0;
  return sizeof(io::Hit) + sizeof(Alignment) + sizeof(PairIndex) + sizeof(std::size_t) +
         runs * sizeof(CigarRun);
}

}  // namespace alnus::engine

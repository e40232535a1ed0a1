#include "engine/random_sequences.h"

#include <algorithm>
#include <cmath>

namespace alnus::engine {
namespace {

// Steele, Lea & Flood (2014).
class SplitMix64 {
 public:
  explicit SplitMix64(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

 private:
  std::uint64_t state_;
};

constexpr double kWhole = 4294967296;  // 2^32

}  // namespace

RandomSequences::RandomSequences(AlphabetKind alphabet, const stats::Background& background)
    : alphabet_(alphabet) {
  const auto letters = static_cast<double>(background.size());
  std::vector<double> left;  // of each letter, in columns
  for (const double p : background) {
    columns_.push_back({static_cast<std::uint32_t>(kWhole - 1), static_cast<Residue>(left.size()),
                        static_cast<Residue>(left.size())});
    left.push_back(p * letters);
  }
  // Again and again, the rarest letter's column is filled up by the most frequent one.
  std::vector<std::size_t> open(background.size());
  for (std::size_t i = 0; i < open.size(); ++i) open[i] = i;
  const auto rarer = [&](std::size_t a, std::size_t b) { return left[a] < left[b]; };
  while (open.size() > 1) {
    const auto [rarest, commonest] = std::minmax_element(open.begin(), open.end(), rarer);
    columns_[*rarest].below = static_cast<std::uint32_t>(std::min(left[*rarest] * kWhole, kWhole - 1));
    columns_[*rarest].other = static_cast<Residue>(*commonest);
    left[*commonest] -= 1 - left[*rarest];
    open.erase(rarest);
  }
}

SequenceSet RandomSequences::draw(std::uint64_t seed, std::uint32_t count, std::uint32_t length) const {
  SplitMix64 random(SplitMix64(seed).next());
  SequenceSetBuilder builder(alphabet_);
  std::vector<Residue> residues(length);
  for (std::uint32_t i = 0; i < count; ++i) {
    for (Residue& residue : residues) {
      const std::uint64_t number = random.next();
      const Column& column = columns_[(number >> 32) * columns_.size() >> 32];
      residue = (number & 0xffffffff) < column.below ? column.letter : column.other;
    }
    builder.add({}, residues);
  }
  return builder.finish();
}

}  // namespace alnus::engine

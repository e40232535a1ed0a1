#include "engine/shuffles.h"

#include <algorithm>
#include <utility>

#include "engine/split_mix.h"

namespace alnus::engine {
namespace {

// Two numbers of 32 bits from each of 64.
class Random {
 public:
  explicit Random(std::uint64_t state) : state_(state) {}
  // Uniform below `limit`, without bias: Lemire 2019.
  std::uint32_t below(std::uint32_t limit) {
    std::uint64_t product = std::uint64_t{next()} * limit;
    if (static_cast<std::uint32_t>(product) < limit) {
      const std::uint32_t least = -limit % limit;
      while (static_cast<std::uint32_t>(product) < least) product = std::uint64_t{next()} * limit;
    }
    return static_cast<std::uint32_t>(product >> 32);
  }

 private:
  std::uint32_t next() {
    half_ = !half_;
    if (!half_) return static_cast<std::uint32_t>(word_ >> 32);
    word_ = split_mix(state_ += kSplitMixStep);
    return static_cast<std::uint32_t>(word_);
  }

  std::uint64_t state_, word_ = 0;
  bool half_ = false;
};

}  // namespace

Shuffler::Shuffler(std::span<const Residue> residues, std::uint64_t seed)
    : residues_(residues), key_(split_mix(seed)) {
  for (const Residue residue : residues) key_ = split_mix(key_ + kSplitMixStep + (residue & kCodeMask));
}

void Shuffler::shuffle(std::uint32_t number, Residue* out) const {
  std::copy(residues_.begin(), residues_.end(), out);
  Random random(split_mix(key_ ^ split_mix(number + kSplitMixStep)));
  for (auto left = static_cast<std::uint32_t>(residues_.size()); left > 1; --left)
    std::swap(out[left - 1], out[random.below(left)]);
}

}  // namespace alnus::engine

// SplitMix64 (Steele, Lea & Flood 2014): a counter, and a mixing function that makes its values random.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>

#include "alnus/alphabet.h"

namespace alnus {

inline constexpr std::uint64_t kSplitMixStep = 0x9e3779b97f4a7c15;

inline std::uint64_t split_mix(std::uint64_t counter) {
  counter = (counter ^ (counter >> 30)) * 0xbf58476d1ce4e5b9;
  counter = (counter ^ (counter >> 27)) * 0x94d049bb133111eb;
  return counter ^ (counter >> 31);
}

// Random 32-bit numbers, the same on every machine. Each 64-bit number of SplitMix64 gives two of them.
class SplitMixRandom {
 public:
  explicit SplitMixRandom(std::uint64_t state) : state_(state) {}
  // Returns a uniformly random number below `limit`, without bias (Lemire 2019).
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

// Puts fewer than 2^32 elements into a uniformly random order (Fisher & Yates).
template <typename T>
void permute(std::span<T> elements, SplitMixRandom& random) {
  for (auto left = static_cast<std::uint32_t>(elements.size()); left > 1; --left)
    std::swap(elements[left - 1], elements[random.below(left)]);
}

// Makes numbered, uniformly random permutations of one sequence, the same on every machine. Permutation n
// depends on the seed, the residues (whatever their case) and n only, not on the place of the sequence or on
// other sequences. The residues must outlive the object.
class Shuffler {
 public:
  Shuffler(std::span<const Residue> residues, std::uint64_t seed)
      : residues_(residues), key_(split_mix(seed)) {
    for (const Residue residue : residues) key_ = split_mix(key_ + kSplitMixStep + (residue & kCodeMask));
  }
  // Writes permutation `number` to `out`, which has room for all residues.
  void shuffle(std::uint32_t number, Residue* out) const {
    std::ranges::copy(residues_, out);
    SplitMixRandom random(split_mix(key_ ^ split_mix(number + kSplitMixStep)));
    permute(std::span(out, residues_.size()), random);
  }

 private:
  std::span<const Residue> residues_;
  std::uint64_t key_;
};

}  // namespace alnus

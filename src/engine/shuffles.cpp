#include "engine/shuffles.h"

#include <algorithm>

#include "engine/split_mix.h"

namespace alnus::engine {

Shuffler::Shuffler(std::span<const Residue> residues, std::uint64_t seed)
    : residues_(residues), key_(split_mix(seed)) {
  for (const Residue residue : residues) key_ = split_mix(key_ + kSplitMixStep + (residue & kCodeMask));
}

void Shuffler::shuffle(std::uint32_t number, Residue* out) const {
  std::copy(residues_.begin(), residues_.end(), out);
  SplitMixRandom random(split_mix(key_ ^ split_mix(number + kSplitMixStep)));
  permute(std::span(out, residues_.size()), random);
}

}  // namespace alnus::engine

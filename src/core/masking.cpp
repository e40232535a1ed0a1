#include "core/masking.h"

#include <algorithm>
#include <atomic>
#include <fmt/format.h>
#include <future>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "alnus/error.h"
#include "core/seg.h"

namespace alnus {
namespace {

// Masks one sequence after the other.
class Masker {
 public:
  Masker(AlphabetKind alphabet, Masking masking)
      : unknown_(Alphabet::of(alphabet).encode('X')), masking_(masking) {}

  void mask(std::span<Residue> residues) {
    const std::uint64_t before = counts_.residues;
    if (masking_.seg)
      for (const Region& region : seg_.find(residues))
        for (Residue& residue : residues.subspan(region.begin, region.size())) mask(residue);
    if (masking_.lower)
      for (Residue& residue : residues)
        if ((residue & kLowerCase) != 0) mask(residue);
    counts_.sequences += counts_.residues > before;
  }
  const MaskCounts& counts() const { return counts_; }

 private:
  void mask(Residue& residue) {
    counts_.residues += residue != unknown_;
    residue = unknown_;
  }

  const Residue unknown_;
  const Masking masking_;
  Seg seg_;
  MaskCounts counts_;
};

}  // namespace

std::string Masking::name() const {
  if (lower && seg) return "lower,seg";
  if (lower) return "lower";
  return seg ? "seg" : "none";
}

void Masking::check(AlphabetKind alphabet, const std::string& origin) const {
  if (seg && alphabet == AlphabetKind::dna)
    throw Error(
        ErrorKind::input,
        fmt::format("--mask seg is for proteins, and {} holds dna. Let dustmasker -outfmt fasta write "
                    "what it masks in lower case, and choose --mask lower.",
                    origin));
}

MaskCounts& MaskCounts::operator+=(const MaskCounts& other) {
  residues += other.residues;
  sequences += other.sequences;
  return *this;
}

MaskCounts mask(std::span<Residue> residues, std::span<const std::uint64_t> offsets, AlphabetKind alphabet,
                Masking masking) {
  MaskCounts counts;
  if (!masking.any()) return counts;
  constexpr std::size_t kBlock = 256, kResiduesPerThread = 1 << 20;
  const std::size_t sequences = offsets.size() - 1;
  std::atomic<std::size_t> next_block{0};
  const auto work = [&] {
    Masker masker(alphabet, masking);
    for (std::size_t begin = kBlock * next_block++; begin < sequences; begin = kBlock * next_block++)
      for (std::size_t i = begin; i < std::min(begin + kBlock, sequences); ++i)
        masker.mask(residues.subspan(offsets[i], offsets[i + 1] - offsets[i]));
    return masker.counts();
  };
  const std::size_t threads =
      std::min<std::size_t>(std::thread::hardware_concurrency(), residues.size() / kResiduesPerThread);
  std::vector<std::future<MaskCounts>> others;
  for (std::size_t i = 1; i < threads; ++i) others.push_back(std::async(std::launch::async, work));
  counts = work();
  for (std::future<MaskCounts>& other : others) counts += other.get();
  return counts;
}

SequenceSet masked_copy(const SequenceSet& sequences, Masking masking, MaskCounts& counts) {
  SequenceSet::Arrays arrays = sequences.arrays();
  using Owned = std::pair<std::vector<Residue>, SequenceSet>;
  const auto owned = std::make_shared<Owned>(
      std::vector<Residue>(arrays.residues.begin(), arrays.residues.end()), sequences);
  counts += mask(owned->first, arrays.offsets, sequences.alphabet(), masking);
  arrays.residues = owned->first;
  return SequenceSet(sequences.alphabet(), arrays, owned, sequences.origin());
}

}  // namespace alnus

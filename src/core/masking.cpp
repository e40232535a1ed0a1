#include "core/masking.h"

#include <algorithm>
#include <cstddef>
#include <fmt/format.h>
#include <memory>
#include <mutex>

#include "alnus/error.h"
#include "core/dust.h"
#include "core/pieces.h"
#include "core/seg.h"

namespace alnus {
namespace {

// Residues that are masked between two looks at the stop flag, which takes some milliseconds.
constexpr std::uint64_t kPiece = 1 << 24;

// Masks one sequence after the other.
class Masker {
 public:
  Masker(AlphabetKind alphabet, Masking masking, const StopFlag& stop)
      : unknown_(Alphabet::of(alphabet).encode('X')),
        masking_(masking),
        stop_(stop),
        seg_(stop),
        dust_(stop) {}

  void mask(std::span<Residue> residues) {
    const std::uint64_t before = counts_.residues;
    if (masking_.seg) mask(residues, seg_.find(residues));
    if (masking_.dust) mask(residues, dust_.find(residues));
    if (masking_.lower)
      in_pieces(residues.size(), kPiece, stop_, [&](std::uint64_t begin, std::uint64_t end) {
        for (Residue& residue : residues.subspan(begin, end - begin))
          if ((residue & kLowerCase) != 0) mask(residue);
      });
    counts_.sequences += counts_.residues > before;
  }
  const MaskCounts& counts() const { return counts_; }

 private:
  void mask(std::span<Residue> residues, std::span<const Region> regions) {
    for (const Region& region : regions)
      for (Residue& residue : residues.subspan(region.begin, region.size())) mask(residue);
  }
  void mask(Residue& residue) {
    counts_.residues += residue != unknown_;
    residue = unknown_;
  }

  const Residue unknown_;
  const Masking masking_;
  const StopFlag& stop_;
  Seg seg_;
  Dust dust_;
  MaskCounts counts_;
};

// Masks all sequences, on the threads of the pool. `prepare` is called with each sequence's range
// [begin, end) of residues before the sequence is masked.
template <typename Prepare>
MaskCounts mask_after(Prepare prepare, std::span<Residue> residues, std::span<const std::uint64_t> offsets,
                      AlphabetKind alphabet, Masking masking, ThreadPool& pool, const StopFlag& stop) {
  constexpr std::size_t kBlock = 256;  // sequences that a thread takes at a time
  const std::size_t sequences = offsets.size() - 1;
  MaskCounts counts;
  std::mutex mutex;
  const ThreadPool::Permit permit(pool, stop);
  pool.for_each((sequences + kBlock - 1) / kBlock, [&](std::size_t block) {
    Masker masker(alphabet, masking, stop);
    for (std::size_t i = kBlock * block; i < std::min(kBlock * (block + 1), sequences); ++i) {
      throw_if_requested(stop);
      prepare(offsets[i], offsets[i + 1]);
      masker.mask(residues.subspan(offsets[i], offsets[i + 1] - offsets[i]));
    }
    const std::lock_guard lock(mutex);
    counts += masker.counts();
  });
  return counts;
}

}  // namespace

std::string Masking::name() const {
  std::string names;
  for (const auto& [word, kind] : kWords<bool Masking::*>)
    if (this->*kind) names += (names.empty() ? "" : ",") + std::string(word);
  return names.empty() ? "none" : names;
}

void Masking::check(AlphabetKind alphabet, const std::string& origin) const {
  if (seg && alphabet == AlphabetKind::dna)
    throw Error(ErrorKind::input, fmt::format("{0} seg is for proteins, and {1} holds dna: choose {0} dust.",
                                              option("mask"), origin));
  if (dust && alphabet == AlphabetKind::protein)
    throw Error(ErrorKind::input,
                fmt::format("{0} dust is for dna, and {1} is read as proteins: choose {0} seg, or {2} dna.",
                            option("mask"), origin, option("alphabet")));
}

MaskCounts& MaskCounts::operator+=(const MaskCounts& other) {
  residues += other.residues;
  sequences += other.sequences;
  return *this;
}

MaskCounts mask(std::span<Residue> residues, std::span<const std::uint64_t> offsets, AlphabetKind alphabet,
                Masking masking, ThreadPool& pool, const StopFlag& stop) {
  if (!masking.any()) return {};
  const auto nothing = [](std::uint64_t, std::uint64_t) {};
  return mask_after(nothing, residues, offsets, alphabet, masking, pool, stop);
}

SequenceSet masked_copy(const SequenceSet& sequences, Masking masking, MaskCounts& counts, ThreadPool& pool,
                        const StopFlag& stop) {
  struct Owned {
    std::unique_ptr<Residue[]> residues;
    SequenceSet sequences;
  };
  SequenceSet::Arrays arrays = sequences.arrays();
  const std::span<const Residue> from = arrays.residues;
  const auto owned = std::make_shared<Owned>();
  owned->residues = std::make_unique_for_overwrite<Residue[]>(from.size());
  owned->sequences = sequences;
  const std::span<Residue> to(owned->residues.get(), from.size());
  const auto copy = [&](std::uint64_t first, std::uint64_t last) {
    in_pieces(last - first, kPiece, stop, [&](std::uint64_t begin, std::uint64_t end) {
      std::ranges::copy(from.subspan(first + begin, end - begin),
                        to.begin() + static_cast<std::ptrdiff_t>(first + begin));
    });
  };
  counts += mask_after(copy, to, arrays.offsets, sequences.alphabet(), masking, pool, stop);
  arrays.residues = to;
  return SequenceSet(sequences.alphabet(), arrays, owned, sequences.origin());
}

}  // namespace alnus

#include "core/exact_matches.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <compare>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>

namespace alnus {
namespace {

using Index = SequenceSet::Index;

constexpr std::size_t kRecordsPerLook = 1 << 12;   // between two looks at the stop flag
constexpr std::size_t kResiduesPerLook = 1 << 20;  // the same in one sequence
constexpr std::size_t kBlockResidues = 1 << 20;    // of the wholes that a thread takes at a time

Residue code_of(Residue residue) { return residue & kCodeMask; }

bool same_residues(std::span<const Residue> a, std::span<const Residue> b) {
  return std::ranges::equal(a, b, {}, code_of, code_of);
}

// A hash of residues, the value of a polynomial: a residue can be added at the end, and the first of a window
// taken away. Sequences whose hashes are equal are compared, so that hashes decide nothing but the time.
class RollingHash {
 public:
  void add(Residue residue) { value_ = value_ * kBase + number_of(residue); }
  // `weight`: weight_of() the window with `first`.
  void move(Residue first, Residue next, std::uint64_t weight) {
    value_ = (value_ - number_of(first) * weight) * kBase + number_of(next);
  }
  void add(std::span<const Residue> residues) {
    for (const Residue residue : residues) add(residue);
  }
  // The low bits of the polynomial depend on few residues, those of the result do not.
  std::uint64_t value() const { return (value_ ^ (value_ >> 32)) * kMix; }

  static std::uint64_t weight_of(std::size_t window) {
    std::uint64_t weight = 1;
    for (std::size_t i = 1; i < window; ++i) weight *= kBase;
    return weight;
  }

 private:
  static constexpr std::uint64_t kBase = 0x9e3779b97f4a7c15, kMix = 0xbf58476d1ce4e5b9;
  static std::uint64_t number_of(Residue residue) { return (code_of(residue) + 1ULL) * 0x94d049bb133111eb; }

  std::uint64_t value_ = 0;
};

std::uint64_t hash_of(std::span<const Residue> residues) {
  RollingHash hash;
  hash.add(residues);
  return hash.value();
}

struct Hashed {
  std::uint64_t hash;
  Index index;
  auto operator<=>(const Hashed&) const = default;  // NOLINT(modernize-use-nullptr)
};

std::vector<Hashed> sorted_hashes(const SequenceSet& set, const StopFlag& stop) {
  std::vector<Hashed> hashes;
  hashes.reserve(set.size());
  for (Index i = 0; i < set.size(); ++i) {
    if (i % kRecordsPerLook == 0) stop.throw_if_requested();
    if (set.length(i) > 0) hashes.push_back({hash_of(set.residues(i)), i});
  }
  std::ranges::sort(hashes);
  return hashes;
}

// ---- Pieces ----

struct Piece {
  std::size_t window;       // the largest power of 2 that is at most `length`
  std::uint64_t beginning;  // hash of the first `window` residues
  std::size_t length;
  std::uint64_t whole;  // hash of all residues
  Index index;
  auto operator<=>(const Piece&) const = default;  // NOLINT(modernize-use-nullptr)
};

// The pieces of one window, which are looked for together.
class Level {
 public:
  explicit Level(std::span<const Piece> pieces)
      : pieces_(pieces),
        window_(pieces.front().window),
        weight_(RollingHash::weight_of(window_)),
        shift_(64 - std::clamp(static_cast<int>(std::bit_width(pieces.size())) + kBitsForEach, kLeastBits,
                               kMostBits)),
        seen_((std::size_t{1} << (64 - shift_)) / 64) {
    for (const Piece& piece : pieces) {
      const std::uint64_t bit = piece.beginning >> shift_;
      seen_[bit / 64] |= 1ULL << (bit % 64);
    }
  }

  // Calls found(index of the piece, residues) for all places of `whole` whose residues have the hash of a
  // shorter piece.
  template <class Found>
  void find_in(std::span<const Residue> whole, const StopFlag& stop, const Found& found) const {
    if (whole.size() <= window_) return;  // no piece of this window is shorter
    RollingHash hash;
    hash.add(whole.first(window_));
    for (std::size_t begin = 0;; ++begin) {
      const std::uint64_t value = hash.value(), bit = value >> shift_;
      if ((seen_[bit / 64] >> (bit % 64)) & 1) look_at(value, whole, begin, found);
      if (begin + window_ == whole.size()) return;
      if (begin % kResiduesPerLook == 0) stop.throw_if_requested();
      hash.move(whole[begin], whole[begin + window_], weight_);
    }
  }

 private:
  // Bits of the table that rules out most windows: for each piece 2^kBitsForEach, rounded.
  static constexpr int kBitsForEach = 4, kLeastBits = 12, kMostBits = 28;

  // Finds the pieces that begin at `begin`, where the window has this hash. All of them are read in one pass.
  template <class Found>
  void look_at(std::uint64_t beginning, std::span<const Residue> whole, std::size_t begin,
               const Found& found) const {
    const auto last = std::ranges::upper_bound(pieces_, beginning, {}, &Piece::beginning);
    RollingHash hash;
    std::size_t length = 0;
    for (auto piece = std::ranges::lower_bound(pieces_, beginning, {}, &Piece::beginning); piece != last;) {
      const std::size_t wanted = piece->length;
      if (begin + wanted > whole.size() || wanted == whole.size()) return;  // lengths ascend
      hash.add(whole.subspan(begin + length, wanted - length));
      length = wanted;
      const auto end = std::ranges::upper_bound(piece, last, wanted, {}, &Piece::length);
      const std::uint64_t value = hash.value();
      for (auto one = std::ranges::lower_bound(piece, end, value, {}, &Piece::whole);
           one != end && one->whole == value; ++one)
        found(one->index, whole.subspan(begin, length));
      piece = end;
    }
  }

  const std::span<const Piece> pieces_;
  const std::size_t window_;
  const std::uint64_t weight_;
  const int shift_;
  std::vector<std::uint64_t> seen_;
};

std::vector<Piece> sorted_pieces(const SequenceSet& set, std::size_t longest_whole, const StopFlag& stop) {
  std::vector<Piece> pieces;
  for (Index i = 0; i < set.size(); ++i) {
    if (i % kRecordsPerLook == 0) stop.throw_if_requested();
    const std::span<const Residue> residues = set.residues(i);
    if (residues.empty() || residues.size() >= longest_whole) continue;
    const std::size_t window = std::bit_floor(residues.size());
    RollingHash hash;
    hash.add(residues.first(window));
    const std::uint64_t beginning = hash.value();
    hash.add(residues.subspan(window));
    pieces.push_back({window, beginning, residues.size(), hash.value(), i});
  }
  std::ranges::sort(pieces);
  return pieces;
}

std::vector<Level> levels_of(std::span<const Piece> pieces) {
  std::vector<Level> levels;
  for (std::size_t begin = 0; begin < pieces.size();) {
    const auto end =
        std::ranges::upper_bound(pieces.subspan(begin), pieces[begin].window, {}, &Piece::window);
    const auto count = static_cast<std::size_t>(end - (pieces.begin() + static_cast<std::ptrdiff_t>(begin)));
    levels.emplace_back(pieces.subspan(begin, count));
    begin += count;
  }
  return levels;
}

// The indices at which blocks of about kBlockResidues begin, and the number of sequences.
std::vector<Index> blocks_of(const SequenceSet& set) {
  std::vector<Index> begins = {0};
  std::size_t residues = 0;
  for (Index i = 0; i < set.size(); ++i) {
    residues += set.length(i);
    if (residues < kBlockResidues && i + 1 < set.size()) continue;
    begins.push_back(i + 1);
    residues = 0;
  }
  return begins;
}

}  // namespace

std::vector<Index> first_equals(const SequenceSet& set, const StopFlag& stop) {
  std::vector<Index> first(set.size());
  std::iota(first.begin(), first.end(), 0);
  const std::vector<Hashed> hashes = sorted_hashes(set, stop);
  for (std::size_t begin = 0, end = 0; begin < hashes.size(); begin = end) {
    while (end < hashes.size() && hashes[end].hash == hashes[begin].hash) ++end;
    // Sequences with one hash are nearly always equal, so that the first comparison ends the inner loop.
    for (std::size_t i = begin + 1; i < end; ++i) {
      if (i % kRecordsPerLook == 0) stop.throw_if_requested();
      for (std::size_t k = begin; k < i; ++k) {
        const Index earlier = hashes[k].index;
        if (first[earlier] != earlier || !same_residues(set.residues(earlier), set.residues(hashes[i].index)))
          continue;
        first[hashes[i].index] = earlier;
        break;
      }
    }
  }
  return first;
}

std::vector<IndexPair> equal_pairs(const SequenceSet& queries, const SequenceSet& subjects,
                                   const StopFlag& stop) {
  std::vector<IndexPair> pairs;
  const std::vector<Hashed> hashes = sorted_hashes(queries, stop);
  for (Index subject = 0; subject < subjects.size(); ++subject) {
    if (subject % kRecordsPerLook == 0) stop.throw_if_requested();
    const std::span<const Residue> residues = subjects.residues(subject);
    if (residues.empty()) continue;
    const std::uint64_t hash = hash_of(residues);
    for (auto one = std::ranges::lower_bound(hashes, hash, {}, &Hashed::hash);
         one != hashes.end() && one->hash == hash; ++one)
      if (same_residues(residues, queries.residues(one->index))) pairs.push_back({one->index, subject});
  }
  std::ranges::sort(pairs);
  return pairs;
}

std::vector<std::optional<Index>> first_containers(const SequenceSet& pieces, const SequenceSet& wholes,
                                                   ThreadPool& pool, const StopFlag& stop) {
  const std::vector<Piece> sorted = sorted_pieces(pieces, wholes.longest(), stop);
  const std::vector<Level> levels = levels_of(sorted);
  // The lowest index is the first container, whichever thread finds it first.
  constexpr Index kNone = std::numeric_limits<Index>::max();
  std::vector<std::atomic<Index>> first(pieces.size());
  for (std::atomic<Index>& one : first) one = kNone;
  const std::vector<Index> begins = blocks_of(wholes);
  const ThreadPool::Permit permit(pool, stop);
  pool.for_each(begins.size() - 1, [&](std::size_t block) {
    for (Index i = begins[block]; i < begins[block + 1]; ++i) {
      stop.throw_if_requested();
      for (const Level& level : levels)
        level.find_in(wholes.residues(i), stop, [&](Index piece, std::span<const Residue> place) {
          Index lowest = first[piece];
          if (lowest <= i || !same_residues(pieces.residues(piece), place)) return;
          while (i < lowest && !first[piece].compare_exchange_weak(lowest, i)) {
          }
        });
    }
  });
  std::vector<std::optional<Index>> containers(pieces.size());
  for (Index i = 0; i < pieces.size(); ++i)
    if (first[i] != kNone) containers[i] = first[i];
  return containers;
}

}  // namespace alnus

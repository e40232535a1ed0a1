#include "core/dust.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "core/pieces.h"

namespace alnus {
namespace {

// The score of a stretch of n triplets is sum(c (c - 1) / 2) / (n - 1), where c is how often each different
// triplet occurs in the stretch. A perfect stretch scores more than the level, and no stretch within it
// scores more than the perfect one. The regions are the bases of the perfect stretches.
constexpr std::size_t kWindow = 64;         // bases of the longest stretch
constexpr std::size_t kMost = kWindow - 2;  // triplets of the longest stretch
constexpr std::uint32_t kLevel = 2;         // dustmasker's level of 20 is ten times the score

// A stretch in which no triplet occurs more than four times does not score more than the level.
constexpr std::uint8_t kNotAbove = 4;
// The first triplet of a perfect stretch occurs in it at least four times, and so does the last one. A
// triplet that occurs less often adds no more than the level to the sum, and the stretch would score more
// without it.
constexpr std::uint8_t kAtEnds = kLevel + 2;

constexpr std::uint32_t kSumOfOneTriplet = kMost * (kMost - 1) / 2;

constexpr std::size_t kShortest = 4;  // bases of the shortest part that dustmasker searches

constexpr std::size_t kLook = 1 << 18;  // bases between two looks at the stop flag

constexpr Residue kN = 14;
bool is_n(Residue residue) { return (residue & kCodeMask) == kN; }

}  // namespace

// The sequence as dustmasker reads it. R, Y and the other ambiguous bases are read as A, but each reading of
// an N gives a new base. These bases come from NCBI's generator of random numbers, x(k) = x(k - 13) +
// x(k - 33), of which only the last three bits matter: the base is the upper two of these bits.
class Dust::Bases {
 public:
  explicit Bases(std::span<const Residue> dna) : dna_(dna) {}

  std::uint8_t read(std::size_t at) {
    const std::uint8_t code = dna_[at] & kCodeMask;
    if (code < 4) return code;
    return code == kN ? draw() : 0;
  }
  bool has_n(Region part) const { return std::ranges::any_of(dna_.subspan(part.begin, part.size()), is_n); }

 private:
  std::uint8_t draw() {
    const std::uint8_t number = (drawn_[oldest_] + drawn_[(oldest_ + kSize - 13) % kSize]) % 8;
    drawn_[oldest_] = number;
    oldest_ = (oldest_ + 1) % kSize;
    return number >> 1;
  }

  static constexpr std::size_t kSize = 33;
  const std::span<const Residue> dna_;
  std::array<std::uint8_t, kSize> drawn_ = {5, 0, 5, 6, 4, 0, 5, 3, 2, 4, 6, 7, 5, 0, 6, 2, 7,
                                            1, 7, 2, 6, 1, 6, 5, 4, 2, 2, 2, 7, 7, 6, 3, 2};
  std::size_t oldest_ = 0;
};

// The window of the last triplets, and the perfect stretches that begin in it. The number of a triplet is
// that of its first base.
class Dust::Window {
 public:
  explicit Window(std::size_t begin) : first_(begin), tail_(begin), end_(begin) {}

  std::size_t first() const { return first_; }
  bool is_empty() const { return first_ == end_; }
  bool is_full() const { return end_ - first_ == kMost; }
  bool has_one_triplet_only() const { return sum_ == kSumOfOneTriplet; }  // the window is full, too

  // True if a stretch that ends with the window may be perfect. Such a stretch has more triplets than the
  // tail.
  bool may_be_perfect() const {
    return sum_ > kLevel * (end_ - tail_) && counts_[triplets_[(end_ - 1) % kSlots]] >= kAtEnds;
  }

  void push(std::uint8_t triplet) {
    triplets_[end_++ % kSlots] = triplet;
    sum_ += counts_[triplet]++;
    tail_sum_ += tail_counts_[triplet]++;
    if (tail_counts_[triplet] <= kNotAbove) return;
    while (pop_tail() != triplet) {
    }
  }

  // Removes the first triplet. Returns the longest perfect stretch that begins with this triplet, or an empty
  // region.
  Region pop() {
    if (tail_ == first_) pop_tail();
    sum_ -= --counts_[triplets_[first_ % kSlots]];
    const Score perfect = std::exchange(perfect_[first_ % kSlots], Score{});
    const std::size_t begin = first_++;
    return {begin, begin + (perfect.sum > 0 ? perfect.divisor + 3 : 0)};
  }

  // Finds the perfect stretches that end with the window, from short to long. A perfect stretch scores at
  // least as much as the shorter ones that this call found, and as every stretch within it that an earlier
  // call found.
  void find_perfect() {
    std::array<std::uint8_t, kSlots> counts = tail_counts_;
    Score stretch{tail_sum_, static_cast<std::uint32_t>(end_ - tail_) - 1}, best{};
    for (std::size_t begin = tail_; begin-- > first_ && kLevel * (stretch.divisor + 1) < sum_;) {
      const std::uint8_t count = ++counts[triplets_[begin % kSlots]];
      stretch.sum += count - 1;
      ++stretch.divisor;
      Score& perfect = perfect_[begin % kSlots];
      if (perfect.is_above(best)) best = perfect;
      if (count >= kAtEnds && stretch.sum > kLevel * stretch.divisor && !best.is_above(stretch))
        best = perfect = stretch;
    }
  }

 private:
  // The score sum / divisor of a stretch, which has divisor + 1 triplets. The sum 0 stands for no stretch.
  struct Score {
    std::uint32_t sum = 0, divisor = 1;
    bool is_above(const Score& other) const { return sum * other.divisor > other.sum * divisor; }
  };

  std::uint8_t pop_tail() {
    const std::uint8_t triplet = triplets_[tail_++ % kSlots];
    tail_sum_ -= --tail_counts_[triplet];
    return triplet;
  }

  static constexpr std::size_t kSlots = 64;  // the number of different triplets, and more than kMost
  // The window has the triplets [first_, end_). The tail [tail_, end_) is its longest end in which no triplet
  // occurs more than kNotAbove times.
  std::size_t first_, tail_, end_;
  std::uint32_t sum_ = 0, tail_sum_ = 0;                       // sums of c (c - 1) / 2
  std::array<std::uint8_t, kSlots> counts_{}, tail_counts_{};  // how often each triplet occurs
  std::array<std::uint8_t, kSlots> triplets_{};                // slot: number % kSlots
  std::array<Score, kSlots> perfect_{};                        // slot: number of the first triplet % kSlots
};

// The regions include runs of N that are longer than a window or lie at an end of the sequence. Such runs
// divide the sequence into the parts that dustmasker searches.
std::span<const Region> Dust::find(std::span<const Residue> dna) {
  regions_.clear();
  Bases bases(dna);
  std::size_t begin = 0, end = 0;
  while (end < dna.size()) {
    const auto n = std::find_if(dna.begin() + static_cast<std::ptrdiff_t>(end), dna.end(), is_n);
    const auto other = std::find_if_not(n, dna.end(), is_n);
    end = static_cast<std::size_t>(other - dna.begin());
    const Region run{static_cast<std::size_t>(n - dna.begin()), end};
    if (run.size() <= kWindow && run.begin != 0 && run.end != dna.size()) continue;
    search({begin, run.begin}, bases);
    add(run);
    begin = end;
  }
  return regions_;
}

void Dust::search(Region part, Bases& bases) {
  while (part.size() >= kShortest) part.begin = search_once(part, bases);
}

// Searches a part and returns where the next search begins. dustmasker searches the last window of a part
// again, and also the last window of a homopolymer where the homopolymer ends. In the new search only an N
// can be another base and give other regions, so a last window without N is skipped.
std::size_t Dust::search_once(Region part, Bases& bases) {
  Window window(part.begin);
  bool is_in_homopolymer = false;
  std::uint8_t triplet = bases.read(part.begin);
  triplet = (triplet << 2) | bases.read(part.begin + 1);
  for (std::size_t at = part.begin + 2; at < part.end; ++at) {
    if (at % kLook == 0) throw_if_requested(stop_);
    triplet = ((triplet << 2) | bases.read(at)) % 64;
    if (window.is_full()) add(window.pop());
    window.push(triplet);
    if (window.has_one_triplet_only()) {
      add({window.first(), at + 1});
      is_in_homopolymer = true;
    } else if (is_in_homopolymer) {
      return window.first();
    } else if (window.may_be_perfect()) {
      window.find_perfect();
    }
  }
  const Region last{window.first(), part.end};
  while (!window.is_empty()) add(window.pop());
  return last.begin > part.begin && bases.has_n(last) ? last.begin : part.end;
}

// Adds a region. Regions that touch are joined, as dustmasker's linker of 1 does.
void Dust::add(Region region) {
  if (region.size() == 0) return;
  if (!regions_.empty() && regions_.back().end >= region.begin)
    regions_.back().end = std::max(regions_.back().end, region.end);
  else
    regions_.push_back(region);
}

}  // namespace alnus

#include "core/seg.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/amino_acids.h"
#include "core/pieces.h"

namespace alnus {
namespace {

// SEG's maxtrim: reduce() cuts fewer residues than this off both ends of a raw region together.
constexpr std::size_t kMostTrimmed = 50;
constexpr std::size_t kMostOthers = 2;  // a window with more residues that are no amino acids ends a run

constexpr std::size_t kLook = 1 << 20;  // residues between two looks at the stop flag

// Logarithms are integers in units of kUnit, so that a composition has the same logarithm in whatever order
// it is added up.
constexpr double kUnit = 1e-6 / (1 << 20);
std::int64_t to_units(double value) { return std::llround(value / kUnit); }

// SEG takes ln k! from a table with six decimals. The last decimal may decide which of two stretches is less
// probable, so that the same table is used here.
class Logarithms {
 public:
  Logarithms() {
    double factorial = 0, rounded_before = 0;
    for (std::size_t k = 1; k < kSize; ++k) {
      factorial += std::log(static_cast<double>(k));
      const double rounded = std::round(factorial * 1e6) * 1e-6;
      table_[k] = to_units(rounded - rounded_before);
      rounded_before = rounded;
    }
  }
  // ln k in units of kUnit, as the difference of ln k! and ln (k - 1)! in SEG's table.
  std::int64_t operator()(std::size_t k) const {
    return k < kSize ? table_[k] : to_units(std::log(static_cast<double>(k)));
  }

 private:
  static constexpr std::size_t kSize = 10001;
  std::array<std::int64_t, kSize> table_{};
};

}  // namespace

Seg::ComplexityTables::ComplexityTables(const Parameters& parameters) {
  for (std::size_t c = 1; c <= parameters.window; ++c) {
    const auto count = static_cast<double>(c);
    terms[c] = to_units(count * std::log2(count));
  }
  triggers.fill(std::numeric_limits<std::int64_t>::max());
  extends = triggers;
  for (std::size_t others = 0; others <= kMostOthers; ++others) {
    const auto n = static_cast<double>(parameters.window - others);
    triggers[others] = to_units(n * (std::log2(n) - parameters.trigger));
    extends[others] = to_units(n * (std::log2(n) - parameters.extension));
  }
}

Seg::Seg(const Parameters& parameters, const StopFlag& stop)
    : stop_(stop), window_(parameters.window), tables_(parameters) {}

// A run is a series of consecutive windows whose complexity is at most the extension. A run has regions if
// the complexity of one of its windows is at most the trigger.
std::span<const Region> Seg::find(std::span<const Residue> protein) {
  protein_ = protein;
  regions_.clear();
  triggers_.clear();
  std::array<std::uint8_t, kMaxLetters> counts{};
  std::int64_t sum = 0;
  std::size_t others = 0, run = 0;
  const auto end_run = [&](std::size_t end) {
    if (!triggers_.empty()) divide(run, end - 1);
    triggers_.clear();
    run = end + 1;
  };
  for (std::size_t end = 1; end <= protein.size(); ++end) {
    if (end % kLook == 0) throw_if_requested(stop_);
    if (const std::size_t in = protein[end - 1] & kCodeMask; in < kAminoAcids) {
      const std::size_t count = counts[in]++;
      sum += tables_.terms[count + 1] - tables_.terms[count];
    } else {
      ++others;
    }
    if (end < window_) continue;
    const std::size_t begin = end - window_;
    if (sum < tables_.extends[others]) {
      end_run(begin);
    } else if (sum >= tables_.triggers[others]) {
      triggers_.push_back(begin);
    }
    if (const std::size_t out = protein[begin] & kCodeMask; out < kAminoAcids) {
      const std::size_t count = --counts[out];
      sum -= tables_.terms[count + 1] - tables_.terms[count];
    } else {
      --others;
    }
  }
  end_run(protein.size() - window_ + 1);
  return regions_;
}

// Finds the regions of the windows that begin from `first` to `last`, all of one run. Their residues together
// are a raw region, which reduce() shortens. What remains on either side is divided again if it still has a
// window whose complexity is at most the trigger.
void Seg::divide(std::size_t first, std::size_t last) {
  while (true) {
    const auto trigger = std::ranges::lower_bound(triggers_, first);
    if (trigger == triggers_.end() || *trigger > last) return;
    const Region region = reduce({first, last + window_});
    if (*trigger + window_ <= region.begin) divide(first, region.begin - window_);
    regions_.push_back(region);
    first = region.end;
  }
}

// Returns the stretch of the raw region whose composition is the least probable one; of several such
// stretches the longest, and of equally long ones the first. The probability of a stretch of n residues is
// F n! / (c1! ... c20!) / 20^n, where F = 20! / (f0! f1! ...) and f_c is how many of the amino acids occur c
// times.
Region Seg::reduce(const Region& raw) {
  static const Logarithms ln;
  static const std::int64_t ln_20 = to_units(std::log(kAminoAcids));
  std::array<std::size_t, kAminoAcids> counts{};
  for (std::size_t at = raw.begin; at < raw.end; ++at)
    if (const std::size_t letter = protein_[at] & kCodeMask; letter < kAminoAcids) ++counts[letter];
  frequency_.assign(raw.size() + 2, 0);
  for (const std::size_t count : counts) ++frequency_[count];

  std::int64_t probability = 0;  // its logarithm in units of kUnit, less that of the raw region
  const auto add = [&](std::size_t at) {
    const std::size_t letter = protein_[at] & kCodeMask;
    if (letter >= kAminoAcids) return;
    const std::size_t count = ++counts[letter];
    probability += ln(frequency_[count - 1]--) - ln(++frequency_[count]) - ln(count);
  };
  const auto remove = [&](std::size_t at) {
    const std::size_t letter = protein_[at] & kCodeMask;
    if (letter >= kAminoAcids) return;
    const std::size_t count = counts[letter]--;
    probability += ln(frequency_[count]--) - ln(++frequency_[count - 1]) + ln(count);
  };

  Region stretch = raw, best = raw;
  std::int64_t least = 0;
  const auto compare = [&] {
    const bool is_before = stretch.size() == best.size() && stretch.begin < best.begin;
    if (probability < least || (probability == least && is_before)) {
      least = probability;
      best = stretch;
    }
  };
  const std::size_t shortest = raw.size() > kMostTrimmed ? raw.size() - kMostTrimmed + 1 : 2;
  // Each turn makes the stretch one residue shorter, and then moves it along to the other end of the raw
  // region.
  while (stretch.size() > shortest) {
    probability += ln_20 - ln(stretch.size());
    if (stretch.begin == raw.begin) {
      for (remove(--stretch.end), compare(); stretch.end < raw.end; compare()) {
        add(stretch.end++);
        remove(stretch.begin++);
      }
    } else {
      for (remove(stretch.begin++), compare(); stretch.begin > raw.begin; compare()) {
        add(--stretch.begin);
        remove(--stretch.end);
      }
    }
  }
  return best;
}

}  // namespace alnus

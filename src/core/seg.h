// SEG: the regions of low complexity in a protein.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "alnus/alphabet.h"
#include "core/region.h"
#include "core/stop_flag.h"

namespace alnus {

// The algorithm is from J. C. Wootton and S. Federhen, Computers & Chemistry 17:149-163 (1993),
// doi:10.1016/0097-8485(93)85006-X, and Methods in Enzymology 266:554-571 (1996),
// doi:10.1016/S0076-6879(96)66035-2. The parameters are those of NCBI's segmasker, and the regions are the
// same as segmasker's.
class Seg {
 public:
  static constexpr std::size_t kLongestWindow = 12;
  struct Parameters {
    std::size_t window = kLongestWindow;  // residues, at most kLongestWindow
    // Complexities in bits per residue: a region has a window of at most `trigger`, and windows of at most
    // `extension` around that window.
    double trigger = 2.2, extension = 2.5;
  };

  explicit Seg(const StopFlag& stop = StopFlag::never()) : Seg({}, stop) {}
  explicit Seg(const Parameters& parameters, const StopFlag& stop = StopFlag::never());

  // Returns the regions, in no order; they may overlap. The span is valid until the next call. Throws
  // Interrupted when the flag is requested.
  std::span<const Region> find(std::span<const Residue> protein);

 private:
  void divide(std::size_t first, std::size_t last);
  Region reduce(const Region& raw);

  // The complexity of a window of n amino acids is log2(n) - sum(c log2(c)) / n bits, where c is how often
  // each amino acid occurs in the window.
  struct ComplexityTables {
    explicit ComplexityTables(const Parameters& parameters);
    using PerWindow = std::array<std::int64_t, kLongestWindow + 1>;
    PerWindow terms{};  // c log2(c), by c, in units of kUnit (seg.cpp)
    // The least sums of terms with which a window's complexity is at most the trigger, or the extension, by
    // the number of its residues that are no amino acids.
    PerWindow triggers{}, extends{};
  };

  const StopFlag& stop_;
  const std::size_t window_;
  const ComplexityTables tables_;
  std::span<const Residue> protein_;
  std::vector<Region> regions_;
  std::vector<std::size_t> triggers_;    // begins of the trigger windows in the run that is being read
  std::vector<std::uint8_t> frequency_;  // by c: how many letters occur c times in the stretch of reduce()
};

}  // namespace alnus

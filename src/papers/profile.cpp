#include "papers/profile.h"

#include <fmt/format.h>
#include <limits>

#include "papers/method.h"

namespace alnus::cuda::papers {
namespace {

using Byte = std::numeric_limits<std::int8_t>;

}  // namespace

std::vector<Residue> codes_of(std::span<const Residue> query) {
  std::vector<Residue> codes(query.begin(), query.end());
  for (Residue& residue : codes) residue &= kCodeMask;
  return codes;
}

std::string too_large_for_bytes(std::string_view method, const SubstitutionMatrix& matrix) {
  if (matrix.lowest() >= Byte::min() && matrix.highest() <= Byte::max()) return {};
  return fmt::format(
      "Method {} keeps the scores of its query profile in bytes, and those of {} reach from {} to {}.",
      method, matrix.name(), matrix.lowest(), matrix.highest());
}

std::vector<std::uint32_t> packed_profile(std::span<const Residue> query, const SubstitutionMatrix& matrix) {
  const std::size_t words = (query.size() + 3) / 4;
  std::vector<std::uint32_t> profile(kMaxLetters * words);
  for (std::size_t letter = 0; letter < kMaxLetters; ++letter) {
    for (std::size_t row = 0; row < 4 * words; ++row) {
      const std::int32_t score = row < query.size() && letter != kPad
                                     ? matrix.value(query[row], static_cast<Residue>(letter))
                                     : Byte::min();
      profile[letter * words + row / 4] |= std::uint32_t{static_cast<std::uint8_t>(score)} << (8 * (row % 4));
    }
  }
  return profile;
}

}  // namespace alnus::cuda::papers

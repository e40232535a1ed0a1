#include "core/file_order.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <memory>
#include <vector>

#include "alnus/error.h"
#include "core/pieces.h"

namespace alnus {
namespace {

using Index = SequenceSet::Index;

// The arrays of a new set. Their memory is reserved at the beginning: a vector that grows would copy its
// contents, and no stop request would be seen meanwhile.
struct Copy {
  std::vector<Residue> residues;
  std::vector<std::uint64_t> offsets{0};
  std::vector<char> headers;
  std::vector<std::uint64_t> header_offsets{0};
  std::vector<char> qualities;
  std::vector<std::uint32_t> id_bytes;
  bool has_qualities = false, has_id_bytes = false;

  explicit Copy(std::span<const SequenceSet> sets) {
    std::uint64_t count = 0, residue_count = 0, header_bytes = 0;
    for (const SequenceSet& set : sets) {
      const std::span<const std::uint64_t> ends = set.arrays().header_offsets;
      count += set.size();
      residue_count += set.total_residues();
      header_bytes += set.empty() ? 0 : ends[set.size()] - ends.front();
    }
    constexpr std::uint64_t kMost = std::numeric_limits<Index>::max();
    if (count > kMost)
      throw Error(ErrorKind::input,
                  fmt::format("{} has more than {} sequences; split it.", sets.front().origin(), kMost));
    residues.reserve(residue_count);
    offsets.reserve(count + 1);
    headers.reserve(header_bytes);
    header_offsets.reserve(count + 1);
    has_qualities =
        std::ranges::any_of(sets, [](const SequenceSet& set) { return !set.arrays().qualities.empty(); });
    if (has_qualities) qualities.reserve(residue_count);
    has_id_bytes =
        std::ranges::any_of(sets, [](const SequenceSet& set) { return !set.arrays().id_bytes.empty(); });
    if (has_id_bytes) id_bytes.reserve(count);
  }

  void add(const SequenceView& sequence, const StopFlag& stop) {
    constexpr std::uint64_t kPiece = 1 << 24;
    in_pieces(sequence.size(), kPiece, stop, [&](std::uint64_t begin, std::uint64_t end) {
      const auto piece = sequence.residues.subspan(begin, end - begin);
      residues.insert(residues.end(), piece.begin(), piece.end());
      if (!has_qualities) return;
      const std::string_view quality =
          sequence.quality.substr(std::min(begin, sequence.quality.size()), end - begin);
      qualities.insert(qualities.end(), quality.begin(), quality.end());
      qualities.resize(residues.size(), SequenceSet::kNoQuality);
    });
    offsets.push_back(residues.size());
    headers.insert(headers.end(), sequence.header.begin(), sequence.header.end());
    header_offsets.push_back(headers.size());
    if (has_id_bytes) id_bytes.push_back(sequence.id_bytes);
  }
};

}  // namespace

SequenceSet in_file_order(const SequenceSet& set, const StopFlag& stop) {
  return set.arrays().file_ordinals.empty() ? set : joined_in_file_order({&set, 1}, stop);
}

SequenceSet joined_in_file_order(std::span<const SequenceSet> sets, const StopFlag& stop) {
  const auto copy = std::make_shared<Copy>(sets);
  for (const SequenceSet& set : sets) {
    std::vector<Index> order;  // empty: the set is stored in this order already
    if (!set.arrays().file_ordinals.empty())
      order = sorted_numbers(set.size(), stop,
                             [&](Index a, Index b) { return set.file_ordinal(a) < set.file_ordinal(b); });
    for (Index k = 0; k < set.size(); ++k) {
      throw_if_requested(stop);
      copy->add(set[order.empty() ? k : order[k]], stop);
    }
  }
  const SequenceSet::Arrays arrays{copy->residues,  copy->offsets, copy->headers, copy->header_offsets, {},
                                   copy->qualities, copy->id_bytes};
  return SequenceSet(sets.front().alphabet(), arrays, copy, sets.front().origin());
}

}  // namespace alnus

#include "cuda/methods/sequences.h"

#include <algorithm>
#include <vector>

namespace alnus::cuda {
namespace {

template <class T>
void copy(DeviceArray<T>& to, const std::vector<T>& from) {
  check(cudaMemcpy(to.reserve(from.size()), from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice),
        "cudaMemcpy");
}

}  // namespace

void SequenceStore::add(const std::shared_ptr<const Resident>& resident, Layout layout) {
  std::erase_if(stored_, [](const Stored& stored) { return stored.resident.expired(); });
  const auto is_this = [&](const Stored& stored) { return stored.resident.lock() == resident; };
  if (std::ranges::none_of(stored_, is_this)) stored_.push_back({resident, layout});
}

Sequences SequenceStore::of(const Resident& resident) {
  Stored& stored = *std::ranges::find_if(
      stored_, [&](const Stored& other) { return other.resident.lock().get() == &resident; });
  if (!stored.uploaded) upload(resident, stored);
  stored.uploaded = true;
  return {stored.residues.data(), stored.places.data(), stored.lengths.data()};
}

void SequenceStore::upload(const Resident& resident, Stored& stored) {
  const auto [group, packed] = stored.layout;
  std::vector<std::uint32_t> lengths(resident.size());
  std::vector<std::uint64_t> places;
  std::uint64_t words = 0;
  for (std::uint32_t i = 0; i < resident.size(); ++i) {
    lengths[i] = static_cast<std::uint32_t>(resident.length(i));
    if (i % group > 0) continue;  // a group's first is its longest
    places.push_back(words);
    words += std::uint64_t{(lengths[i] + packed - 1) / packed} * group;
  }
  std::vector<std::uint8_t> residues(words * packed, kPad);
  for (std::uint32_t i = 0; i < resident.size(); ++i) {
    std::uint8_t* const first = residues.data() + (places[i / group] + i % group) * packed;
    std::size_t k = 0;
    for (const Residue residue : resident.residues(i)) {
      first[k / packed * group * packed + k % packed] = residue & kCodeMask;
      ++k;
    }
  }
  copy(stored.residues, residues);
  copy(stored.places, places);
  copy(stored.lengths, lengths);
}

}  // namespace alnus::cuda

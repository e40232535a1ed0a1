#include "papers/sequences.h"

#include <algorithm>
#include <vector>

namespace alnus::cuda::papers {
namespace {

template <class T>
void copy(DeviceArray<T>& to, const std::vector<T>& from) {
  check(cudaMemcpy(to.reserve(from.size()), from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice),
        "cudaMemcpy");
}

}  // namespace

void SequenceStore::add(const std::shared_ptr<const DeviceSequences>& sequences, Layout layout) {
  const std::lock_guard lock(mutex_);
  sweep_locked();
  const auto is_this = [&](const Stored& stored) { return stored.sequences.lock() == sequences; };
  if (std::ranges::none_of(stored_, is_this)) stored_.push_back({sequences, layout});
}

Sequences SequenceStore::of(const SortedSequences& sequences, Stopper& stopper) {
  const std::lock_guard lock(mutex_);
  Stored& stored = *std::ranges::find_if(stored_, [&](const Stored& other) {
    const std::shared_ptr<const DeviceSequences> held = other.sequences.lock();
    return held != nullptr && same_sequences(held->sorted(), sequences);
  });
  if (!stored.uploaded) {
    upload(sequences, stored, stopper);
    ++uploaded_.uploads;
    uploaded_.uploaded_bytes += stored.bytes();
  }
  stored.uploaded = true;
  return {stored.residues.data(), stored.places.data(), stored.lengths.data()};
}

void SequenceStore::sweep() {
  const std::lock_guard lock(mutex_);
  sweep_locked();
}

void SequenceStore::sweep_locked() {
  std::erase_if(stored_, [](const Stored& stored) { return stored.sequences.expired(); });
}

DeviceCounters SequenceStore::counters() const {
  const std::lock_guard lock(mutex_);
  DeviceCounters counters = uploaded_;
  for (const Stored& stored : stored_) counters.resident_bytes += stored.bytes();
  return counters;
}

void SequenceStore::upload(const SortedSequences& sorted, Stored& stored, Stopper& stopper) {
  const auto [group, packed] = stored.layout;
  std::vector<std::uint32_t> lengths;
  lengths.reserve(sorted.size());
  std::vector<std::uint64_t> places;
  std::uint64_t words = 0;
  for (Position position = sorted.begin(); position < sorted.end(); ++position) {
    lengths.push_back(static_cast<std::uint32_t>(sorted.length(position)));
    if (position.value() % group > 0) continue;  // the first sequence of a group is its longest
    places.push_back(words);
    words += std::uint64_t{(lengths.back() + packed - 1) / packed} * group;
  }
  std::vector<std::uint8_t> residues(words * packed, kPad);
  for (Position position = sorted.begin(); position < sorted.end(); ++position) {
    stopper.look();
    const std::uint32_t number = position.value();
    std::uint8_t* const first = residues.data() + (places[number / group] + number % group) * packed;
    std::size_t k = 0;
    for (const Residue residue : sorted.residues(position)) {
      first[k / packed * group * packed + k % packed] = residue & kCodeMask;
      ++k;
    }
  }
  copy(stored.residues, residues);
  copy(stored.places, places);
  copy(stored.lengths, lengths);
}

}  // namespace alnus::cuda::papers

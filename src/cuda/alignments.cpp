#include "cuda/alignments.h"

#include <algorithm>

namespace alnus::cuda {
namespace {

// Copies kRunsTogether runs at a time, so that the compiler uses vector instructions; copying runs one by one
// takes 1.5 times as long. Up to kRunsTogether - 1 elements of `to` behind the pair's runs are written, too.
void unpack_runs(const PackedRun* from, std::uint32_t runs, CigarRun* to) {
  for (std::uint32_t first = 0; first < runs; first += kRunsTogether)
    for (std::uint32_t k = first; k < first + kRunsTogether; ++k) to[k].packed = from[k];
}

}  // namespace

void Alignments::begin(std::uint64_t pairs, bool packed) {
  packed_ = packed;
  count_ = on_device_ = 0;
  rows_.clear();
  replaced_.clear();
  added_.clear();
  if (packed)
    packed_results_.reserve(pairs);
  else
    results_.reserve(pairs);
}

// Any added result may take the place of any device result that is to be replaced: the order of results does
// not matter, because a result names its pair.
void Alignments::add(std::span<const PairResult> results) {
  if (packed_) {
    added_.insert(added_.end(), results.begin(), results.end());
    count_ = on_device_ + added_.size() - replaced_.size();
    return;
  }
  std::size_t next = 0;
  for (const PairResult& result : results)
    results_.data()[next < replaced_.size() ? replaced_[next++] : count_++] = result;
}

PositionPair Alignments::place_of(std::uint64_t number) const {
  if (!packed_) return {results_.data()[number].row, results_.data()[number].column};
  const Row& row = row_of(number);
  return {row.row, row.first_column + static_cast<std::uint32_t>(number - row.first_result)};
}

const Alignments::Row& Alignments::row_of(std::uint64_t number) const {
  return *std::prev(std::ranges::upper_bound(rows_, number, {}, &Row::first_result));
}

const PairResult* Alignments::added(std::uint64_t number) const {
  if (number >= on_device_) return &added_[replaced_.size() + (number - on_device_)];
  if (replaced_.empty()) return nullptr;
  const auto found = std::ranges::lower_bound(replaced_, number);
  const bool is_replaced = found != replaced_.end() && *found == number;
  return is_replaced ? &added_[static_cast<std::size_t>(found - replaced_.begin())] : nullptr;
}

void Alignments::unpack(std::uint64_t begin, std::uint64_t end, std::vector<PairResult>& results,
                        std::vector<CigarRun>& runs) const {
  const PackedPair* const packed = packed_results_.data();
  std::size_t places = kRunsTogether;
  for (std::uint64_t number = begin; number < end; ++number) {
    const PairResult* const other = added(number);
    places += other != nullptr ? other->cigar.size() : packed[number].runs;
  }
  if (runs.size() < places) runs.resize(places);  // not resized in the loop below: results point into `runs`
  results.resize(end - begin);
  CigarRun* next = runs.data();
  const Row* row = begin < on_device_ ? &row_of(begin) : nullptr;
  for (std::uint64_t number = begin; number < end; ++number) {
    PairResult& result = results[number - begin];
    CigarRun* const first = next;
    if (const PairResult* const other = added(number)) {
      result = *other;
      next = std::ranges::copy(other->cigar, next).out;
      result.cigar = {first, next};
      continue;
    }
    while (row != &rows_.back() && row[1].first_result <= number) ++row;
    const PackedPair& pair = packed[number];
    if (pair.runs > 0)
      unpack_runs(packed_runs_[row->part].data() + std::uint64_t{pair.first_four} * kRunsTogether, pair.runs,
                  first);
    next += pair.runs;
    result = {
        row->row,
        row->first_column + static_cast<std::uint32_t>(number - row->first_result),
        pair.score,
        0,
        pair.query_begin,
        pair.query_end,
        pair.subject_begin,
        pair.subject_end,
        {first, next},
        {pair.columns, pair.identical, pair.positive, pair.mismatches, pair.gap_residues, pair.gap_opens}};
  }
}

}  // namespace alnus::cuda

#include "engine/pair_floors.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <utility>

namespace alnus::engine {
namespace {

constexpr std::int32_t kNone = std::numeric_limits<std::int32_t>::min();

// Returns the lengths of the sequences in increasing order, each once.
std::vector<std::size_t> lengths_of(const SequenceSet& set) {
  std::vector<bool> found(set.longest() + 1);
  for (SequenceSet::Index i = 0; i < set.size(); ++i) found[set.length(i)] = true;
  std::vector<std::size_t> lengths;
  for (std::size_t length = 0; length < found.size(); ++length)
    if (found[length]) lengths.push_back(length);
  return lengths;
}

// Returns the first lengths of up to kClasses classes, which have about equally many of these lengths each.
std::vector<std::size_t> classes_of(const std::vector<std::size_t>& lengths) {
  constexpr std::size_t kClasses = 64;
  const std::size_t count = std::min(kClasses, lengths.size());
  std::vector<std::size_t> classes;
  for (std::size_t k = 0; k < count; ++k) classes.push_back(lengths[k * lengths.size() / count]);
  return classes;
}

std::size_t class_of(const std::vector<std::size_t>& classes, std::size_t length) {
  const auto after = std::ranges::upper_bound(classes, length);
  return static_cast<std::size_t>(std::max<std::ptrdiff_t>(after - classes.begin() - 1, 0));
}

}  // namespace

PairFloors::PairFloors(std::vector<std::int32_t> of_rows)
    : of_rows_(std::move(of_rows)), lowest_(of_rows_.empty() ? kNone : std::ranges::min(of_rows_)) {}

void PairFloors::add_lengths(const SequenceSet& queries, const SequenceSet& subjects,
                             std::span<const stats::ScoreJudgePtr> judges, double evalue, CallState& call) {
  if (queries.empty() || subjects.empty()) return;
  // By length, a query of this length: all of them are judged alike.
  std::vector<const stats::ScoreJudge*> of_length(queries.longest() + 1);
  std::vector<bool> is_judged(of_length.size(), true);
  for (Index i = 0; i < queries.size(); ++i) {
    of_length[queries.length(i)] = judges[i].get();
    if (!judges[i]) is_judged[queries.length(i)] = false;
  }
  const std::vector<std::size_t> lengths = lengths_of(queries);
  query_classes_ = classes_of(lengths);
  subject_classes_ = classes_of(lengths_of(subjects));
  const std::size_t count = subject_classes_.size();
  of_classes_.assign(query_classes_.size() * count, std::numeric_limits<std::int32_t>::max());

  call.for_each(query_classes_.size(), [&](std::size_t q) {
    const std::size_t end = q + 1 < query_classes_.size() ? query_classes_[q + 1] : of_length.size();
    std::int32_t near = 0;
    for (std::size_t length = query_classes_[q]; length < end; ++length) {
      const stats::ScoreJudge* judge = of_length[length];
      if (!std::ranges::binary_search(lengths, length)) continue;
      for (std::size_t s = 0; s < count; ++s) {
        const std::size_t shortest = subject_classes_[s],
                          longest = s + 1 < count ? subject_classes_[s + 1] - 1 : subjects.longest();
        const bool may_pass = !is_judged[length] || shortest == 0;  // pairs without an E-value are not judged
        near = may_pass ? near : judge->lowest_score(evalue, shortest, longest, near);
        std::int32_t& lowest = of_classes_[q * count + s];
        lowest = std::min(lowest, may_pass ? kNone : near);
      }
    }
  });
  // Each class gets the lowest score of all classes that are not shorter.
  for (std::size_t q = query_classes_.size(); q-- > 0;)
    for (std::size_t s = count; s-- > 0;) {
      std::int32_t& lowest = of_classes_[q * count + s];
      if (q + 1 < query_classes_.size()) lowest = std::min(lowest, of_classes_[(q + 1) * count + s]);
      if (s + 1 < count) lowest = std::min(lowest, of_classes_[q * count + s + 1]);
    }
}

std::int32_t PairFloors::of_lengths(std::size_t query, std::size_t subject) const {
  if (of_classes_.empty()) return kNone;
  return of_classes_[class_of(query_classes_, query) * subject_classes_.size() +
                     class_of(subject_classes_, subject)];
}

}  // namespace alnus::engine

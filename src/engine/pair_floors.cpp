#include "engine/pair_floors.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <utility>

namespace alnus::engine {
namespace {

constexpr std::int32_t kNone = std::numeric_limits<std::int32_t>::min();

// The queries of one length: all of them are judged alike, or some have no judge.
struct OfLength {
  std::size_t length;
  const stats::ScoreJudge* judge;  // null if one of them has none
};

std::vector<OfLength> by_length(const SequenceSet& queries, std::span<const stats::ScoreJudgePtr> judges) {
  std::vector<OfLength> all;
  all.reserve(queries.size());
  for (SequenceSet::Index i = 0; i < queries.size(); ++i) all.push_back({queries.length(i), judges[i].get()});
  // Queries without a judge come first, so that their length has none.
  std::ranges::sort(all, {}, [](const OfLength& one) { return std::pair(one.length, one.judge != nullptr); });
  const auto same = [](const OfLength& a, const OfLength& b) { return a.length == b.length; };
  all.erase(std::unique(all.begin(), all.end(), same), all.end());
  return all;
}

std::vector<std::size_t> lengths_of(const SequenceSet& set) {
  std::vector<std::size_t> lengths;
  lengths.reserve(set.size());
  for (SequenceSet::Index i = 0; i < set.size(); ++i) lengths.push_back(set.length(i));
  std::ranges::sort(lengths);
  lengths.erase(std::unique(lengths.begin(), lengths.end()), lengths.end());
  return lengths;
}

// The number of classes that so many lengths are put in, and the number of the first length of a class. The
// classes have about equally many lengths each.
std::size_t classes_of(std::size_t lengths) { return std::min<std::size_t>(lengths, 64); }
std::size_t first_of(std::size_t number, std::size_t lengths) {
  return number * lengths / classes_of(lengths);
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
  const std::vector<OfLength> lengths = by_length(queries, judges);
  const std::vector<std::size_t> of_subjects = lengths_of(subjects);
  for (std::size_t k = 0; k < classes_of(lengths.size()); ++k)
    query_classes_.push_back(lengths[first_of(k, lengths.size())].length);
  const std::size_t count = classes_of(of_subjects.size());
  for (std::size_t k = 0; k < count; ++k)
    subject_classes_.push_back(of_subjects[first_of(k, of_subjects.size())]);
  of_classes_.assign(query_classes_.size() * count, std::numeric_limits<std::int32_t>::max());

  call.for_each(query_classes_.size(), [&](std::size_t q) {
    std::int32_t near = 0;
    for (std::size_t k = first_of(q, lengths.size()); k < first_of(q + 1, lengths.size()); ++k) {
      call.progress.stop.throw_if_requested();
      for (std::size_t s = 0; s < count; ++s) {
        const std::size_t shortest = subject_classes_[s],
                          longest = of_subjects[first_of(s + 1, of_subjects.size()) - 1];
        // Pairs without an E-value are not judged.
        const bool may_pass = lengths[k].judge == nullptr || shortest == 0;
        near = may_pass ? near : lengths[k].judge->lowest_score(evalue, shortest, longest, near);
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

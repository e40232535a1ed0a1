#include "api/support/similar_sets.h"

#include <algorithm>
#include <numeric>

namespace alnus::test {

SequenceSet with_ids(const SequenceSet& set, const std::string& prefix) {
  SequenceSetBuilder builder(set.alphabet(), "set");
  for (Index i = 0; i < set.size(); ++i) builder.add(prefix + std::to_string(i), set.residues(i));
  return builder.finish();
}

SequenceSet mixed_set(AlphabetKind kind) {
  const SequenceSet all = joined(assorted(1, kind), assorted(2, kind));
  Random random(4);
  SequenceSetBuilder builder(kind);
  for (Index i = 0; i < all.size(); ++i) builder.add("s", all.residues(i));
  for (Index i = 0; i < 8; ++i) {
    const std::span<const Residue> copied = all.residues(i * 5);
    if (!copied.empty()) builder.add("s", with_random_case(random, Residues(copied.begin(), copied.end())));
  }
  return with_ids(builder.finish(), "s");
}

SequenceSet strangers(unsigned seed, std::uint32_t count, std::size_t length) {
  return random_set({.seed = seed, .count = count, .shortest = length, .longest = length, .prefix = "r"});
}

SequenceSet chain(unsigned seed, std::uint32_t count, const std::string& prefix) {
  Random random(seed);
  const Residues whole = random_sequence(random, 20 * std::size_t{count} + 40);
  SequenceSetBuilder builder(AlphabetKind::protein, "chain");
  for (std::uint32_t i = 0; i < count; ++i)
    builder.add(prefix + std::to_string(i), std::span(whole).subspan(20 * std::size_t{i}, 60));
  return builder.finish();
}

SequenceSet mosaic(unsigned seed, std::uint32_t count, std::size_t segments) {
  Random random(seed);
  std::vector<Residues> all;
  for (std::size_t k = 0; k < segments; ++k) all.push_back(random_sequence(random, 30));
  SequenceSetBuilder builder(AlphabetKind::protein);
  for (std::uint32_t k = 0; k < count; ++k) {
    const std::size_t first = below(random, segments);
    builder.add("m" + std::to_string(k),
                concatenate({all[first], all[(first + 1 + below(random, segments - 1)) % segments]}));
  }
  return builder.finish();
}

SimilarSequences::SimilarSequences(const SequenceSet& set, Strands strands, const std::string& relations)
    : set_(set),
      related_(RelationOracle({set, {}, strands, default_scoring("local", set.alphabet())})
                   .of(parse_relations(relations))),
      similar_(set.size(), std::vector<bool>(set.size())) {
  for (Index i = 0; i < set.size(); ++i)
    for (Index k = 0; k < set.size(); ++k)
      similar_[i][k] = related_.contains({std::max(i, k), std::min(i, k)}) || equal(i, k);
}

bool SimilarSequences::equal(Index one, Index other) const {
  return set_.length(one) > 0 && without_case(set_.residues(one)) == without_case(set_.residues(other));
}

std::vector<Index> SimilarSequences::components() const {
  std::vector<Index> first(set_.size());
  std::iota(first.begin(), first.end(), Index{0});
  for (bool changed = true; changed;) {
    changed = false;
    for (Index i = 0; i < set_.size(); ++i)
      for (Index k = 0; k < set_.size(); ++k)
        if ((*this)(i, k) && first[k] < first[i]) {
          first[i] = first[k];
          changed = true;
        }
  }
  return first;
}

std::uint64_t SimilarSequences::equal_to_earlier() const {
  std::uint64_t count = 0;
  for (Index i = 0; i < set_.size(); ++i)
    for (Index k = 0; k < i; ++k)
      if (equal(i, k)) {
        ++count;
        break;
      }
  return count;
}

}  // namespace alnus::test

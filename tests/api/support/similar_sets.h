// Sets for the tests of clusters, splits and certificates, and which of their sequences are similar.
#pragma once

#include <string>
#include <vector>

#include "api/support/relations.h"

namespace alnus::test {

// The same sequences with the ids that the prefix and a number from 0 make.
SequenceSet with_ids(const SequenceSet& set, const std::string& prefix);

// Families, fragments, random and odd sequences (two sets of assorted()), and some that are equal to others
// but for lower case. All ids differ.
SequenceSet mixed_set(AlphabetKind kind);

// Random proteins that are not similar to each other.
SequenceSet strangers(unsigned seed, std::uint32_t count, std::size_t length = 40);

// Windows of 60 residues in a random protein, each 20 residues after the one before it. By whole:35 each is
// similar to its two neighbours alone.
SequenceSet chain(unsigned seed, std::uint32_t count, const std::string& prefix = "w");

// Proteins of two segments of 30 residues each, which are two of so many. By part:40 those that share a
// segment are similar, so that many ways join them.
SequenceSet mosaic(unsigned seed, std::uint32_t count, std::size_t segments);

// Which sequences are similar by the RelationOracle, or equal.
class SimilarSequences {
 public:
  SimilarSequences(const SequenceSet& set, Strands strands, const std::string& relations);
  bool operator()(Index one, Index other) const { return one == other || similar_[one][other]; }
  bool equal(Index one, Index other) const;                 // records without residues are equal to none
  const RelatedPairs& related() const { return related_; }  // without equal ones that have no relation
  // For each sequence the first one of its component.
  std::vector<Index> components() const;
  std::uint64_t equal_to_earlier() const;

 private:
  SequenceSet set_;
  RelatedPairs related_;
  std::vector<std::vector<bool>> similar_;
};

}  // namespace alnus::test

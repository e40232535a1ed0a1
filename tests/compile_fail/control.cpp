// Does what the other sources in this folder do, but does not mix two kinds of numbers. It must compile.
#include "core/sorted_sequences.h"

namespace alnus {

std::size_t length(const SequenceSet& set, const SortedSequences& sorted, SequenceSet::Index index) {
  const Position position = sorted.begin();
  return sorted.length(position) + set.length(index);
}

bool compare(const SequenceSet& set, const SortedSequences& sorted, SequenceSet::Index index, Rank rank) {
  return set.file_ordinal(index) < set.file_ordinal(index + 1) && rank < Rank{7} &&
         sorted.begin() < sorted.end();
}

}  // namespace alnus

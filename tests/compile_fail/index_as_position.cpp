// error: SequenceSet::Index.*Position
#include "core/sorted_sequences.h"

namespace alnus {

std::size_t length(const SortedSequences& sorted, SequenceSet::Index index) { return sorted.length(index); }

}  // namespace alnus

// error: Position.*SequenceSet::Index
#include "core/sorted_sequences.h"

namespace alnus {

std::size_t length(const SequenceSet& set, Position position) { return set.length(position); }

}  // namespace alnus

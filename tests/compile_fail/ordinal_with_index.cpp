// error: FileOrdinal.*SequenceSet::Index
#include "core/sorted_sequences.h"

namespace alnus {

bool compare(const SequenceSet& set, SequenceSet::Index index) { return set.file_ordinal(index) < index; }

}  // namespace alnus

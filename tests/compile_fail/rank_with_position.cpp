// error: Rank.*Position
#include "core/sorted_sequences.h"

namespace alnus {

bool compare(Rank rank, Position position) { return rank < position; }

}  // namespace alnus

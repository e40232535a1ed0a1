// The names of sequences in a PHYLIP matrix.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "alnus/output.h"
#include "alnus/sequence_set.h"
#include "core/stop_flag.h"

namespace alnus::io {

// Bytes of the field at the beginning of a line from which PHYLIP's programs read a name.
inline constexpr std::size_t kPhylipName = 10;

// The name of a sequence: its id or, if strict, the first ten bytes of its id; NA for an empty id. '_'
// replaces bytes that are no printable ASCII, and ( ) [ ] : ; , and ', which have a meaning in trees. Readers
// would take some of these for the end of the name, PHYLIP's programs would refuse others, and other programs
// would write trees that nobody can read.
std::string phylip_name(std::string_view id, PhylipNames form);

// How many ids have a character that was replaced, and the index of the first of these sequences (0 if
// `count` is 0).
struct ReplacedNames {
  std::uint64_t count = 0;
  SequenceSet::Index first = 0;
};
// Throws Error(input) naming both records if two sequences get the same name, and Interrupted.
ReplacedNames check_phylip_names(const SequenceSet& sequences, PhylipNames form, const StopFlag& stop);

}  // namespace alnus::io

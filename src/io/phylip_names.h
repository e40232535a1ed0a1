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

// Bytes of the field that PHYLIP's programs read a name from.
inline constexpr std::size_t kPhylipName = 10;

// The id; strict: its first ten bytes. What is no printable ASCII, and what has a meaning in trees, ( ) [ ] :
// ; , and ', becomes '_': readers take some of it for the end of a name, PHYLIP's programs refuse the rest,
// and others write trees with it that nobody can read. An empty id is NA.
std::string phylip_name(std::string_view id, PhylipNames form);

// The ids in which a character was replaced.
struct ReplacedNames {
  std::uint64_t count = 0;
  SequenceSet::Index first = 0;
};
// Throws Error(input) naming both records where two names are the same, Interrupted.
ReplacedNames check_phylip_names(const SequenceSet& sequences, PhylipNames form, const StopFlag& stop);

}  // namespace alnus::io

// Refuses ids that a format cannot hold, because it ends an id at a blank or a tab.
#pragma once

#include <string>
#include <string_view>

#include "alnus/output.h"
#include "alnus/sequence_set.h"

namespace alnus::io {

// Throws Error(input) naming the first sequence whose id has one of the characters `blanks`. Only ids that a
// program has given can have them (SequenceSetBuilder::set_id_bytes). In the message `where` names the
// format, as in "a pair list", and `advice` is a clause that stands behind "or" and says what else to choose;
// it may be empty.
void require_ids_without(std::string_view blanks, const SequenceSet& set, const std::string& where,
                         const std::string& advice = {});

// Throws Error(input) naming the first sequence whose id rows in this format cannot hold. Tables separate
// columns by tabs, so that their ids may have blanks; CSV and JSON lines hold any id.
void check_ids(OutputFormat::Kind kind, const SequenceSet& queries, const SequenceSet& subjects);

}  // namespace alnus::io

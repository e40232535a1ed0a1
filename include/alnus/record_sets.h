// Which set each record is in: the clusters and splits that files of alnus and of other programs tell.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "alnus/database.h"
#include "alnus/export.h"
#include "alnus/sequence_set.h"

namespace alnus {

// A set is a cluster, or a subset of a split. Records and representatives are indices.
struct RecordSets {
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

  std::string path;                // of the file, for messages
  std::vector<std::string> names;  // of the sets, in the order in which they appear in the file
  // The representative of each set, if the file tells it.
  std::vector<std::optional<SequenceSet::Index>> representatives;
  std::vector<std::uint32_t> set_of;  // of each record: an index in `names`; kNone: the file does not name it
};

// Reads a file in one of the formats of docs/memberships.md, which is recognised by its contents, plain, gzip
// or zstd; "-" is standard input. Records are found by their ids. Throws Error(input) naming the line for
// what is wrong in the file, for ids that no record has, and for records that have one id.
ALNUS_API RecordSets read_record_sets(const std::string& path, const SequenceSet& set);

// The records of each set that has any, as a database whose name is the set's: the largest set first, and of
// equally large ones the first in the file. Records that are in no set are left out.
ALNUS_API std::vector<Database> databases_of(const SequenceSet& set, const RecordSets& sets);

}  // namespace alnus

// The names that MMseqs2 gives to records: of ids with bars, such as sp|P69905|HBA_HUMAN, it takes the
// accession.
#pragma once

#include <optional>
#include <string_view>
#include <unordered_map>

#include "alnus/sequence_set.h"

namespace alnus::io {

// The accession in an id of a known database, such as P69905 of sp|P69905|HBA_HUMAN; else the id itself.
std::string_view mmseqs_name(std::string_view id);

// The records of a set by these names.
class MmseqsIds {
 public:
  // The set's memory must live as long as this object.
  explicit MmseqsIds(const SequenceSet& sequences);
  // The record with this name; empty if there is none, or if several have it.
  std::optional<SequenceSet::Index> find(std::string_view name) const;

 private:
  std::unordered_map<std::string_view, std::optional<SequenceSet::Index>> records_;  // empty: several
};

}  // namespace alnus::io

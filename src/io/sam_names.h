// Names of reads and references in SAM, which allows fewer characters than FASTA and FASTQ do.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

#include "alnus/sequence_set.h"

namespace alnus::io {

// The name of a read (QNAME): '_' replaces bytes that SAM does not allow, and the name is cut at 254 bytes.
// A query without an id has the name "*", by which SAM says that there is none.
std::string sam_query_name(std::string_view id);

// The name of a reference (RNAME): '_' replaces bytes that SAM does not allow.
std::string sam_reference_name(std::string_view id);

// Throws Error(input) if two queries with different ids would have one name. Queries with the same id keep
// it, as both mates of a pair do.
void check_sam_queries(const SequenceSet& queries);

// Throws Error(input) if two subjects would have one name.
void check_sam_subjects(const SequenceSet& subjects);

// The names of queries that come one by one.
class SamQueryNames {
 public:
  // Throws Error(input) if an earlier query with another id has the name of this one. `query` is what
  // messages call the query.
  void add(std::string_view id, const std::string& query);

 private:
  struct Known {
    std::string id, query;
  };
  std::unordered_map<std::string, Known> names_;  // those that another id may be made into
};

}  // namespace alnus::io

// Names of reads (the queries) and references (the subjects) in SAM, which allows fewer characters than FASTA
// and FASTQ do.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include "alnus/sequence_set.h"

namespace alnus::io {

// The name of a read (QNAME): '_' replaces bytes that SAM does not allow, and the name is cut at 254 bytes.
// A query without an id has the name "*", by which SAM says that there is none.
std::string sam_query_name(std::string_view id);

// The name of a subject, which SAM calls a reference (RNAME): '_' replaces bytes that SAM does not allow,
// among them '*' and '=' at the beginning. A subject without an id has the name "_".
std::string sam_reference_name(std::string_view id);

// Throws Error(input) if two queries with different ids would have one name. Queries with the same id keep
// it, as the two mates of paired reads do.
void check_sam_queries(const SequenceSet& queries);

// Throws Error(input) if two subjects would have one name.
void check_sam_subjects(const SequenceSet& subjects);

// The names of queries that come one by one, maybe without an end: 40 bytes are kept of a name, whatever its
// length, and nothing of most names.
class SamQueryNames {
 public:
  // Throws Error(input) if an earlier query with another id has the name of this one. `query` is what
  // messages call the query, and `record` is its number among the queries, from 1.
  void add(std::string_view id, const std::string& query, std::uint64_t record);

 private:
  using Hash = std::array<std::uint64_t, 2>;  // XXH3-128, which is taken to differ for different texts
  struct LowBits {
    std::size_t operator()(const Hash& hash) const { return hash[0]; }
  };
  struct Known {
    Hash id;
    std::uint64_t record;
  };
  static Hash hash_of(std::string_view text);

  std::unordered_map<Hash, Known, LowBits> names_;  // names that another id may be made into, by their hash
};

}  // namespace alnus::io

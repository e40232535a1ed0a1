// Which records belong together, as files of other programs and of alnus say it (docs/memberships.md).
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "alnus/sequence_set.h"
#include "core/stop_flag.h"
#include "io/byte_source.h"
#include "io/id_index.h"

namespace alnus::io {

inline constexpr std::uint32_t kNoSet = std::numeric_limits<std::uint32_t>::max();

// Formats of memberships, recognised by their contents:
// - mmseqs: a line for each member, representative TAB member; each representative has a line with itself.
// - cd_hit: a .clstr file, ">Cluster 0" and a line for each member.
// - graph_part: CSV with a header that has the columns AC (the first) and cluster.
// - split: CSV or tabs with a header that begins with id and subset.
// - table: two columns without a header, id and set, CSV or tabs.
enum class MembershipFormat : std::uint8_t { mmseqs, cd_hit, graph_part, split, table };

// A set of a membership is a cluster or a subset.
struct MembershipSet {
  std::string name;                               // for mmseqs the id of the representative
  std::optional<std::uint32_t> representative{};  // index in Membership::members, if the format tells it
};

struct Membership {
  struct Member {
    std::string id;
    std::uint32_t set;   // index in `sets`
    std::uint64_t line;  // of the file, from 1
  };
  MembershipFormat format = MembershipFormat::table;
  std::string file;                 // as messages call it
  std::vector<Member> members;      // in the order of the file
  std::vector<MembershipSet> sets;  // in the order in which they appear first
};

// Throws Error(input) naming file and line for a file in none of the formats, an id that comes twice (in one
// set or in two), and lines that the format cannot have; what LineReader throws; and Interrupted.
Membership read_membership(const Input& input, const StopFlag& stop = StopFlag::never());

// A membership and the records of a set, matched by ids.
struct MatchedMembership {
  std::vector<std::uint32_t> set_of;  // of each record: Membership::sets, or kNoSet
  std::vector<std::optional<SequenceSet::Index>> representatives;  // of each set
  std::vector<SequenceSet::Index> without_set;                     // records that the file does not name
  std::vector<std::uint32_t> unknown;  // Membership::members whose ids no record has
};

// For mmseqs an id may be the name that MMseqs2 makes of a record's id (io/mmseqs_ids.h). Throws what
// IdIndex::require_distinct() throws.
MatchedMembership match(const Membership& membership, const IdIndex& ids);
// Throws Error(input) if the file names ids that no record has: how many, the first three, and why that may
// be.
void require_known_ids(const Membership& membership, const MatchedMembership& matched,
                       const SequenceSet& sequences);
// Throws Error(input) if the file does not name every record: how many it lacks, and the first three.
void require_every_record(const Membership& membership, const MatchedMembership& matched,
                          const SequenceSet& sequences);

}  // namespace alnus::io

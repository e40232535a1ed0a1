// Options and results of Session::audit: does a later set hold records that are similar to earlier ones?
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "alnus/alignment.h"
#include "alnus/export.h"
#include "alnus/report_section.h"
#include "alnus/search.h"
#include "alnus/sequence_set.h"
#include "alnus/similarity.h"
#include "alnus/strand.h"

namespace alnus {

struct AuditOptions {
  Similarity similarity{};
  // The largest E-value of a nearest record, a number not below 0. It has no influence on what leaks.
  double evalue = kDefaultEvalue;
};

// A record of the sets of an audit: the number of its set, and its index there, both from 0. Records are
// numbered in the order of their file.
struct AuditedRecord {
  std::uint32_t set = 0;
  SequenceSet::Index record = 0;
  auto operator<=>(const AuditedRecord&) const = default;  // NOLINT(modernize-use-nullptr)
};

// In Leak::relation and LeakCount::relation: the records have equal residues and none of the relations.
inline constexpr std::uint8_t kEqualResidues = std::numeric_limits<std::uint8_t>::max();

// A record of a later set that is similar to a record of an earlier one.
struct Leak {
  AuditedRecord later, earlier;
  // The value of the first relation that the pair has: identity in percent, E-value, score or score distance.
  // 100 for kEqualResidues.
  double value = 0;
  std::uint8_t relation = 0;  // number of that relation in Similarity::relations, or kEqualResidues
};

// How many pairs of two sets are similar by one relation. A pair counts for the first relation that it has.
struct LeakCount {
  std::uint32_t set = 0, earlier_set = 0;
  std::uint8_t relation = 0;  // as Leak::relation
  std::uint64_t pairs = 0;
  std::uint64_t records = 0;  // records of the later set in these pairs
};

// The record before another one, in the earlier sets, that is its nearest: the first hit of a search with the
// other record in all earlier sets. Coordinates are 0-based and half-open, as in Columns.
struct NearestRecord {
  AuditedRecord record;
  Strand strand = Strand::plus;  // of the later record
  double evalue = 0, bits = 0;
  double identity = 0;          // identical residues in percent of the alignment's columns
  double identity_shorter = 0;  // identical residues in percent of the shorter sequence
  double coverage = 0;  // percent of the later record's residues from the first aligned one to the last
  double record_coverage = 0;       // the same of the nearest record
  std::int32_t begin = 0, end = 0;  // in the later record
  std::int32_t record_begin = 0, record_end = 0;
  std::vector<CigarRun> cigar;  // the later record is the query
};

// A record, and another one that is equal to it or contains it.
struct RecordPair {
  AuditedRecord record, other;
};

// The limits between the strata of nearest records: an E-value of at most the first one is significant, and
// each further one begins the next stratum. In the first stratum are the records without a significant one.
inline constexpr std::array kAuditEvalues = {1e-3, 1e-10, 1e-30};
inline constexpr std::size_t kAuditStrata = kAuditEvalues.size() + 1;
inline constexpr std::size_t kIdentityBins = 10;

// What an audit says of one set. Of the first set only the first three members are known.
struct AuditedSet {
  std::string name;
  std::uint64_t records = 0, residues = 0;
  std::uint64_t compared = 0;  // pairs of a record of this set and an earlier record
  std::uint64_t leaking = 0;   // records of this set that are similar to an earlier one
  // Earlier records that are similar to one of this set.
  std::uint64_t leaking_earlier = 0;
  std::uint64_t equal = 0;          // records of this set that are equal to an earlier one
  std::uint64_t equal_earlier = 0;  // earlier records that are equal to one of this set
  std::uint64_t contained = 0;      // records of this set that are a piece of an earlier one
  // Earlier records that are a piece of one of this set.
  std::uint64_t contained_earlier = 0;
  std::vector<std::optional<NearestRecord>> nearest{};  // of each record; empty: no E-value is low enough
  std::array<std::uint64_t, kAuditStrata> strata{};     // records by the E-value of the nearest one
  // Records by NearestRecord::identity_shorter, in steps of 10 percent; 100 percent is in the last one.
  std::array<std::uint64_t, kIdentityBins> identities{};
};

// Residues are compared without case, and as they are written: on the plus strand. Records without residues
// are equal to none, and are no piece of any.
struct Audit {
  std::vector<AuditedSet> sets;
  std::vector<Leak> leaks;  // ordered by the later record, then by the earlier one
  // For each pair of sets the relations by which pairs are similar; kEqualResidues comes last.
  std::vector<LeakCount> counts;
  // Each later record that is equal to earlier ones, with the first of these.
  std::vector<RecordPair> equal;
  // Each record that is a piece of a longer one of another set, with the first such record: for each later
  // set first the records of this set that are a piece of an earlier one, then the earlier ones that are a
  // piece of one of this set.
  std::vector<RecordPair> contained;
  std::uint64_t pairs = 0;  // that were compared: the products of the sizes of the sets
  std::uint64_t cells = 0;  // of all pairs, as in AllPairsSummary
  std::string statistics;   // how E-values are computed, in words
  double seconds = 0;
};

// What the report of an audit says: the result of each later set, what was compared, similar records by sets
// and relations, the nearest records by E-value and identity, equal records and pieces.
ALNUS_API std::vector<ReportSection> sections_of(const Audit& audit, const AuditOptions& options);

}  // namespace alnus

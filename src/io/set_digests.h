// Digests of sets of records that depend on ids and residues alone, not on the files that they come from.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "alnus/sequence_set.h"
#include "core/stop_flag.h"

namespace alnus::io {

// GA4GH's sequence digest (sha512t24u) of a record's residues as letters in upper case: 32 letters. Letters
// outside of the alphabet count as they were read, as X or N (alnus/alphabet.h).
std::string sequence_digest(const SequenceSet& sequences, SequenceSet::Index record);

// The SHA-256, in 64 hexadecimal digits, of one line for each text: the texts in the order of their bytes,
// each with a line feed behind it.
std::string sha256_of_lines(std::vector<std::string> texts);

// The digest of each subset's contents: sha256_of_lines() of "id TAB sequence_digest()" of its records.
// Neither the order of records nor their titles and lower-case letters count. `subset_of` has the subset of
// each record, from 0 to `subsets` - 1; records with kNoSet (io/membership.h) count nowhere. Throws
// Error(input) naming a record whose id has a line end, and Interrupted.
std::vector<std::string> contents_sha256(const SequenceSet& sequences,
                                         std::span<const std::uint32_t> subset_of, std::uint32_t subsets,
                                         const StopFlag& stop = StopFlag::never());

// The digest of each subset's ids: sha256_of_lines() of them. Otherwise as contents_sha256().
std::vector<std::string> ids_sha256(const SequenceSet& sequences, std::span<const std::uint32_t> subset_of,
                                    std::uint32_t subsets, const StopFlag& stop = StopFlag::never());

// A digest of pairs of ids that does not depend on their order, and needs no memory for them: the sum of the
// SHA-256 of "id TAB other id LF" of each pair, the lower id of its bytes first, as numbers whose first byte
// is the highest, without what exceeds 256 bits. It shows mistakes; pairs with a given sum can be made up.
class PairDigest {
 public:
  void add(std::string_view id, std::string_view other);
  std::string hex() const;  // 64 hexadecimal digits

 private:
  std::array<std::uint64_t, 4> sum_{};  // the lowest 64 bits first
  std::string line_;
};

}  // namespace alnus::io

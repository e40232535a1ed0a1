// Sets that have strands of sequences in place of the sequences that were given.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "alnus/sequence_set.h"
#include "alnus/strand.h"
#include "core/stop_flag.h"

namespace alnus {

// The strands that `strands` stands for, plus before minus.
inline std::span<const Strand> strands_of(Strands strands) {
  static constexpr std::array kStrands = {Strand::plus, Strand::minus};
  const std::span<const Strand> both = kStrands;
  return strands == Strands::both ? both : strands == Strands::plus ? both.first(1) : both.last(1);
}
constexpr SequenceSet::Index strands_of_each(Strands strands) { return strands == Strands::both ? 2 : 1; }

// True if a pair that scores so on the two strands of its query is aligned on the minus strand. This rule
// holds wherever a pair has one alignment on one of both strands.
constexpr bool prefers_minus(std::int32_t plus, std::int32_t minus) { return minus > plus; }

// The chosen strands of a set's sequences: all strands of the first sequence, then those of the second, and
// so on. The strands have no headers. With Strands::plus, set() is the given set itself.
class StrandedSet {
 public:
  using Index = SequenceSet::Index;
  // Throws Error(input) for too many sequences and as check_strands() does, and Interrupted when `stop` is
  // requested.
  StrandedSet(const SequenceSet& given, Strands strands, const StopFlag& stop);

  // The bytes that the strands of a set take besides the set.
  static std::uint64_t bytes(const SequenceSet& given, Strands strands);

  const SequenceSet& set() const { return set_; }
  const SequenceSet& given() const { return given_; }
  Strands strands() const { return strands_; }
  Index given(Index i) const { return strands_ == Strands::both ? i / 2 : i; }
  Strand strand(Index i) const {
    return strands_ == Strands::both    ? static_cast<Strand>(i % 2)
           : strands_ == Strands::minus ? Strand::minus
                                        : Strand::plus;
  }
  // The index of the first strand of a given sequence; its other strand follows.
  Index first(Index given) const { return given * strands_of_each(strands_); }

 private:
  const Strands strands_;
  const SequenceSet given_, set_;
};

// The reverse complement of every sequence, in the set's order, without headers.
SequenceSet reverse_complement(const SequenceSet& set, const StopFlag& stop);

}  // namespace alnus

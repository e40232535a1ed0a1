// Null databases: real sequences, rearranged so that every hit is chance. Every machine makes the same
// residues.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "alnus/sequence_set.h"
#include "alnus/words.h"
#include "core/split_mix.h"
#include "core/thread_pool.h"

namespace alnus::bench {

// How each sequence is rearranged; none: not at all.
enum class Null : std::uint8_t { permuted, reversed, dinucleotides, none };

}  // namespace alnus::bench

template <>
inline constexpr std::array alnus::kWords<alnus::bench::Null> = {
    Word{"permuted", bench::Null::permuted}, Word{"reversed", bench::Null::reversed},
    Word{"dinucleotides", bench::Null::dinucleotides}, Word{"none", bench::Null::none}};

namespace alnus::bench {

// Puts the residues into a uniformly random order. Residues equal to `unknown`, which masking leaves, keep
// their places, so that the stretches between them keep their lengths.
void permute_known(std::span<Residue> residues, Residue unknown, SplitMixRandom& random);

// Replaces the residues by a random sequence with the same number of every letter and of every pair of
// neighbours, and hence the same first and last letter. All such sequences are equally probable (Altschul &
// Erickson 1985, doi:10.1093/oxfordjournals.molbev.a040370). All letters become upper case.
void shuffle_dinucleotides(std::span<Residue> residues, SplitMixRandom& random);

// A copy of the source in which each sequence is rearranged and keeps its name. Random orders depend on the
// seed, the sequence's file ordinal and the permutation's number.
SequenceSet null_database(const SequenceSet& source, Null null, std::uint64_t seed, std::uint32_t permutation,
                          ThreadPool& threads);

}  // namespace alnus::bench

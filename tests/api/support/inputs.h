// Sequences, scorings and sessions that the tests of the API share.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "alnus/session.h"
#include "support/sequences.h"
#include "support/sizes.h"

namespace alnus::test {

using Index = SequenceSet::Index;

// ALNUS_FULL_TESTS=1 in the environment (see support/sizes.h): the sizes that issue 19 names (100 instants, 8
// threads with 100 searches each), and limits of time are checked. They take some minutes:
//   ALNUS_FULL_TESTS=1 build/release/tests/api_test

// What the sessions of the tests compute with: the CPU, or what ALNUS_TEST_DEVICES names (cuda, say).
std::string devices_of_tests();

// For a session that does not look at the machine: two threads, 1 GiB.
SessionOptions session_options(int threads = 2, std::uint64_t memory_bytes = 1ULL << 30);

// `count` sequences of random letters with the ids s0, s1, ..., of lengths from `shortest` to `longest`.
struct RandomSet {
  unsigned seed = 1;
  std::uint32_t count = 10;
  std::size_t shortest = 0, longest = 50;
  AlphabetKind alphabet = AlphabetKind::protein;
  std::string prefix = "s";
};
SequenceSet random_set(const RandomSet& of);

// `count` descendants of one random ancestor of this length.
SequenceSet relatives_set(unsigned seed, std::uint32_t count, std::size_t length,
                          AlphabetKind alphabet = AlphabetKind::protein);

// Sequences by their letters, with the ids s0, s1, ...
SequenceSet set_of(const std::vector<std::string>& letters, AlphabetKind alphabet = AlphabetKind::protein);

// The sets as one.
SequenceSet joined(const SequenceSet& first, const SequenceSet& second);

// The same sequences from the last to the first.
SequenceSet reversed(const SequenceSet& set);

std::string fasta_of(const SequenceSet& set);
std::string fasta_of(SequenceView sequence, AlphabetKind alphabet);

// Pairs of random indices, some of them repeated.
std::vector<IndexPair> random_pairs(unsigned seed, std::size_t count, const SequenceSet& queries,
                                    const SequenceSet& subjects);
// Every query with every subject, query by query.
std::vector<IndexPair> every_pair(const SequenceSet& queries, const SequenceSet& subjects);

struct NamedScoring {
  std::string name;  // fit for a test's name
  Scoring scoring;
};
// Every mode, with integers and decimals, an asymmetric matrix among them; of proteins and of DNA.
std::vector<NamedScoring> scorings();

// What a program's user gets without options: of proteins BLOSUM62 with gaps of 11/1, whose statistics are
// published.
Scoring default_scoring(const std::string& mode = "local", AlphabetKind alphabet = AlphabetKind::protein);

// E-values and bit scores of the scores themselves, by the formulas of docs/statistics.md.
StatisticsOptions unadjusted_statistics();

// Statistics that need no calibration.
StatisticsOptions no_statistics();

}  // namespace alnus::test

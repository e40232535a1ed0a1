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

// With ALNUS_FULL_TESTS=1 in the environment (see support/sizes.h) tests have full sizes (100 instants, 8
// threads with 100 searches each) and check limits of time. They take some minutes:
//   ALNUS_FULL_TESTS=1 build/release/tests/api_test

// The devices of the tests' sessions: the CPU, or those that ALNUS_TEST_DEVICES names (for example cuda).
std::string devices_of_tests();

// Options of a session that does not depend on the machine: by default two threads and 1 GiB.
SessionOptions session_options(int threads = 2, std::uint64_t memory_bytes = 1ULL << 30);

// `count` sequences of random letters, of lengths from `shortest` to `longest`. Their ids are the prefix with
// a number from 0 on.
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

// One set with the sequences of both.
SequenceSet joined(const SequenceSet& first, const SequenceSet& second);

// The sequences of the set in reverse order; the sequences themselves are not reversed.
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
// Scorings of proteins and of DNA: every mode, integers and decimals, and some with an asymmetric matrix.
std::vector<NamedScoring> scorings();

// The scoring that users of the program get without options. For proteins it is BLOSUM62 with gaps of 11/1,
// whose statistics are published.
Scoring default_scoring(const std::string& mode = "local", AlphabetKind alphabet = AlphabetKind::protein);

// Options for E-values and bit scores that follow from the scores themselves, not from adjusted scores.
StatisticsOptions unadjusted_statistics();

// Options without statistics, so that nothing needs a calibration.
StatisticsOptions no_statistics();

}  // namespace alnus::test

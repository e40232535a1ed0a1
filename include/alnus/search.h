// The library in three calls: align two sequences, align many pairs, search a database. Each uses the
// devices that it is told to, keeps nothing between calls, and may be called from several threads.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "alnus/alignment.h"
#include "alnus/scoring.h"
#include "alnus/sequence_set.h"

namespace alnus {

// What computes, and with how much. All calls below throw Error(input) for words that are no devices,
// Error(device) for devices that this build or machine does not have, Error(memory).
struct Resources {
  std::string devices = "auto";             // auto, or a list: cpu, cuda, cuda:0,1
  int threads = 0;                          // of the CPU; 0: all
  std::uint64_t memory_bytes = 8ULL << 30;  // that a call may use, besides its arguments and its result
};

struct SearchParameters {
  Detail detail = Detail::alignment;
  std::uint32_t max_target_seqs = 500;      // hits kept of each query, 1 or more
  double evalue = 10;                       // no hit's E-value is above it, where there are E-values
  std::optional<std::int32_t> min_score{};  // no hit's score is below it, in units of 1/scoring.scale
};

struct SearchHit {
  SequenceSet::Index query = 0, subject = 0;  // in `queries` and `database`
  Alignment alignment;
  std::optional<double> bits, evalue;  // empty when the scoring has no published parameters
};

// Letters are those of the scoring matrix' alphabet; others count as X or N.
Alignment align(std::string_view query, std::string_view subject, const Scoring& scoring,
                Detail detail = Detail::alignment);

// The alignments of the pairs (index in queries, index in subjects), in their order.
std::vector<Alignment> align_pairs(const SequenceSet& queries, const SequenceSet& subjects,
                                   std::span<const std::pair<SequenceSet::Index, SequenceSet::Index>> pairs,
                                   const Scoring& scoring, Detail detail = Detail::alignment,
                                   const Resources& resources = {});

// The best hits of each query among all subjects, exactly: every pair is scored. Queries in their order,
// a query's hits by descending score, equal scores in the database's order.
std::vector<SearchHit> search(const SequenceSet& queries, const SequenceSet& database, const Scoring& scoring,
                              const SearchParameters& parameters = {}, const Resources& resources = {});

// The sequences of a .alnus database, or of a FASTA or FASTQ file, gzip or zstd or neither.
// Throws Error(input) or Error(database) naming the file and the place in it.
SequenceSet read_sequences(const std::string& path, AlphabetKind alphabet = AlphabetKind::protein);

}  // namespace alnus

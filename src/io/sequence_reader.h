// FASTA and FASTQ, plain, gzip (also multi-member, BGZF) or zstd by their first bytes, "-" for stdin.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "alnus/sequence_set.h"

namespace alnus::io {

struct ReadCounts {
  std::uint64_t records = 0, residues = 0;
  std::uint64_t unknown_bytes = 0;  // letters outside the alphabet, read as X or N: one warning for the caller
  std::uint64_t empty_records = 0;  // a warning for the caller
};

// Which alphabet the letters of the file are in, guessed from its first records (--alphabet auto):
// dna when at least 90% of the letters are ACGTUN.
AlphabetKind guess_alphabet(const std::string& path);

// Reads a file record by record, in pieces; decompression and reading run on a thread of their own.
// All throw Error(input) naming file, record number and byte offset.
class SequenceReader {
 public:
  SequenceReader(const std::string& path, AlphabetKind alphabet);
  ~SequenceReader();
  SequenceReader(const SequenceReader&) = delete;
  SequenceReader& operator=(const SequenceReader&) = delete;

  // The next records, until `max_residues` is reached or the file ends (then empty).
  SequenceSet read_some(std::uint64_t max_residues);
  const ReadCounts& counts() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

SequenceSet read_all(const std::string& path, AlphabetKind alphabet, ReadCounts* counts = nullptr);

}  // namespace alnus::io

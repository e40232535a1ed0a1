// FASTA and FASTQ, plain, gzip (also multi-member, BGZF) or zstd by their first bytes, "-" for stdin.
// What is accepted, skipped and refused: docs/input.md.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "alnus/sequence_set.h"
#include "core/masking.h"

namespace alnus::io {

struct ReadCounts {
  std::uint64_t records = 0, residues = 0;
  // Each a warning for the caller:
  std::uint64_t unknown_bytes = 0;    // letters outside the alphabet and punctuation, read as X or N
  std::uint64_t gaps_removed = 0;     // '-' and '.' in sequences
  std::uint64_t empty_records = 0;    // without residues
  std::uint64_t unnamed_records = 0;  // without a word after '>' or '@'

  MaskCounts masked;  // as was asked for

  ReadCounts& operator+=(const ReadCounts& other);
};

// Reads a file record by record, in pieces; decompression and reading run on a thread of their own.
// All throw Error(input) naming file, record number and byte of the uncompressed text.
class SequenceReader {
 public:
  // Without an alphabet it is guessed from the file's first half megabyte (--alphabet auto): dna when
  // there are letters and at least 90% of them are ACGTUN. Nothing of the input is lost by that,
  // standard input's neither.
  SequenceReader(const std::string& path, std::optional<AlphabetKind> alphabet, Masking masking = {});
  ~SequenceReader();
  SequenceReader(const SequenceReader&) = delete;
  SequenceReader& operator=(const SequenceReader&) = delete;

  AlphabetKind alphabet() const;

  // The next records, until their residues, headers and offsets take `max_bytes` (the last record goes
  // beyond), or the file ends (then empty).
  SequenceSet read_some(std::uint64_t max_bytes = std::numeric_limits<std::uint64_t>::max());
  const ReadCounts& counts() const;
  bool resembles_dna() const;  // what was read first, before it was masked

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Could they be nucleotides? So it seems where at least 90% of the letters, of the first half million, are
// ACGTUN.
bool resembles_dna(std::span<const Residue> residues, AlphabetKind alphabet);

SequenceSet read_all(const std::string& path, std::optional<AlphabetKind> alphabet,
                     ReadCounts* counts = nullptr, Masking masking = {});

}  // namespace alnus::io

// FASTA and FASTQ, plain, gzip (also multi-member, BGZF) or zstd by their first bytes, "-" for stdin.
// What is accepted, skipped and refused: docs/input.md.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "alnus/database.h"
#include "alnus/sequence_set.h"
#include "core/stop_flag.h"
#include "core/thread_pool.h"

namespace alnus::io {

// The alphabet that a choice means; empty: it is to be guessed.
std::optional<AlphabetKind> alphabet_of(AlphabetChoice choice);

// Qualities of FASTQ are checked; kept, they take as much memory as the residues.
enum class Qualities : std::uint8_t { dropped, kept };

// Reads a file record by record, in pieces; decompression and reading run on another thread of the pool.
// Holds a permit while it parses, and none while it waits. All throw Error(input) naming file, record number
// and byte of the uncompressed text, and Interrupted when `stop` is requested.
class SequenceReader {
 public:
  // Without an alphabet it is guessed from the file's first half megabyte: dna when there are letters and at
  // least 90% of them are ACGTUN. No byte of the input is lost by that, of standard input neither.
  SequenceReader(const std::string& path, std::optional<AlphabetKind> alphabet, Masking masking,
                 ThreadPool& pool, const StopFlag& stop = StopFlag::never(),
                 Qualities qualities = Qualities::dropped);
  ~SequenceReader();
  SequenceReader(const SequenceReader&) = delete;
  SequenceReader& operator=(const SequenceReader&) = delete;

  AlphabetKind alphabet() const;

  // The next records, until their residues, qualities, headers and offsets take `max_bytes` (the last record
  // goes beyond), or the file ends (then empty).
  SequenceSet read_some(std::uint64_t max_bytes = std::numeric_limits<std::uint64_t>::max());
  const ReadCounts& counts() const;
  bool resembles_dna() const;  // what was read first, before it was masked

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// True if these could be nucleotides: at least 90% of the letters, of the first half million, are ACGTUN.
bool resembles_dna(std::span<const Residue> residues, AlphabetKind alphabet);

}  // namespace alnus::io

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
#include "io/byte_source.h"
#include "io/record_notes.h"

namespace alnus::io {

// The alphabet that a choice means; empty if it is to be guessed.
std::optional<AlphabetKind> alphabet_of(AlphabetChoice choice);

// What happens to the qualities of FASTQ. They are checked in either case; if kept, they take as much memory
// as the residues.
enum class Qualities : std::uint8_t { dropped, kept };

// Reads the records of an input in pieces. Another thread of the pool reads and decompresses it. A
// SequenceReader holds a permit while it parses, and none while it waits. All functions throw Error(input)
// naming file, record number and byte of the uncompressed text, and Interrupted when `stop` is requested.
class SequenceReader {
 public:
  // If no alphabet is given, it is guessed from the file's first half megabyte: dna if there are letters and
  // at least 90% of them are ACGTUN. The guess loses no bytes of the input, also of standard input.
  SequenceReader(const Input& input, std::optional<AlphabetKind> alphabet, Masking masking, ThreadPool& pool,
                 const StopFlag& stop = StopFlag::never(), Qualities qualities = Qualities::dropped);
  ~SequenceReader();
  SequenceReader(const SequenceReader&) = delete;
  SequenceReader& operator=(const SequenceReader&) = delete;

  AlphabetKind alphabet() const;

  // The next records: as many as make their residues, qualities, headers and offsets take `max_bytes` or
  // more, or up to the end of the file. Empty at the end of the file.
  SequenceSet read_some(std::uint64_t max_bytes = std::numeric_limits<std::uint64_t>::max());
  const ReadCounts& counts() const;
  const RecordNotes& notes() const;         // of all records that were read so far, but not `repeated`
  std::uint64_t alignment_columns() const;  // SequenceParser::alignment_columns(), of what was read so far
  bool resembles_dna() const;               // of the first piece that was read, before masking

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// True if the residues may be nucleotides: there are residues, and of the first half million at least 90% are
// ACGTUN.
bool resembles_dna(std::span<const Residue> residues, AlphabetKind alphabet);

}  // namespace alnus::io

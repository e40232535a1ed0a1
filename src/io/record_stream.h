// Records from a pipe or a terminal, each available as soon as it is complete. The input is plain text, not
// compressed.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "io/byte_source.h"
#include "io/sequence_parser.h"

namespace alnus::io {

// Reads records as SequenceReader does (docs/input.md), except that an empty line ends a FASTA record: a user
// who waits for the answer to a query has not written the next header yet.
class RecordStream {
 public:
  // The path "-" is standard input. Throws Error(input) if the input cannot be read.
  RecordStream(const std::string& path, AlphabetKind alphabet, Masking masking, ThreadPool& pool,
               Qualities qualities = Qualities::dropped);

  // Waits for the next record; the result is empty at the end of the input. Throws Error(input) naming the
  // record that is wrong; the next call goes on behind that record. Throws Error(input), too, if the input
  // cannot be read or is compressed; that is the end of the input. Throws Interrupted when `stop` is
  // requested, which loses no bytes.
  SequenceSet next(const StopFlag& stop = StopFlag::never());
  bool failed() const { return failed_; }  // true if the input failed, not only a record
  // counts() and resembles_dna() are about the record that next() returned last.
  const ReadCounts& counts() const { return counts_; }
  bool resembles_dna() const { return resembles_dna_; }
  // The number of the last record, from 1, wrong records included.
  std::uint64_t number() const { return parser_.ended(); }

 private:
  void read(const StopFlag& stop);

  const std::string name_;
  const Masking masking_;
  ThreadPool& pool_;
  std::unique_ptr<ByteSource> bytes_;
  std::vector<char> buffer_;
  std::string_view rest_;  // what is left of the buffer
  SequenceParser parser_;
  bool begun_ = false, ended_ = false, failed_ = false;
  ReadCounts counts_;
  bool resembles_dna_ = false;
};

}  // namespace alnus::io

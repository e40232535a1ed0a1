// Records from a pipe or a terminal, each as soon as it is complete. Plain text, not compressed.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "io/byte_source.h"
#include "io/sequence_parser.h"

namespace alnus::io {

// As SequenceReader reads them (docs/input.md), but an empty line ends a FASTA record: whoever waits for the
// answer to it has not yet written the next header.
class RecordStream {
 public:
  // "-" is standard input. Throws Error(input) for what cannot be read.
  RecordStream(const std::string& path, AlphabetKind alphabet, Masking masking, ThreadPool& pool,
               Qualities qualities = Qualities::dropped);

  // Waits for the next record; empty at the end of the input. Throws Error(input) naming the record that is
  // wrong, and goes on behind it; or for an input that cannot be read or is compressed, and that is its end.
  // Throws Interrupted when `stop` is requested, and no byte is lost by that.
  SequenceSet next(const StopFlag& stop = StopFlag::never());
  bool failed() const { return failed_; }  // the input, not a record
  // Of the record that next() returned:
  const ReadCounts& counts() const { return counts_; }
  bool resembles_dna() const { return resembles_dna_; }
  // Of the last record, from 1, whether it was wrong or not.
  std::uint64_t number() const { return parser_.ended(); }

 private:
  void read(const StopFlag& stop);

  const std::string name_;
  const Masking masking_;
  ThreadPool& pool_;
  std::unique_ptr<ByteSource> bytes_;
  std::vector<char> buffer_;
  std::string_view rest_;  // of the buffer
  SequenceParser parser_;
  bool begun_ = false, ended_ = false, failed_ = false;
  ReadCounts counts_;
  bool resembles_dna_ = false;
};

}  // namespace alnus::io

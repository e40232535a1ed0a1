// FASTA and FASTQ from bytes that come in pieces of any size. The rules are in docs/input.md.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "alnus/sequence_set.h"
#include "core/masking.h"
#include "io/sequence_reader.h"

namespace alnus::io {

// What an empty line in FASTA means: nothing, or the end of the record before it.
enum class EmptyLine : std::uint8_t { skipped, ends_record };

// Parses bytes into records. The result does not depend on where the bytes are cut. All functions throw
// Error(input).
class SequenceParser {
 public:
  SequenceParser(AlphabetKind alphabet, std::string file_name, EmptyLine empty_line = EmptyLine::skipped,
                 Qualities qualities = Qualities::dropped);
  ~SequenceParser();

  // Takes bytes until the complete records make up `enough_bytes` or more of memory. Returns how many bytes
  // it took, which are fewer than all only if there is enough.
  std::size_t feed(std::string_view bytes, std::uint64_t enough_bytes);
  void finish();         // ends the last record; throws if the file had no records
  void finish_record();  // ends the last record; the file may have had none
  // For use after an error: drops the record that has the error; what follows is skipped up to the beginning
  // of the next record. Returns how many of the bytes that were fed last are not taken yet.
  std::size_t skip_record();

  bool has_records() const;  // true if there are complete ones since the last take()
  // The complete records since the last take(). May be called between two calls of feed(), and at the end.
  SequenceSet take();
  // The same records, masked. Throws Interrupted, and then the records are lost.
  SequenceSet take(Masking masking, ThreadPool& pool, const StopFlag& stop);
  const ReadCounts& counts() const { return counts_; }
  ReadCounts take_counts();                       // returns the counts and sets them to 0
  std::uint64_t ended() const { return ended_; }  // number of records, with those that were skipped
  AlphabetKind alphabet() const { return alphabet_; }
  std::span<const Residue> residues() const;  // since the last take(), with those of an open record

 private:
  struct Records;
  enum class State : std::uint8_t { before_header, header, comment, sequence, plus, quality, damaged };
  enum class Format : std::uint8_t { unknown, fasta, fastq };

  void find_header();
  void read_header();
  void skip_comment();
  void read_sequence();
  void encode_line(std::string_view line);
  void encode_odd_line(std::string_view line);
  void skip_plus_line();
  void read_quality();
  void skip_damaged();
  void end_record();

  void advance(std::size_t bytes);
  bool end_line(std::size_t at);
  std::uint64_t open_residues() const;
  std::string_view open_header() const;
  std::shared_ptr<Records> take_records();
  SequenceSet as_set(std::shared_ptr<Records> records) const;
  [[noreturn]] void fail(const std::string& what, std::size_t at = 0) const;

  AlphabetKind alphabet_;
  std::string file_name_;
  std::array<std::uint8_t, 256> classes_;
  const EmptyLine empty_line_;
  const Qualities qualities_;
  std::unique_ptr<Records> records_;
  ReadCounts counts_;
  std::uint64_t ended_ = 0;

  State state_ = State::before_header;
  Format format_ = Format::unknown;
  bool record_is_open_ = false;
  bool at_line_start_ = true;
  bool after_return_ = false;       // the last byte was a carriage return that ended a line
  bool is_wrapped_ = false;         // the open FASTQ record's sequence has several lines
  std::uint64_t quality_size_ = 0;  // qualities read of the open record
  std::uint64_t offset_ = 0;        // byte offset of `rest_` in the file
  std::string_view rest_;           // what is left of the bytes that were fed
};

}  // namespace alnus::io

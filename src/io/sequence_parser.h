// FASTA and FASTQ from bytes that come in pieces of any size. The rules are in docs/input.md.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "alnus/letters.h"
#include "alnus/sequence_set.h"
#include "core/masking.h"
#include "io/record_notes.h"
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
  // Returns the complete records since the last take(), masked. Throws Interrupted, and then the records are
  // lost.
  SequenceSet take(Masking masking, ThreadPool& pool, const StopFlag& stop);
  const ReadCounts& counts() const { return counts_; }
  ReadCounts take_counts();                            // returns the counts and sets them and the notes to 0
  const RecordNotes& notes() const { return notes_; }  // of the records that counts() counts
  std::uint64_t ended() const { return ended_; }       // number of records, with those that were skipped
  // The letters of the complete records that counts() counts: of them only residues and foreign ones.
  LetterCounts letters() const { return {.residues = counts_.residues, .foreign = foreign_letters_}; }
  // The number of columns if the FASTA records so far, two or more, look like the rows of an alignment: all
  // of them have as many letters and gaps, and there are gaps. Else 0.
  std::uint64_t alignment_columns() const;
  AlphabetKind alphabet() const { return alphabet_; }
  std::span<const Residue> residues() const;  // since the last take(), with those of an open record

 private:
  struct Records;
  enum class State : std::uint8_t {
    before_header,
    other_format,
    header,
    comment,
    sequence,
    refused,
    plus,
    quality,
    damaged
  };
  struct LineAndByte {
    std::uint64_t line = 1, byte = 0;  // counted from 1 and from 0
  };
  enum class Format : std::uint8_t { unknown, fasta, fastq };
  // What a line of a sequence has besides letters of the alphabet. Its words are what blanks separate.
  struct OddLine {
    bool is_odd = false;             // the line has a byte that is no letter of the alphabet
    bool has_digit_in_word = false;  // a digit beside a letter or sign
    bool has_words = false;          // the line has two words or more
    bool is_uneven = false;  // a word but the last one is not as long as the first one, or the last is longer
    char first_sign = 0;
    LineAndByte first_place;  // of the first sign
    std::uint64_t signs = 0;  // all signs but ~, a gap in some formats
    // Signs that join the words of headers: | and =, and _, as which some programs write a stop.
    std::uint64_t bars = 0, underscores = 0;
    std::uint64_t word_begin = 0;                 // open_cells() where the current word begins
    std::uint64_t first_word = 0, last_word = 0;  // lengths; 0: none has ended yet

    void add_sign(char sign, LineAndByte place);
    void end_word(std::uint64_t cells);
  };
  struct TextLine {
    char sign;          // the first sign of the line
    LineAndByte place;  // of that sign
  };

  void find_header();
  void read_other_format();
  [[noreturn]] void fail_as_other_format() const;
  [[noreturn]] void fail_as_empty() const;
  void read_header();
  void skip_comment();
  void read_sequence();
  bool begin_line(char byte);
  void encode_line(std::string_view line);
  void encode_odd_line(std::string_view line);
  void refuse(std::string_view bytes, std::size_t at);
  void read_refused();
  [[noreturn]] void fail_as_refused() const;
  void end_odd_line();
  void skip_plus_line();
  void read_quality();
  void skip_damaged();
  void skip_indentation();
  void note_odd_byte(std::size_t at);
  void end_record();
  void note_record();

  void advance(std::size_t bytes);
  bool end_line(std::size_t at);
  std::uint64_t open_residues() const;
  std::uint64_t open_cells() const { return open_residues() + open_gaps_; }
  std::string_view open_header() const;
  void begin_record();
  void check_record();
  std::shared_ptr<Records> take_records();
  SequenceSet as_set(std::shared_ptr<Records> records) const;
  LineAndByte place(std::size_t at = 0) const { return {line_, offset_ + at}; }
  [[noreturn]] void fail(const std::string& what, std::size_t at = 0) const { fail(what, place(at)); }
  [[noreturn]] void fail(const std::string& what, LineAndByte place) const;
  [[noreturn]] void fail_at_marker(char marker, std::size_t at) const;

  AlphabetKind alphabet_;
  std::string file_name_;
  std::array<std::uint8_t, 256> classes_;
  const std::array<std::uint8_t, 256> marks_;  // by byte: whether it is foreign to the alphabet, or a sign
  const EmptyLine empty_line_;
  const Qualities qualities_;
  std::unique_ptr<Records> records_;
  ReadCounts counts_;
  RecordNotes notes_;
  std::uint64_t ended_ = 0;

  State state_ = State::before_header;
  Format format_ = Format::unknown;
  bool record_is_open_ = false;
  bool at_line_start_ = true;
  bool after_return_ = false;          // the last byte was a carriage return that ended a line
  bool is_wrapped_ = false;            // the open FASTQ record's sequence has several lines
  bool is_indented_ = false;           // at_line_start_, and blanks were skipped since the line began
  bool is_not_ascii_ = false;          // the open record's header has a byte above 0x7f
  bool empty_has_title_ = false;       // a record without residues has more than an id in its header
  bool has_digit_in_word_ = false;     // the open record has a digit beside a letter
  bool has_uneven_words_ = false;      // the open record has a line of words of different lengths
  char cut_after_ = 0;                 // the last byte, if a piece of bytes ended within a line
  std::uint64_t quality_size_ = 0;     // qualities read of the open record
  LetterCounts open_;                  // the open record's signs, digits and foreign letters
  std::uint64_t foreign_letters_ = 0;  // of the complete records
  LineAndByte first_odd_;              // the first sign or digit of the open record
  OddLine odd_line_;                   // the line that is being read
  std::optional<TextLine> text_line_;  // the open record's first line that looks like a header
  std::uint64_t open_gaps_ = 0;        // gaps removed from the open record
  std::uint64_t open_unknown_ = 0;     // letters of the open record outside the alphabet
  std::uint64_t columns_ = 0;          // letters and gaps of the first record
  bool is_alignment_ = true;           // all records have columns_ letters and gaps
  // The bytes from which an error message says what is wrong, and where they begin: the beginning of a file
  // in another format, or a character that no sequence has.
  std::string told_;
  LineAndByte told_place_;
  std::uint64_t line_ = 1;    // number of the line in which `rest_` begins
  std::uint64_t offset_ = 0;  // byte offset of `rest_` in the file
  std::string_view rest_;     // what is left of the bytes that were fed
};

}  // namespace alnus::io

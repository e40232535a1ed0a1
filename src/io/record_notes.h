// Notes of the records of an input that a user may not have meant as they are, for warnings that name them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "alnus/sequence_set.h"

namespace alnus::io {

// Records that are odd in one way: how many there are, and the first of them.
struct NotedRecords {
  std::uint64_t count = 0;
  std::uint64_t number = 0;  // of the first one in its file, from 1; 0: not known
  std::string id;            // of the first one

  void add(std::uint64_t record, std::string_view record_id);
};

struct RecordNotes {
  NotedRecords unknown;       // with letters outside the alphabet
  NotedRecords gaps;          // whose gap letters were removed
  NotedRecords digits;        // with a digit beside a letter or sign, as in MKV1L0G
  NotedRecords words;         // of FASTA, in which a line has words of different lengths, as text has
  NotedRecords empty;         // without residues
  NotedRecords unnamed;       // without a word in the header
  NotedRecords nucleotides;   // of proteins, for which look_like_nucleotides() is true
  NotedRecords proteins;      // of DNA, for which are_of_proteins() (alnus/letters.h) is true
  NotedRecords three_letter;  // of proteins, for which look_like_three_letter_code() is true
  NotedRecords not_utf8;      // whose header is not UTF-8
  NotedRecords repeated;      // with the id of an earlier record (RepeatedIds)
};

// True if the residues of a protein are the letters of a gene: 50 or more of them are not N; at least 90% of
// all are IUPAC's codes of nucleotides; and, N left out, at least three quarters are A, C, G, T or U, and
// each of the four (T and U are one) 2% or more. Proteins of few kinds of letters (silk, antifreeze proteins,
// glycine-rich ones) lack one of the four or have too many other letters. Only a record that begins like a
// gene is looked at as a whole: six of its first eight letters are A, C, G, T, U, N or X, which is so of one
// protein in a hundred.
bool look_like_nucleotides(std::span<const Residue> protein_residues);

// True if the residues of a protein spell names of three letters (MetLysVal): 30 letters or more, all of them
// in such names, and three or more different names.
bool look_like_three_letter_code(std::span<const Residue> protein_residues);

// Finds records whose id an earlier record had. Keeps 64-bit hashes, no ids; records without an id are left
// out, as is all that follows the first kMostRecords records, so that neither time nor memory matters beside
// the reading.
class RepeatedIds {
 public:
  static constexpr std::size_t kMostRecords = 1 << 16;

  bool add(std::string_view id);                             // true if an earlier record had this id
  bool is_full() const { return records_ == kMostRecords; }  // add() only returns false then

 private:
  void grow();

  std::vector<std::uint64_t> slots_;  // a hash table, at most half full; 0 is an empty slot
  std::size_t used_ = 0, records_ = 0;
};

// The notes of sequences in memory: records without residues, nucleotides and three-letter code in a set of
// proteins, and repeated ids. Records are numbered as their file has them.
RecordNotes notes_of(const SequenceSet& sequences);

}  // namespace alnus::io

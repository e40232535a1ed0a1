// Writes the sequences of a job to part files, and collects them from there for the merged outputs.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "alnus/database.h"
#include "alnus/sequence_set.h"
#include "io/part_file.h"

namespace alnus::jobs {

// The side of the pair matrix that sequences belong to. A job of one set has rows only.
enum class Side : std::uint8_t { rows, columns };

// What a part stores of sequences besides their lengths and ordinals.
struct Told {
  bool names = false, letters = false;
  bool qualities = true;  // stored only together with letters
};
// The digest of these sequences (queries or subjects): of their lengths and ordinals, and of their names and
// their letters with qualities if `told` has these. The first call for a database keeps the digest in
// Database::State::prepared, so that it is computed once, however many parts there are. Throws
// Error(database) if bytes of a file of the sequences are gone.
std::string digest_of(const Database& database, const Told& told);
// Writes the sequences with the indices `which`, in chunks of about 64 MiB.
void write_sequences(Side side, const SequenceSet& set, std::span<const SequenceSet::Index> which,
                     const Told& told, io::PartFileWriter& to);

// Collects the sequences of one side from the chunks of all parts. A sequence whose name no part has stored
// has an empty header. A sequence whose letters no part has stored has zeros for letters, which take no
// memory. Only the sequences of a side of which all letters are stored have qualities.
class GatheredSequences {
 public:
  GatheredSequences(AlphabetKind alphabet, SequenceSet::Index count, std::string origin);

  // Adds the sequences of a chunk. Throws Error(input) if the chunk contradicts itself or another chunk.
  void add(const io::ChunkBytes& chunk);
  static Side side_of(const io::ChunkBytes& chunk);
  // The most sequences that a chunk of this many bytes may tell of.
  static std::uint64_t most_of(std::uint64_t bytes) { return bytes / (3 * sizeof(std::uint32_t)); }
  bool complete() const { return known_ == lengths_.size(); }  // the length of every sequence is known
  // What is known of the sequence with this index, which must be below the number of sequences:
  bool has_name(SequenceSet::Index i) const { return headers_[i].data() != nullptr; }
  bool has_letters(SequenceSet::Index i) const { return letters_[i] != nullptr; }
  bool has_all(bool (GatheredSequences::*what)(SequenceSet::Index) const) const;
  // Throws Error(input) if the sequences contradict each other.
  SequenceSet finish() const;

 private:
  static constexpr std::uint32_t kUnknown = ~std::uint32_t{0};

  AlphabetKind alphabet_;
  std::string origin_;
  std::vector<std::shared_ptr<const void>> owners_;  // keep alive the chunks that the members below view
  std::vector<std::uint32_t> lengths_;
  std::vector<FileOrdinal> ordinals_;
  std::vector<std::string_view> headers_, qualities_;
  std::vector<const Residue*> letters_;
  SequenceSet::Index known_ = 0;
};

}  // namespace alnus::jobs

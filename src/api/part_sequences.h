// The sequences of a job in its parts: what the merged outputs need of them.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "alnus/sequence_set.h"
#include "io/part_file.h"

namespace alnus::api {

// Rows or columns of the pair matrix. Of one set there are rows only.
enum class Side : std::uint8_t { rows, columns };

// What a part tells of some sequences besides their lengths and their places in their file.
struct Told {
  bool names = false, letters = false;
};
void write_sequences(Side side, const SequenceSet& set, std::span<const SequenceSet::Index> which,
                     const Told& told, io::PartFileWriter& to);

// One side, from all parts. Sequences that no part tells of have neither name nor letters that mean anything;
// their memory is not touched.
class GatheredSequences {
 public:
  GatheredSequences(AlphabetKind alphabet, SequenceSet::Index count, std::string origin);

  // Throws Error(input) where the chunk contradicts itself or others.
  void add(const io::ChunkBytes& chunk);
  static Side side_of(const io::ChunkBytes& chunk);
  bool complete() const { return known_ == lengths_.size(); }  // all lengths are known
  SequenceSet finish() const;

 private:
  static constexpr std::uint32_t kUnknown = ~std::uint32_t{0};

  AlphabetKind alphabet_;
  std::string origin_;
  std::vector<std::shared_ptr<const void>> owners_;  // of what the spans below are of
  std::vector<std::uint32_t> lengths_;
  std::vector<FileOrdinal> ordinals_;
  std::vector<std::string_view> headers_, qualities_;
  std::vector<const Residue*> letters_;
  SequenceSet::Index known_ = 0;
};

}  // namespace alnus::api

// Parts whose contents were changed by somebody who gave them right digests.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "io/packed.h"
#include "io/part_file.h"

namespace alnus::test {

struct Chunk {
  io::ChunkKind kind;
  std::string bytes;  // the contents, unpacked
  bool operator==(const Chunk&) const = default;
};

std::vector<Chunk> chunks_of(const std::string& path);
// Writes a part of these chunks, with right digests of each and of all.
void write_chunks(const std::string& path, const std::vector<Chunk>& chunks);

// The contents of a chunk, as PartFileReader reads them.
io::ChunkBytes chunk_of(const io::Packer& packer);

// The bytes of a part's file, cut before each chunk and before the end.
struct CutPart {
  std::string magic;
  std::vector<std::string> chunks;  // each with its header; the last one is the end
};
CutPart cut_part(const std::string& bytes);

// Changes the contents of chunks in every way that a test can think of. Equal seeds make equal changes.
class Forger {
 public:
  explicit Forger(std::uint64_t seed) : random_(seed) {}

  // Changes one of the chunks, and says what it did.
  std::string change(std::vector<Chunk>& chunks);
  // Removes, repeats or moves one of the chunks, and says what it did.
  template <class Piece>
  std::string move(std::vector<Piece>& pieces) {
    const std::size_t one = below(pieces.size()), other = below(pieces.size());
    const auto at = [&](std::size_t k) { return pieces.begin() + static_cast<std::ptrdiff_t>(k); };
    const std::string numbers = std::to_string(one) + " and " + std::to_string(other);
    switch (below(3)) {
      case 0:
        pieces.erase(at(one));
        return "removed " + std::to_string(one);
      case 1: {
        const Piece again = pieces[one];
        pieces.insert(at(other), again);
        return "repeated " + numbers;
      }
      default:
        std::swap(pieces[one], pieces[other]);
        return "swapped " + numbers;
    }
  }
  std::size_t below(std::size_t count) { return static_cast<std::size_t>(random_() % count); }

 private:
  std::string change_json(std::string& text);
  std::string change_bytes(std::string& bytes);
  std::uint64_t odd_number();

  std::mt19937_64 random_;
};

// The most memory that this process has had resident since the last call of forget_peak(), in bytes.
std::uint64_t peak_memory();
void forget_peak();

}  // namespace alnus::test

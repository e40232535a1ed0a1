// Takes arbitrary bytes as FASTA or FASTQ, compressed or not. The parser must give the same records or the
// same error wherever the bytes are cut into pieces. With EmptyLine::ends_record reading goes on after a
// record that is an error, and the records after it must be the same, too.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <memory>
#include <string>
#include <string_view>

#include "alnus/error.h"
#include "io/decompressor.h"
#include "io/sequence_parser.h"

namespace {

using namespace alnus;

class MemorySource final : public io::ByteSource {
 public:
  explicit MemorySource(std::string_view bytes) : bytes_(bytes) {}
  std::size_t read(char* to, std::size_t capacity, const StopFlag&) override {
    const std::size_t count = bytes_.copy(to, capacity);
    bytes_.remove_prefix(count);
    return count;
  }

 private:
  std::string_view bytes_;
};

// In bytes. A few compressed bytes can become a text of any length; the rest of a longer text is not read.
constexpr std::size_t kMostText = 1 << 22;

std::string decompress(std::string_view data) {
  const auto source = io::decompressed(std::make_unique<MemorySource>(data), "input");
  std::string text;
  for (std::size_t size = 0, piece = 4096; size < kMostText; size = text.size()) {
    text.resize(size + piece);
    const std::size_t count = source->read(text.data() + size, piece, StopFlag::never());
    text.resize(size + count);
    if (count < piece) break;
  }
  return text;
}

// Reads `text` in pieces, and returns a text of all that must not depend on the size of the pieces: the
// records, the errors and the counts. With EmptyLine::ends_record, reading goes on after an error.
std::string outcome(std::string_view text, AlphabetKind kind, io::EmptyLine empty_line, std::size_t piece,
                    std::uint64_t enough) {
  const Alphabet& alphabet = Alphabet::of(kind);
  io::SequenceParser parser(kind, "input", empty_line, io::Qualities::kept);
  std::string result;
  std::uint64_t residues = 0, records = 0;
  const auto take = [&] {
    const SequenceSet set = parser.take();
    for (SequenceSet::Index i = 0; i < set.size(); ++i) {
      result += set[i].header;
      result += '\n';
      for (const Residue residue : set[i].residues) {
        if ((residue & kCodeMask) >= alphabet.size()) std::abort();
        result += alphabet.decode(residue);
      }
      result += '\n';
      if (!set[i].quality.empty() && set[i].quality.size() != set[i].size()) std::abort();
      result += set[i].quality;
      result += '\n';
    }
    residues += set.total_residues();
    records += set.size();
  };
  const auto counts = [&] {
    return std::to_string(parser.counts().unknown_bytes) + ' ' + std::to_string(parser.counts().gaps_removed);
  };
  for (bool ended = false; !ended;) {
    const std::string_view fed = text.substr(0, piece);
    ended = fed.empty();
    try {
      if (ended) parser.finish();
      const std::size_t taken = parser.feed(fed, enough);
      if (taken < fed.size()) take();
      text.remove_prefix(taken);
    } catch (const Error& error) {
      if (empty_line == io::EmptyLine::skipped) return error.what() + counts();
      text.remove_prefix(fed.size() - parser.skip_record());
      take();
      result += error.what();
    }
  }
  take();
  if (residues != parser.counts().residues || records != parser.counts().records) std::abort();
  return result + counts();
}

}  // namespace

// The first byte chooses the alphabet, the size of the pieces, and how many bytes of records the parser
// collects before it hands them over (`enough`). The other bytes are the file.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::uint8_t choice = data[0];
  std::string text;
  try {
    text = decompress({reinterpret_cast<const char*>(data) + 1, size - 1});
  } catch (const alnus::Error&) {
    return 0;
  }
  const AlphabetKind kind = choice % 2 == 0 ? AlphabetKind::protein : AlphabetKind::dna;
  const std::size_t piece = 1 + choice / 2 % 16;
  const std::uint64_t enough = choice / 32 * 40;
  constexpr std::uint64_t kAll = std::numeric_limits<std::uint64_t>::max();
  for (const io::EmptyLine empty_line : {io::EmptyLine::skipped, io::EmptyLine::ends_record})
    if (outcome(text, kind, empty_line, piece, enough) !=
        outcome(text, kind, empty_line, kMostText + 4096, kAll))
      std::abort();
  return 0;
}

#include "jobs/part_sequences.h"

#include <algorithm>
#include <new>
#include <ranges>
#include <sys/mman.h>
#include <utility>

#include "core/refuse_input.h"
#include "io/digest.h"
#include "io/packed.h"
#include "session/database_state.h"

namespace alnus::jobs {
namespace {

using Index = SequenceSet::Index;

constexpr std::uint64_t kBytesOfChunk = 64 << 20;
constexpr std::uint64_t kMostResidues = std::uint64_t{1} << 46;  // half of what a process can address

// An array of zeros. A page of it takes memory only once something is written there.
class LazyZeros {
 public:
  explicit LazyZeros(std::uint64_t bytes) : bytes_(std::max<std::uint64_t>(1, bytes)) {
    data_ =
        ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (data_ == MAP_FAILED) throw std::bad_alloc();
  }
  ~LazyZeros() { ::munmap(data_, bytes_); }
  LazyZeros(const LazyZeros&) = delete;
  LazyZeros& operator=(const LazyZeros&) = delete;
  template <class T>
  T* as() const {
    return static_cast<T*>(data_);
  }

 private:
  void* data_ = nullptr;
  std::uint64_t bytes_;
};

void write_chunk(Side side, const SequenceSet& set, std::span<const Index> which, const Told& told,
                 io::PartFileWriter& to) {
  std::vector<std::uint32_t> lengths;
  std::vector<FileOrdinal> ordinals;
  std::vector<std::uint64_t> header_ends;
  std::string headers, qualities;
  std::vector<Residue> letters;
  for (const Index i : which) {
    const SequenceView sequence = set[i];
    lengths.push_back(static_cast<std::uint32_t>(sequence.size()));
    ordinals.push_back(set.file_ordinal(i));
    if (told.names) {
      headers += sequence.header;
      header_ends.push_back(headers.size());
    }
    if (!told.letters) continue;
    letters.insert(letters.end(), sequence.residues.begin(), sequence.residues.end());
    if (!told.qualities || set.arrays().qualities.empty()) continue;
    qualities += sequence.quality;
    if (sequence.quality.empty()) qualities.append(sequence.size(), SequenceSet::kNoQuality);
  }
  io::Packer packer;
  packer.add(std::vector<std::uint8_t>{static_cast<std::uint8_t>(side), told.names, told.letters});
  packer.add(which);
  packer.add(lengths);
  packer.add(ordinals);
  packer.add(header_ends);
  packer.add(headers);
  packer.add(letters);
  packer.add(qualities);
  to.add(io::ChunkKind::sequences, packer.bytes());
}

std::string computed_digest(const SequenceSet& set, const Told& told) {
  io::Digest digest;
  const auto add = [&](std::string_view text) {
    const std::uint64_t size = text.size();
    digest.add(&size, sizeof size);
    digest.add(text.data(), text.size());
  };
  for (Index i = 0; i < set.size(); ++i) {
    const SequenceView sequence = set[i];
    const std::uint64_t numbers[] = {sequence.size(), static_cast<std::uint64_t>(set.file_ordinal(i))};
    digest.add(numbers, sizeof numbers);
    if (told.names) add(sequence.header);
    if (!told.letters) continue;
    digest.add(sequence.residues.data(), sequence.residues.size());
    add(sequence.quality);
  }
  return digest.text();
}

}  // namespace

std::string digest_of(const Database& database, const Told& told) {
  Database::State& state = *database.state();
  auto& kept = state.prepared->part_digests[(told.names ? 1U : 0U) + (told.letters ? 2U : 0U)];
  kept.digesting.run([&] {
    kept.digest = computed_digest(state.sequences, told);
    state.require_sound();
  });
  return kept.digest;
}

void write_sequences(Side side, const SequenceSet& set, std::span<const Index> which, const Told& told,
                     io::PartFileWriter& to) {
  std::size_t begin = 0;
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < which.size(); ++i) {
    if (told.names) bytes += set[which[i]].header.size();
    if (told.letters) bytes += set.length(which[i]);
    bytes += 4 * sizeof(std::uint32_t);
    if (bytes < kBytesOfChunk && i + 1 < which.size()) continue;
    write_chunk(side, set, which.subspan(begin, i + 1 - begin), told, to);
    begin = i + 1;
    bytes = 0;
  }
}

GatheredSequences::GatheredSequences(AlphabetKind alphabet, Index count, std::string origin)
    : alphabet_(alphabet),
      origin_(std::move(origin)),
      lengths_(count, kUnknown),
      ordinals_(count),
      headers_(count),
      qualities_(count),
      letters_(count) {}

Side GatheredSequences::side_of(const io::ChunkBytes& chunk) {
  io::Unpacker from(chunk.bytes());
  const std::uint8_t side = from.take<std::uint8_t>(3)[0];
  if (side > static_cast<std::uint8_t>(Side::columns)) io::Unpacker::fail();
  return static_cast<Side>(side);
}

void GatheredSequences::add(const io::ChunkBytes& chunk) {
  io::Unpacker from(chunk.bytes());
  const std::span<const std::uint8_t> head = from.take<std::uint8_t>(3);
  const bool names = head[1] != 0, letters = head[2] != 0;
  const std::span<const Index> which = from.take<Index>();
  const auto lengths = from.take<std::uint32_t>(which.size());
  const auto ordinals = from.take<FileOrdinal>(which.size());
  const auto header_ends = from.take<std::uint64_t>(names ? which.size() : 0);
  std::string_view headers = from.take_text();
  std::span<const Residue> residues = from.take<Residue>();
  std::string_view qualities = from.take_text();
  from.require_end();
  const auto require = [](bool fits) {
    if (!fits) io::Unpacker::fail();
  };
  require(head[1] <= 1 && head[2] <= 1);
  const int codes = Alphabet::of(alphabet_).size();
  require(std::ranges::all_of(residues, [&](Residue residue) {
    return (residue & ~kLowerCase) == (residue & kCodeMask) && (residue & kCodeMask) < codes;
  }));
  require(qualities.empty() || qualities.size() == residues.size());
  std::uint64_t header_begin = 0, begin = 0;
  bool is_new = false;  // the chunk has a header or letters that no chunk had before
  for (std::size_t k = 0; k < which.size(); ++k) {
    const Index i = which[k];
    require(i < lengths_.size() && lengths[k] <= kLongestSequence);
    require(lengths_[i] == kUnknown || (lengths_[i] == lengths[k] && ordinals_[i] == ordinals[k]));
    known_ += lengths_[i] == kUnknown;
    lengths_[i] = lengths[k];
    ordinals_[i] = ordinals[k];
    if (names) {
      require(header_ends[k] >= header_begin && header_ends[k] <= headers.size());
      const std::string_view header = headers.substr(header_begin, header_ends[k] - header_begin);
      require(!has_name(i) || headers_[i] == header);
      if (!has_name(i)) {
        headers_[i] = header;
        is_new = true;
      }
      header_begin = header_ends[k];
    }
    if (!letters) continue;
    require(residues.size() - begin >= lengths[k]);
    require(!has_letters(i) || std::equal(letters_[i], letters_[i] + lengths[k], residues.data() + begin));
    if (!has_letters(i)) {
      letters_[i] = residues.data() + begin;
      if (!qualities.empty()) qualities_[i] = qualities.substr(begin, lengths[k]);
      is_new = true;
    }
    begin += lengths[k];
  }
  require(begin == residues.size() && header_begin == headers.size());
  if (is_new) owners_.push_back(chunk.owner);
}

bool GatheredSequences::has_all(bool (GatheredSequences::*what)(Index) const) const {
  for (Index i = 0; i < lengths_.size(); ++i)
    if (!(this->*what)(i)) return false;
  return true;
}

SequenceSet GatheredSequences::finish() const {
  const auto require = [](bool fits, const char* what) {
    if (!fits) refuse_input(what);
  };
  std::vector<FileOrdinal> ordinals = ordinals_;
  std::ranges::sort(ordinals);
  require(std::ranges::adjacent_find(ordinals) == ordinals.end(),
          "two sequences have one place in their file");
  struct Storage {
    std::unique_ptr<LazyZeros> residues;
    std::vector<std::uint64_t> offsets{0}, header_offsets{0};
    std::string headers, qualities;
    std::vector<FileOrdinal> ordinals;
  };
  const auto storage = std::make_shared<Storage>();
  std::uint64_t residues = 0;
  for (Index i = 0; i < lengths_.size(); ++i) {
    storage->offsets.push_back(residues += lengths_[i]);
    storage->headers += headers_[i];
    storage->header_offsets.push_back(storage->headers.size());
  }
  storage->ordinals = ordinals_;
  require(residues <= kMostResidues, "the sequences are longer than any memory");
  storage->residues = std::make_unique<LazyZeros>(residues);
  auto* letters = storage->residues->as<Residue>();
  for (Index i = 0; i < lengths_.size(); ++i)
    if (letters_[i] != nullptr) std::copy_n(letters_[i], lengths_[i], letters + storage->offsets[i]);
  if (std::ranges::any_of(qualities_, [](std::string_view quality) { return !quality.empty(); })) {
    require(has_all(&GatheredSequences::has_letters), "sequences with qualities lack their letters");
    storage->qualities.assign(residues, SequenceSet::kNoQuality);
    for (Index i = 0; i < lengths_.size(); ++i)
      std::ranges::copy(qualities_[i],
                        storage->qualities.begin() + static_cast<std::ptrdiff_t>(storage->offsets[i]));
  }
  return {alphabet_,
          {.residues = {letters, residues},
           .offsets = storage->offsets,
           .headers = storage->headers,
           .header_offsets = storage->header_offsets,
           .file_ordinals = storage->ordinals,
           .qualities = storage->qualities},
          storage,
          origin_};
}

}  // namespace alnus::jobs

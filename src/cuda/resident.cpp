#include "cuda/resident.h"

#include <algorithm>
#include <cstring>

#include "cuda/kernels/search.h"

namespace alnus::cuda {
namespace {

// Uploads go through two pinned pieces of this size (or one sequence, if that is longer).
constexpr std::uint64_t kPieceBytes = 16 << 20;

std::uint64_t quad_bytes(std::uint32_t longest) {
  return std::uint64_t{kSubjects} * (longest + 2 * kPadColumns);
}

// A part of the residues on its way to the device.
struct Piece {
  PinnedArray<std::uint8_t> residues;
  PinnedArray<RawSequence> sequences;
  DeviceArray<std::uint8_t> raw;
  DeviceArray<RawSequence> raw_sequences;
  Event done;
};

}  // namespace

Letters::Letters(const SubstitutionMatrix& matrix, Alike of_those) : scores_(kMaxLetters * kMaxLetters) {
  std::array<Residue, kMaxLetters> first{};  // a code of each letter
  const int codes = Alphabet::of(matrix.alphabet()).size();
  const auto alike = [&](Residue a, Residue b) {
    if (of_those == Alike::several && (a < codes || b < codes)) return a == b;
    for (Residue other = 0; other < kMaxLetters; ++other)
      if (matrix.value(a, other) != matrix.value(b, other) ||
          matrix.value(other, a) != matrix.value(other, b))
        return false;
    return true;
  };
  std::uint8_t letters = 0;
  for (Residue code = 0; code < kMaxLetters; ++code) {
    std::uint8_t letter = 0;
    while (letter < letters && !alike(first[letter], code)) ++letter;
    if (letter == letters) first[letters++] = code;
    of_[code] = letter;
  }
  for (int residue = kMaxLetters; residue < 255; ++residue)
    of_[static_cast<unsigned>(residue)] = of_[residue & kCodeMask];
  of_[255] = letters;
  count_ = letters + 1U;
  for (std::uint8_t query = 0; query < letters; ++query)
    for (std::uint8_t subject = 0; subject < letters; ++subject)
      scores_[query * kMaxLetters + subject] = matrix.value(first[query], first[subject]);
}

CudaResident::CudaResident(SequenceSet sequences, std::uint64_t memory_bytes)
    : Resident(std::move(sequences)), lengths_(size()), places_((size() + kSubjects - 1) / kSubjects) {
  std::uint64_t all = 0;
  for (std::uint32_t p = 0; p < size(); ++p) {
    lengths_[p] = static_cast<std::uint32_t>(length(p));
    if (p % kSubjects == 0) all += quad_bytes(lengths_[p]);
  }
  const std::uint64_t most = all <= memory_bytes ? all : memory_bytes / 2;
  begins_ = {0};
  std::uint64_t bytes = 0;
  for (std::uint32_t quad = 0; quad < places_.size(); ++quad) {
    const std::uint64_t needed = quad_bytes(lengths_[quad * kSubjects]);
    if (bytes > 0 && bytes + needed > most) {
      begins_.push_back(quad * kSubjects);
      packed_bytes_.push_back(std::exchange(bytes, 0));
    }
    places_[quad] = bytes + std::uint64_t{kSubjects} * kPadColumns;
    bytes += needed;
  }
  begins_.push_back(size());
  packed_bytes_.push_back(bytes);
}

std::uint64_t CudaResident::all_bytes() const {
  const std::uint64_t largest = *std::max_element(packed_bytes_.begin(), packed_bytes_.end());
  return slab_count() == 1 ? largest : 2 * largest;
}

std::uint64_t CudaResident::held_bytes() const {
  std::uint64_t bytes = 0;
  for (const Buffer& buffer : buffers_) bytes += buffer.packed.bytes();
  return bytes;
}

std::uint32_t CudaResident::slab_of(std::uint32_t position) const {
  const auto after = std::upper_bound(begins_.begin(), begins_.end() - 1, position);
  return static_cast<std::uint32_t>(after - begins_.begin() - 1);
}

Slab CudaResident::bring(std::uint32_t slab, const Letters& letters, cudaStream_t stream) const {
  if (!letters_ || !(*letters_ == letters)) {
    for (Buffer& buffer : buffers_) buffer.slab = kNone;
    letters_ = std::make_unique<Letters>(letters);
  }
  Buffer& buffer = buffers_[slab % buffers_.size()];
  if (buffer.slab != slab) {
    buffer.slab = kNone;
    lacks_room_ = true;
    upload(slab, buffer, letters, stream);
    lacks_room_ = false;
    buffer.slab = slab;
  }
  const Range range = slab_range(slab);
  const std::span<const std::uint32_t> lengths(lengths_);
  const std::span<const std::uint64_t> places(places_);
  return {range.begin,
          range.end,
          buffer.packed.data(),
          buffer.places.data(),
          buffer.lengths.data(),
          {lengths.subspan(range.begin, range.size()), places.subspan(range.begin / kSubjects)}};
}

void CudaResident::upload(std::uint32_t slab, Buffer& buffer, const Letters& letters,
                          cudaStream_t stream) const {
  const Range range = slab_range(slab);
  const std::uint32_t first_quad = range.begin / kSubjects,
                      quads = (range.size() + kSubjects - 1) / kSubjects;
  buffer.packed.reserve(
      *std::max_element(packed_bytes_.begin(), packed_bytes_.end()));  // for all that follow
  buffer.places.reserve(quads);
  buffer.lengths.reserve(range.size());
  copy_to_device(buffer.places.data(), places_.data() + first_quad, quads, stream);
  copy_to_device(buffer.lengths.data(), lengths_.data() + range.begin, range.size(), stream);
  DeviceArray<std::uint8_t> table;
  copy_to_device(table.reserve(letters.table().size()), letters.table().data(), letters.table().size(),
                 stream);

  // Pinned memory takes long to get: no more of it than a small set needs.
  const std::uint64_t piece_bytes = std::min(kPieceBytes, packed_bytes_[slab]);
  std::array<Piece, 2> pieces;
  std::uint32_t turn = 0;
  for (std::uint32_t quad = 0; quad < quads; ++turn) {
    Piece& piece = pieces[turn % 2];
    if (turn >= 2) piece.done.wait();
    // As many quads as fit the piece, and at least one.
    std::uint32_t end = quad;
    std::uint64_t bytes = 0;
    for (; end < quads; ++end) {
      const std::uint64_t most = std::uint64_t{kSubjects} * lengths_[range.begin + end * kSubjects];
      if (end > quad && bytes + most > piece_bytes) break;
      bytes += most;
    }
    std::uint8_t* const residues = piece.residues.reserve(std::max(bytes, piece_bytes));
    RawSequence* const sequences = piece.sequences.reserve(std::uint64_t{end - quad} * kSubjects);
    std::uint64_t filled = 0;
    for (std::uint32_t i = 0; i < (end - quad) * kSubjects; ++i) {
      const std::uint32_t position = range.begin + quad * kSubjects + i;
      sequences[i] = {filled, position < range.end ? lengths_[position] : 0};
      if (sequences[i].length == 0) continue;
      std::memcpy(residues + filled, this->residues(position).data(), sequences[i].length);
      filled += sequences[i].length;
    }
    copy_to_device(piece.raw.reserve(std::max(bytes, piece_bytes)), residues, filled, stream);
    copy_to_device(piece.raw_sequences.reserve(std::uint64_t{end - quad} * kSubjects), sequences,
                   std::uint64_t{end - quad} * kSubjects, stream);
    check(launch_pack({piece.raw.data(), piece.raw_sequences.data(), buffer.places.data() + quad, end - quad,
                       table.data(), buffer.packed.data()},
                      stream),
          "the kernel pack");
    piece.done.record(stream);
    quad = end;
  }
  check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");  // before the pieces are freed
}

}  // namespace alnus::cuda

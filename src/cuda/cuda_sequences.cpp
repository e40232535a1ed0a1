#include "cuda/cuda_sequences.h"

#include <algorithm>
#include <cstring>

#include "cuda/kernels/search.h"
#include "cuda/limits.h"

namespace alnus::cuda {
namespace {

// The bytes of device memory of a quad: packed_bytes() for its residues with pads, where `longest` is the
// length of its longest sequence, and kBytesOfLayout for its place and its four lengths.
std::uint64_t packed_bytes(std::uint32_t longest) {
  return std::uint64_t{kSubjects} * (longest + 2 * kPadColumns);
}
constexpr std::uint64_t kBytesOfLayout = sizeof(std::uint64_t) + kSubjects * sizeof(std::uint32_t);

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

CudaSequences::CudaSequences(std::shared_ptr<const SortedSequences> of, std::shared_ptr<Residency> residency)
    : DeviceSequences(std::move(of)), residency_(std::move(residency)) {
  std::uint64_t all = 0;
  lengths_.reserve(sorted().size());
  for (Position position = sorted().begin(); position < sorted().end(); ++position) {
    lengths_.push_back(static_cast<std::uint32_t>(sorted().length(position)));
    if (position.value() % kSubjects == 0) all += packed_bytes(lengths_.back()) + kBytesOfLayout;
  }
  places_.resize((lengths_.size() + kSubjects - 1) / kSubjects);
  const std::uint64_t most = all <= residency_->bytes() ? all : residency_->bytes() / 2;
  begins_ = {sorted().begin()};
  std::uint64_t bytes = 0, packed = 0;
  for (std::uint32_t quad = 0; quad < places_.size(); ++quad) {
    const std::uint64_t of_quad = packed_bytes(lengths_[quad * kSubjects]);
    if (bytes > 0 && bytes + of_quad + kBytesOfLayout > most) {
      begins_.push_back(Position(quad * kSubjects));
      slab_bytes_.push_back(std::exchange(bytes, 0));
      packed = 0;
    }
    places_[quad] = packed + std::uint64_t{kSubjects} * kPadColumns;
    packed += of_quad;
    bytes += of_quad + kBytesOfLayout;
  }
  begins_.push_back(sorted().end());
  slab_bytes_.push_back(bytes);
  buffer_bytes_ = *std::ranges::max_element(slab_bytes_);
}

CudaSequences::~CudaSequences() { residency_->drop(*this); }

std::uint32_t CudaSequences::slab_of(Position position) const {
  const auto after = std::upper_bound(begins_.begin(), begins_.end() - 1, position);
  return static_cast<std::uint32_t>(after - begins_.begin() - 1);
}

std::uint32_t CudaSequences::quads_of(std::uint32_t slab) const {
  return (slab_range(slab).size() + kSubjects - 1) / kSubjects;
}

CudaSequences::Parts CudaSequences::parts_of(std::uint32_t slab, const Buffer& buffer) const {
  const std::uint64_t quads = quads_of(slab);
  auto* const places = reinterpret_cast<std::uint64_t*>(buffer.memory.data());
  auto* const lengths = reinterpret_cast<std::uint32_t*>(places + quads);
  return {places, lengths, reinterpret_cast<std::uint8_t*>(lengths + quads * kSubjects)};
}

std::uint32_t CudaSequences::buffer_count() const {
  return std::min(slab_count(), static_cast<std::uint32_t>(buffers_.size()));
}
std::uint64_t CudaSequences::all_bytes() const { return buffer_count() * buffer_bytes_; }

Slab CudaSequences::bring(std::uint32_t slab, const Letters& letters, cudaStream_t stream,
                          Uploader& uploader) const {
  if (!letters_ || !(*letters_ == letters)) {
    for (Buffer& buffer : buffers_) buffer.slab = kNone;
    letters_ = std::make_unique<Letters>(letters);
  }
  Buffer& buffer = buffers_[slab % buffers_.size()];
  residency_->use(*this, all_bytes());
  if (buffer.slab != slab) {
    buffer.slab = kNone;
    lacks_room_ = true;
    try {
      upload(slab, buffer, letters, stream, uploader);
    } catch (const Interrupted&) {
      residency_->drop(*this);
      lacks_room_ = false;
      throw;
    } catch (...) {
      residency_->drop(*this);
      throw;
    }
    lacks_room_ = false;
    buffer.slab = slab;
    residency_->count_upload(slab_bytes_[slab]);
  }
  const PositionRange range = slab_range(slab);
  const std::uint32_t first = range.begin.value();
  const std::span<const std::uint32_t> lengths(lengths_);
  const std::span<const std::uint64_t> places(places_);
  const Parts parts = parts_of(slab, buffer);
  return {range,
          parts.packed,
          parts.places,
          parts.lengths,
          {lengths.subspan(first, range.size()), places.subspan(first / kSubjects)}};
}

void CudaSequences::upload(std::uint32_t slab, Buffer& buffer, const Letters& letters, cudaStream_t stream,
                           Uploader& uploader) const {
  Stopper& stopper = uploader.stopper_;
  const PositionRange range = slab_range(slab);
  const std::uint32_t first = range.begin.value(), first_quad = first / kSubjects, quads = quads_of(slab);
  // Allocates the buffers for all later slabs, too: an allocation while kernels run would wait for these
  // kernels.
  for (std::uint32_t k = 0; k < buffer_count(); ++k) buffers_[k].memory.reserve(buffer_bytes_);
  const Parts parts = parts_of(slab, buffer);
  copy_to_device(parts.places, places_.data() + first_quad, quads, stream);
  copy_to_device(parts.lengths, lengths_.data() + first, range.size(), stream);
  DeviceArray<std::uint8_t>& table = uploader.letters_;
  copy_to_device(table.reserve(letters.table().size()), letters.table().data(), letters.table().size(),
                 stream);

  // Pinning memory takes long, so a small set gets no more pinned memory than it needs.
  const std::uint64_t piece_bytes = std::min(kPieceBytes, slab_bytes_[slab]);
  std::uint32_t turn = 0;
  for (std::uint32_t quad = 0; quad < quads; ++turn) {
    Uploader::Piece& piece = uploader.pieces_[turn % 2];
    stopper.look();
    if (turn >= 2) stopper.wait(piece.done);
    // As many quads as fit the piece, and at least one.
    std::uint32_t end = quad;
    std::uint64_t bytes = 0;
    for (; end < quads; ++end) {
      const std::uint64_t most = std::uint64_t{kSubjects} * lengths_[first + end * kSubjects];
      if (end > quad && bytes + most > piece_bytes) break;
      bytes += most;
    }
    std::uint8_t* const residues = piece.residues.reserve(std::max(bytes, piece_bytes));
    RawSequence* const sequences = piece.sequences.reserve(std::uint64_t{end - quad} * kSubjects);
    std::uint64_t filled = 0;
    for (std::uint32_t i = 0; i < (end - quad) * kSubjects; ++i) {
      const Position position = range.begin + (quad * kSubjects + i);
      sequences[i] = {filled, position < range.end ? lengths_[position.value()] : 0};
      if (sequences[i].length == 0) continue;
      std::memcpy(residues + filled, sorted().residues(position).data(), sequences[i].length);
      filled += sequences[i].length;
    }
    copy_to_device(piece.raw.reserve(std::max(bytes, piece_bytes)), residues, filled, stream);
    copy_to_device(piece.raw_sequences.reserve(std::uint64_t{end - quad} * kSubjects), sequences,
                   std::uint64_t{end - quad} * kSubjects, stream);
    check(launch_pack({piece.raw.data(), piece.raw_sequences.data(), parts.places + quad, end - quad,
                       table.data(), parts.packed},
                      stream),
          "the kernel pack");
    piece.done.record(stream);
    quad = end;
  }
  stopper.wait(stream);
}

}  // namespace alnus::cuda

#include "cuda/matrix_scorer.h"

#include <algorithm>
#include <chrono>
#include <numeric>

#include "cuda/kernels/pair_matrices.h"
#include "cuda/limits.h"

namespace alnus::cuda {
namespace {

// True if the subject is copied to the device. MatrixPairs takes no pairs with longer subjects.
bool is_brought(std::span<const Residue> subject) { return subject.size() <= MatrixPairs::kLongestSubject; }

std::uint64_t residues_of(const MatrixPairsProblem& problem) {
  std::uint64_t residues = 0;
  for (const std::span<const Residue> query : problem.queries) residues += query.size();
  for (const std::span<const Residue> subject : problem.subjects)
    residues += is_brought(subject) ? subject.size() : 0;
  return residues;
}

std::uint64_t bytes_of(const MatrixPairsProblem& problem) {
  return residues_of(problem) + problem.query_frequencies.size_bytes() +
         problem.subject_frequencies.size_bytes();
}

}  // namespace

std::unique_ptr<MatrixScorer::Slot> MatrixScorer::take_slot(const StopFlag& stop) {
  constexpr std::chrono::milliseconds kBetweenLooks{5};
  stop.throw_if_requested();
  std::unique_lock lock(mutex_);
  while (!changed_.wait_for(lock, kBetweenLooks, [&] { return in_use_ < kSlots; })) stop.throw_if_requested();
  ++in_use_;
  if (free_.empty()) return nullptr;
  std::unique_ptr<Slot> slot = std::move(free_.back());
  free_.pop_back();
  return slot;
}

void MatrixScorer::give_back(std::unique_ptr<Slot> slot) {
  {
    const std::lock_guard lock(mutex_);
    --in_use_;
    if (slot) free_.push_back(std::move(slot));
  }
  changed_.notify_one();
}

std::unique_ptr<MatrixScorer::Brought> MatrixScorer::take_arrays() {
  {
    const std::lock_guard lock(mutex_);
    if (kept_) return std::move(kept_);
  }
  return std::make_unique<Brought>();
}

void MatrixScorer::keep(std::unique_ptr<Brought> arrays) {
  const std::lock_guard lock(mutex_);
  if (!kept_) kept_ = std::move(arrays);
}

template <class Use>
void MatrixScorer::with_slot(const StopFlag& stop, Use use) {
  check(cudaSetDevice(ordinal_), "cudaSetDevice");
  std::unique_ptr<Slot> slot = take_slot(stop);
  try {
    if (!slot) slot = std::make_unique<Slot>();
    slot->stopper.begin(stop);
    use(*slot);
  } catch (...) {  // drops the slot: its stream may still have work, and its stop word may be set
    if (slot) cudaStreamSynchronize(slot->stream);
    slot = nullptr;
    give_back(nullptr);
    throw;
  }
  give_back(std::move(slot));
}

class MatrixScorer::Pairs final : public MatrixPairs {
 public:
  Pairs(MatrixScorer& owner, const MatrixPairsProblem& problem, const StopFlag& stop)
      : owner_(owner), letters_(static_cast<std::uint32_t>(problem.letters)), brought_(owner.take_arrays()) {
    owner_.with_slot(stop, [&](Slot& slot) { upload(problem, slot); });
  }
  ~Pairs() override {
    cudaSetDevice(owner_.ordinal_);  // makes it current in case that memory is freed
    owner_.keep(std::move(brought_));
  }
  Pairs(const Pairs&) = delete;
  Pairs& operator=(const Pairs&) = delete;

  void score(std::span<const Pair> pairs, const MatrixRounding& rounding, std::int32_t open,
             std::int32_t extend, std::span<std::int32_t> best, const StopFlag& stop) override {
    MatrixScoresLaunch launch{};
    launch.count = static_cast<std::uint32_t>(pairs.size());
    launch.letters = letters_;
    launch.open = open;
    launch.extend = extend;
    // The largest pairs come first, because the warps take pairs in this order.
    const auto cells = [&](std::uint32_t number) {
      return std::uint64_t{queries_[pairs[number].query].length} * subjects_[pairs[number].subject].length;
    };
    std::vector<std::uint32_t> numbers(pairs.size());
    std::iota(numbers.begin(), numbers.end(), 0U);
    std::ranges::sort(numbers, std::ranges::greater{}, cells);
    std::vector<DevicePair> device_pairs;
    // Cells of all pairs, and of those with queries of more than kPassRows residues.
    std::uint64_t all = 0, of_long = 0;
    for (const std::uint32_t number : numbers) {
      device_pairs.push_back({queries_[pairs[number].query], subjects_[pairs[number].subject]});
      const DevicePair& pair = device_pairs.back();
      launch.longest_subject = std::max(launch.longest_subject, pair.subject.length);
      all += cells(number);
      of_long += pair.query.length > kPassRows ? cells(number) : 0;
    }
    launch.long_passes = 2 * of_long > all;
    launch.warps = warps_of(owner_.multiprocessors_);
    while (launch.warps > 1 && workspace_bytes(launch.longest_subject, launch.warps) > owner_.memory_bytes_)
      launch.warps /= 2;
    launch.team_cells = team_cells(all, launch.warps);
    owner_.with_slot(stop, [&](Slot& slot) {
      slot.staging.clear();
      const auto pairs_at = slot.staging.add(pairs);
      const auto device_pairs_at = slot.staging.add(device_pairs);
      const auto numbers_at = slot.staging.add(numbers);
      slot.staging.upload(slot.stream);
      launch.pairs = slot.staging.at(device_pairs_at);
      launch.numbers = slot.staging.at(numbers_at);
      make_matrices(slot, slot.staging.at(pairs_at), pairs.size(), rounding);
      run(slot, launch, best);
    });
  }

 private:
  void upload(const MatrixPairsProblem& problem, Slot& slot) {
    std::vector<std::uint8_t> codes;
    codes.reserve(residues_of(problem));
    const std::uint8_t* const first = brought_->codes.reserve(residues_of(problem));
    const auto bring = [&](std::span<const Residue> residues) -> DeviceSequence {
      slot.stopper.look();
      const std::size_t offset = codes.size();
      codes.insert(codes.end(), residues.begin(), residues.end());
      return {first + offset, 1, static_cast<std::uint32_t>(residues.size())};
    };
    for (const std::span<const Residue> query : problem.queries) queries_.push_back(bring(query));
    for (const std::span<const Residue> subject : problem.subjects)
      subjects_.push_back(is_brought(subject) ? bring(subject) : DeviceSequence{});
    const auto copy = [&]<class T>(std::span<const T> from, DeviceArray<T>& to) {
      copy_to_device(to.reserve(from.size()), from.data(), from.size(), slot.stream);
    };
    copy(std::span<const std::uint8_t>(codes), brought_->codes);
    copy(problem.query_frequencies, brought_->query_frequencies);
    copy(problem.subject_frequencies, brought_->subject_frequencies);
    copy(std::span(problem.adjustment, 1), brought_->adjustment);
    slot.stopper.wait(slot.stream);
  }

  void make_matrices(Slot& slot, const Pair* pairs, std::size_t count, const MatrixRounding& rounding) const {
    PairMatricesLaunch launch{};
    launch.pairs = pairs;
    launch.count = static_cast<std::uint32_t>(count);
    launch.adjustment = brought_->adjustment.data();
    launch.queries = brought_->query_frequencies.data();
    launch.subjects = brought_->subject_frequencies.data();
    launch.rounding = rounding;
    launch.letters = letters_;
    launch.matrices = slot.matrices.reserve(count * letters_ * letters_);
    launch.fits = slot.fits.reserve(count);
    check(launch_pair_matrices(launch, slot.stream), "the kernel make_pair_matrices");
  }

  static void run(Slot& slot, MatrixScoresLaunch launch, std::span<std::int32_t> best) {
    launch.matrices = slot.matrices.data();
    launch.fits = slot.fits.data();
    launch.scores = slot.scores.reserve(best.size());
    launch.workspace = slot.workspace.reserve(workspace_bytes(launch.longest_subject, launch.warps));
    launch.counter = slot.counter.reserve(1);
    launch.stop = slot.stopper.word();
    check(launch_matrix_scores(launch, slot.stream), "the kernel score_by_matrices");
    std::int32_t* const scores = slot.host_scores.reserve(best.size());
    copy_to_host(scores, slot.scores.data(), best.size(), slot.stream);
    slot.stopper.wait(slot.stream);
    std::copy_n(scores, best.size(), best.begin());
  }

  MatrixScorer& owner_;
  const std::uint32_t letters_;
  std::unique_ptr<Brought> brought_;
  std::vector<DeviceSequence> queries_, subjects_;
};

std::unique_ptr<MatrixPairs> MatrixScorer::begin(const MatrixPairsProblem& problem, const StopFlag& stop) {
  if (bytes_of(problem) > std::min(kMostMatrixPairsBytes, memory_bytes_)) return nullptr;
  return std::make_unique<Pairs>(*this, problem, stop);
}

}  // namespace alnus::cuda

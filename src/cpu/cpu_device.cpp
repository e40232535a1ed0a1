#include "cpu/cpu_device.h"

#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include <utility>

#include "alnus/error.h"
#include "alnus/text.h"
#include "cpu/isa_choice.h"
#include "cpu/pair_worker.h"
#include "cpu/pool.h"
#include "cpu/tile_worker.h"

namespace alnus::cpu {
namespace {

const std::vector<std::string> kMethods{"auto",        "tiny",    "subsequence", "interseq",
                                        "differences", "striped", "snapshots"};

Method parse_method(const std::string& name) {
  if (name == "auto") return Method::automatic;
  if (name == "tiny") return Method::tiny;
  if (name == "subsequence") return Method::subsequence;
  if (name == "interseq") return Method::interseq;
  if (name == "differences") return Method::differences;
  if (name == "striped") return Method::striped;
  if (name == "snapshots") return Method::snapshots;
  throw Error(ErrorKind::input,
              fmt::format("Unknown method {} for the CPU; {}", in_quotes(name), suggestion(name, kMethods)));
}

// Expected speed of one thread in the 8-bit kernel, in 1e9 cells a second (docs/results/cpu.md). 16-bit lanes
// have half of that speed.
double expected_gcups(const KernelSet& kernels) { return kernels.local8.lanes * 0.7; }

// Expected speed of one thread in the kernel of common subsequences, whose lanes have 64 bits.
double subsequence_gcups(const KernelSet& kernels) { return kernels.subsequence.lanes * 60; }

class CpuDevice : public Device {
 public:
  CpuDevice(const CpuOptions& options, std::vector<const KernelSet*> supported)
      : kernels_(candidate_kernels(options.isa, std::move(supported))),
        method_(parse_method(options.method)),
        tile_workers_(static_cast<std::size_t>(std::max(1, options.threads))),
        pair_workers_(static_cast<std::size_t>(std::max(1, options.threads))) {
    info_.name = "cpu";
    info_.kind = DeviceKind::cpu;
    info_.computes_on_host = true;
    info_.concurrency = std::max(1, options.threads);
    info_.memory_bytes = options.memory_bytes;
    info_.standby = options.standby;
    info_.gcups = expected_gcups(kernels_.nominal()) * info_.concurrency;
    info_.description = fmt::format("{} thread{}, {}", info_.concurrency, info_.concurrency == 1 ? "" : "s",
                                    kernels_.nominal().isa);
    constexpr std::uint64_t kLeastTrace = 64 << 10, kMostTrace = 48 << 20;
    const std::uint64_t share = options.memory_bytes / static_cast<std::uint64_t>(info_.concurrency);
    limits_.trace = std::clamp(share / 4, kLeastTrace, kMostTrace);
    limits_.states = share / 2;
  }

  const DeviceInfo& info() const override { return info_; }
  std::string declines(const Problem&) const override { return {}; }

  Estimate estimate(const Tile& tile, const Problem& problem) const override {
    const bool narrow = problem.detail == Detail::score && problem.scoring.mode == Mode::local &&
                        tile.shape != TileShape::list;
    const double slower = narrow ? 1 : problem.detail == Detail::alignment ? 4 : 2;
    Estimate estimate;
    const bool subsequences = SubsequencePairs::takes(tile, problem);
    const double gcups =
        subsequences ? subsequence_gcups(kernels_.nominal()) : expected_gcups(kernels_.nominal()) / slower;
    estimate.seconds = static_cast<double>(tile.cells) * 1e-9 / gcups;
    const std::uint64_t pairs = tile.shape == TileShape::list
                                    ? tile.pairs.size()
                                    : std::uint64_t{tile.row_range.size()} * tile.column_range.size();
    std::uint64_t longest_row = 0, longest_column = 0, row_residues = 0;
    if (tile.shape == TileShape::list) {
      for (const PositionPair& pair : tile.pairs) {
        longest_row = std::max<std::uint64_t>(longest_row, tile.rows->length(pair.row));
        longest_column = std::max<std::uint64_t>(longest_column, tile.columns->length(pair.column));
      }
      row_residues = longest_row;
    } else if (pairs > 0) {
      longest_row = tile.rows->length(tile.row_range.begin);
      longest_column = tile.columns->length(tile.column_range.begin);
      row_residues = tile.rows->residues(tile.row_range);
    }
    const auto lanes = static_cast<std::uint64_t>(kernels_.nominal().local8.lanes);
    constexpr std::uint64_t kCigarGuess = 64;       // bytes of an alignment's CIGAR
    constexpr std::uint64_t kWorkspaceVectors = 6;  // of a query residue, at most: interseq, differences
    estimate.bytes = pairs * (sizeof(PairResult) + sizeof(std::int32_t)) + 3 * row_residues +
                     longest_row * kWorkspaceVectors * lanes + longest_column * lanes;
    if (problem.identities) estimate.bytes += pairs * sizeof(std::uint16_t);
    if (subsequences) estimate.bytes += SubsequencePairs::bytes(kernels_.nominal(), tile);
    if (problem.detail == Detail::alignment) {
      constexpr std::uint64_t kBuffers = 3;  // traces, snapshots, checkpoints
      estimate.bytes += pairs * kCigarGuess + 8 * (longest_row + longest_column) + kBuffers * limits_.trace;
      // A trace that does not fit limits_.trace is made in pieces (Cuts in single_pair.cpp). Each level of
      // cuts keeps two columns or more, with 8 bytes (H and E) for each row.
      const std::uint64_t least_states = 16 * longest_row * std::bit_width(longest_column);
      if (longest_row * longest_column / 2 > limits_.trace)
        estimate.bytes += std::max(limits_.states, least_states);
    }
    return estimate;
  }

  void prepare(double expected_seconds) override { kernels_.announce(expected_seconds); }

  void run(const Tile& tile, const Problem& problem, Sink& sink) override {
    auto worker = tile_workers_.take([this] { return std::make_unique<TileWorker>(method_, limits_); });
    worker->run(kernels_.current(), tile, problem, sink);
    tile_workers_.put_back(std::move(worker));
  }

  // `striped` aligns the pair, whatever `method_` is: the other kernels need further pairs to fill their
  // lanes.
  std::optional<Alignment> align_pair(std::span<const Residue> query, std::span<const Residue> subject,
                                      const Scoring& scoring, Detail detail,
                                      const StopFlag& stop_flag) override {
    auto worker = pair_workers_.take([this] { return std::make_unique<PairWorker>(limits_); });
    Alignment alignment = worker->align(kernels_.current(), query, subject, scoring, detail, stop_flag);
    pair_workers_.put_back(std::move(worker));
    return alignment;
  }

 private:
  KernelChoice kernels_;
  const Method method_;
  MemoryLimits limits_;
  DeviceInfo info_;
  Pool<TileWorker> tile_workers_;
  Pool<PairWorker> pair_workers_;
};

}  // namespace

std::vector<std::string> methods() { return kMethods; }

std::unique_ptr<Device> make_cpu_device(const CpuOptions& options) {
  return make_cpu_device(options, supported_kernels());
}
std::unique_ptr<Device> make_cpu_device(const CpuOptions& options, std::vector<const KernelSet*> supported) {
  return std::make_unique<CpuDevice>(options, std::move(supported));
}

}  // namespace alnus::cpu

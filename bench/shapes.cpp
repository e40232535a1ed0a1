// Measures the speeds in the tables kNarrow and kWide of src/cuda/tuning.h: those of scores16, the 16-bit
// kernel, with every packing and shape of the tables, exact and coarse (scores may be too low), with extend
// costs of 1 (for which the kernel has versions of their own) and of 2. A packing says whether the halves of
// a register have two queries or two subjects. A shape says how many lanes (threads) share a subject, and how
// many rows of the query each lane has; one pass computes lanes * rows rows.
//   cmake --build BUILD --target bench_shapes && BUILD/bench/bench_shapes
// The sequences are random and of one length, so that nothing is padded: queries fill whole passes, and, if
// there are enough subjects, each thread block of a launch gets the same number of batches of subjects. Times
// are those of the kernel alone, medians of kRuns. The tables are of a GPU with kFullMultiprocessors
// multiprocessors: on a GPU with n of them, speeds are compared with n / kFullMultiprocessors of the tables'
// speeds. One score of each query is compared with that of align_reference().
#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <fmt/format.h>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "alnus/alignment.h"
#include "alnus/error.h"
#include "cuda/cuda_device.h"
#include "cuda/cuda_sequences.h"
#include "cuda/kernels/search.h"
#include "cuda/staging.h"
#include "cuda/tuning.h"

namespace alnus::cuda {
namespace {

constexpr std::size_t kRuns = 5;
constexpr double kWarmUp = 0.2;  // seconds that the kernel runs before its first timing, so that clocks rise
constexpr std::int32_t kOpen = 11;

struct Options {
  // How many subjects there are, and of how many residues each is; 0: the table's default (in run()).
  std::uint32_t subjects = 0, length = 0;
  std::uint32_t passes = 4;  // how many passes a query takes, which sets the length of queries
};

// The numbers of this generator are the same on every system, while those of <random>'s distributions differ.
using Random = std::mt19937_64;

std::vector<Residue> random_residues(Random& random, std::size_t length) {
  constexpr std::uint64_t kAminoAcids = 20;  // residue codes 0 to 19
  std::vector<Residue> residues(length);
  for (Residue& residue : residues) residue = static_cast<Residue>((random() >> 32) * kAminoAcids >> 32);
  return residues;
}

SequenceSet random_set(std::uint32_t count, std::uint32_t length) {
  Random random(1);
  SequenceSetBuilder builder(AlphabetKind::protein);
  for (std::uint32_t i = 0; i < count; ++i) builder.add("", random_residues(random, length));
  return builder.finish();
}

using Queries = std::vector<std::vector<Residue>>;  // all of the same length

struct Timing {
  int blocks;             // thread blocks that fit a multiprocessor
  double seconds, tcups;  // time of one launch; speed in 1e12 cells a second
};

// Measures the shapes of one table with the same subjects.
class Bench {
 public:
  // `subjects`: how many, each of `length` residues. `wide`: true for the shapes of kWide, for which a list
  // of strips says which subjects a warp takes at a time. The shapes of kNarrow take four subjects at a time
  // (a quad), without a list. `passes`: how many passes a query takes.
  Bench(std::uint32_t subjects, std::uint32_t length, bool wide, std::uint32_t passes)
      : matrix_(SubstitutionMatrix::builtin("BLOSUM62")),
        letters_(matrix_),
        subjects_(std::make_shared<const SortedSequences>(random_set(subjects, length)),
                  std::make_shared<Residency>(0, UINT64_MAX)),
        slab_(subjects_.bring(0, letters_, stream_, uploader_)),
        wide_(wide),
        passes_(passes) {
    check(cudaDeviceGetAttribute(&multiprocessors_, cudaDevAttrMultiProcessorCount, 0),
          "cudaDeviceGetAttribute");
  }

  int multiprocessors() const { return multiprocessors_; }

  // Returns the timing of the kernel's version for this packing, shape, goal and extend cost; empty if the
  // version needs more shared memory than a thread block can have.
  std::optional<Timing> measure(Packing packing, Shape shape, bool coarse, std::int32_t extend) {
    const Scores16Kernel kernel(packing, shape, coarse ? Goal::coarse : Goal::local,
                                static_cast<std::uint32_t>(extend));
    Timing timing{};
    const cudaError_t status = kernel.occupancy(letters_.count(), &timing.blocks);
    if (status == cudaErrorInvalidValue) cudaGetLastError();  // clears CUDA's record of this error
    if (status == cudaErrorInvalidValue || (status == cudaSuccess && timing.blocks == 0)) return {};
    check(status, "cudaOccupancyMaxActiveBlocksPerMultiprocessor");

    // The subjects are limited to a number that gives each thread block the same number of batches (the
    // subjects of one item of work). If there are too few subjects for that, all of them are taken.
    constexpr std::uint32_t kWarpThreads = 32;
    const auto grid = static_cast<std::uint32_t>(timing.blocks * multiprocessors_);
    const std::uint32_t subjects_of_batch =
        kernel.strips_per_item() * (kWarpThreads / static_cast<unsigned>(shape.lanes));
    const std::uint64_t round = std::uint64_t{grid} * subjects_of_batch;
    std::uint32_t subjects = subjects_.sorted().size();
    if (subjects > round) subjects = static_cast<std::uint32_t>(subjects / round * round);
    const std::uint32_t batches = (subjects + subjects_of_batch - 1) / subjects_of_batch;
    const auto blocks = static_cast<int>(std::min(batches, grid));

    Random random(2);
    Queries queries(packing == Packing::two_queries ? 2 : 1);
    const std::uint32_t query_length = passes_ * static_cast<unsigned>(shape.lanes * shape.rows);
    for (auto& query : queries) query = random_residues(random, query_length);

    Scores16 task = prepare(queries, subjects, packing, shape);
    task.boundary_entries = kernel.boundary_entries(slab_.subjects.lengths[0]);
    task.boundary = boundary_.reserve(task.boundary_entries * static_cast<unsigned>(blocks));
    task.opened = whole_addend(static_cast<std::uint32_t>(kOpen + extend));
    task.extended = halves_addend(static_cast<std::uint32_t>(extend));
    timing.seconds = median_seconds(kernel, task, queries.size(), blocks);
    compare(queries, task, extend, coarse ? coarse_slack(kOpen, extend) : 0);
    const double pairs = static_cast<double>(queries.size()) * subjects;
    timing.tcups = pairs * query_length * slab_.subjects.lengths[0] / timing.seconds * 1e-12;
    return timing;
  }

 private:
  // Returns the input of the kernel, except for what depends on the kernel's version and launch: boundary,
  // opened and extended.
  Scores16 prepare(const Queries& queries, std::uint32_t subjects, Packing packing, Shape shape) {
    std::vector<std::uint8_t> codes;
    std::vector<std::uint32_t> lengths;
    for (const auto& query : queries) {
      lengths.push_back(static_cast<std::uint32_t>(query.size()));
      for (const Residue residue : query) codes.push_back(letters_.of(residue));
    }
    const Chains chains = make_chains(lengths, packing, shape, 1);
    std::vector<Strip> strips;
    if (wide_) strips = make_strips(slab_.subjects, {0, subjects}, 0, shape.lanes, 0).strips;
    staging_.clear();
    const auto codes_at = staging_.add(codes);
    const auto matrix_at = staging_.add(letters_.scores());
    const auto blocks_at = staging_.add(chains.blocks);
    const auto bins_at = staging_.add(chains.bins);
    const auto strips_at = staging_.add(strips);
    staging_.upload(stream_);

    const auto rows = static_cast<std::uint32_t>(shape.rows), letters = letters_.count();
    const auto lane_blocks = static_cast<std::uint32_t>(chains.blocks.size());
    Profiles profiles{staging_.at(blocks_at), lane_blocks, rows,   letters, staging_.at(codes_at),
                      staging_.at(matrix_at), -1,          nullptr};
    profiles.profiles = profiles_.reserve(std::uint64_t{lane_blocks} * letters * ((rows + 3) / 4));
    check(launch_profiles(profiles, stream_), "the kernel fill_profiles");

    Scores16 task{};
    task.profiles = profiles.profiles;
    task.blocks = profiles.blocks;
    task.bins = staging_.at(bins_at);
    task.bin_count = static_cast<std::uint32_t>(chains.bins.size());
    task.strips = wide_ ? staging_.at(strips_at) : nullptr;
    task.strip_count =
        wide_ ? static_cast<std::uint32_t>(strips.size()) : (subjects + kSubjects - 1) / kSubjects;
    task.end = subjects;
    task.places = slab_.places;
    task.lengths = slab_.lengths;
    task.packed = slab_.packed;
    task.letters = letters;
    task.next_item = counter_.reserve(1);
    task.scores = scores_.reserve(std::uint64_t{queries.size()} * subjects);
    task.stride = subjects;
    task.stop = stopper_.word();
    return task;
  }

  // Returns the median time of kRuns launches in seconds, after launches that take kWarmUp seconds.
  double median_seconds(const Scores16Kernel& kernel, const Scores16& task, std::uint64_t queries,
                        int blocks) {
    const auto run = [&] {
      fill_zero(task.next_item, sizeof *task.next_item, stream_);
      fill_zero(task.scores, queries * task.stride * sizeof *task.scores, stream_);
      begun_.record(stream_);
      check(kernel.launch(task, blocks, stream_), "the kernel scores16");
      done_.record(stream_);
      done_.wait();
      return done_.seconds_since(begun_);
    };
    for (double warm = 0; warm < kWarmUp;) warm += run();
    std::array<double, kRuns> seconds;
    std::ranges::generate(seconds, run);
    std::ranges::nth_element(seconds, seconds.begin() + kRuns / 2);
    return seconds[kRuns / 2];
  }

  // Throws Error(other) if the score of a query with the last subject is above that of align_reference(), or
  // below it by more than `slack`. Only coarse scores may be too low, by up to coarse_slack().
  void compare(const Queries& queries, const Scores16& task, std::int32_t extend, std::int32_t slack) {
    const Scoring scoring{.matrix = matrix_, .open = kOpen, .extend = extend};
    for (std::size_t query = 0; query < queries.size(); ++query) {
      std::int32_t score = 0;
      copy_to_host(&score, task.scores + (query + 1) * task.stride - 1, 1, stream_);
      stream_.wait();
      const std::int32_t expected =
          align_reference(queries[query], subjects_.sorted().residues(Position(task.end - 1)), scoring,
                          Detail::score)
              .score;
      if (score > expected || score < expected - slack)
        throw Error(ErrorKind::other,
                    fmt::format("The kernel's score is {}, the reference's {}.", score, expected));
    }
  }

  const SubstitutionMatrix matrix_;
  const Letters letters_;
  const CudaSequences subjects_;
  const Stream stream_;
  Stopper stopper_;  // nobody requests a stop
  Uploader uploader_{stopper_};
  const Slab slab_;
  const bool wide_;
  const std::uint32_t passes_;
  int multiprocessors_ = 0;
  const Event begun_, done_;
  Staging staging_;
  DeviceArray<uint4> profiles_;
  DeviceArray<uint2> boundary_;
  DeviceArray<std::int32_t> scores_;
  DeviceArray<std::uint32_t> counter_;
};

std::string name_of(Packing packing) {
  return packing == Packing::two_queries ? "two_queries" : "two_subjects";
}

// Prints a line for each version of the kernel: exact and coarse, with each extend cost. Returns the C++ text
// of the table, with the measured speeds of the exact versions for extend 1.
std::string measure_all(std::span<const Measured> table, const std::string& name, Bench bench) {
  std::string rows = fmt::format("inline constexpr Measured {}[] = {{\n", name);
  const double share = bench.multiprocessors() / kFullMultiprocessors;
  double least_gain = 100, most_gain = 0;
  for (const auto& [packing, shape, expected] : table) {
    double exact = 0;
    for (const std::int32_t extend : {1, 2}) {
      for (const bool coarse : {false, true}) {
        fmt::print("{:<12} {:>5} {:>4}  {:<6} {:>6}", name_of(packing), shape.lanes, shape.rows,
                   coarse ? "coarse" : "exact", extend);
        const std::optional<Timing> timing = bench.measure(packing, shape, coarse, extend);
        if (!timing) {
          fmt::print("  needs more shared memory than there is\n");
          continue;
        }
        fmt::print(" {:>6} {:>8.2f} {:>6.2f} {:>5.2f}\n", timing->blocks, timing->seconds * 1e3,
                   timing->tcups, timing->tcups / (expected * share));
        std::fflush(stdout);
        if (extend != 1) continue;
        if (!coarse) exact = timing->tcups;
        if (coarse) least_gain = std::min(least_gain, timing->tcups / exact);
        if (coarse) most_gain = std::max(most_gain, timing->tcups / exact);
      }
    }
    if (exact > 0)
      rows += fmt::format("    {{Packing::{}, {{{}, {}}}, {:.1f}}},\n", name_of(packing), shape.lanes,
                          shape.rows, exact / share);
  }
  return fmt::format("{}}};\n// coarse: {:.2f} to {:.2f} times as fast\n", rows, least_gain, most_gain);
}

void run(const Options& options) {
  if (const std::string reason = why_unavailable(); !reason.empty())
    throw Error(ErrorKind::device, fmt::format("There is no GPU to measure: {}.", reason));
  check(cudaSetDevice(0), "cudaSetDevice");
  int kilohertz = 0;
  check(cudaDeviceGetAttribute(&kilohertz, cudaDevAttrClockRate, 0), "cudaDeviceGetAttribute");
  fmt::print("{}, up to {:.2f} GHz; {} passes\n", devices()[0].description, kilohertz * 1e-6, options.passes);
  fmt::print("packing      lanes rows  scores extend blocks       ms  TCUPS  of table's\n");
  const auto measure = [&](std::span<const Measured> table, const std::string& name, std::uint32_t subjects,
                           std::uint32_t length) {
    if (options.subjects > 0) subjects = options.subjects;
    if (options.length > 0) length = options.length;
    return measure_all(table, name, Bench(subjects, length, table.data() == kWide, options.passes));
  };
  const std::string narrow = measure(kNarrow, "kNarrow", 200'000, 400);
  const std::string wide = measure(kWide, "kWide", 20'000, 3'000);
  fmt::print("\nExact, extend 1, of {} multiprocessors:\n{}{}", kFullMultiprocessors, narrow, wide);
}

}  // namespace
}  // namespace alnus::cuda

int main(int argc, char** argv) {
  using namespace alnus;
  cuda::Options options;
  CLI::App app("Measures the table in src/cuda/tuning.h, on the first GPU (CUDA_VISIBLE_DEVICES).");
  app.add_option("--subjects", options.subjects,
                 "how many, at most; 200000 for narrow shapes, 20000 for wide")
      ->check(CLI::Range(1, 100'000'000));
  app.add_option("--length", options.length, "residues of a subject; 400 for narrow shapes, 3000 for wide")
      ->check(CLI::Range(1, 100'000));
  app.add_option("--passes", options.passes, "of a kernel over a subject, as many rows each as a shape has")
      ->check(CLI::Range(1, 64))
      ->capture_default_str();
  try {
    app.parse(argc, argv);
    cuda::run(options);
    return 0;
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : static_cast<int>(ErrorKind::input);
  } catch (const Error& error) {
    fmt::print(stderr, "bench_shapes: {}\n", error.what());
    return static_cast<int>(error.kind());
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench_shapes: {}\n", error.what());
    return static_cast<int>(ErrorKind::other);
  }
}

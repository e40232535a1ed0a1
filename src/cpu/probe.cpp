#include "cpu/probe.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <random>
#include <vector>

#include "alnus/matrix.h"
#include "cpu/aligned_buffer.h"
#include "cpu/lane_value.h"
#include "cpu/scoring_tables.h"

namespace alnus::cpu {
namespace {

// The work of a probe: a random query, and random subjects in as many lanes as the widest kernel has. A run
// takes some 100 microseconds.
class ProbeWork {
 public:
  ProbeWork() {
    local_.matrix = SubstitutionMatrix::builtin("BLOSUM62");
    global_ = local_;
    global_.mode = Mode::global;
    std::minstd_rand random(1);
    const auto letter = [&] { return static_cast<std::uint8_t>(random() % kResidues); };
    query_.resize(kRows);
    std::ranges::generate(query_, letter);
    letters_ = letter_buffer_.at_least(kColumns * kMostLanes);
    std::generate_n(letters_, kColumns * kMostLanes, letter);
    for (std::uint8_t residue = 0; residue < kResidues; ++residue) used_.push_back(residue);
    lengths_.assign(kMostLanes, kColumns);
    scores8_.resize(kMostLanes);
    scores_.resize(kMostLanes);
  }

  void local(const Local8Kernel& kernel) {
    tables_.prepare(local_);
    const Stop stop{kColumns / kernel.columns};
    Local8Job job;
    place(job, stop);
    job.scores = tables_.scores8();
    job.first = local_.open + local_.extend;
    job.extend = local_.extend;
    job.zero = tables_.range8().zero;
    job.best = scores8_.data();
    job.workspace = workspace_.at_least(kernel.workspace(kRows));
    kernel.run(job);
  }
  void local(const WideKernels& kernel) { scores(kernel, kernel, local_); }
  void global(const LaneKernel& kernel, const WideKernels& width) { scores(kernel, width, global_); }

 private:
  static constexpr std::int32_t kRows = 256, kColumns = 256, kMostLanes = 64;
  static constexpr std::uint8_t kResidues = 20;

  void scores(const LaneKernel& kernel, const WideKernels& width, const Scoring& scoring) {
    tables_.prepare(scoring);
    const Stop stop{kColumns / kWideColumns};
    InterseqJob job;
    place(job, stop);
    QueryBounds(query_, tables_).fits(width, kColumns, job.rules);
    job.scores = tables_.scores32();
    job.lengths = lengths_.data();
    job.score = scores_.data();
    job.workspace = workspace_.at_least(kernel.interseq_workspace(kRows));
    kernel.interseq(job);
  }
  template <class Job>
  void place(Job& job, const Stop& stop) const {
    job.query = query_.data();
    job.rows = kRows;
    job.used = used_.data();
    job.used_count = kResidues;
    job.letters = letters_;
    job.stops = &stop;
    job.stop_count = 1;
  }

  Scoring local_, global_;
  ScoringTables tables_;
  std::vector<std::uint8_t> query_, used_;
  std::uint8_t* letters_ = nullptr;
  AlignedBuffer letter_buffer_, workspace_;
  std::vector<std::int32_t> lengths_, scores_;
  std::vector<std::int16_t> scores8_;
};

// Returns the candidate whose best run of `work` takes the least time per lane; `work` returns the number of
// lanes. Candidates take turns, so that what disturbs one of them disturbs the others, too.
template <class Candidate, class Work>
const Candidate& fastest(std::span<const Candidate> candidates, Work work) {
  using Clock = std::chrono::steady_clock;
  // Most and fewest runs of a candidate: two at least, since in the first run the processor may have another
  // clock rate. A candidate whose runs took more than kMostSeconds together gets only the fewest.
  constexpr int kRuns = 6, kFewestRuns = 2;
  constexpr double kMostSeconds = 0.002;
  std::vector<double> best(candidates.size(), std::numeric_limits<double>::infinity());
  std::vector<double> spent(candidates.size());
  for (int run = 0; run < kRuns; ++run) {
    for (std::size_t k = 0; k < candidates.size(); ++k) {
      if (run >= kFewestRuns && spent[k] > kMostSeconds) continue;
      const Clock::time_point start = Clock::now();
      const double lanes = work(candidates[k]);
      const std::chrono::duration<double> seconds = Clock::now() - start;
      best[k] = std::min(best[k], seconds.count() / lanes);
      spent[k] += seconds.count();
    }
  }
  return candidates[static_cast<std::size_t>(std::ranges::min_element(best) - best.begin())];
}

}  // namespace

KernelSet fastest_kernels(std::span<const KernelSet* const> candidates) {
  ProbeWork work;
  KernelSet kernels = *fastest(candidates, [&](const KernelSet* set) {
    work.local(set->wide16);
    work.global(set->differences, set->wide16);
    return set->wide16.lanes;
  });
  std::vector<Local8Kernel> local8;
  for (const KernelSet* set : candidates) {
    local8.push_back(set->local8);
    if (set->plain_local8.lanes > 0) local8.push_back(set->plain_local8);
  }
  kernels.local8 = fastest(std::span<const Local8Kernel>(local8), [&](const Local8Kernel& kernel) {
    work.local(kernel);
    return kernel.lanes;
  });
  return kernels;
}

}  // namespace alnus::cpu

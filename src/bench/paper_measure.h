// Measures what the papers measured: with the papers' methods, and with the methods that alnus chooses
// itself.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bench/measure.h"
#include "bench/paper_data.h"
#include "bench/papers.h"
#include "bench/team.h"

namespace alnus::bench {

inline constexpr const char* kAlnus = "auto";  // lets alnus choose the method

// The first run is often slow, because it sets things up. Work of fewer cells than this is run again, and
// only the later runs count; larger work takes too long for that.
inline constexpr double kFewCells = 1e10, kFewCellsOfAlnus = 2e12;  // for a paper's method and for alnus
inline constexpr std::uint32_t kRunsOfShort = 3;
// A machine can be slow for a tenth of a second. Work that takes less than kMoment (seconds) is therefore
// repeated for kSecondsOfMoments, so that most runs lie outside of such a time. A trial with --part does not
// do so.
inline constexpr double kMoment = 0.002, kSecondsOfMoments = 0.3;

// One task by one method, or the queries of several tasks as one batch. Work is done in the order of this
// comparison, which puts work for the same devices together, and among it work on the same database.
struct PaperWork {
  std::string method;
  std::vector<PaperTask> tasks;
  auto operator<=>(const PaperWork&) const = default;  // NOLINT(modernize-use-nullptr): a false alarm
};

// The size of the database that was searched, or of the set whose pairs were aligned.
struct PaperSubjects {
  std::uint32_t sequences = 0, distinct = 0;
  std::uint64_t residues = 0, longest = 0;
  bool operator==(const PaperSubjects&) const = default;
};

struct PaperFigure {
  Measurement measured;
  PaperSubjects subjects;
  std::uint64_t pairs = 0;
  double part = 1;  // the fraction of the task's pairs that was measured

  double seconds() const { return median(measured.seconds); }
};

class PaperFigures {
 public:
  explicit PaperFigures(std::uint32_t gpus) : gpus_(gpus) {}

  // The task as it is measured on this machine; empty if it needs more GPUs than there are.
  std::optional<PaperTask> here(const std::optional<PaperTask>& task) const;
  // The figure of a task by a method; null if it was not measured.
  const PaperFigure* of(const std::string& method, const std::optional<PaperTask>& task) const;
  // The figure of all queries of a series as one batch; null unless all of them search one database.
  const PaperFigure* batch(const PaperTable& table, std::size_t series) const;
  double seconds() const { return seconds_; }

 private:
  friend class PaperBench;
  std::optional<PaperWork> batch_work(const PaperTable& table, std::size_t series) const;

  const std::uint32_t gpus_;
  std::map<PaperWork, PaperFigure> figures_;
  double seconds_ = 0;  // of all measurements together
};

class PaperBench {
 public:
  // Throws Error(device) where there is no GPU, unless --devices names the CPU: then the papers' methods are
  // not measured.
  PaperBench(const SessionOptions& machine, const MeasurementOptions& bench, double part, SequenceSet source,
             cli::Log& log);

  const std::vector<DeviceInfo>& devices() const { return infos_; }
  PaperFigures measure(const Paper& paper);

 private:
  void plan(const Paper& paper, PaperFigures& figures) const;
  // A team of the first `gpus` GPUs, or of the CPU, that computes by this method.
  std::unique_ptr<const Team> make_team(const std::string& method, std::uint32_t gpus);
  PaperFigure search(const PaperWork& work, PaperData& data);
  PaperFigure align(const PaperWork& work, PaperData& data);
  Measurement measure(const PaperWork& work, std::uint64_t cells, const std::function<std::uint64_t()>& run);

  SessionOptions machine_;
  const double part_;
  const SequenceSet source_;
  cli::Log& log_;
  ThreadPool threads_;
  Stopwatch stopwatch_, several_;
  std::vector<DeviceInfo> infos_;
  bool has_gpus_ = false;
  std::unique_ptr<const Team> team_;               // the team for the work at hand
  std::shared_ptr<const SortedSequences> loaded_;  // the database that the team's devices hold
};

}  // namespace alnus::bench

// Runs what the papers measured: by their methods, and by alnus as it chooses itself.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/bench_measure.h"
#include "cli/common_options.h"
#include "cli/paper_data.h"
#include "cli/papers.h"

namespace alnus::cli {

inline constexpr const char* kAlnus = "auto";  // the method that is alnus' best

// The first run of something is often slow, by what is set up in it: work of fewer cells than this runs
// again, and only these runs count. Of what has more there is no time for it.
inline constexpr double kFewCells = 1e10, kFewCellsOfAlnus = 2e12;  // by a paper's method and by alnus
inline constexpr std::uint32_t kRunsOfShort = 3;
// For a tenth of a second a machine may be slow, for reasons of its own: what takes a moment runs until most
// runs are others. In a trial of a part it does not.
inline constexpr double kMoment = 0.002, kSecondsOfMoments = 0.3;

// One task by one method, or the queries of several as one batch. In the order in which it is done: what
// needs the same devices, and then the same database, comes together.
struct PaperWork {
  std::string method;
  std::vector<PaperTask> tasks;
  auto operator<=>(const PaperWork&) const = default;  // NOLINT(modernize-use-nullptr): a false alarm
};

// What was searched, or aligned with itself.
struct PaperSubjects {
  std::uint32_t sequences = 0, distinct = 0;
  std::uint64_t residues = 0, longest = 0;
  bool operator==(const PaperSubjects&) const = default;
};

struct PaperFigure {
  Measurement measured;
  PaperSubjects subjects;
  std::uint64_t pairs = 0;
  double part = 1;  // of the task's pairs

  double seconds() const { return median(measured.seconds); }
};

class PaperFigures {
 public:
  explicit PaperFigures(std::uint32_t gpus) : gpus_(gpus) {}

  // The task as it is measured here: nothing if it takes more GPUs than there are.
  std::optional<PaperTask> here(const std::optional<PaperTask>& task) const;
  // Null: not measured.
  const PaperFigure* of(const std::string& method, const std::optional<PaperTask>& task) const;
  // All queries of a series as one batch, where one database is searched with several.
  const PaperFigure* batch(const PaperTable& table, std::size_t series) const;
  double seconds() const { return seconds_; }

 private:
  friend class PaperBench;
  std::optional<PaperWork> batch_work(const PaperTable& table, std::size_t series) const;

  const std::uint32_t gpus_;
  std::map<PaperWork, PaperFigure> figures_;
  double seconds_ = 0;  // that all of it took
};

class PaperBench {
 public:
  // Throws Error(device) where there is no GPU, unless the CPU is asked for: the papers' methods then are
  // not measured.
  PaperBench(const CommonOptions& common, const BenchOptions& bench, double part, SequenceSet source,
             Log& log);

  const std::vector<DeviceInfo>& devices() const { return infos_; }
  PaperFigures measure(const Paper& paper);

 private:
  using Devices = std::vector<std::unique_ptr<Device>>;

  void plan(const Paper& paper, PaperFigures& figures) const;
  Devices make_devices(const std::string& method, std::uint32_t gpus) const;
  PaperFigure search(const PaperWork& work, PaperData& data);
  PaperFigure align(const PaperWork& work, PaperData& data);
  Measurement measure(const PaperWork& work, std::uint64_t cells, const std::function<std::uint64_t()>& run);

  CommonOptions common_;
  const double part_;
  const SequenceSet source_;
  Log& log_;
  Stopwatch stopwatch_, several_;
  std::vector<DeviceInfo> infos_;
  bool has_gpus_ = false;
  std::vector<Device*> devices_;         // of the work that is being done
  const SequenceSet* loaded_ = nullptr;  // the database that they hold
};

}  // namespace alnus::cli

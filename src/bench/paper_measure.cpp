#include "bench/paper_measure.h"

#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <utility>

#include "alnus/error.h"
#include "alnus/text.h"
#include "bench/work.h"

namespace alnus::bench {
namespace {

bool is_gpu(const DeviceInfo& info) { return info.kind == DeviceKind::cuda; }

std::string name_of(const PaperWork& work) {
  const PaperTask& task = work.tasks.front();
  return fmt::format("{}, {}", work.method == kAlnus ? "alnus" : work.method,
                     task.is_search() ? format_count(work.tasks.size(), "query", "queries")
                                      : fmt::format("{}, {} of {} to {} residues", task.mode,
                                                    format_count(task.set.count, "sequence", "sequences"),
                                                    task.set.shortest, task.set.longest));
}

PaperSubjects describe(const SequenceSet& set, std::uint32_t distinct) {
  return {set.size(), distinct, set.total_residues(), set.longest()};
}

// The first sequences of a set, so few that summing up all results takes little time.
SequenceSet sample(const SequenceSet& set) {
  constexpr SequenceSet::Index kFew = 100;
  return set.part(0, std::min(kFew, set.size()));
}

}  // namespace

std::optional<PaperTask> PaperFigures::here(const std::optional<PaperTask>& task) const {
  std::optional<PaperTask> done = task;
  if (done && done->or_fewer_gpus) {
    done->gpus = std::min(done->gpus, gpus_);
    done->or_fewer_gpus = false;
  }
  if (done && done->gpus > gpus_) done.reset();
  return done;
}

const PaperFigure* PaperFigures::of(const std::string& method, const std::optional<PaperTask>& task) const {
  const std::optional<PaperTask> done = here(task);
  if (!done) return nullptr;
  const auto found = figures_.find({method, {*done}});
  return found == figures_.end() ? nullptr : &found->second;
}

const PaperFigure* PaperFigures::batch(const PaperTable& table, std::size_t series) const {
  const std::optional<PaperWork> work = batch_work(table, series);
  const auto found = work ? figures_.find(*work) : figures_.end();
  return found == figures_.end() ? nullptr : &found->second;
}

std::optional<PaperWork> PaperFigures::batch_work(const PaperTable& table, std::size_t series) const {
  PaperWork work{kAlnus, {}};
  for (const PaperRow& row : table.rows) {
    const std::optional<PaperTask> task = here(row.cells[series].task);
    if (!task || !task->is_search()) return std::nullopt;
    work.tasks.push_back(*task);
    if (work.tasks.front().database != task->database) return std::nullopt;
  }
  return work;
}

PaperBench::PaperBench(const SessionOptions& machine, const MeasurementOptions& bench, double part,
                       SequenceSet source, cli::Log& log)
    : machine_(machine),
      part_(part),
      source_(std::move(source)),
      log_(log),
      threads_(threads_of(machine)),
      stopwatch_(bench, log),
      several_({.runs = kRunsOfShort}, log) {
  if (machine_.devices == "auto") machine_.devices = "cuda";
  infos_ = Team(machine_, threads_, log).infos();
  has_gpus_ = is_gpu(infos_.front());
  if (std::ranges::any_of(infos_, [&](const DeviceInfo& info) { return is_gpu(info) != has_gpus_; }))
    throw Error(
        ErrorKind::input,
        fmt::format("--devices {}: the papers' tables are for GPUs, or the CPU alone.", machine_.devices));
}

// Enters all work of the paper into `figures`. Work that several tables have in common is entered once.
void PaperBench::plan(const Paper& paper, PaperFigures& figures) const {
  const auto add = [&](const std::string& method, const std::optional<PaperTask>& task) {
    if (const std::optional<PaperTask> done = figures.here(task)) figures.figures_[{method, {*done}}];
  };
  for (const PaperTable& table : paper.tables)
    for (std::size_t series = 0; series < table.series.size(); ++series) {
      if (!table.series[series].measured) continue;
      std::vector<std::string> methods = {kAlnus};
      if (has_gpus_ && !table.series[series].method.empty()) methods.push_back(table.series[series].method);
      for (const std::string& method : methods)
        for (const PaperRow& row : table.rows) {
          add(method, row.cells[series].task);
          add(method, row.cells[series].ratio_of);
        }
      if (const std::optional<PaperWork> batch = figures.batch_work(table, series)) figures.figures_[*batch];
    }
}

PaperFigures PaperBench::measure(const Paper& paper) {
  const Clock::time_point start = Clock::now();
  PaperFigures figures(static_cast<std::uint32_t>(infos_.size()));
  plan(paper, figures);
  PaperData data(source_, part_, threads_);
  std::pair<std::string, std::uint32_t> made;
  for (auto& [work, figure] : figures.figures_) {
    const PaperTask& task = work.tasks.front();
    if (const std::pair wanted{work.method, task.gpus}; wanted != made) {
      team_ = nullptr;  // first, so that the next devices have all memory
      team_ = make_team(work.method, task.gpus);
      made = wanted;
      loaded_ = nullptr;
    }
    figure = task.is_search() ? search(work, data) : align(work, data);
  }
  team_ = nullptr;
  loaded_ = nullptr;
  for (const auto& [work, figure] : figures.figures_)
    if (figures.figures_.at({kAlnus, work.tasks}).measured.checksum != figure.measured.checksum)
      throw Error(ErrorKind::other,
                  fmt::format("Internal error: {} gives other results ({}).", work.method, name_of(work)));
  figures.seconds_ = seconds_since(start);
  log_.info(fmt::format("{}: {} in {}.", paper.name,
                        format_count(figures.figures_.size(), "measurement", "measurements"),
                        format_seconds(figures.seconds_)));
  return figures;
}

std::unique_ptr<const Team> PaperBench::make_team(const std::string& method, std::uint32_t gpus) {
  SessionOptions machine = machine_;
  machine.method = method;
  std::vector<std::string> names;
  for (std::uint32_t i = 0; i < gpus; ++i) names.push_back(infos_[i].name);
  machine.devices = fmt::format("{}", fmt::join(names, ","));
  return std::make_unique<const Team>(machine, threads_, log_);
}

PaperFigure PaperBench::search(const PaperWork& work, PaperData& data) {
  const PaperTask& task = work.tasks.front();
  const std::shared_ptr<const SortedSequences> database = data.database(task.database);
  const SequenceSet queries = data.queries(work.tasks);
  const Scoring scoring = task.scoring();
  engine::SearchOptions options{.asked = {.detail = Detail::score, .max_target_seqs = 10, .evalue = 1e300}};
  options.asked.significance = false;
  options.memory_bytes = machine_.memory_bytes;
  const auto run = [&] { return search_hits(queries, database, scoring, options, *team_->call()); };
  if (loaded_ != database) stopwatch_.warm_up(name_of(work) + ": upload", team_->devices(), run);
  loaded_ = database;
  return {.measured = measure(work, queries.total_residues() * database->set().total_residues(), run),
          .subjects = describe(database->set(), database->size()),
          .pairs = std::uint64_t{queries.size()} * database->size(),
          .part = static_cast<double>(database->size()) / task.database.sequences};
}

PaperFigure PaperBench::align(const PaperWork& work, PaperData& data) {
  const PaperTask& task = work.tasks.front();
  const SpreadSet& drawn = data.set(task.set);
  const SequenceSet& set = drawn.sequences;
  const Problem problem{task.scoring(), task.detail};
  const PairSums sums = align_set(sample(set), problem, true, *team_->call());
  const auto run = [&] {
    align_set(set, problem, false, *team_->call());
    return sums.checksum;
  };
  const double all_pairs = 0.5 * task.set.count * (task.set.count - 1.0);
  return {.measured = measure(work, cells_of_pairs(set), run),
          .subjects = describe(set, drawn.distinct),
          .pairs = pairs_of(set),
          .part = static_cast<double>(pairs_of(set)) / all_pairs};
}

Measurement PaperBench::measure(const PaperWork& work, std::uint64_t cells,
                                const std::function<std::uint64_t()>& run) {
  const std::string name = name_of(work);
  Measurement measured = stopwatch_.measure(name, cells, team_->devices(), run);
  const double few = work.method == kAlnus ? kFewCellsOfAlnus : kFewCells;
  if (measured.seconds.size() > 1 || static_cast<double>(cells) >= few) return measured;
  Measurement again = several_.measure(name, cells, team_->devices(), run);
  expect_same(name, measured.checksum, again.checksum);
  const double seconds = median(again.seconds);
  if (seconds >= kMoment || part_ < 1) return again;
  const auto runs =
      static_cast<std::uint32_t>(kSecondsOfMoments / std::max(seconds, kSecondsOfMoments / 10000));
  Measurement many = Stopwatch({.runs = runs}, log_).measure(name, cells, team_->devices(), run);
  expect_same(name, measured.checksum, many.checksum);
  return many;
}

}  // namespace alnus::bench

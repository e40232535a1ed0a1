#include "cli/estimate.h"

#include <algorithm>
#include <fmt/format.h>
#include <string_view>

#include "cli/units.h"

namespace alnus::cli {
namespace {

// Averages over a set: what a row of the output is made of.
struct Lengths {
  double residues = 0, header = 0, id = 0;

  explicit Lengths(const SequenceSet& set) {
    if (set.empty()) return;
    residues = static_cast<double>(set.total_residues()) / set.size();
    header = static_cast<double>(set.arrays().headers.size()) / set.size();
    constexpr SequenceSet::Index kSample = 1000;
    const SequenceSet::Index sampled = std::min(set.size(), kSample);
    for (SequenceSet::Index i = 0; i < sampled; ++i) id += static_cast<double>(set[i].id().size());
    id /= sampled;
  }
};

double column_bytes(std::string_view column, const Lengths& query, const Lengths& subject) {
  constexpr double kNumber = 7;
  if (column == "qseqid" || column == "qaccver") return query.id;
  if (column == "sseqid" || column == "saccver") return subject.id;
  if (column == "qtitle") return query.header;
  if (column == "stitle") return subject.header;
  if (column == "full_qseq") return query.residues;
  if (column == "full_sseq") return subject.residues;
  if (column == "qseq" || column == "sseq" || column == "btop" || column == "cigar")
    return std::max(query.residues, subject.residues);
  return kNumber;
}

double row_bytes(const io::OutputFormat& format, const Lengths& query, const Lengths& subject) {
  const double columns = std::max(query.residues, subject.residues);
  const double names = query.header + subject.header;
  using Kind = io::OutputFormat::Kind;
  switch (format.kind) {
    case Kind::pairwise:  // three lines of 60 columns with 20 beside them, and a head
      return 200 + subject.header + columns * 4;
    case Kind::srspair:  // three lines of 50 columns with 30 beside them, and a head
      return 700 + names + columns * 4.8;
    case Kind::sam:
      return 100 + query.id + subject.id + columns * 1.5;
    case Kind::jsonl:
      return 400 + names + columns * 3;
    case Kind::tabular:
    case Kind::tabular_comments:
    case Kind::csv:
      break;
  }
  double bytes = 0;
  for (const std::string& column : format.columns) bytes += 1 + column_bytes(column, query, subject);
  return bytes;
}

// All devices at once, each by its own estimate of the whole.
double expected_seconds(const Workload& work, const io::OutputFormat& format, const Devices& devices) {
  constexpr double kPasses = 6;  // over most pairs, for the range of an identity
  const Problem score{work.problem.scoring, Detail::score};
  const double passes = kPasses * static_cast<double>(format.identity_ranges().size());
  double shares_per_second = 0;
  for (const std::unique_ptr<Device>& device : devices) {
    if (device->info().standby || !device->declines(work.problem).empty() || count_pairs(work) == 0) continue;
    const std::shared_ptr<const Resident> rows = device->load(work.queries),
                                          columns = device->load(work.subjects);
    Tile tile;
    tile.rows = rows.get();
    tile.columns = columns.get();
    tile.shape = work.shape;
    tile.cells = count_cells(work);
    if (work.shape == TileShape::list) {
      tile.pairs = {{0, 0}};  // stands for all of them: the cells decide
    } else {
      tile.row_range = {0, rows->size()};
      tile.column_range = {0, columns->size()};
    }
    const double all_slots =
        device->estimate(tile, work.problem).seconds + passes * device->estimate(tile, score).seconds;
    const double seconds = all_slots / device->info().concurrency;
    if (seconds > 0) shares_per_second += 1 / seconds;
  }
  return shares_per_second > 0 ? 1 / shares_per_second : 0;
}

}  // namespace

std::uint64_t count_pairs(const Workload& work) {
  if (work.pair_count) return *work.pair_count;
  return work.shape == TileShape::list ? work.pairs.size()
                                       : std::uint64_t{work.queries.size()} * work.subjects.size();
}

std::uint64_t count_cells(const Workload& work) {
  if (work.cells) return *work.cells;
  if (work.shape != TileShape::list) return work.queries.total_residues() * work.subjects.total_residues();
  std::uint64_t cells = 0;
  for (const PairIndex& pair : work.pairs)
    cells += std::uint64_t{work.queries.length(pair.row)} * work.subjects.length(pair.column);
  return cells;
}

std::string describe_cost(const Workload& work, const io::OutputFormat& format, const Devices& devices) {
  std::vector<std::string> names;
  for (const std::unique_ptr<Device>& device : devices) names.push_back(device->info().name);
  const double bytes =
      static_cast<double>(work.rows) * row_bytes(format, Lengths(work.queries), Lengths(work.subjects)) +
      static_cast<double>(work.other_bytes);
  const double seconds = expected_seconds(work, format, devices);
  return fmt::format(
      "queries: {}\nsubjects: {}\npairs: {}\ncells: {}\nexpected seconds: {:.3g} ({})\n"
      "output rows: at most {}\noutput bytes: about {:.0f} ({})\n",
      work.queries.size(), work.subjects.size(), count_pairs(work), count_cells(work), seconds,
      fmt::join(names, ", "), work.rows, bytes, format_bytes(bytes));
}

}  // namespace alnus::cli

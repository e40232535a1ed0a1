#include "api/checkpoint.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <system_error>
#include <vector>

#include "alnus/error.h"
#include "io/atomic_file.h"

namespace alnus::api {
namespace {

[[noreturn]] void fail(const std::string& message) { throw Error(ErrorKind::input, message); }

std::string describe_matrix(const SubstitutionMatrix& matrix) {
  std::string values;
  const int letters = Alphabet::of(matrix.alphabet()).size();
  for (int query = 0; query < letters; ++query)
    for (int subject = 0; subject < letters; ++subject)
      values += fmt::format("{} ", matrix.value(static_cast<Residue>(query), static_cast<Residue>(subject)));
  return fmt::format("{} ({})", matrix.name(), values);
}

std::string describe_filter(const engine::ScaledFilter& filter) {
  std::string text = fmt::format("min-score {}, min-identity {} of {}, evalue {}",
                                 filter.min_score ? fmt::format("{}", *filter.min_score) : "none",
                                 filter.min_identity ? fmt::format("{}", *filter.min_identity) : "none",
                                 static_cast<int>(filter.denominator),
                                 filter.evalue ? fmt::format("{}", *filter.evalue) : "none");
  if (filter.min_coverage)
    text +=
        fmt::format(", min-coverage {} of {}", *filter.min_coverage, static_cast<int>(filter.coverage_of));
  if (filter.min_length) text += fmt::format(", min-length {}", *filter.min_length);
  return text;
}

// What significance depends on, to the last digit.
std::string describe_exactly(const engine::AllPairsOptions& options) {
  const engine::StatisticsOptions& statistics = options.statistics;
  std::string text(to_string(statistics.method));
  if (statistics.method == StatisticsMethod::zvalue)
    text += fmt::format(", {} shuffles of {} by seed {}, {} sequences", statistics.shuffles.shuffles,
                        static_cast<int>(statistics.shuffles.sides), statistics.shuffles.seed,
                        statistics.space.sequences);
  if (!statistics.by_parameters_now()) return text;
  const stats::KarlinParameters& p = *statistics.parameters;
  text += fmt::format(", {} {} {} {} {} {}, composition {}", p.lambda, p.K, p.alpha, p.beta, p.alpha_v,
                      p.sigma, statistics.composition);
  const SearchSpace& space = statistics.space;
  if (space.cells) return text + fmt::format(", {} cells", *space.cells);
  text += fmt::format(", {} residues", space.residues);
  if (statistics.method == StatisticsMethod::karlin) text += fmt::format(", {} sequences", space.sequences);
  return text;
}

std::string describe(const engine::RowFields& fields) {
  std::vector<int> ranges;
  for (const Denominator denominator : fields.identity_ranges)
    ranges.push_back(static_cast<int>(denominator));
  return fmt::format("{}, ranges of {}", fields.cigars ? "CIGARs" : "no CIGARs", fmt::join(ranges, ","));
}

std::string describe(const std::optional<Block>& block) {
  if (!block) return "all";
  return fmt::format("rows {} to {}, columns {} to {}", block->rows.begin, block->rows.end,
                     block->columns.begin, block->columns.end);
}

// Names of options, or phrases that begin with "the".
std::vector<std::pair<std::string, std::string>> describe(const RunDescription& run) {
  const PairJob& job = run.job;
  const FreeEnds& free = job.scoring.free_ends;
  const PairFiles& files = job.files;
  return {
      {"mask", run.masking},  // first: it changes the sequences
      {"the sequences", run.set_digest},
      {"against", run.other_digest},
      {"self", job.pairs.self() ? "yes" : "no"},
      {"the block", describe(job.pairs.is_whole() ? std::nullopt : std::optional(job.pairs.block()))},
      {"mode", std::string(to_string(job.scoring.mode))},
      {"free_ends", fmt::format("{}{}{}{}", int{free.query_begin}, int{free.query_end},
                                int{free.subject_begin}, int{free.subject_end})},
      {"matrix", describe_matrix(job.scoring.matrix)},
      {"the gap costs", fmt::format("{} of {}", job.scoring.format_gaps(), job.scoring.scale)},
      {"detail", fmt::format("{}", static_cast<int>(run.options.fields.detail))},
      {"outfmt",
       fmt::format("{} {}", static_cast<int>(files.format.kind), fmt::join(files.format.columns, " "))},
      {"the columns", describe(run.options.fields)},
      {"the filters", describe_filter(run.options.filter)},
      {"the statistics", describe_exactly(run.options)},
      {"matrix_value",
       fmt::format("{} of {}, type {}, {}", static_cast<int>(job.value.kind),
                   static_cast<int>(job.value.denominator), static_cast<int>(matrix_type(job)),
                   files.square ? "square" : "condensed")},
      {"edge_threshold", files.edge_threshold ? fmt::format("{}", *files.edge_threshold) : "none"},
      {"output", files.rows},
      {"matrix_out", files.matrix},
      {"phylip", files.phylip},
      {"edges", files.edges},
  };
}

[[noreturn]] void refuse(const io::LedgerDirectory& directory, const std::string& what) {
  const bool phrase = what.starts_with("the ");
  fail(fmt::format(
      "The ledger in {} is of another run: {} differ{}. Go on with what that run was given, or name another "
      "directory.",
      directory.path(), phrase ? what : option(what), phrase && what.ends_with('s') ? "" : "s"));
}

// The finished file as the beginning of an unfinished one. Where nothing was written there is nothing to go
// on with, though a compressed file has some bytes.
void copy_as_unfinished(const std::string& path, std::uint64_t bytes, const StopFlag& stop) {
  if (bytes == 0) return;
  std::error_code error;
  if (std::filesystem::file_size(path, error) != bytes || error)
    fail(fmt::format("{} is not as the finished run left it ({} bytes), so nothing can be added to it.", path,
                     bytes));
  std::ifstream from(path, std::ios::binary);
  io::AtomicFile to(path);
  std::vector<char> block(1 << 20);
  for (std::uint64_t left = bytes; left > 0;) {
    stop.throw_if_requested();
    const std::uint64_t count = std::min<std::uint64_t>(left, block.size());
    if (!from.read(block.data(), static_cast<std::streamsize>(count)))
      throw Error(ErrorKind::other, fmt::format("Cannot read {} to extend it.", path));
    to.write(block.data(), count);
    left -= count;
  }
  to.sync();
}

// The values of the known rows, where they belong among more.
void extend_matrix(const PairJob& job, SequenceSet::Index known, const StopFlag& stop) {
  constexpr std::uint64_t kValues = 1 << 22;  // at a time
  const std::string& path = job.files.matrix;
  const io::MatrixShape shape = matrix_shape(job);
  io::MatrixShape of_known = shape;
  of_known.rows = of_known.columns = known;
  const io::MatrixReader from(path, of_known, matrix_type(job));
  io::MatrixFile to(path, shape, matrix_type(job));
  for (SequenceSet::Index begin = 0; begin < known;) {
    stop.throw_if_requested();
    const auto end =
        static_cast<SequenceSet::Index>(std::min<std::uint64_t>(known, begin + 1 + kValues / known));
    const std::vector<double> values = from.read(begin, end);
    to.write({{begin, end}, {0, end}, values, nullptr});
    begin = end;
  }
  to.sync();
}

}  // namespace

Checkpoint::Checkpoint(const RunDescription& run, const std::optional<KnownRows>& known,
                       engine::AllPairsOptions& options, const StopFlag& stop)
    : directory_(run.job.files.checkpoint) {
  const PairFiles& files = run.job.files;
  ledger_.run = describe(run);
  ledger_.stripe_cells = options.stripe_cells;
  ledger_.memory_bytes = options.memory_bytes;
  const std::optional<io::Ledger> kept = directory_.load();
  if (!kept) {
    if (!known) return;
    fail(fmt::format("There is no ledger in {}: {} extends a finished run with {}.", directory_.path(),
                     option("add"), option("checkpoint")));
  }
  if (const auto* differs = first_difference(*kept, ledger_); !differs) {
    ledger_ = *kept;
  } else {
    io::Ledger before = ledger_;
    if (known) {
      RunDescription of_known = run;
      of_known.set_digest = known->digest;
      before.run = describe(of_known);
    }
    differs = first_difference(*kept, before);
    if (differs) refuse(directory_, differs->first);
    if (!kept->finished)
      fail(fmt::format(
          "The run in {} is not finished: nothing can be added to it yet. Finish it first, without "
          "{}.",
          directory_.path(), option("add")));
    for (const auto& [path, bytes] : kept->outputs) {
      if (path == files.matrix)
        extend_matrix(run.job, known->count, stop);
      else
        copy_as_unfinished(path, bytes, stop);
    }
    before = *kept;
    before.run = ledger_.run;
    before.finished = false;
    if (!files.matrix.empty()) before.outputs[files.matrix] = io::file_bytes(matrix_shape(run.job));
    ledger_ = before;
    directory_.save(ledger_);
  }
  options.stripe_cells = ledger_.stripe_cells;
  // As the run began, so that compressed files end their parts where they would have, but never more than the
  // session has.
  options.memory_bytes = std::min(options.memory_bytes, ledger_.memory_bytes);
  options.statistics.memory_bytes = options.memory_bytes;
}

void Checkpoint::save(const engine::Stripe& stripe, const engine::StripeState& after,
                      const OutputSizes& outputs) {
  ledger_.next_row = after.next_row;
  ledger_.left = after.left;
  ledger_.listed += stripe.listed.size();
  ledger_.empty += stripe.empty;
  ledger_.outputs = outputs;
  directory_.save(ledger_);
}

void Checkpoint::finish() {
  ledger_.finished = true;
  directory_.save(ledger_);
}

}  // namespace alnus::api

#include "cli/checkpoint.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <system_error>
#include <vector>

#include "alnus/error.h"
#include "io/atomic_file.h"

namespace alnus::cli {
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

std::string describe_filter(const engine::PairFilter& filter) {
  return fmt::format("min-score {}, min-identity {} of {}, evalue {}",
                     filter.min_score ? fmt::format("{}", *filter.min_score) : "none",
                     filter.min_identity ? fmt::format("{}", *filter.min_identity) : "none",
                     static_cast<int>(filter.denominator),
                     filter.evalue ? fmt::format("{}", *filter.evalue) : "none");
}

// What significance depends on, to the last digit.
std::string describe_exactly(const engine::AllPairsOptions& options) {
  const engine::StatisticsOptions& statistics = options.statistics;
  std::string text(to_string(statistics.method));
  if (statistics.method == stats::Method::zvalue)
    text += fmt::format(", {} shuffles of {}, {} sequences", statistics.shuffles.shuffles,
                        static_cast<int>(statistics.shuffles.sides), statistics.space.sequences);
  if (!statistics.by_parameters_now()) return text;
  const stats::KarlinParameters& p = *statistics.parameters;
  text += fmt::format(", {} {} {} {} {} {}, composition {}", p.lambda, p.K, p.alpha, p.beta, p.alpha_v,
                      p.sigma, statistics.composition);
  const stats::SearchSpace& space = statistics.space;
  if (space.cells) return text + fmt::format(", {} cells", *space.cells);
  text += fmt::format(", {} residues", space.residues);
  if (statistics.method == stats::Method::karlin) text += fmt::format(", {} sequences", space.sequences);
  return text;
}

// By the words that a user knows them by.
std::vector<std::pair<std::string, std::string>> describe(const RunDescription& run) {
  const Scoring& scoring = run.scoring;
  const FreeEnds& free = scoring.free_ends;
  const PairOutputOptions& outputs = run.outputs;
  const bool one_set = run.pairs.one_set();
  return {
      {"--mask", run.common.masking.name()},  // first: it changes the sequences
      {"the sequences", run.set_digest},
      {"--against", one_set ? "none" : io::digest_of({&run.pairs.columns(), 1})},
      {"--self", run.pairs.self() ? "yes" : "no"},
      {"--mode", std::string(to_string(scoring.mode))},
      {"--free-ends", fmt::format("{}{}{}{}", int{free.query_begin}, int{free.query_end},
                                  int{free.subject_begin}, int{free.subject_end})},
      {"--matrix", describe_matrix(scoring.matrix)},
      {"the gap costs", fmt::format("{} of {}", scoring.format_gaps(), scoring.scale)},
      {"--detail", fmt::format("{}", static_cast<int>(run.options.detail))},
      {"--outfmt", fmt::format("{} {}", static_cast<int>(run.common.format.kind),
                               fmt::join(run.common.format.columns, " "))},
      {"the filters", describe_filter(run.options.filter)},
      {"the statistics", describe_exactly(run.options)},
      {"--matrix-value", fmt::format("{} of {}, type {}, {}", static_cast<int>(outputs.value_kind),
                                     static_cast<int>(outputs.denominator), static_cast<int>(outputs.type()),
                                     outputs.square ? "square" : "condensed")},
      {"--edge-threshold", outputs.edge_threshold ? fmt::format("{}", *outputs.edge_threshold) : "none"},
      {"-o", run.common.output},
      {"--matrix-out", outputs.matrix},
      {"--phylip", outputs.phylip},
      {"--edges", outputs.edges},
  };
}

[[noreturn]] void refuse(const io::LedgerDirectory& directory, const std::string& what) {
  fail(fmt::format(
      "The ledger in {} is of another run: {} differ{}. Go on with what that run was given, or name "
      "another directory.",
      directory.path(), what, what.starts_with("the ") ? "" : "s"));
}

// The finished file as the beginning of an unfinished one. Where nothing was written there is nothing to go
// on with, though a compressed file has some bytes.
void copy_as_unfinished(const std::string& path, std::uint64_t bytes) {
  if (bytes == 0) return;
  std::error_code error;
  if (std::filesystem::file_size(path, error) != bytes || error)
    fail(fmt::format("{} is not as the finished run left it ({} bytes), so nothing can be added to it.", path,
                     bytes));
  std::ifstream from(path, std::ios::binary);
  io::AtomicFile to(path);
  std::vector<char> block(1 << 20);
  for (std::uint64_t left = bytes; left > 0;) {
    const std::uint64_t count = std::min<std::uint64_t>(left, block.size());
    if (!from.read(block.data(), static_cast<std::streamsize>(count)))
      throw Error(ErrorKind::other, fmt::format("Cannot read {} to extend it.", path));
    to.write(block.data(), count);
    left -= count;
  }
  to.sync();
}

// The values of the known rows, where they belong among more.
void extend_matrix(const RunDescription& run, SequenceSet::Index known) {
  constexpr std::uint64_t kValues = 1 << 22;  // at a time
  const io::MatrixShape shape = run.outputs.shape(run.pairs);
  io::MatrixShape of_known = shape;
  of_known.rows = of_known.columns = known;
  const io::MatrixReader from(run.outputs.matrix, of_known, run.outputs.type());
  io::MatrixFile to(run.outputs.matrix, shape, run.outputs.type());
  for (std::uint64_t begin = 0; begin < known;) {
    const std::uint64_t end = std::min<std::uint64_t>(known, begin + 1 + kValues / known);
    const std::vector<double> values = from.read(begin, end);
    to.write({begin, end, end, values});
    begin = end;
  }
  to.sync();
}

}  // namespace

Checkpoint::Checkpoint(const std::string& directory, const RunDescription& run, SequenceSet::Index known,
                       const std::optional<std::string>& known_digest, engine::AllPairsOptions& options)
    : directory_(directory) {
  ledger_.run = describe(run);
  ledger_.stripe_cells = options.stripe_cells;
  ledger_.memory_bytes = options.memory_bytes;
  if (const std::optional<io::Ledger> kept = directory_.load()) {
    const auto* differs = first_difference(*kept, ledger_);
    if (!differs) {
      ledger_ = *kept;
    } else {
      io::Ledger before = ledger_;
      if (known_digest) {
        RunDescription of_known = run;
        of_known.set_digest = *known_digest;
        before.run = describe(of_known);
      }
      differs = first_difference(*kept, before);
      if (differs) refuse(directory_, differs->first);
      if (!kept->finished)
        fail(fmt::format(
            "The run in {} is not finished: nothing can be added to it yet. Finish it first, without "
            "--add.",
            directory));
      for (const auto& [path, bytes] : kept->outputs) {
        if (path == run.outputs.matrix)
          extend_matrix(run, known);
        else
          copy_as_unfinished(path, bytes);
      }
      before = *kept;
      before.run = ledger_.run;
      before.finished = false;
      if (!run.outputs.matrix.empty())
        before.outputs[run.outputs.matrix] = io::file_bytes(run.outputs.shape(run.pairs));
      ledger_ = before;
      directory_.save(ledger_);
    }
    options.stripe_cells = ledger_.stripe_cells;
    options.memory_bytes = ledger_.memory_bytes;
  } else if (known_digest) {
    fail(fmt::format("There is no ledger in {}: --add extends a finished run with --checkpoint.", directory));
  }
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

}  // namespace alnus::cli

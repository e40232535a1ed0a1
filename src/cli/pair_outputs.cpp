#include "cli/pair_outputs.h"

#include <CLI/CLI.hpp>
#include <array>

#include "alnus/error.h"
#include "cli/values.h"

namespace alnus::cli {

std::optional<engine::MatrixValue> PairOutputOptions::value() const {
  if (matrix.empty() && phylip.empty()) return std::nullopt;
  return engine::MatrixValue{value_kind, denominator};
}

void add_pair_outputs(CLI::App& command, PairOutputOptions& options) {
  constexpr const char* kGroup = "Output";
  command
      .add_option_function<std::string>(
          "--identity",
          [&options](const std::string& text) {
            constexpr std::array<std::string_view, kDenominators> kWords = {"alignment", "ungapped",
                                                                            "shorter", "longer", "mean"};
            options.denominator = static_cast<Denominator>(choose("--identity", text, kWords));
          },
          "What identical residues are divided by in filters and matrices: columns of the alignment, those "
          "without gaps, or the shorter, longer or mean length")
      ->type_name("WORD")
      ->default_str("alignment")
      ->take_last()
      ->group(kGroup);
}

PairOutputs::PairOutputs(const PairOutputOptions& options, const CommonOptions& common,
                         const Scoring& scoring, const engine::AllPairs& pairs, const Session& session)
    : pairs_(pairs), scoring_(scoring) {
  if (options.rows(common))
    report_.emplace(common, scoring, Inputs{pairs.rows(), pairs.columns()}, pairs.columns().origin(),
                    session);
}

void PairOutputs::write(const engine::Stripe& stripe) {
  if (report_) write_rows(stripe);
}

void PairOutputs::write_rows(const engine::Stripe& stripe) {
  const auto parameters = stats::published_parameters(scoring_);
  const SequenceSet& database = pairs_.columns();
  for (const engine::ListedPair& pair : stripe.listed) {
    io::Hit hit;
    hit.subject_index = pair.j;
    hit.subject = database[pair.j];
    hit.alignment = {pair.score,   pair.i_begin, pair.i_end,
                     pair.j_begin, pair.j_end,   {pair.cigar.begin(), pair.cigar.end()}};
    hit.counts = pair.counts;
    if (parameters && pairs_.rows().length(pair.i) > 0) {
      const stats::QueryStatistics statistics = stats::query_statistics(
          *parameters, scoring_, pairs_.rows().length(pair.i), database.total_residues(), database.size());
      hit.bits = statistics.bits(pair.score);
      hit.evalue = statistics.evalue(pair.score);
    }
    report_->query(pairs_.rows()[pair.i], std::span(&hit, 1), nullptr);
  }
}

void PairOutputs::finish() {
  if (report_) report_->finish();
}

}  // namespace alnus::cli

// The published parameters of a scoring. They are looked up by the values of scores and costs, not by the
// matrix' name.
#include <algorithm>
#include <charconv>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/embedded.h"
#include "stats/evalue.h"
#include "stats/karlin.h"

namespace alnus::stats {
namespace {

// Returns the rows of a table, split at tabs, without comments and header.
std::vector<std::vector<std::string_view>> table_rows(std::string_view text) {
  std::vector<std::vector<std::string_view>> result;
  bool header = true;
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (line.empty() || line.starts_with('#') || std::exchange(header, false)) continue;
    std::vector<std::string_view>& fields = result.emplace_back();
    for (std::size_t tab; (tab = line.find('\t')) != std::string_view::npos; line.remove_prefix(tab + 1))
      fields.push_back(line.substr(0, tab));
    fields.push_back(line);
  }
  return result;
}

double number(std::string_view text) {
  double value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

// Returns the parameters of five fields, which both tables have side by side: lambda, K, H, alpha, beta.
KarlinParameters parameters(std::span<const std::string_view> fields) {
  KarlinParameters result;
  result.lambda = number(fields[0]);
  result.K = number(fields[1]);
  result.H = number(fields[2]);
  result.alpha = number(fields[3]);
  result.beta = number(fields[4]);
  return result;
}

bool same_amino_acid_scores(const SubstitutionMatrix& a, const SubstitutionMatrix& b) {
  constexpr Residue kAminoAcids = 20;
  for (Residue query = 0; query < kAminoAcids; ++query)
    for (Residue subject = 0; subject < kAminoAcids; ++subject)
      if (a.value(query, subject) != b.value(query, subject)) return false;
  return true;
}

// Returns the published parameters of a protein scoring. Only the scores of the twenty amino acids are
// compared: variants of a matrix, which differ in B, J, Z and X, have the same parameters. Gap costs of 32767
// are NCBI's way to say ungapped, which is inf in the table.
std::optional<KarlinParameters> published_protein(const Scoring& scoring) {
  if (scoring.scale != 1) return std::nullopt;
  constexpr double kUngapped = 32767;
  const auto cost = [&](std::string_view field) { return field == "inf" ? kUngapped : number(field); };
  const std::vector<std::string> builtin = SubstitutionMatrix::builtin_names();
  static const auto table = table_rows(embedded_text("stats/gapped_karlin.tsv"));
  // The row with gap costs inf, which comes before the other rows of its matrix.
  const auto* ungapped = static_cast<const std::vector<std::string_view>*>(nullptr);
  for (const auto& row : table) {
    if (row[1] == "inf") ungapped = &row;
    if (cost(row[1]) != scoring.open || cost(row[2]) != scoring.extend) continue;
    if (std::find(builtin.begin(), builtin.end(), row[0]) == builtin.end()) continue;
    if (!same_amino_acid_scores(scoring.matrix, SubstitutionMatrix::builtin(row[0]))) continue;
    KarlinParameters found = parameters(std::span(row).subspan(3));
    found.alpha_v = number(row[9]);
    found.sigma = number(row[10]);
    found.alpha_ungapped = number((*ungapped)[6]);
    found.alpha_v_ungapped = number((*ungapped)[9]);
    return found;
  }
  return std::nullopt;
}

struct MatchMismatch {
  std::int32_t match, mismatch;
};

std::optional<MatchMismatch> match_mismatch(const SubstitutionMatrix& matrix) {
  const MatchMismatch result{matrix.value(0, 0), matrix.value(0, 1)};
  for (Residue a = 0; a < 4; ++a)
    for (Residue b = 0; b < 4; ++b)
      if (matrix.value(a, b) != (a == b ? result.match : result.mismatch)) return std::nullopt;
  if (result.match <= 0 || result.mismatch >= 0) return std::nullopt;
  return result;
}

// Returns the parameters of ungapped DNA alignments, for gap costs that are so large that alignments have no
// gaps: with uniform base frequencies, and with blastn's beta.
KarlinParameters ungapped_dna(std::int32_t match, std::int32_t mismatch) {
  const UngappedParameters ungapped = ungapped_parameters({{match, 0.25}, {mismatch, 0.75}});
  const bool near_linear = (match == 1 && mismatch == -1) || (match == 2 && mismatch == -3);
  KarlinParameters result;
  result.lambda = ungapped.lambda;
  result.K = ungapped.K;
  result.H = ungapped.H;
  result.alpha = ungapped.lambda / ungapped.H;
  result.beta = near_linear ? -2 : 0;
  return result;
}

// Returns the published parameters of a DNA scoring. Match and mismatch of a table row have no common
// divisor. A scoring whose match, mismatch and gap costs are multiples of a row, by the same factor, is the
// row's scoring in other units.
std::optional<KarlinParameters> published_dna(const Scoring& scoring) {
  const std::optional<MatchMismatch> scores = match_mismatch(scoring.matrix);
  if (!scores) return std::nullopt;
  const std::int32_t unit = std::gcd(scores->match, scores->mismatch);
  const std::int32_t match = scores->match / unit, mismatch = scores->mismatch / unit;
  // megablast calls linear gap costs 0/0: each gap residue costs match / 2 - mismatch.
  const bool linear = scoring.open == 0 && 2 * scoring.extend == scores->match - 2 * scores->mismatch;

  std::optional<KarlinParameters> found, ungapped;
  static const auto table = table_rows(embedded_text("stats/gapped_karlin_nt.tsv"));
  for (const auto& row : table) {
    if (number(row[0]) != match || number(row[1]) != mismatch) continue;
    const double open = number(row[2]) * unit, extend = number(row[3]) * unit;
    const bool row_is_linear = open == 0 && extend == 0;
    const bool same_costs = scoring.open == open && scoring.extend == extend;
    if (!found && (row_is_linear ? linear : same_costs)) found = parameters(std::span(row).subspan(4));
    if (!ungapped && scoring.open >= number(row[11]) * unit && scoring.extend >= number(row[12]) * unit)
      ungapped = ungapped_dna(match, mismatch);
    for (std::optional<KarlinParameters>* either : {&found, &ungapped})
      if (*either) (*either)->round_down = row[10] == "1";
  }
  if (!found) found = ungapped;
  if (!found) return std::nullopt;
  const double units_per_score = static_cast<double>(scoring.scale) / unit;
  found->lambda *= units_per_score;
  found->alpha *= units_per_score;
  return found;
}

}  // namespace

std::optional<KarlinParameters> published_parameters(const Scoring& scoring) {
  if (scoring.mode != Mode::local) return std::nullopt;
  return scoring.matrix.alphabet() == AlphabetKind::protein ? published_protein(scoring)
                                                            : published_dna(scoring);
}

}  // namespace alnus::stats

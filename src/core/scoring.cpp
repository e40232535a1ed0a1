#include "alnus/scoring.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <numeric>
#include <span>
#include <utility>

#include "alnus/error.h"
#include "alnus/text.h"
#include "core/decimal.h"
#include "core/preset.h"
#include "core/refuse_input.h"

namespace alnus {
namespace {

struct GapCosts {
  std::string_view open, extend;
  GapConvention convention = GapConvention::ncbi;
};

// The scoring that another program uses by default. An empty gap cost means the matrix' default.
struct Preset {
  std::string_view name;
  std::string_view protein_matrix, dna_matrix;  // empty: the preset does not have this alphabet
  GapCosts gaps;
  Mode mode;
  bool has_match_scores = false;  // for nucleotides match 2 and mismatch -3, not a matrix
};

constexpr std::array kPresets = {
    Preset{"blastp", "BLOSUM62.ncbi25", "", {}, Mode::local},
    Preset{"blastn", "", "", {}, Mode::local, true},
    Preset{"ssearch", "BLOSUM50", "", {"10", "2"}, Mode::local},
    Preset{"emboss-needle", "BLOSUM62", "NUC44", {"10", "0.5", GapConvention::emboss}, Mode::semiglobal},
    Preset{"emboss-water", "BLOSUM62", "NUC44", {"10", "0.5", GapConvention::emboss}, Mode::local},
};

// The published default gap costs of each matrix, as blastp has them. GONNET has the costs of PAM250, a
// matrix for the same evolutionary distance, and in about the same units. See docs/scoring.md.
constexpr std::array<std::pair<std::string_view, GapCosts>, 9> kDefaultGaps = {{
    {"BLOSUM45", {"14", "2"}},
    {"BLOSUM50", {"13", "2"}},
    {"BLOSUM80", {"10", "1"}},
    {"BLOSUM90", {"10", "1"}},
    {"PAM30", {"9", "1"}},
    {"PAM70", {"10", "1"}},
    {"PAM250", {"14", "2"}},
    {"GONNET", {"14", "2"}},
    {"NUC44", {"10", "6"}},
}};
constexpr GapCosts kProteinGaps = {"11", "1"}, kDnaGaps = {"5", "2"};

Mode mode_of(const std::string& word) {
  if (word == "glocal")  // may mean local or global ends, so it is no mode here
    refuse_input(fmt::format("There is no mode {}; did you mean semiglobal?", in_quotes(word)));
  return parse_word<Mode>("mode", word);
}

const Preset* find_preset(const std::string& name) {
  if (name.empty()) return nullptr;
  const auto found =
      std::ranges::find_if(kPresets, [&](const Preset& preset) { return is_word(name, preset.name); });
  if (found == kPresets.end()) throw unknown_word("preset", name, preset_names());
  return &*found;
}

SubstitutionMatrix match_mismatch(const ScoringOptions& options) {
  return SubstitutionMatrix::match_mismatch(options.match.empty() ? "2" : options.match,
                                            options.mismatch.empty() ? "-3" : options.mismatch);
}

SubstitutionMatrix choose_matrix(const ScoringOptions& options, const Preset* preset) {
  const bool dna = options.alphabet == AlphabetKind::dna;
  if (!options.match.empty() || !options.mismatch.empty()) {
    if (!dna)
      refuse_input(
          fmt::format("Match and mismatch scores are for nucleotides: add {} dna, or choose a matrix.",
                      option("alphabet")));
    if (!options.matrix.empty())
      refuse_input(
          fmt::format("Choose either the matrix {} or match and mismatch scores, not both.", options.matrix));
    return match_mismatch(options);
  }
  if (!options.matrix_text.empty())
    return SubstitutionMatrix::parse(options.matrix_text, options.matrix, options.alphabet);

  std::string_view name = options.matrix;
  if (name.empty() && preset) {
    if (dna && preset->has_match_scores) return match_mismatch(options);
    name = dna ? preset->dna_matrix : preset->protein_matrix;
    if (name.empty())
      refuse_input(fmt::format("The preset {} is for {}; for {} choose a matrix and gap costs.", preset->name,
                               dna ? "proteins" : "nucleotides", dna ? "nucleotides" : "proteins"));
  }
  if (name.empty()) name = dna ? "NUC44" : "BLOSUM62";
  SubstitutionMatrix matrix = SubstitutionMatrix::builtin(name);
  if (matrix.alphabet() != options.alphabet)
    refuse_input(fmt::format(
        "The matrix {} is for the {} alphabet, but the sequences are read as {}; choose another "
        "matrix or alphabet.",
        matrix.name(), Alphabet::of(matrix.alphabet()).name(), Alphabet::of(options.alphabet).name()));
  return matrix;
}

GapCosts default_gaps(const SubstitutionMatrix& matrix, const Preset* preset) {
  if (preset && !preset->gaps.open.empty()) return preset->gaps;
  const std::string_view name = matrix.name();
  for (const auto& [known, gaps] : kDefaultGaps)
    if (name == known || (name.starts_with(known) && name.substr(known.size()) == ".ncbi25")) return gaps;
  return matrix.alphabet() == AlphabetKind::dna ? kDnaGaps : kProteinGaps;
}

Decimal gap_cost(std::string_view what, std::string_view text) {
  const std::optional<Decimal> value = parse_decimal(text);
  const std::size_t point = std::min(text.find('.'), text.size());
  if (text.find_first_not_of("0123456789.") == text.npos && text.size() > point + 1 + kMostDecimals)
    refuse_input(fmt::format("{} has at most {} decimals, not as many as {}.", option(what), kMostDecimals,
                             in_quotes(text)));
  if (!value || value->numerator < 0)
    refuse_input(fmt::format("{} takes a number not below 0, such as 11 or 0.5, not {}.", option(what),
                             in_quotes(text)));
  return *value;
}

// The gap costs open and extend in NCBI's convention. A cost that the user left out is the default, converted
// to the convention that the user states.
std::pair<Decimal, Decimal> choose_gaps(const ScoringOptions& options, const GapCosts& defaults) {
  const GapConvention convention = options.gap_convention.empty()
                                       ? defaults.convention
                                       : parse_word<GapConvention>("gap convention", options.gap_convention);
  Decimal open = gap_cost("gap_open", options.gap_open.empty() ? defaults.open : options.gap_open);
  const Decimal extend =
      gap_cost("gap_extend", options.gap_extend.empty() ? defaults.extend : options.gap_extend);
  if (options.gap_open.empty() && convention != defaults.convention) {
    const Decimal step = gap_cost("gap_extend", defaults.extend);
    open = convention == GapConvention::emboss ? open + step : open - step;
  }
  if (convention == GapConvention::emboss) {
    const Decimal first = std::exchange(open, open - extend);
    if (open.numerator < 0)
      refuse_input(fmt::format(
          "The gap extend cost {} is above the gap open cost {}. In EMBOSS' convention the open cost "
          "is that of a gap's first residue; it must be at least the extend cost.",
          format_decimal(extend.numerator, extend.denominator),
          format_decimal(first.numerator, first.denominator)));
  }
  return {open, extend};
}

// Scales matrix and gap costs to their smallest common scale.
void set_gaps(const Decimal& open, const Decimal& extend, Scoring& scoring) {
  const int matrix_scale = scoring.matrix.scale();
  const std::int64_t scale =
      std::lcm(std::lcm<std::int64_t>(matrix_scale, open.denominator), extend.denominator);
  const std::optional<std::int32_t> scaled_open = scale_exactly(open, scale);
  const std::optional<std::int32_t> scaled_extend = scale_exactly(extend, scale);
  const std::int64_t factor = scale / matrix_scale;
  const std::int64_t largest_score = std::max(scoring.matrix.highest(), -scoring.matrix.lowest());
  if (!scaled_open || !scaled_extend || largest_score * factor > kLargestScaledValue)
    refuse_input(fmt::format(
        "The gap costs {} and {} are too large or have too many decimals: scaled to integers, they "
        "and the scores of the matrix must not exceed {}.",
        format_decimal(open.numerator, open.denominator),
        format_decimal(extend.numerator, extend.denominator), kLargestScaledValue));
  scoring.open = *scaled_open;
  scoring.extend = *scaled_extend;
  scoring.scale = static_cast<int>(scale);
  scoring.matrix.multiply(static_cast<int>(factor));
}

// Sets mode and free ends. Global with free ends becomes semiglobal, and semiglobal without free ends becomes
// global.
void set_mode(const ScoringOptions& options, const Preset* preset, Scoring& scoring) {
  scoring.mode = preset ? preset->mode : Mode::local;
  if (!options.mode.empty()) scoring.mode = mode_of(options.mode);
  if (scoring.mode == Mode::semiglobal) scoring.free_ends = FreeEnds::all();
  if (!options.free_ends) return;

  if (scoring.mode == Mode::local)
    refuse_input("Free ends have no meaning in mode local; choose the mode global or semiglobal.");
  FreeEnds ends;
  for (const std::string& word : *options.free_ends)
    ends.*parse_word<bool FreeEnds::*>("free end", word) = true;
  scoring.free_ends = ends;
  scoring.mode = ends == FreeEnds{} ? Mode::global : Mode::semiglobal;
}

}  // namespace

std::vector<std::string_view> preset_names() {
  std::vector<std::string_view> names;
  names.reserve(kPresets.size());
  for (const Preset& preset : kPresets) names.push_back(preset.name);
  return names;
}

void check_preset(const std::string& name) { find_preset(name); }

std::string Scoring::format_score(std::int32_t score) const { return format_decimal(score, scale); }

std::string Scoring::format_gaps() const {
  return fmt::format("{}/{}", format_decimal(open, scale), format_decimal(extend, scale));
}

Scoring make_scoring(const ScoringOptions& options) {
  const Preset* preset = find_preset(options.preset);
  Scoring scoring{.matrix = choose_matrix(options, preset)};
  const auto [open, extend] = choose_gaps(options, default_gaps(scoring.matrix, preset));
  set_gaps(open, extend, scoring);
  set_mode(options, preset, scoring);
  return scoring;
}

std::string_view to_string(Mode mode) { return word_of(mode); }

}  // namespace alnus

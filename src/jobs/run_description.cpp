#include "jobs/run_description.h"

#include <fmt/format.h>
#include <optional>

#include "core/pair_value.h"
#include "jobs/matrix_output.h"
#include "jobs/search_outputs.h"

namespace alnus::jobs {
namespace {

// The values are in the matrix' own units, since decimals of the gap costs scale the matrix, too.
std::string describe_matrix(const SubstitutionMatrix& matrix) {
  std::string values;
  const int letters = Alphabet::of(matrix.alphabet()).size();
  for (int query = 0; query < letters; ++query)
    for (int subject = 0; subject < letters; ++subject)
      values += fmt::format("{} ", matrix.value(static_cast<Residue>(query), static_cast<Residue>(subject)) /
                                       static_cast<double>(matrix.scale()));
  return fmt::format("{} ({})", matrix.name(), values);
}

// The value of an option, with every digit.
template <class Value>
std::string text_of(const Value& value) {
  if constexpr (std::is_enum_v<Value>)
    return std::string(word_of(value));
  else
    return fmt::format("{}", value);
}
template <class Value>
std::string text_of(const std::optional<Value>& value) {
  return value ? text_of(*value) : "none";
}

// Adds the options of kOptions<Options>.
template <class Options>
void add_options(const Options& options, Description& description) {
  for_each_option<Options>(
      [&](const auto& option) { description.emplace_back(option.name, text_of(options.*(option.member))); });
}

// All that significance depends on, with every digit.
std::string describe_exactly(const engine::ResolvedStatistics& statistics) {
  const std::string strands =
      statistics.space.strands > 1 ? fmt::format(" on {} strands", statistics.space.strands) : "";
  std::string text(to_string(statistics.method));
  if (statistics.method == StatisticsMethod::zvalue)
    text += fmt::format(", {} shuffles of {} by seed {}, {} sequences{}", statistics.shuffles.shuffles,
                        word_of(statistics.shuffles.sides), statistics.shuffles.seed,
                        statistics.space.sequences, strands);
  if (!statistics.by_parameters_now()) return text;
  const stats::KarlinParameters& p = *statistics.parameters;
  text += fmt::format(", {} {} {} {} {} {}, composition {}, low complexity {}", p.lambda, p.K, p.alpha,
                      p.beta, p.alpha_v, p.sigma, to_string(statistics.composition),
                      to_string(statistics.low_complexity));
  const SearchSpace& space = statistics.space;
  if (space.cells) return text + fmt::format(", {} cells", *space.cells);
  text += fmt::format(", {} residues{}", space.residues, strands);
  if (statistics.method == StatisticsMethod::karlin) text += fmt::format(", {} sequences", space.sequences);
  return text;
}

std::string describe(const engine::RowFields& fields) {
  std::vector<std::string_view> ranges;
  ranges.reserve(fields.identity_ranges.size());
  for (const Denominator denominator : fields.identity_ranges) ranges.push_back(word_of(denominator));
  return fmt::format("{}, ranges of {}", fields.cigars ? "CIGARs" : "no CIGARs", fmt::join(ranges, ","));
}

std::string describe(const std::optional<Block>& block) {
  if (!block) return "all";
  return fmt::format("rows {} to {}, columns {} to {}", block->rows.begin, block->rows.end,
                     block->columns.begin, block->columns.end);
}

std::string describe(const std::vector<PairMatrix>& matrices) {
  std::vector<std::string> words;
  words.reserve(matrices.size());
  for (const PairMatrix& matrix : matrices)
    words.push_back(fmt::format("value {} in {}", word_of(matrix.value), matrix.path));
  return fmt::format("{}", fmt::join(words, ", "));
}

// Returns the outputs with `matrix_type` set to the type that NumPy's arrays of scores get, so that a run
// that names the default is the same as one that does not. The type of tables follows from the scoring.
PairFiles with_type(PairFiles files, const std::vector<PairMatrix>& matrices) {
  files.matrix_type.reset();
  for (const PairMatrix& matrix : matrices)
    if (!matrix.table && is_of_scores(matrix.value)) files.matrix_type = matrix.type;
  return files;
}

void add_scoring(const Scoring& scoring, Description& description) {
  const FreeEnds& free = scoring.free_ends;
  const Description more = {
      {"mode", std::string(to_string(scoring.mode))},
      {"free_ends", fmt::format("{}{}{}{}", int{free.query_begin}, int{free.query_end},
                                int{free.subject_begin}, int{free.subject_end})},
      {"matrix", describe_matrix(scoring.matrix)},
      {"the gap costs", fmt::format("{} of {}", scoring.format_gaps(), scoring.scale)},
  };
  description.insert(description.end(), more.begin(), more.end());
}

std::string describe(const engine::Nearest& nearest) {
  return fmt::format("{} by value {} of {}", nearest.count, word_of(nearest.value.kind),
                     word_of(nearest.value.denominator));
}

std::string describe(const OutputFormat& format) {
  return fmt::format("{} {}", word_of(format.kind), fmt::join(format.columns, " "));
}

}  // namespace

Description describe(const RunDescription& run) {
  const PairJob& job = run.job;
  const PairFiles& files = job.files;
  const std::vector<PairMatrix> matrices = matrices_of(job);
  // Messages name the first difference. What other options decide therefore comes behind these options: the
  // digest behind the mask, `self` behind the outputs, which have `square`.
  Description description = {
      {"mask", run.masking},         {"the sequences", run.set_digest},
      {"against", run.other_digest}, {"matrix_value", std::string(word_of(job.value.kind))},
      {"output", files.rows},        {"matrix_out", describe(matrices)},
  };
  if (!job.relations.empty())  // behind the digests of the sequences
    description.insert(description.begin() + 3, {"relation", to_string(job.relations)});
  add_options(with_type(files, matrices), description);
  const Description of_pairs = {
      {"self", job.pairs.self() ? "yes" : "no"},
      {"the block", describe(job.pairs.is_whole() ? std::nullopt : std::optional(job.pairs.block()))},
      {"strands", std::string(word_of(run.options.fields.strands))},
  };
  description.insert(description.end(), of_pairs.begin(), of_pairs.end());
  add_scoring(job.scoring, description);
  add_options(run.options.filter, description);
  const Description more = {
      {"outfmt", describe(files.format)},
      {"header", files.format.header ? "yes" : "no"},
      {"the columns", describe(run.options.fields)},
      {"identity", fmt::format("{} of filters, {} of values", word_of(run.options.filter.denominator),
                               word_of(job.value.denominator))},
      {"the statistics", describe_exactly(run.options.statistics)},
      {"top_k", run.options.nearest ? describe(*run.options.nearest) : "none"},
      {"detail", std::string(word_of(run.options.fields.detail))},
  };
  description.insert(description.end(), more.begin(), more.end());
  return description;
}

Description describe(const SearchDescription& run) {
  const engine::SearchOptions& options = run.options;
  Description description = {
      {"mask", run.masking},
      {"the queries", run.queries_digest},
      {"the database", run.database_digest},
      {"strands", std::string(word_of(options.strands()))},
  };
  add_scoring(run.scoring, description);
  add_options(options.asked, description);
  add_options(options.asked.filter, description);
  const Description more = {
      {"outfmt", describe(run.files.format)},
      {"header", run.files.format.header ? "yes" : "no"},
      {"the columns", fmt::format("{}{}{}", describe(options.rows().fields),
                                  options.asked.significance ? ", significance" : "",
                                  options.asked.query_statistics ? ", statistics of queries" : "")},
      {"the statistics", describe_exactly(options.statistics)},
      {"the search space", fmt::format("{} residues, {} sequences", options.statistics.space.residues,
                                       options.statistics.space.sequences)},
  };
  description.insert(description.end(), more.begin(), more.end());
  description.emplace_back("detail", word_of(options.asked.detail));
  // Outputs that are not wanted are left out: another version may know other kinds of outputs.
  for (const SearchOutputKind& kind : search_output_kinds())
    if (kind.path != &SearchFiles::rows && !(run.files.*kind.path).empty())
      description.emplace_back(kind.option, "yes");
  return description;
}

std::string differs(const std::string& name) {
  const bool phrase = name.starts_with("the ");
  return fmt::format("{} differ{}", phrase ? name : option(name), phrase && name.ends_with('s') ? "" : "s");
}

}  // namespace alnus::jobs

#include "jobs/search_outputs.h"

#include <array>

#include "session/database_state.h"

namespace alnus::jobs {
namespace {

// Calls take(kind) for each kind of output that is wanted.
template <class Take>
void for_each_wanted(const SearchFiles& files, const Take& take) {
  for (const SearchOutputKind& kind : search_output_kinds())
    if (!(files.*kind.path).empty()) take(kind);
}

// Throws Error(input) if an output would replace an input or another output.
void check_names(const SearchOpening& opening) {
  std::vector<std::string> outputs;
  for_each_wanted(opening.files,
                  [&](const SearchOutputKind& kind) { outputs.push_back(opening.files.*kind.path); });
  std::vector<std::string> inputs = opening.queries.state()->files;
  const std::vector<std::string>& of_database = opening.database.state()->files;
  inputs.insert(inputs.end(), of_database.begin(), of_database.end());
  inputs.insert(inputs.end(), opening.files.other_inputs.begin(), opening.files.other_inputs.end());
  check_outputs(outputs, inputs);
}

}  // namespace

SearchOutputKind search_row_output(), score_plot_output(),
    search_report_output();  // each in the file of its output

std::span<const SearchOutputKind> search_output_kinds() {
  // Rows come last, for the same reason as in pair_output_kinds().
  static const std::array kinds = {score_plot_output(), search_report_output(), search_row_output()};
  return kinds;
}

SearchOptions with_needs(SearchOptions options, const SearchFiles& files) {
  for_each_wanted(files, [&](const SearchOutputKind& kind) {
    if (kind.need) kind.need(options);
  });
  return options;
}

SearchWriters::SearchWriters(const SearchOpening& opening) {
  check_names(opening);
  for_each_wanted(opening.files, [&](const SearchOutputKind& kind) { kind.check(opening); });
  for_each_wanted(opening.files,
                  [&](const SearchOutputKind& kind) { outputs_.push_back(kind.open(opening)); });
}

void SearchWriters::write(const SearchBatch& batch) {
  for (const auto& output : outputs_) output->write(batch);
}

void SearchWriters::finish(SearchSummary& summary) {
  for (const auto& output : outputs_) output->finish(summary);
  for (const auto& output : outputs_) output->commit();
}

}  // namespace alnus::jobs

std::vector<std::string> alnus::SearchFiles::names_beside_rows() const {
  std::vector<std::string> names;
  jobs::for_each_wanted(*this, [&](const jobs::SearchOutputKind& kind) {
    if (kind.path != &SearchFiles::rows) names.push_back(this->*kind.path);
  });
  return names;
}

#include "cli/paper_data.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/embedded.h"
#include "io/sequence_parser.h"

namespace alnus::cli {

std::uint32_t PaperData::part_of(std::uint32_t sequences, std::uint32_t fewest) const {
  return std::max(fewest, static_cast<std::uint32_t>(std::llround(part_ * sequences)));
}

const SequenceSet& PaperData::database(const PaperDatabase& wanted) {
  const auto [place, is_new] = databases_.try_emplace(wanted);
  if (is_new) {
    const std::uint32_t sequences = part_of(wanted.sequences, 1);
    const std::uint64_t length = wanted.residues / wanted.sequences;
    if (wanted.made == "random")
      place->second = equal_subjects(source_, sequences, length);
    else if (wanted.made == "identical")
      place->second = identical_subjects(source_, sequences, length);
    else
      place->second =
          drawn_subjects(source_, sequences, wanted.residues * sequences / wanted.sequences, wanted.longest);
  }
  return place->second;
}

const SpreadSet& PaperData::set(const SetSize& wanted) {
  const auto [place, is_new] = sets_.try_emplace(wanted);
  if (is_new)
    place->second = spread_lengths(source_, part_of(wanted.count, 2), wanted.shortest, wanted.longest);
  return place->second;
}

const SequenceSet& PaperData::query_file(const std::string& name) {
  const auto [place, is_new] = query_files_.try_emplace(name);
  if (is_new) {
    io::SequenceParser parser(AlphabetKind::protein, name);
    parser.feed(embedded_text("queries/" + name), std::numeric_limits<std::uint64_t>::max());
    parser.finish();
    place->second = parser.take();
  }
  return place->second;
}

SequenceSet PaperData::queries(const std::vector<PaperTask>& tasks) {
  SequenceSetBuilder builder(AlphabetKind::protein);
  for (const PaperTask& task : tasks) {
    const bool drawn = task.queries.empty();
    const SequenceSet from = drawn ? drawn_query(source_, task.query) : query_file(task.queries);
    const SequenceView query = from[drawn ? 0 : task.query];
    builder.add(query.header, query.residues);
  }
  return builder.finish();
}

}  // namespace alnus::cli

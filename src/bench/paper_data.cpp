#include "bench/paper_data.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "bench/embedded_papers.h"
#include "io/sequence_parser.h"

namespace alnus::bench {

std::uint32_t PaperData::part_of(std::uint32_t sequences, std::uint32_t fewest) const {
  return std::max(fewest, static_cast<std::uint32_t>(std::llround(part_ * sequences)));
}

const std::shared_ptr<const SortedSequences>& PaperData::database(const PaperDatabase& wanted) {
  const auto [place, is_new] = databases_.try_emplace(wanted);
  const auto make = [&] {
    const std::uint32_t sequences = part_of(wanted.sequences, 1);
    const std::uint64_t length = wanted.residues / wanted.sequences;
    if (wanted.made == "random") return equal_subjects(source_, sequences, length, threads_);
    if (wanted.made == "identical") return identical_subjects(source_, sequences, length, threads_);
    return drawn_subjects(source_, sequences, wanted.residues * sequences / wanted.sequences, wanted.longest,
                          threads_);
  };
  if (is_new) place->second = std::make_shared<const SortedSequences>(make());
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
    parser.feed(embedded_text("queries/" + name, paper_files()), std::numeric_limits<std::uint64_t>::max());
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

}  // namespace alnus::bench

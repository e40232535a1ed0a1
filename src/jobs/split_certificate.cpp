#include "jobs/split_certificate.h"

#include <algorithm>
#include <filesystem>

#include "alnus/devices.h"
#include "io/output_file.h"
#include "io/set_digests.h"
#include "io/sha2.h"
#include "session/database_state.h"

namespace alnus::jobs {

io::Certificate certificate_of(const Split& split, const Database& set, EdgeSource source,
                               const StopFlag& stop) {
  const SequenceSet& sequences = set.sequences();
  io::Certificate certificate;
  certificate.version = version();
  certificate.nearest_across.resize(source.relations.size());
  certificate.relations = std::move(source.relations);
  certificate.edges.origin = source.origin;
  certificate.search_space = {sequences.size(), sequences.total_residues()};
  const auto subsets = static_cast<std::uint32_t>(split.subsets.size());
  const std::vector<std::string> contents = io::contents_sha256(sequences, split.subset_of, subsets, stop);
  const std::vector<std::string> ids = io::ids_sha256(sequences, split.subset_of, subsets, stop);
  std::uint64_t before = 0;  // records of earlier subsets
  for (std::size_t s = 0; s < split.subsets.size(); ++s) {
    const Split::Subset& subset = split.subsets[s];
    certificate.subsets.push_back({subset.name, {subset.records, subset.residues}, contents[s], ids[s]});
    certificate.edges.within += subset.similar;
    certificate.pairs_compared.across += before * subset.records;
    certificate.pairs_compared.within += subset.records * (subset.records - (subset.records > 0 ? 1 : 0)) / 2;
    before += subset.records;
  }
  if (source.origin == io::Certificate::Origin::given) certificate.pairs_compared = {};
  for (SequenceSet::Index i = 0; i < sequences.size(); ++i) {
    if (split.subset_of[i] != Split::kRemoved) continue;
    certificate.removed.ids.emplace_back(sequences[i].id());
    certificate.removed.residues += sequences.length(i);
  }
  std::ranges::sort(certificate.removed.ids);
  for (const std::string& file : set.state()->files)
    if (std::filesystem::is_regular_file(file))
      certificate.files.push_back(
          {std::filesystem::path(file).filename().string(), io::sha256_of_file(file, stop)});
  return certificate;
}

}  // namespace alnus::jobs

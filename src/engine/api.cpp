// The public calls of alnus/search.h over the engine.
#include <memory>
#include <utility>
#include <vector>

#include "alnus/search.h"
#include "engine/registry.h"
#include "engine/search.h"
#include "io/database.h"
#include "io/sequence_reader.h"

namespace alnus {
namespace {

class Devices {
 public:
  explicit Devices(const Resources& resources) {
    engine::DeviceRequest request;
    request.devices = resources.devices;
    request.threads = resources.threads;
    request.memory_bytes = resources.memory_bytes;
    owned_ = engine::make_devices(request);
    for (const auto& device : owned_) pointers_.push_back(device.get());
  }
  std::span<Device* const> get() const { return pointers_; }

 private:
  std::vector<std::unique_ptr<Device>> owned_;
  std::vector<Device*> pointers_;
};

SequenceSet one_sequence(std::string_view letters, AlphabetKind alphabet) {
  SequenceSetBuilder builder(alphabet);
  builder.add_text("", letters);
  return builder.finish();
}

}  // namespace

Alignment align(std::string_view query, std::string_view subject, const Scoring& scoring, Detail detail) {
  const AlphabetKind alphabet = scoring.matrix.alphabet();
  const std::pair<SequenceSet::Index, SequenceSet::Index> pair{0, 0};
  Resources resources;
  resources.devices = "cpu";
  resources.threads = 1;
  return align_pairs(one_sequence(query, alphabet), one_sequence(subject, alphabet), {&pair, 1}, scoring,
                     detail, resources)
      .front();
}

std::vector<Alignment> align_pairs(const SequenceSet& queries, const SequenceSet& subjects,
                                   std::span<const std::pair<SequenceSet::Index, SequenceSet::Index>> pairs,
                                   const Scoring& scoring, Detail detail, const Resources& resources) {
  const Devices devices(resources);
  std::vector<PairIndex> indices;
  indices.reserve(pairs.size());
  for (const auto& [query, subject] : pairs) indices.push_back({query, subject});
  engine::Progress progress;
  std::vector<Alignment> alignments;
  alignments.reserve(pairs.size());
  engine::align_pairs(queries, subjects, indices, scoring, {detail}, devices.get(), progress,
                      [&](std::size_t, const io::Hit& hit) { alignments.push_back(hit.alignment); });
  return alignments;
}

std::vector<SearchHit> search(const SequenceSet& queries, const SequenceSet& database, const Scoring& scoring,
                              const SearchParameters& parameters, const Resources& resources) {
  const Devices devices(resources);
  engine::SearchOptions options;
  options.detail = parameters.detail;
  options.max_target_seqs = parameters.max_target_seqs;
  options.evalue = parameters.evalue;
  options.min_score = parameters.min_score;
  options.memory_bytes = resources.memory_bytes;
  options.statistics = engine::default_statistics(scoring, database);
  engine::Progress progress;
  std::vector<SearchHit> all;
  engine::search(queries, database, scoring, options, devices.get(), progress,
                 [&](SequenceSet::Index query, std::span<const io::Hit> hits, const stats::QueryStatistics*) {
                   for (const io::Hit& hit : hits)
                     all.push_back({query, hit.subject_index, hit.alignment, hit.significance.bits,
                                    hit.significance.evalue});
                 });
  return all;
}

SequenceSet read_sequences(const std::string& path, AlphabetKind alphabet) {
  return io::is_database(path) ? io::open_database(path) : io::read_all(path, alphabet);
}

}  // namespace alnus

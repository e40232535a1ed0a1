// Session::verify.
#include <algorithm>
#include <deque>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <functional>
#include <initializer_list>
#include <numeric>
#include <string_view>
#include <unordered_map>

#include "alnus/error.h"
#include "alnus/session.h"
#include "alnus/text.h"
#include "api/similar_pairs.h"
#include "api/split_records.h"
#include "core/exact_matches.h"
#include "core/refuse_input.h"
#include "core/split_mix.h"
#include "core/strands.h"
#include "engine/progress.h"
#include "io/certificate.h"
#include "io/id_index.h"
#include "io/membership.h"
#include "jobs/relation_parameters.h"
#include "session/database_state.h"
#include "session/file_check.h"
#include "session/session_core.h"

namespace alnus {
namespace api {
namespace {

using Index = SequenceSet::Index;
using Failures = std::vector<std::string>;

// The relations of a certificate, as a call takes them.
Similarity similarity_of(const io::Certificate& certificate, const std::string& path) {
  const std::string list = io::list_of(certificate.relations);
  Similarity similarity{parse_relations(list), {}};
  const auto strands = certificate.relations.front().parameters.find("strands");
  if (strands == certificate.relations.front().parameters.end())
    refuse_input(fmt::format("{}: the relation {} does not say which strands were aligned.", path, list));
  similarity.strands = parse_word<Strands>("strand", strands->second);
  return similarity;
}

// Throws Error(input) for a relation that this call would compute in another way than the certificate says:
// its pairs cannot be compared by these options.
void require_parameters(const std::string& path, const io::Certificate& certificate,
                        const Similarity& similarity, const Scoring& scoring) {
  for (std::size_t r = 0; r < similarity.relations.size(); ++r) {
    const auto here = jobs::parameters_of(similarity.relations[r], scoring, *similarity.strands);
    const auto& there = certificate.relations[r].parameters;
    if (here == there) continue;
    // What one of both has and the other has not, or has otherwise.
    const auto differing = [](const std::map<std::string, std::string>& of,
                              const std::map<std::string, std::string>& other) {
      std::vector<std::string> parts;
      for (const auto& [key, value] : of)
        if (const auto same = other.find(key); same == other.end() || same->second != value)
          parts.push_back(fmt::format("{} {}", key, value));
      return parts.empty() ? std::string("without those") : fmt::format("{}", fmt::join(parts, ", "));
    };
    refuse_input(
        fmt::format("{} has the relation {} with {}, but by the options of this call it would be computed "
                    "with {}. Give the "
                    "options by which the split was made, such as {} or {}.",
                    path, to_string(similarity.relations[r]), differing(there, here), differing(here, there),
                    option("alphabet"), option("matrix")));
  }
}

// Which records are sampled: `count` random ones of those in subsets.
std::vector<bool> sample_of(const std::vector<std::uint32_t>& subset_of, std::uint32_t count,
                            std::uint64_t seed) {
  std::vector<bool> sampled(subset_of.size());
  std::vector<Index> candidates;
  for (Index i = 0; i < subset_of.size(); ++i)
    if (subset_of[i] != io::kNoSet) candidates.push_back(i);
  SplitMixRandom random(seed);
  const std::size_t most = std::min<std::size_t>(count, candidates.size());
  for (std::size_t k = 0; k < most; ++k) {
    std::swap(candidates[k], candidates[k + random.below(static_cast<std::uint32_t>(candidates.size() - k))]);
    sampled[candidates[k]] = true;
  }
  return sampled;
}

// The records of all subsets as one set, in groups: the sampled records of each subset, from the first subset
// to the last, and then the other records of each subset, from the last to the first. So what a sampled group
// is compared with is two runs of groups: those between it and the other records of its subset, and those
// behind the latter. Sampled groups before it were compared with it already.
class RecordGroups {
 public:
  // `sampled`: for each record; empty: all are.
  RecordGroups(const SplitRecords& records, std::uint32_t subsets, const std::vector<bool>& sampled,
               const StopFlag& stop)
      : subsets_(subsets), begins_(std::size_t{2} * subsets + 1) {
    const auto group_of = [&](std::size_t record) {
      const std::uint32_t subset = records.subset_of[record];
      return sampled.empty() || sampled[record] ? subset : 2 * subsets - 1 - subset;
    };
    for (std::size_t record = 0; record < records.subset_of.size(); ++record)
      if (records.subset_of[record] != io::kNoSet) ++begins_[group_of(record) + 1];
    std::partial_sum(begins_.begin(), begins_.end(), begins_.begin());
    struct Place {
      std::uint32_t set = 0;
      Index record = 0;
    };
    std::vector<Place> places(begins_.back());
    std::vector<Index> next = begins_;
    std::size_t record = 0;
    for (std::uint32_t set = 0; set < records.sets.size(); ++set)
      for (Index i = 0; i < records.sets[set].size(); ++i, ++record)
        if (records.subset_of[record] != io::kNoSet) places[next[group_of(record)]++] = {set, i};
    const SequenceSet& first = records.sets.front();
    SequenceSetBuilder builder(first.alphabet(), first.origin());
    for (const Place& place : places) {
      stop.throw_if_requested();
      builder.add_from(records.sets[place.set], place.record);
    }
    all_ = Database(builder.finish());
  }

  const SequenceSet& sequences() const { return all_.sequences(); }
  std::uint32_t subset_of(Index record) const {
    const auto next = std::ranges::upper_bound(begins_, record);
    const auto group = static_cast<std::uint32_t>(next - begins_.begin() - 1);
    return std::min(group, 2 * subsets_ - 1 - group);
  }
  // The groups [begin, end).
  Database groups(std::uint32_t begin, std::uint32_t end) const {
    return all_.part(begins_[begin], begins_[end]);
  }

 private:
  const std::uint32_t subsets_;
  std::vector<Index> begins_;  // of the groups, and the end
  Database all_;
};

// Compares records of different subsets.
class AcrossSubsets {
 public:
  AcrossSubsets(const RecordGroups& records, const io::Certificate& certificate, const Similarity& similarity,
                const Scoring& scoring, CertificateCheck& check, session::Call& call)
      : records_(records),
        certificate_(certificate),
        similarity_(similarity),
        scoring_(scoring),
        check_(check),
        call_(call) {}

  // Finds equal records of different subsets.
  void compare_residues() {
    const SequenceSet& set = records_.sequences();
    const std::vector<Index> first = first_equals(set, call_.stop());
    for (Index i = 0; i < first.size(); ++i)
      if (first[i] != i && records_.subset_of(i) != records_.subset_of(first[i]))
        tell(set[first[i]], set[i], "are equal");
  }
  // Compares the sampled records of each subset with all records of other subsets.
  void compare_pairs() {
    engine::Progress& progress = call_.state().progress;
    const std::uint64_t strands = strands_of_each(*similarity_.strands);
    for_each_block([&](const Database& rows, const Database& columns) {
      progress.expect(strands * rows.sequences().total_residues() * columns.sequences().total_residues(),
                      strands * rows.size() * columns.size());
    });
    const engine::PlannedProgress planned(progress);
    for_each_block([&](const Database& rows, const Database& columns) { compare(rows, columns); });
  }

 private:
  // Calls use(rows, columns) for blocks that together have all pairs. What a call sorts ends with its block.
  void for_each_block(const std::function<void(const Database& rows, const Database& columns)>& use) const {
    const auto subsets = static_cast<std::uint32_t>(certificate_.subsets.size());
    for (std::uint32_t s = 0; s < subsets; ++s) {
      const Database sampled = records_.groups(s, s + 1);
      use(sampled, records_.groups(s + 1, 2 * subsets - 1 - s));
      use(sampled, records_.groups(2 * subsets - s, 2 * subsets));
    }
  }

  void compare(const Database& rows, const Database& columns) {
    if (rows.size() == 0 || columns.size() == 0) return;
    const io::Certificate::Size& space = certificate_.search_space;
    const AllPairsSummary summary = for_each_similar(
        rows, columns, scoring_, similarity_,
        SearchSpace{.residues = static_cast<double>(space.residues),
                    .sequences = static_cast<double>(space.records)},
        call_, [&](const SparseValues& batch) {
          for (std::size_t i = 0; i < batch.size(); ++i)
            tell(rows.sequences()[batch.row[i]], columns.sequences()[batch.column[i]],
                 fmt::format(
                     "are similar by {}",
                     to_string(similarity_.relations[batch.relation.empty() ? 0 : batch.relation[i]])));
        });
    check_.pairs += summary.pairs;
    check_.cells += summary.cells;
    check_.statistics = summary.statistics;
  }

  void tell(const SequenceView& first, const SequenceView& second, const std::string& what) {
    constexpr std::uint64_t kMost = 10;
    if (++check_.similar <= kMost)
      check_.failures.push_back(fmt::format("Records {} and {} of different subsets {}.",
                                            in_quotes(first.id()), in_quotes(second.id()), what));
  }

  const RecordGroups& records_;
  const io::Certificate& certificate_;
  const Similarity& similarity_;
  const Scoring& scoring_;
  CertificateCheck& check_;
  session::Call& call_;
};

// Throws Error(input) naming the files of two records with one id.
void refuse_repeated_ids(const std::vector<Database>& sets) {
  for (const Database& set : sets) io::IdIndex(set.sequences()).require_distinct();
  std::unordered_map<std::string_view, std::size_t> seen;  // the set of each id
  for (std::size_t s = 0; s < sets.size(); ++s)
    for (Index i = 0; i < sets[s].size(); ++i) {
      const auto [found, is_new] = seen.try_emplace(sets[s].sequences()[i].id(), s);
      if (!is_new)
        refuse_input(
            fmt::format("{} and {} both have a record {}. Records of different subsets have ids of their "
                        "own.",
                        sets[found->second].name(), sets[s].name(), in_quotes(found->first)));
    }
}

CertificateCheck verify(const std::string& path, const std::vector<Database>& sets,
                        const std::vector<std::string>& subset_of, const Scoring& scoring,
                        const VerifyOptions& options, session::Call& call) {
  const StopFlag& stop = call.stop();
  const io::CertificateText text = io::read_certificate(path, stop);
  const io::Certificate& certificate = text.certificate;
  CertificateCheck check;
  check.failures = io::contradictions(text);
  check.subsets = certificate.subsets.size();
  check.removed = certificate.removed.ids.size();
  for (const io::Certificate::Subset& subset : certificate.subsets) check.records += subset.size.records;
  for (const io::Certificate::Relation& relation : certificate.relations)
    check.relations.push_back(relation.name());
  if (sets.empty()) {
    if (!options.offline)
      refuse_input(fmt::format("Name the sequences that {} is about, or check it alone with {}.", path,
                               option("offline")));
    return check;
  }
  if (subset_of.empty() && sets.size() == 1 && certificate.subsets.size() > 1 &&
      sets.front().size() >= check.records)
    refuse_input(
        fmt::format("{} tells of {} subsets, and there is one file. Name a file for each, or say by {} "
                    "which record is in which.",
                    path, certificate.subsets.size(), option("splits")));
  std::deque<session::Verifications> files;  // of each set
  for (const Database& set : sets) files.emplace_back(std::initializer_list<Database>{set}, call);
  std::vector<Database> in_order;
  in_order.reserve(sets.size());
  for (const Database& set : sets) in_order.push_back(session::in_file_order(set, stop));
  refuse_repeated_ids(in_order);
  const SplitRecords records =
      subset_of.empty() ? subsets_by_contents(in_order, certificate, check.failures, stop)
                        : subsets_by_names(in_order.front(), subset_of, certificate, check.failures, stop);
  for (session::Verifications& file : files) file.require();
  if (options.offline || !check.failures.empty()) return check;
  if (certificate.relations.empty()) {  // of given edges: there is nothing by which pairs could be computed
    const RecordGroups groups(records, static_cast<std::uint32_t>(check.subsets), {}, stop);
    AcrossSubsets(groups, certificate, {}, scoring, check, call).compare_residues();
    return check;
  }
  const Similarity similarity = similarity_of(certificate, path);
  require_parameters(path, certificate, similarity, scoring);
  const bool all = options.sample == 0;
  const RecordGroups groups(
      records, static_cast<std::uint32_t>(check.subsets),
      all ? std::vector<bool>() : sample_of(records.subset_of, options.sample, options.seed), stop);
  AcrossSubsets across(groups, certificate, similarity, scoring, check, call);
  across.compare_residues();
  across.compare_pairs();
  check.compared = all ? check.records : std::min<std::uint64_t>(options.sample, check.records);
  return check;
}

}  // namespace
}  // namespace api

CertificateCheck Session::verify(const std::string& certificate, const std::vector<Database>& sets,
                                 const std::vector<std::string>& subset_of, const Scoring& scoring,
                                 const VerifyOptions& options, const RunControl& run) {
  if (!subset_of.empty() && sets.size() != 1)
    refuse_input("Names of subsets are for the records of one set. Give one set, or a set for each subset.");
  session::Call call(state_->core, run);
  CertificateCheck check;
  call.run(session::Call::Length::full, [&] {
    check = api::verify(certificate, sets, subset_of, scoring, options, call);
    call.tell_end();
  });
  check.seconds = call.seconds();
  return check;
}

}  // namespace alnus

// Session::audit_clusters.
#include <algorithm>
#include <fmt/format.h>
#include <utility>
#include <vector>

#include "alnus/error.h"
#include "alnus/session.h"
#include "alnus/text.h"
#include "api/stored_edges.h"
#include "core/exact_matches.h"
#include "core/refuse_input.h"
#include "session/call.h"
#include "session/database_state.h"
#include "session/session_core.h"

namespace alnus {
namespace api {
namespace {

using Index = SequenceSet::Index;

bool comes_before(const PairAcross& a, const PairAcross& b) {
  return std::pair(a.second, a.first) < std::pair(b.second, b.first);
}

class ClusterAuditor {
 public:
  ClusterAuditor(const Database& set, const RecordSets& clusters, const ClusterAuditOptions& options)
      : set_(set), clusters_(clusters), options_(options), represented_(set.size()) {
    if (clusters.set_of.size() != set.size())
      refuse_input(fmt::format("There are clusters of {} records, and {} has {}. Give each record a cluster.",
                               clusters.set_of.size(), set.name(), set.size()));
    if (options.promise == ClusterPromise::representatives) require_representatives();
  }

  ClusterAudit audit(const Scoring& scoring, session::Call& call) {
    SimilarPairs pairs(set_, scoring, options_.similarity, options_.edge_files, call);
    audit_.relations = pairs.relations();
    const AllPairsSummary summary = pairs.for_each([&](const SparseValues& batch) { add(batch); });
    std::ranges::sort(audit_.across, comes_before);
    add_equal(first_equals(set_.sequences(), call.stop()));
    audit_.pairs = summary.pairs;
    audit_.cells = summary.cells;
    audit_.statistics = summary.statistics;
    count();
    audit_.holds = options_.promise == ClusterPromise::representatives
                       ? audit_.representatives.empty() && audit_.unrepresented.empty()
                       : audit_.across.empty();
    return std::move(audit_);
  }

 private:
  void require_representatives() const {
    for (std::size_t k = 0; k < clusters_.names.size(); ++k)
      if (!clusters_.representatives[k])
        refuse_input(
            fmt::format("{} does not say which record represents the cluster {}, so that {} representatives "
                        "cannot be checked. MMseqs2's tables and CD-HIT's .clstr files say it.",
                        clusters_.path, in_quotes(clusters_.names[k]), option("promise")));
  }

  std::optional<std::uint32_t> cluster_of(Index record) const {
    const std::uint32_t cluster = clusters_.set_of[record];
    return cluster == RecordSets::kNone ? std::nullopt : std::optional(cluster);
  }
  std::optional<Index> representative_of(Index record) const {
    const std::optional<std::uint32_t> cluster = cluster_of(record);
    return cluster ? clusters_.representatives[*cluster] : std::nullopt;
  }

  void add(const SparseValues& batch) {
    for (std::size_t i = 0; i < batch.size(); ++i) {
      const Index first = batch.column[i], second = batch.row[i];
      const std::optional<std::uint32_t> one = cluster_of(first), other = cluster_of(second);
      if (!one || !other) continue;
      ++audit_.similar;
      if (one != other)
        audit_.across.push_back(
            {first, second, batch.value[i], batch.relation.empty() ? std::uint8_t{0} : batch.relation[i]});
      else
        note_representative(first, second);
    }
  }

  // Notes that two similar records of one cluster may be a member and its representative.
  void note_representative(Index first, Index second) {
    const std::optional<Index> representative = representative_of(first);
    if (representative == first) represented_[second] = true;
    if (representative == second) represented_[first] = true;
  }

  // Equal records are similar, even if no relation has found them. `first`: of each record the first one that
  // is equal to it.
  void add_equal(const std::vector<Index>& first) {
    std::vector<std::pair<Index, Index>> groups;  // the first one, and a record that is equal to it
    for (Index i = 0; i < first.size(); ++i)
      if (cluster_of(i)) groups.emplace_back(first[i], i);
    std::ranges::sort(groups);
    std::vector<PairAcross> more;
    for (std::size_t begin = 0, end = 0; begin < groups.size(); begin = end) {
      while (end < groups.size() && groups[end].first == groups[begin].first) ++end;
      for (std::size_t k = begin + 1; k < end; ++k)
        for (std::size_t i = begin; i < k; ++i) {
          const PairAcross pair{groups[i].second, groups[k].second, 100, kEqualResidues};
          if (cluster_of(pair.first) == cluster_of(pair.second))
            note_representative(pair.first, pair.second);
          else if (!std::ranges::binary_search(audit_.across, pair, comes_before))
            more.push_back(pair);
        }
    }
    audit_.across.insert(audit_.across.end(), more.begin(), more.end());
    std::ranges::sort(audit_.across, comes_before);
  }

  void count() {
    std::vector<bool> across(set_.size()), used(clusters_.names.size());
    for (const PairAcross& pair : audit_.across) {
      across[pair.first] = across[pair.second] = true;
      if (representative_of(pair.first) == pair.first && representative_of(pair.second) == pair.second)
        audit_.representatives.push_back(pair);
    }
    for (Index i = 0; i < set_.size(); ++i) {
      const std::optional<std::uint32_t> cluster = cluster_of(i);
      ++(cluster ? audit_.records : audit_.left_out);
      if (!cluster) continue;
      used[*cluster] = true;
      const std::optional<Index> representative = representative_of(i);
      if (representative && representative != i && !represented_[i]) audit_.unrepresented.push_back(i);
    }
    const auto count_true = [](const std::vector<bool>& flags) {
      return static_cast<std::uint64_t>(std::ranges::count(flags, true));
    };
    audit_.records_across = count_true(across);
    audit_.clusters = count_true(used);
  }

  const Database& set_;
  const RecordSets& clusters_;
  const ClusterAuditOptions& options_;
  std::vector<bool> represented_;
  ClusterAudit audit_;
};

}  // namespace
}  // namespace api

ClusterAudit Session::audit_clusters(const Database& set, const RecordSets& clusters, const Scoring& scoring,
                                     const ClusterAuditOptions& options, const RunControl& run) {
  session::Call call(state_->core, run);
  ClusterAudit audit;
  call.run(session::Call::Length::full, [&] {
    const Database in_order = session::in_file_order(set, call.stop());
    audit = api::ClusterAuditor(in_order, clusters, options).audit(scoring, call);
    call.tell_end();
  });
  audit.seconds = call.seconds();
  return audit;
}

}  // namespace alnus

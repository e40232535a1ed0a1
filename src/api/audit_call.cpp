// Session::audit.
#include <algorithm>
#include <chrono>
#include <optional>
#include <span>
#include <thread>
#include <utility>
#include <vector>

#include "alnus/error.h"
#include "alnus/session.h"
#include "api/nearest_records.h"
#include "api/options.h"
#include "api/similar_pairs.h"
#include "core/exact_matches.h"
#include "core/refuse_input.h"
#include "core/strands.h"
#include "core/thread_pool.h"
#include "engine/mirrored.h"
#include "engine/progress.h"
#include "session/call.h"
#include "session/database_state.h"
#include "session/file_check.h"
#include "session/session_core.h"
#include "stats/evalue.h"

namespace alnus {
namespace api {
namespace {

using Index = SequenceSet::Index;

// The sets of an audit in file order, and the earlier sets joined.
class AuditedSets {
 public:
  AuditedSets(std::span<const Database> sets, const StopFlag& stop) {
    for (const Database& set : sets) {
      sets_.push_back(session::in_file_order(set, stop));
      begins_.push_back(begins_.empty() ? 0 : begins_.back() + sets_[sets_.size() - 2].size());
      const SearchSpace space = stats::search_space_of(set.sequences());
      space_.residues += space.residues;
      space_.sequences += space.sequences;
    }
    if (sets_.size() == 2) return;
    joined_ = sets_.front();
    for (std::size_t k = 1; k + 1 < sets_.size(); ++k) joined_ = session::extended(joined_, sets_[k], stop);
  }

  std::uint32_t size() const { return static_cast<std::uint32_t>(sets_.size()); }
  const Database& operator[](std::uint32_t set) const { return sets_[set]; }
  // Of E-values; empty if no record has residues.
  std::optional<SearchSpace> space() const {
    return space_.residues > 0 ? std::optional(space_) : std::nullopt;
  }
  // The sets before this one, as one set.
  Database before(std::uint32_t set) const {
    return set == 1 ? sets_.front() : joined_.part(0, begins_[set]);
  }
  // The record that has this index in before() a set.
  AuditedRecord record_of(Index index) const {
    const auto next = std::ranges::upper_bound(begins_, index);
    const auto set = static_cast<std::uint32_t>(next - begins_.begin() - 1);
    return {set, index - begins_[set]};
  }
  Index index_of(const AuditedRecord& record) const { return begins_[record.set] + record.record; }

 private:
  std::vector<Database> sets_;
  std::vector<Index> begins_;  // of the sets, in the joined one
  Database joined_;            // of three sets and more: all but the last one
  SearchSpace space_;
};

// The records of a later set and of those before it that are equal, or contain one another.
struct ExactMatches {
  std::vector<IndexPair> equal;                            // later, earlier
  std::vector<std::optional<Index>> in_earlier, in_later;  // of the later ones, and of the earlier ones

  void find(const SequenceSet& later, const SequenceSet& earlier, ThreadPool& pool, const StopFlag& stop) {
    const ThreadPool::Permit permit(pool, stop);
    equal = equal_pairs(later, earlier, stop);
    in_earlier = first_containers(later, earlier, pool, stop);
    in_later = first_containers(earlier, later, pool, stop);
  }
};

// Requests a flag at its end, so that work which looks at the flag ends with the scope.
struct RequestAtEnd {
  StopFlag& flag;
  ~RequestAtEnd() { flag.request(); }
};

// Waits for a task. Throws Interrupted when `stop` is requested, and what the task has thrown.
void wait_for(ThreadPool::Task& task, const StopFlag& stop) {
  constexpr std::chrono::milliseconds kPause(5);
  for (; !task.ended(); std::this_thread::sleep_for(kPause)) stop.throw_if_requested();
  task.wait();
}

bool is_before(const Leak& a, const Leak& b) {
  return std::pair(a.later, a.earlier) < std::pair(b.later, b.earlier);
}

class Auditor {
 public:
  Auditor(const AuditedSets& sets, const Scoring& scoring, const AuditOptions& options, session::Call& call)
      : sets_(sets), scoring_(scoring), options_(options), call_(call) {}

  Audit audit() {
    for (std::uint32_t set = 0; set < sets_.size(); ++set) {
      const SequenceSet& sequences = sets_[set].sequences();
      audit_.sets.push_back({sets_[set].name(), sequences.size(), sequences.total_residues()});
    }
    expect_work();
    const engine::PlannedProgress planned(call_.state().progress);
    for (std::uint32_t set = 1; set < sets_.size(); ++set) compare(set);
    return std::move(audit_);
  }

 private:
  Strands strands() const {
    return options_.similarity.strands.value_or(default_search_strands(sets_[0].alphabet()));
  }

  // Tells the progress of all work: each pair is scored, and whatever else is done with it is extra work.
  void expect_work() {
    const std::uint64_t each = strands_of_each(strands());
    std::uint64_t records = sets_[0].size(), residues = sets_[0].sequences().total_residues();
    for (std::uint32_t set = 1; set < sets_.size(); ++set) {
      const SequenceSet& later = sets_[set].sequences();
      call_.state().progress.expect(each * later.total_residues() * residues, each * later.size() * records);
      records += later.size();
      residues += later.total_residues();
    }
  }

  void compare(std::uint32_t set) {
    const Database &later = sets_[set], earlier = sets_.before(set);
    AuditedSet& result = audit_.sets[set];
    result.compared = std::uint64_t{later.size()} * earlier.size();
    audit_.pairs += result.compared;
    const auto begin = static_cast<std::ptrdiff_t>(audit_.leaks.size());
    // A GPU takes twice as long if few rows have very many columns, so that the larger set has the rows. A
    // pair has the same values both ways by a symmetric scoring.
    const bool turned = earlier.size() > later.size() && engine::symmetric(scoring_);
    // Devices do most of the other work, so that exact matches are found at the same time.
    ThreadPool& pool = call_.session().threads();
    session::Verifications files({later, earlier}, call_);
    StopFlag abandoned;
    ExactMatches exact;
    ThreadPool::Task matching =
        pool.start([&] { exact.find(later.sequences(), earlier.sequences(), pool, abandoned); });
    const RequestAtEnd end{abandoned};
    std::optional<NearestRecords> nearest;
    if (later.sequences().total_residues() > 0 && earlier.sequences().total_residues() > 0)
      nearest.emplace(later, earlier, NearestOptions{options_.evalue, strands(), *sets_.space(), turned},
                      call_);
    find_similar(set, later, earlier, turned, nearest ? &nearest->hits() : nullptr);
    wait_for(matching, call_.stop());
    files.require();
    add_equal(set, exact.equal, begin);
    count_leaks(set, earlier.size(), begin);
    add_contained(set, exact);
    result.nearest.resize(later.size());
    if (nearest) add_nearest(*nearest, result);
    count_nearest(result);
  }

  // `turned`: the earlier set has the rows of the pair matrix.
  void find_similar(std::uint32_t set, const Database& later, const Database& earlier, bool turned,
                    engine::FirstHits* nearest) {
    const auto begin = static_cast<std::ptrdiff_t>(audit_.leaks.size());
    const AllPairsSummary summary = for_each_similar(
        turned ? earlier : later, turned ? later : earlier, scoring_, options_.similarity, sets_.space(),
        call_,
        [&](const SparseValues& batch) {
          const auto &records = turned ? batch.column : batch.row,
                     &others = turned ? batch.row : batch.column;
          for (std::size_t i = 0; i < batch.size(); ++i)
            audit_.leaks.push_back(
                {{set, records[i]}, sets_.record_of(others[i]), batch.value[i], batch.relation[i]});
        },
        nearest);
    if (turned) std::sort(audit_.leaks.begin() + begin, audit_.leaks.end(), is_before);
    audit_.cells += summary.cells;
  }

  // Adds the equal records to the leaks, which begin at `begin` for this set, if no relation has found them.
  void add_equal(std::uint32_t set, const std::vector<IndexPair>& equal, std::ptrdiff_t begin) {
    AuditedSet& result = audit_.sets[set];
    std::vector<Leak>& leaks = audit_.leaks;
    const auto found = static_cast<std::ptrdiff_t>(leaks.size());
    std::vector<Index> earlier;
    std::optional<Index> last;
    for (const auto& [query, subject] : equal) {
      const Leak leak{{set, query}, sets_.record_of(subject), 100, kEqualResidues};
      earlier.push_back(subject);
      if (last != query) {
        ++result.equal;
        audit_.equal.push_back({leak.later, leak.earlier});
      }
      last = query;
      if (!std::binary_search(leaks.begin() + begin, leaks.begin() + found, leak, is_before))
        leaks.push_back(leak);
    }
    std::inplace_merge(leaks.begin() + begin, leaks.begin() + found, leaks.end(), is_before);
    std::ranges::sort(earlier);
    earlier.erase(std::unique(earlier.begin(), earlier.end()), earlier.end());
    result.equal_earlier = earlier.size();
  }

  // Counts the leaks of a set, which are those from `begin` on. `earlier`: number of all records before it.
  void count_leaks(std::uint32_t set, Index earlier, std::ptrdiff_t begin) {
    AuditedSet& result = audit_.sets[set];
    const std::size_t relations = options_.similarity.relations.size();
    struct Counted {
      std::uint64_t pairs = 0, records = 0;
      std::optional<Index> last;
    };
    // By earlier set and relation.
    std::vector<std::vector<Counted>> counts(set, std::vector<Counted>(relations + 1));
    std::vector<bool> leaking(earlier);
    std::optional<Index> last;
    for (auto leak = audit_.leaks.begin() + begin; leak != audit_.leaks.end(); ++leak) {
      const Index record = leak->later.record;
      Counted& counted = counts[leak->earlier.set][std::min<std::size_t>(leak->relation, relations)];
      ++counted.pairs;
      counted.records += counted.last != record ? 1 : 0;
      counted.last = record;
      result.leaking += last != record ? 1 : 0;
      last = record;
      leaking[sets_.index_of(leak->earlier)] = true;
    }
    result.leaking_earlier = static_cast<std::uint64_t>(std::ranges::count(leaking, true));
    for (std::uint32_t earlier_set = 0; earlier_set < set; ++earlier_set)
      for (std::size_t relation = 0; relation <= relations; ++relation)
        if (const Counted& counted = counts[earlier_set][relation]; counted.pairs > 0)
          audit_.counts.push_back(
              {set, earlier_set, relation < relations ? static_cast<std::uint8_t>(relation) : kEqualResidues,
               counted.pairs, counted.records});
  }

  void add_contained(std::uint32_t set, const ExactMatches& exact) {
    AuditedSet& result = audit_.sets[set];
    for (Index i = 0; i < exact.in_earlier.size(); ++i) {
      if (!exact.in_earlier[i]) continue;
      ++result.contained;
      audit_.contained.push_back({{set, i}, sets_.record_of(*exact.in_earlier[i])});
    }
    for (Index i = 0; i < exact.in_later.size(); ++i) {
      if (!exact.in_later[i]) continue;
      ++result.contained_earlier;
      audit_.contained.push_back({sets_.record_of(i), {set, *exact.in_later[i]}});
    }
  }

  void add_nearest(NearestRecords& nearest, AuditedSet& result) {
    nearest.align([&](Index record, NearestRecord&& one) {
      one.record = sets_.record_of(one.record.record);
      result.nearest[record] = std::move(one);
    });
    audit_.statistics = nearest.statistics();
  }

  static void count_nearest(AuditedSet& result) {
    for (const std::optional<NearestRecord>& nearest : result.nearest) {
      const auto is_within = [&](double limit) { return nearest && nearest->evalue <= limit; };
      ++result.strata[static_cast<std::size_t>(std::ranges::count_if(kAuditEvalues, is_within))];
      if (!nearest) continue;
      const auto tens = static_cast<std::size_t>(nearest->identity_shorter / (100.0 / kIdentityBins));
      ++result.identities[std::min(tens, kIdentityBins - 1)];
    }
  }

  const AuditedSets& sets_;
  const Scoring& scoring_;
  const AuditOptions& options_;
  session::Call& call_;
  Audit audit_;
};

void check_audit(std::span<const Database> sets, const AuditOptions& options) {
  if (sets.size() < 2)
    refuse_input("An audit compares later sets with the first one. Name two sets or more.");
  check_number("evalue", Numbers::size, options.evalue);
}

}  // namespace
}  // namespace api

Audit Session::audit(std::span<const Database> sets, const Scoring& scoring, const AuditOptions& options,
                     const RunControl& run) {
  session::Call call(state_->core, run);
  api::check_audit(sets, options);
  Audit audit;
  call.run(session::Call::Length::full, [&] {
    const api::AuditedSets in_order(sets, call.stop());
    audit = api::Auditor(in_order, scoring, options, call).audit();
    call.tell_end();
  });
  audit.seconds = call.seconds();
  return audit;
}

}  // namespace alnus

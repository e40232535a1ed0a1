// Session::verify.
#include <algorithm>
#include <deque>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <initializer_list>
#include <numeric>
#include <string_view>
#include <unordered_map>

#include "alnus/error.h"
#include "alnus/session.h"
#include "alnus/text.h"
#include "api/relations.h"
#include "api/similar_pairs.h"
#include "core/exact_matches.h"
#include "core/file_order.h"
#include "core/refuse_input.h"
#include "core/split_mix.h"
#include "io/certificate.h"
#include "io/id_index.h"
#include "io/membership.h"
#include "io/set_digests.h"
#include "session/database_state.h"
#include "session/file_check.h"
#include "session/session_core.h"

namespace alnus {
namespace api {
namespace {

using Index = SequenceSet::Index;
using Failures = std::vector<std::string>;

// All records of a call, and the subset of the certificate that each is in (io::kNoSet: in none).
struct SplitRecords {
  SequenceSet set;
  std::vector<std::uint32_t> subset_of;
};

std::string size_of(std::uint64_t records, std::uint64_t residues) {
  return fmt::format("{} and {}", format_count(records, "record", "records"),
                     format_count(residues, "residue", "residues"));
}

// A set of those records for which `is_wanted` is true.
template <class IsWanted>
SequenceSet chosen(const SequenceSet& set, const IsWanted& is_wanted, const StopFlag& stop) {
  constexpr Index kRecordsPerLook = 1 << 12;
  SequenceSetBuilder builder(set.alphabet(), set.origin());
  for (Index i = 0; i < set.size(); ++i) {
    if (i % kRecordsPerLook == 0) stop.throw_if_requested();
    if (is_wanted(i)) builder.add_from(set, i);
  }
  return builder.finish();
}

// Finds the subset of each set by its contents.
SplitRecords by_contents(const std::vector<Database>& sets, const io::Certificate& certificate,
                         Failures& failures, const StopFlag& stop) {
  SplitRecords records;
  std::vector<SequenceSet> all;
  std::vector<bool> found(certificate.subsets.size());
  for (const Database& set : sets) {
    const SequenceSet& sequences = all.emplace_back(set.sequences());
    const std::vector<std::uint32_t> one(sequences.size());
    const std::string digest = io::contents_sha256(sequences, one, 1, stop).front();
    std::uint32_t subset = io::kNoSet;
    for (std::uint32_t s = 0; s < certificate.subsets.size(); ++s)
      if (certificate.subsets[s].contents_sha256 == digest && !found[s]) subset = s;
    records.subset_of.insert(records.subset_of.end(), sequences.size(), subset);
    if (subset != io::kNoSet) {
      found[subset] = true;
      continue;
    }
    const auto same_size =
        std::ranges::find_if(certificate.subsets, [&](const io::Certificate::Subset& one_of) {
          return one_of.size.records == sequences.size() &&
                 one_of.size.residues == sequences.total_residues();
        });
    failures.push_back(fmt::format("{} has {}, and these are the contents of no subset of the certificate.{}",
                                   set.name(), size_of(sequences.size(), sequences.total_residues()),
                                   same_size == certificate.subsets.end()
                                       ? std::string()
                                       : fmt::format(" Subset {} has as many: an id or a residue differs.",
                                                     in_quotes(same_size->name))));
  }
  for (std::size_t s = 0; s < found.size(); ++s)
    if (!found[s] && certificate.subsets[s].size.records > 0)
      failures.push_back(
          fmt::format("No file has the contents of subset {} ({}).", in_quotes(certificate.subsets[s].name),
                      size_of(certificate.subsets[s].size.records, certificate.subsets[s].size.residues)));
  records.set = joined_in_file_order(all, stop);
  return records;
}

// Finds the subset of each record by the name of its subset, and compares the contents of the subsets.
SplitRecords by_names(const SequenceSet& set, const std::vector<std::string>& names,
                      const io::Certificate& certificate, Failures& failures, const StopFlag& stop) {
  if (names.size() != set.size())
    refuse_input(fmt::format("There are {} names of subsets for {}. Give each record one.", names.size(),
                             format_count(set.size(), "record", "records")));
  SplitRecords records{set, std::vector<std::uint32_t>(set.size(), io::kNoSet)};
  std::vector<std::uint64_t> counts(certificate.subsets.size()), residues(counts);
  std::vector<std::string> others, removed;
  std::uint64_t removed_residues = 0;
  for (Index i = 0; i < set.size(); ++i) {
    if (names[i].empty()) {
      removed.emplace_back(set[i].id());
      removed_residues += set.length(i);
      continue;
    }
    const auto found = std::ranges::find(certificate.subsets, names[i], &io::Certificate::Subset::name);
    if (found == certificate.subsets.end()) {
      if (std::ranges::find(others, names[i]) == others.end()) others.push_back(names[i]);
      continue;
    }
    const auto subset = static_cast<std::size_t>(found - certificate.subsets.begin());
    records.subset_of[i] = static_cast<std::uint32_t>(subset);
    ++counts[subset];
    residues[subset] += set.length(i);
  }
  for (const std::string& name : others)
    failures.push_back(fmt::format("The certificate has no subset {}.", in_quotes(name)));
  const std::vector<std::string> digests =
      io::contents_sha256(set, records.subset_of, static_cast<std::uint32_t>(counts.size()), stop);
  for (std::size_t s = 0; s < counts.size(); ++s) {
    const io::Certificate::Subset& subset = certificate.subsets[s];
    if (digests[s] == subset.contents_sha256) continue;
    const bool same_size = counts[s] == subset.size.records && residues[s] == subset.size.residues;
    failures.push_back(
        same_size ? fmt::format("Subset {} has the {} of the certificate, but an id or a residue differs.",
                                in_quotes(subset.name), size_of(counts[s], residues[s]))
                  : fmt::format("Subset {} has {}, but in the certificate {}.", in_quotes(subset.name),
                                size_of(counts[s], residues[s]),
                                size_of(subset.size.records, subset.size.residues)));
  }
  std::ranges::sort(removed);
  if (removed != certificate.removed.ids || removed_residues != certificate.removed.residues)
    failures.push_back(fmt::format(
        "{} in no subset with {}, but the certificate names {} removed ones with {}, "
        "or others.",
        format_count(removed.size(), "record is", "records are"),
        format_count(removed_residues, "residue", "residues"), format_count(certificate.removed.ids.size()),
        format_count(certificate.removed.residues, "residue", "residues")));
  return records;
}

// The relations of a certificate, as a call takes them.
Similarity similarity_of(const io::Certificate& certificate, const std::string& path) {
  std::string list;
  for (const io::Certificate::Relation& relation : certificate.relations)
    list += fmt::format("{}{}:{}", list.empty() ? "" : ",", relation.kind, relation.threshold);
  Similarity similarity{parse_relations(list), {}};
  const auto strands = certificate.relations.front().parameters.find("strands");
  if (strands == certificate.relations.front().parameters.end())
    refuse_input(fmt::format("{}: the relation {} does not say which strands were aligned.", path, list));
  similarity.strands = parse_word<Strands>("strand", strands->second);
  return similarity;
}

// Adds a failure for each relation that this call would compute in another way than the certificate says.
void check_parameters(const io::Certificate& certificate, const Similarity& similarity,
                      const Scoring& scoring, Failures& failures) {
  for (std::size_t r = 0; r < similarity.relations.size(); ++r) {
    const auto wanted = parameters_of(similarity.relations[r], scoring, *similarity.strands);
    const auto& given = certificate.relations[r].parameters;
    if (wanted == given) continue;
    const auto text = [](const std::map<std::string, std::string>& parameters) {
      std::vector<std::string> parts;
      parts.reserve(parameters.size());
      for (const auto& [key, value] : parameters) parts.push_back(fmt::format("{} {}", key, value));
      return fmt::format("{}", fmt::join(parts, ", "));
    };
    failures.push_back(
        fmt::format("The relation {} is computed with {} here, but in the certificate with {}.",
                    to_string(similarity.relations[r]), text(wanted), text(given)));
  }
}

// The sampled records: all of them, or `count` random ones. True for records of the sample.
std::vector<bool> sample_of(const SplitRecords& records, const VerifyOptions& options) {
  std::vector<bool> sampled(records.set.size());
  std::vector<Index> candidates;
  for (Index i = 0; i < records.set.size(); ++i)
    if (records.subset_of[i] != io::kNoSet) candidates.push_back(i);
  SplitMixRandom random(options.seed);
  const std::size_t count = std::min<std::size_t>(options.sample, candidates.size());
  for (std::size_t k = 0; k < count; ++k) {
    std::swap(candidates[k], candidates[k + random.below(static_cast<std::uint32_t>(candidates.size() - k))]);
    sampled[candidates[k]] = true;
  }
  return sampled;
}

// Compares records of different subsets.
class AcrossSubsets {
 public:
  AcrossSubsets(const SplitRecords& records, const io::Certificate& certificate, const Similarity& similarity,
                const Scoring& scoring, CertificateCheck& check, session::Call& call)
      : records_(records),
        certificate_(certificate),
        similarity_(similarity),
        scoring_(scoring),
        check_(check),
        call_(call) {}

  // Finds equal records of different subsets.
  void compare_residues() {
    std::vector<Index> kept;
    for (Index i = 0; i < records_.set.size(); ++i)
      if (records_.subset_of[i] != io::kNoSet) kept.push_back(i);
    const SequenceSet set = chosen(
        records_.set, [&](Index i) { return records_.subset_of[i] != io::kNoSet; }, call_.stop());
    const std::vector<Index> first = first_equals(set, call_.stop());
    for (Index k = 0; k < first.size(); ++k)
      if (records_.subset_of[kept[k]] != records_.subset_of[kept[first[k]]])
        tell(set[k], set[first[k]], "are equal");
  }
  // Compares all records of each subset with those of the subsets before it.
  void compare_all() {
    for (std::uint32_t s = 1; s < certificate_.subsets.size(); ++s)
      compare([&](Index i) { return records_.subset_of[i] == s; },
              [&](Index i) { return records_.subset_of[i] < s; });
  }
  // Compares the sampled records of each subset with those of all other subsets.
  void compare_sample(const std::vector<bool>& sampled) {
    for (std::uint32_t s = 0; s < certificate_.subsets.size(); ++s)
      compare([&](Index i) { return sampled[i] && records_.subset_of[i] == s; },
              [&](Index i) {
                const std::uint32_t subset = records_.subset_of[i];
                const bool compared = sampled[i] && subset < s;  // as rows of an earlier subset
                return subset != s && subset != io::kNoSet && !compared;
              });
  }

 private:
  void compare(const std::function<bool(Index)>& is_row, const std::function<bool(Index)>& is_column) {
    const Database rows(chosen(records_.set, is_row, call_.stop()));
    const Database columns(chosen(records_.set, is_column, call_.stop()));
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

  void tell(const SequenceView& row, const SequenceView& column, const std::string& what) {
    constexpr std::uint64_t kMost = 10;
    if (++check_.similar <= kMost)
      check_.failures.push_back(fmt::format("Records {} and {} of different subsets {}.", in_quotes(row.id()),
                                            in_quotes(column.id()), what));
  }

  const SplitRecords& records_;
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
    check.relations.push_back(fmt::format("{}:{}", relation.kind, relation.threshold));
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
  const SplitRecords records = subset_of.empty() ? by_contents(in_order, certificate, check.failures, stop)
                                                 : by_names(in_order.front().sequences(), subset_of,
                                                            certificate, check.failures, stop);
  for (session::Verifications& file : files) file.require();
  if (options.offline || !check.failures.empty()) return check;
  const Similarity similarity = similarity_of(certificate, path);
  check_parameters(certificate, similarity, scoring, check.failures);
  if (!check.failures.empty()) return check;
  AcrossSubsets across(records, certificate, similarity, scoring, check, call);
  across.compare_residues();
  if (options.sample > 0) {
    across.compare_sample(sample_of(records, options));
    check.compared = std::min<std::uint64_t>(options.sample, check.records);
  } else {
    across.compare_all();
    check.compared = check.records;
  }
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

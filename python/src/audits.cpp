// Bindings of audits: of sets, and of clusters.
#include <cstdint>
#include <limits>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "alnus/session.h"
#include "arrays.h"
#include "bindings.h"
#include "calls.h"
#include "similarity.h"
#include "words.h"

namespace alnus::python {
namespace {

using Numbers64 = std::vector<std::int64_t>;

// An array with a value for each element.
template <class Value, class Element, class Get>
Column<Value> column_of(const std::vector<Element>& elements, const Get& get) {
  std::vector<Value> values;
  values.reserve(elements.size());
  for (const Element& element : elements) values.push_back(static_cast<Value>(get(element)));
  return owned(std::move(values));
}

// The name of a relation, as in "whole:30", or "equal" for kEqualResidues.
std::string name_of(const Similarity& similarity, std::uint8_t relation) {
  return relation == kEqualResidues ? "equal" : to_string(similarity.relations[relation]);
}

nb::list names_of_relations(const Similarity& similarity) {
  nb::list names;
  for (const Relation& relation : similarity.relations) names.append(to_string(relation));
  return names;
}

nb::dict leaks_of(const std::vector<Leak>& leaks) {
  nb::dict table;
  table["set"] = column_of<std::int64_t>(leaks, [](const Leak& leak) { return leak.later.set; });
  table["record"] = column_of<std::int64_t>(leaks, [](const Leak& leak) { return leak.later.record; });
  table["earlier_set"] = column_of<std::int64_t>(leaks, [](const Leak& leak) { return leak.earlier.set; });
  table["earlier_record"] =
      column_of<std::int64_t>(leaks, [](const Leak& leak) { return leak.earlier.record; });
  table["relation"] = column_of<std::uint8_t>(leaks, [](const Leak& leak) { return leak.relation; });
  table["value"] = column_of<double>(leaks, [](const Leak& leak) { return leak.value; });
  return table;
}

nb::dict record_pairs(const std::vector<RecordPair>& pairs) {
  nb::dict table;
  table["set"] = column_of<std::int64_t>(pairs, [](const RecordPair& pair) { return pair.record.set; });
  table["record"] = column_of<std::int64_t>(pairs, [](const RecordPair& pair) { return pair.record.record; });
  table["other_set"] = column_of<std::int64_t>(pairs, [](const RecordPair& pair) { return pair.other.set; });
  table["other_record"] =
      column_of<std::int64_t>(pairs, [](const RecordPair& pair) { return pair.other.record; });
  return table;
}

// The nearest records of a set. Where there is none, indices and places are -1, numbers NaN, and texts None.
// Identities and coverages are from 0 to 1.
nb::dict nearest_of(const std::vector<std::optional<NearestRecord>>& nearest) {
  using One = std::optional<NearestRecord>;
  nb::dict table;
  const auto whole = [&](const char* name, const auto& get) {
    table[name] = column_of<std::int64_t>(nearest, [&](const One& one) -> std::int64_t {
      return one ? static_cast<std::int64_t>(get(*one)) : -1;
    });
  };
  const auto real = [&](const char* name, double divisor, double NearestRecord::*value) {
    table[name] = column_of<double>(nearest, [&](const One& one) {
      return one ? (*one).*value / divisor : std::numeric_limits<double>::quiet_NaN();
    });
  };
  whole("nearest_set", [](const NearestRecord& one) { return one.record.set; });
  whole("nearest_record", [](const NearestRecord& one) { return one.record.record; });
  real("evalue", 1, &NearestRecord::evalue);
  real("bits", 1, &NearestRecord::bits);
  real("identity", 100, &NearestRecord::identity);
  real("identity_shorter", 100, &NearestRecord::identity_shorter);
  real("coverage", 100, &NearestRecord::coverage);
  real("nearest_coverage", 100, &NearestRecord::record_coverage);
  whole("begin", [](const NearestRecord& one) { return one.begin; });
  whole("end", [](const NearestRecord& one) { return one.end; });
  whole("nearest_begin", [](const NearestRecord& one) { return one.record_begin; });
  whole("nearest_end", [](const NearestRecord& one) { return one.record_end; });
  nb::list strands, cigars;
  for (const One& one : nearest) {
    strands.append(one ? nb::cast(std::string(to_string(one->strand))) : nb::none());
    cigars.append(one ? nb::cast(to_string(one->cigar)) : nb::none());
  }
  table["strand"] = strands;
  table["cigar"] = cigars;
  return table;
}

nb::dict set_of(const AuditedSet& set, bool is_first) {
  nb::dict one;
  one["name"] = set.name;
  one["records"] = set.records;
  one["residues"] = set.residues;
  if (is_first) return one;
  one["compared"] = set.compared;
  one["leaking"] = set.leaking;
  one["leaking_earlier"] = set.leaking_earlier;
  one["equal"] = set.equal;
  one["equal_earlier"] = set.equal_earlier;
  one["contained"] = set.contained;
  one["contained_earlier"] = set.contained_earlier;
  one["strata"] = std::vector<std::uint64_t>(set.strata.begin(), set.strata.end());
  one["identities"] = std::vector<std::uint64_t>(set.identities.begin(), set.identities.end());
  return one;
}

nb::dict audit(Session& session, const std::vector<Database>& sets, const Scoring& scoring,
               const std::string& relation, const Words& strand, double evalue, const Listeners& listeners) {
  const AuditOptions options{similarity_of(relation, strand), evalue};
  const Audit audit =
      follow(listeners, [&](const RunControl& run) { return session.audit(sets, scoring, options, run); });
  nb::list audited, nearest;
  for (const AuditedSet& set : audit.sets) {
    audited.append(set_of(set, &set == audit.sets.data()));
    nearest.append(nearest_of(set.nearest));
  }
  nb::list counts;
  for (const LeakCount& count : audit.counts)
    counts.append(nb::make_tuple(count.set, count.earlier_set, name_of(options.similarity, count.relation),
                                 count.records, count.pairs));
  nb::dict found;
  found["relations"] = names_of_relations(options.similarity);
  found["evalue_limits"] = std::vector<double>(kAuditEvalues.begin(), kAuditEvalues.end());
  found["sets"] = audited;
  found["nearest"] = nearest;
  found["leaks"] = leaks_of(audit.leaks);
  found["counts"] = counts;
  found["equal"] = record_pairs(audit.equal);
  found["contained"] = record_pairs(audit.contained);
  found["pairs"] = audit.pairs;
  found["cells"] = audit.cells;
  found["statistics"] = audit.statistics;
  found["seconds"] = audit.seconds;
  return found;
}

nb::dict across_of(const std::vector<PairAcross>& pairs) {
  nb::dict table;
  table["record"] = column_of<std::int64_t>(pairs, [](const PairAcross& pair) { return pair.first; });
  table["other_record"] = column_of<std::int64_t>(pairs, [](const PairAcross& pair) { return pair.second; });
  table["relation"] = column_of<std::uint8_t>(pairs, [](const PairAcross& pair) { return pair.relation; });
  table["value"] = column_of<double>(pairs, [](const PairAcross& pair) { return pair.value; });
  return table;
}

// `cluster_of`: for each record the number of its cluster, or -1. `representatives`: of each cluster, or -1.
nb::dict audit_clusters(Session& session, const Database& set, const Array<std::int64_t>& cluster_of,
                        const Numbers64& representatives, const std::vector<std::string>& names,
                        const Scoring& scoring, const std::string& relation, const Words& strand,
                        const Words& promise, const Listeners& listeners) {
  RecordSets clusters{"clusters", names, {}, {}};
  for (const std::int64_t one : representatives)
    clusters.representatives.push_back(one < 0 ? std::nullopt
                                               : std::optional(static_cast<SequenceSet::Index>(one)));
  for (const std::int64_t one : span_of(cluster_of))
    clusters.set_of.push_back(one < 0 ? RecordSets::kNone : static_cast<std::uint32_t>(one));
  const ClusterAuditOptions options{similarity_of(relation, strand),
                                    chosen<ClusterPromise>("promise", promise)};
  const ClusterAudit audit = follow(listeners, [&](const RunControl& run) {
    return session.audit_clusters(set, clusters, scoring, options, run);
  });
  nb::dict found;
  found["relations"] = names_of_relations(options.similarity);
  found["holds"] = audit.holds;
  found["records"] = audit.records;
  found["left_out"] = audit.left_out;
  found["clusters"] = audit.clusters;
  found["across"] = across_of(audit.across);
  found["records_across"] = audit.records_across;
  found["representatives"] = across_of(audit.representatives);
  found["unrepresented"] = owned(std::vector<SequenceSet::Index>(audit.unrepresented));
  found["similar"] = audit.similar;
  found["pairs"] = audit.pairs;
  found["cells"] = audit.cells;
  found["statistics"] = audit.statistics;
  found["seconds"] = audit.seconds;
  return found;
}

// The subsets or clusters of a file: their names, their representatives (-1: none), and the set of each
// record (-1: none).
nb::tuple record_sets(const std::string& path, const Database& set) {
  RecordSets sets;
  {
    const Unlocked unlocked;
    set.check_files();
    sets = read_record_sets(path, set.sequences());
  }
  Numbers64 representatives;
  for (const auto& one : sets.representatives) representatives.push_back(one ? std::int64_t{*one} : -1);
  representatives.resize(sets.names.size(), -1);
  return nb::make_tuple(sets.names, representatives,
                        column_of<std::int64_t>(sets.set_of, [](std::uint32_t one) -> std::int64_t {
                          return one == RecordSets::kNone ? -1 : std::int64_t{one};
                        }));
}

}  // namespace

void bind_audits(nb::module_& module) {
  module.def("audit", &audit, nb::arg("session"), nb::arg("sets"), nb::arg("scoring"), nb::kw_only(),
             nb::arg("relation"), nb::arg("strand").none(), nb::arg("evalue"), nb::arg("listeners"));
  module.def("audit_clusters", &audit_clusters, nb::arg("session"), nb::arg("set"), nb::arg("cluster_of"),
             nb::arg("representatives"), nb::arg("names"), nb::arg("scoring"), nb::kw_only(),
             nb::arg("relation"), nb::arg("strand").none(), nb::arg("promise").none(), nb::arg("listeners"));
  module.def("record_sets", &record_sets, nb::arg("path"), nb::arg("set"));
}

}  // namespace alnus::python

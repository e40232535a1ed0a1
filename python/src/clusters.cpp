// Bindings of clusters, splits and the check of a split's certificate.
#include <cstdint>
#include <limits>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
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

// What a call says of its work: pairs, cells, statistics and seconds.
template <class Result>
void add_work(nb::dict& found, const Result& result) {
  found["pairs"] = result.pairs;
  found["cells"] = result.cells;
  found["similar"] = result.similar;
  found["statistics"] = result.statistics;
  found["seconds"] = result.seconds;
}

nb::dict cluster(Session& session, const Database& set, const Scoring& scoring, const std::string& relation,
                 const Words& strand, const std::string& promise, const std::string& choice,
                 std::vector<double> priority, bool identities, const std::string& tsv,
                 const std::string& clstr, const std::string& edges, const std::string& checkpoint,
                 const Listeners& listeners) {
  const ClusterOptions options{similarity_of(relation, strand),
                               parse_word<ClusterPromise>("promise", promise),
                               parse_word<RepresentativeChoice>("choice", choice),
                               std::move(priority),
                               identities,
                               {edges, checkpoint}};
  Clusters clusters = follow(listeners, [&](const RunControl& run) {
    return session.cluster(set, scoring, options, {tsv, clstr}, run);
  });
  nb::dict found;
  found["representative"] = owned(std::move(clusters.representative));
  found["representatives"] = owned(std::move(clusters.representatives));
  if (clusters.identity.empty())
    found["identity"] = nb::none();
  else
    found["identity"] = owned(std::move(clusters.identity));
  found["equal"] = clusters.equal;
  add_work(found, clusters);
  return found;
}

// Labels as Python hands them in: the name of a column, and a text for each record.
using LabelColumns = std::vector<std::pair<std::string, std::vector<std::string>>>;

nb::dict split(Session& session, const Database& set, const Scoring& scoring, const std::string& relation,
               const Words& strand, std::vector<double> fractions, std::vector<std::string> names,
               double tolerance, const std::optional<std::pair<std::uint64_t, std::uint64_t>>& bounds,
               const LabelColumns& labels, std::vector<std::string> groups, std::vector<std::string> fixed,
               bool allow_removal, std::vector<double> priority, std::uint64_t seed,
               const std::optional<SplitFiles>& files, const std::string& edges,
               const std::string& checkpoint, const Listeners& listeners) {
  SplitOptions options;
  options.similarity = similarity_of(relation, strand);
  options.fractions = std::move(fractions);
  options.names = std::move(names);
  options.tolerance = tolerance;
  if (bounds) options.bounds = SubsetBounds{bounds->first, bounds->second};
  for (const auto& [name, values] : labels) options.labels.push_back({name, values});
  options.groups = std::move(groups);
  options.fixed = std::move(fixed);
  options.allow_removal = allow_removal;
  options.priority = std::move(priority);
  options.seed = seed;
  options.edge_files = {edges, checkpoint};
  Split made = follow(listeners, [&](const RunControl& run) {
    return session.split(set, scoring, options, files.value_or(SplitFiles{}), run);
  });
  nb::dict found;
  std::vector<std::int64_t> subset_of;
  subset_of.reserve(made.subset_of.size());
  for (const std::uint32_t subset : made.subset_of)
    subset_of.push_back(subset == Split::kRemoved ? -1 : std::int64_t{subset});
  found["subset_of"] = owned(std::move(subset_of));
  nb::list subsets;
  for (const Split::Subset& subset : made.subsets) {
    nb::dict one;
    one["name"] = subset.name;
    one["records"] = subset.records;
    one["residues"] = subset.residues;
    one["similar"] = subset.similar;
    subsets.append(one);
  }
  found["subsets"] = subsets;
  found["components"] = made.components;
  found["largest"] = made.largest;
  found["equal"] = made.equal;
  found["removed"] = made.removed;
  found["removal_cost"] = made.removal_cost;
  found["lower_bound"] = made.lower_bound;
  add_work(found, made);
  return found;
}

nb::dict verify(Session& session, const std::string& certificate, const std::vector<Database>& sets,
                const std::vector<std::string>& subset_of, const Scoring& scoring, bool offline,
                std::uint32_t sample, std::uint64_t seed, const Listeners& listeners) {
  const CertificateCheck check = follow(listeners, [&](const RunControl& run) {
    return session.verify(certificate, sets, subset_of, scoring, {offline, sample, seed}, run);
  });
  nb::dict found;
  found["failures"] = check.failures;
  found["relations"] = check.relations;
  found["records"] = check.records;
  found["removed"] = check.removed;
  found["compared"] = check.compared;
  add_work(found, check);
  return found;
}

}  // namespace

void bind_clusters(nb::module_& module) {
  nb::class_<SplitFiles>(module, "SplitFiles")
      .def(
          "__init__",
          [](SplitFiles* self, const std::string& csv, const std::string& graph_part,
             const std::string& fasta, const std::string& ids, const std::string& certificate,
             const std::string& methods, const std::string& report) {
            new (self) SplitFiles{csv, graph_part, fasta, ids, certificate, methods, report, {}};
            self->head.program_version = version();
          },
          nb::kw_only(), nb::arg("csv"), nb::arg("graph_part"), nb::arg("fasta"), nb::arg("ids"),
          nb::arg("certificate"), nb::arg("methods"), nb::arg("report"));
  module.def("cluster", &cluster, nb::arg("session"), nb::arg("set"), nb::arg("scoring"), nb::kw_only(),
             nb::arg("relation"), nb::arg("strand").none(), nb::arg("promise"), nb::arg("choice"),
             nb::arg("priority"), nb::arg("identities"), nb::arg("tsv"), nb::arg("clstr"), nb::arg("edges"),
             nb::arg("checkpoint"), nb::arg("listeners"));
  module.def("split", &split, nb::arg("session"), nb::arg("set"), nb::arg("scoring"), nb::kw_only(),
             nb::arg("relation"), nb::arg("strand").none(), nb::arg("fractions"), nb::arg("names"),
             nb::arg("tolerance"), nb::arg("bounds").none(), nb::arg("labels"), nb::arg("groups"),
             nb::arg("fixed"), nb::arg("allow_removal"), nb::arg("priority"), nb::arg("seed"),
             nb::arg("files").none(), nb::arg("edges"), nb::arg("checkpoint"), nb::arg("listeners"));
  module.def("verify", &verify, nb::arg("session"), nb::arg("certificate"), nb::arg("sets"),
             nb::arg("subset_of"), nb::arg("scoring"), nb::kw_only(), nb::arg("offline"), nb::arg("sample"),
             nb::arg("seed"), nb::arg("listeners"));
}

}  // namespace alnus::python

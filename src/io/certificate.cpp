#include "io/certificate.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "alnus/error.h"
#include "alnus/text.h"
#include "core/refuse_input.h"
#include "core/utf8.h"
#include "io/certificate_json.h"
#include "io/set_digests.h"
#include "io/sha2.h"

namespace alnus::io {

using nlohmann::json;

namespace {

constexpr int kIndent = 2;

// A text as a value of JSON. `what` names it in messages.
json utf8_value(const std::string& text, std::string_view what) {
  if (!is_utf8(text))
    refuse_input(fmt::format("The {} {} is not UTF-8, so that no certificate can hold it. Write it in UTF-8.",
                             what, in_quotes(text)));
  return text;
}

json json_of(const Certificate::Subset& subset) {
  return {{"name", utf8_value(subset.name, "name of a subset")},
          {"records", subset.size.records},
          {"residues", subset.size.residues},
          {"contents_sha256", subset.contents_sha256},
          {"ids_sha256", subset.ids_sha256}};
}

json json_of(const Certificate::Removed& removed) {
  json ids = json::array();
  for (const std::string& id : removed.ids) ids.push_back(utf8_value(id, "id"));
  return {{"records", removed.ids.size()},
          {"residues", removed.residues},
          {"ids", ids},
          {"ids_sha256", sha256_of_lines(removed.ids)}};
}

json json_of(const Certificate::Edges& edges) {
  return {{"across", 0},
          {"within", edges.within},
          {"sum_sha256", edges.sum_sha256 ? json(*edges.sum_sha256) : json()},
          {"origin", edges.origin == Certificate::Origin::computed ? kComputedEdges : kGivenEdges}};
}

json nearest_json(const Certificate& certificate) {
  json nearest = json::array();
  for (std::size_t k = 0; k < certificate.relations.size(); ++k) {
    const Certificate::Relation& relation = certificate.relations[k];
    json pair;
    if (const auto& found = certificate.nearest_across[k])
      pair = {{"first", utf8_value(found->first, "id")},
              {"second", utf8_value(found->second, "id")},
              {"value", found->value}};
    nearest.push_back({{"relation", relation.kind + ":" + relation.threshold}, {"pair", pair}});
  }
  return nearest;
}

json json_of(const std::optional<Certificate::Histogram>& histogram) {
  if (!histogram) return {};
  json bins = json::array();
  for (const Certificate::Bin& bin : histogram->bins)
    bins.push_back({{"from", bin.from}, {"records", bin.records}});
  return {{"relation", histogram->relation}, {"bins", bins}, {"none", histogram->none}};
}

json predicate_of(const Certificate& certificate) {
  json relations = json::array(), subsets = json::array(), files = json::array();
  for (const Certificate::Relation& relation : certificate.relations) relations.push_back(json_of(relation));
  for (const Certificate::Subset& subset : certificate.subsets) subsets.push_back(json_of(subset));
  for (const Certificate::File& file : certificate.files)
    files.push_back({{"name", utf8_value(file.name, "name of a file")}, {"sha256", file.sha256}});
  const Certificate::Size& space = certificate.search_space;
  const Certificate::Pairs& pairs = certificate.pairs_compared;
  return {{"kind", "split"},
          {"alnus", certificate.version},
          {"relations", relations},
          {"search_space", {{"records", space.records}, {"residues", space.residues}}},
          {"subsets", subsets},
          {"removed", json_of(certificate.removed)},
          {"pairs_compared", {{"across", pairs.across}, {"within", pairs.within}}},
          {"edges", json_of(certificate.edges)},
          {"nearest_across", nearest_json(certificate)},
          {"nearest_identities", json_of(certificate.nearest_identities)},
          {"files", files}};
}

}  // namespace

json json_of(const Certificate::Relation& relation) {
  json parameters = json::object();
  for (const auto& [name, value] : relation.parameters)
    parameters[name] = utf8_value(value, "parameter of a relation");
  return {{"kind", relation.kind}, {"threshold", relation.threshold}, {"parameters", parameters}};
}

std::string seal_of(json predicate) {
  predicate.erase(kSeal);
  return sha256(predicate.dump());
}

std::string list_of(const std::vector<Certificate::Relation>& relations) {
  std::string list;
  for (const Certificate::Relation& relation : relations) list += (list.empty() ? "" : ",") + relation.name();
  return list;
}

std::string to_json(const Certificate& certificate) {
  json subjects = json::array();
  for (const Certificate::Subset& subset : certificate.subsets)
    subjects.push_back({{"name", utf8_value(subset.name, "name of a subset")},
                        {"digest", {{"contents_sha256", subset.contents_sha256}}}});
  json predicate = predicate_of(certificate);
  predicate[kSeal] = seal_of(predicate);
  const json statement = {{"_type", kStatementType},
                          {"subject", subjects},
                          {"predicateType", kPredicateType},
                          {"predicate", predicate}};
  return statement.dump(kIndent) + '\n';
}

void write_certificate(OutputFile& out, const Certificate& certificate) {
  const std::string text = to_json(certificate);
  const std::vector<std::string> wrong = contradictions(parse_certificate(text, out.path()));
  if (!wrong.empty())
    throw Error(ErrorKind::other,
                fmt::format("{} would not hold: {} Report this error.", out.path(), wrong.front()));
  out.write(text);
}

}  // namespace alnus::io

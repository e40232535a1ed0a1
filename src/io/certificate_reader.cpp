// Reads certificates, and refuses what docs/schema/certificate-v1.json does not allow.
#include <fmt/format.h>

#include "alnus/error.h"
#include "alnus/relation.h"
#include "io/byte_source.h"
#include "io/certificate.h"
#include "io/certificate_json.h"
#include "io/strict_json.h"

namespace alnus::io {
namespace {

constexpr std::uint64_t kRecordLimit = 0xffffffff;
constexpr std::uint64_t kResidueLimit = std::uint64_t{1} << 53;  // whole in every reader of JSON

}  // namespace

Certificate::Size read_size(const JsonValue& value) {
  return {value.at("records").count(kRecordLimit), value.at("residues").count(kResidueLimit)};
}

Certificate::Relation read_relation(const JsonValue& value) {
  value.require_keys({"kind", "threshold", "parameters"});
  Certificate::Relation relation{value.at("kind").name(), value.at("threshold").name(), {}};
  const std::string written = relation.kind + ":" + relation.threshold;
  std::vector<Relation> parsed;
  try {
    parsed = parse_relations(written);
  } catch (const Error& error) {
    value.refuse(fmt::format("must be a relation ({})", error.what()));
  }
  if (parsed.size() != 1) value.refuse("must be one relation");
  if (to_string(parsed.front()) != written)
    value.refuse(fmt::format("must have kind and threshold as in {}", to_string(parsed.front())));
  const JsonValue parameters = value.at("parameters");
  if (!parameters.value().is_object()) parameters.refuse("must be an object");
  for (const auto& [name, text] : parameters.value().items())
    relation.parameters[name] = parameters.at(name).text();
  return relation;
}

namespace {

Certificate::Subset read_subset(const JsonValue& value) {
  value.require_keys({"name", "records", "residues", "contents_sha256", "ids_sha256"});
  return {value.at("name").name(), read_size(value), value.at("contents_sha256").digest(),
          value.at("ids_sha256").digest()};
}

void read_removed(const JsonValue& value, CertificateText& text) {
  value.require_keys({"records", "residues", "ids", "ids_sha256"});
  text.removed_records = value.at("records").count(kRecordLimit);
  text.certificate.removed.residues = value.at("residues").count(kResidueLimit);
  value.at("ids").for_each([&](const JsonValue& id) { text.certificate.removed.ids.push_back(id.name()); });
  text.removed_ids_sha256 = value.at("ids_sha256").digest();
}

void read_edges(const JsonValue& value, CertificateText& text) {
  value.require_keys({"across", "within", "sum_sha256", "origin"});
  Certificate::Edges& edges = text.certificate.edges;
  text.edges_across = value.at("across").count(kPairLimit);
  edges.within = value.at("within").count(kPairLimit);
  if (!value.at("sum_sha256").is_null()) edges.sum_sha256 = value.at("sum_sha256").digest();
  const std::string origin = value.at("origin").text();
  if (origin != kComputedEdges && origin != kGivenEdges)
    value.at("origin").refuse(fmt::format("must be \"{}\" or \"{}\"", kComputedEdges, kGivenEdges));
  edges.origin = origin == kComputedEdges ? Certificate::Origin::computed : Certificate::Origin::given;
}

std::optional<Certificate::NearestPair> read_nearest_pair(const JsonValue& value) {
  if (value.is_null()) return std::nullopt;
  value.require_keys({"first", "second", "value"});
  return Certificate::NearestPair{value.at("first").name(), value.at("second").name(),
                                  value.at("value").name()};
}

std::optional<Certificate::Histogram> read_histogram(const JsonValue& value) {
  constexpr std::uint64_t kAll = 100;
  if (value.is_null()) return std::nullopt;
  value.require_keys({"relation", "bins", "none"});
  Certificate::Histogram histogram{value.at("relation").name(), {}, value.at("none").count(kRecordLimit)};
  value.at("bins").for_each([&](const JsonValue& bin) {
    bin.require_keys({"from", "records"});
    histogram.bins.push_back({bin.at("from").count(kAll), bin.at("records").count(kRecordLimit)});
  });
  return histogram;
}

Certificate::File read_file(const JsonValue& value) {
  value.require_keys({"name", "sha256"});
  Certificate::File file{value.at("name").name(), value.at("sha256").digest()};
  if (file.name.find('/') != file.name.npos) value.at("name").refuse("must have no folder");
  return file;
}

void read_predicate(const JsonValue& value, CertificateText& text) {
  value.require_keys({"kind", "alnus", "relations", "search_space", "subsets", "removed", "pairs_compared",
                      "edges", "nearest_across", "nearest_identities", "files", kSeal});
  Certificate& certificate = text.certificate;
  value.at("kind").require("split");
  certificate.version = value.at("alnus").name();
  value.at("relations").for_each([&](const JsonValue& relation) {
    certificate.relations.push_back(read_relation(relation));
  });
  value.at("search_space").require_keys({"records", "residues"});
  certificate.search_space = read_size(value.at("search_space"));
  value.at("subsets").for_each(
      [&](const JsonValue& subset) { certificate.subsets.push_back(read_subset(subset)); });
  read_removed(value.at("removed"), text);
  const JsonValue pairs = value.at("pairs_compared");
  pairs.require_keys({"across", "within"});
  certificate.pairs_compared = {pairs.at("across").count(kPairLimit), pairs.at("within").count(kPairLimit)};
  read_edges(value.at("edges"), text);
  value.at("nearest_across").for_each([&](const JsonValue& nearest) {
    nearest.require_keys({"relation", "pair"});
    text.nearest_relations.push_back(nearest.at("relation").name());
    certificate.nearest_across.push_back(read_nearest_pair(nearest.at("pair")));
  });
  certificate.nearest_identities = read_histogram(value.at("nearest_identities"));
  value.at("files").for_each([&](const JsonValue& file) { certificate.files.push_back(read_file(file)); });
  text.predicate_sha256 = value.at(kSeal).digest();
  text.computed_sha256 = seal_of(value.value());
}

}  // namespace

CertificateText parse_certificate(std::string_view text, const std::string& file) {
  constexpr std::size_t kLongest = std::size_t{1} << 28;  // bytes
  const JsonOrigin origin{file, "certificate", "alnus split", kLongest};
  const nlohmann::json parsed = parse_strictly(text, origin);
  const JsonValue statement(parsed, origin);
  statement.require_keys({"_type", "subject", "predicateType", "predicate"});
  statement.at("_type").require(kStatementType);
  statement.at("predicateType").require(kPredicateType);
  CertificateText result;
  statement.at("subject").for_each([&](const JsonValue& subject) {
    subject.require_keys({"name", "digest"});
    subject.at("digest").require_keys({"contents_sha256"});
    result.subjects.push_back(
        {subject.at("name").name(), subject.at("digest").at("contents_sha256").digest()});
  });
  read_predicate(statement.at("predicate"), result);
  return result;
}

CertificateText read_certificate(const std::string& path, const StopFlag& stop) {
  return parse_certificate(read_text(path, stop), display_name(path));
}

}  // namespace alnus::io

#include "io/edge_companion.h"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "io/byte_source.h"
#include "io/certificate_json.h"
#include "io/output_file.h"
#include "io/strict_json.h"

namespace alnus::io {
namespace {

constexpr const char* kEdgeFormat = "alnus edges";
constexpr std::uint64_t kEdgeVersion = 1;

}  // namespace

std::string companion_file(const std::string& table) { return table + ".json"; }

std::string to_json(const EdgeCompanion& companion) {
  constexpr int kIndent = 2;
  nlohmann::json relations = nlohmann::json::array();
  for (const Certificate::Relation& relation : companion.relations) relations.push_back(json_of(relation));
  const Certificate::Size& space = companion.search_space;
  const nlohmann::json json = {{"format", kEdgeFormat},
                               {"version", kEdgeVersion},
                               {"relations", relations},
                               {"search_space", {{"records", space.records}, {"residues", space.residues}}},
                               {"contents_sha256", companion.contents_sha256},
                               {"edges", companion.edges},
                               {"table_sha256", companion.table_sha256}};
  return json.dump(kIndent) + '\n';
}

EdgeCompanion parse_edge_companion(std::string_view text, const std::string& file) {
  constexpr std::size_t kLongest = 1 << 20;  // bytes
  const JsonOrigin origin{file, "description of edges", "alnus allpairs", kLongest};
  const nlohmann::json parsed = parse_strictly(text, origin);
  const JsonValue value(parsed, origin);
  value.require_keys(
      {"format", "version", "relations", "search_space", "contents_sha256", "edges", "table_sha256"});
  value.at("format").require(kEdgeFormat);
  if (const JsonValue format_version = value.at("version"); format_version.count(kPairLimit) != kEdgeVersion)
    format_version.refuse("must be 1, the only format that this version of alnus knows");
  EdgeCompanion companion;
  value.at("relations").for_each([&](const JsonValue& relation) {
    companion.relations.push_back(read_relation(relation));
  });
  if (companion.relations.empty()) value.at("relations").refuse("must not be empty");
  value.at("search_space").require_keys({"records", "residues"});
  companion.search_space = read_size(value.at("search_space"));
  companion.contents_sha256 = value.at("contents_sha256").digest();
  companion.edges = value.at("edges").count(kPairLimit);
  companion.table_sha256 = value.at("table_sha256").digest();
  return companion;
}

std::optional<EdgeCompanion> find_edge_companion(const std::string& table, const StopFlag& stop) {
  if (is_standard_output(table)) return std::nullopt;  // "-" is standard input here
  const std::string file = companion_file(table);
  std::error_code none;
  if (!std::filesystem::exists(file, none)) return std::nullopt;
  return parse_edge_companion(read_text(file, stop), file);
}

}  // namespace alnus::io

#include "api/job.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "alnus/error.h"
#include "alnus/session.h"

namespace alnus::api {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kWanted = "wanted";  // in place of an output's name

template <class T>
Json json_of(const std::optional<T>& value) {
  return value ? Json(*value) : Json();
}
template <class T>
std::optional<T> optional_of(const Json& json) {
  if (json.is_null()) return std::nullopt;
  return json.get<T>();
}

// Names of files and matrices may hold any bytes, but strings of JSON must be UTF-8: names become arrays of
// bytes.
Json bytes_of(const std::string& name) { return std::vector<std::uint8_t>(name.begin(), name.end()); }
std::string name_of(const Json& json) {
  const auto bytes = json.get<std::vector<std::uint8_t>>();
  return {bytes.begin(), bytes.end()};
}

Json json_of(const Scoring& scoring) {
  const SubstitutionMatrix& matrix = scoring.matrix;
  const FreeEnds& free = scoring.free_ends;
  return {{"matrix", bytes_of(matrix.name())},
          {"alphabet", matrix.alphabet()},
          {"matrix_scale", matrix.scale()},
          {"values", matrix.values()},
          {"open", scoring.open},
          {"extend", scoring.extend},
          {"scale", scoring.scale},
          {"mode", scoring.mode},
          {"free_ends", {free.query_begin, free.query_end, free.subject_begin, free.subject_end}}};
}

Scoring scoring_of(const Json& json) {
  const Json& free = json.at("free_ends");
  return {SubstitutionMatrix::of_values(name_of(json.at("matrix")), json.at("alphabet").get<AlphabetKind>(),
                                        json.at("matrix_scale"),
                                        json.at("values").get<std::vector<std::int32_t>>()),
          json.at("open"),
          json.at("extend"),
          json.at("scale"),
          json.at("mode").get<Mode>(),
          {free.at(0), free.at(1), free.at(2), free.at(3)}};
}

Json json_of(const Block& block) {
  return {block.rows.begin, block.rows.end, block.columns.begin, block.columns.end};
}

Block block_of(const Json& json) { return {{json.at(0), json.at(1)}, {json.at(2), json.at(3)}}; }

Json json_of(const PairFiles& files) {
  Json matrices = Json::array();
  for (const auto& [value, name] : files.matrices)
    if (!name.empty()) matrices.push_back(value);
  const ReportHead& head = files.head;
  return {{"rows", !files.rows.empty()},
          {"format", files.format.kind},
          {"columns", files.format.columns},
          {"header", files.format.header},
          {"database", bytes_of(head.database_name)},
          {"detail", head.detail},
          {"max_evalue", json_of(head.max_evalue)},
          {"matrix", !files.matrix.empty()},
          {"matrices", matrices},
          {"square", files.square},
          {"matrix_type", json_of(files.matrix_type)},
          {"phylip", !files.phylip.empty()},
          {"phylip_names", files.phylip_names},
          {"edges", !files.edges.empty()},
          {"edge_threshold", json_of(files.edge_threshold)}};
}

PairFiles files_of(const Json& json) {
  const auto wanted = [&](const char* name) -> std::string {
    return json.at(name).get<bool>() ? kWanted : "";
  };
  PairFiles files;
  files.rows = wanted("rows");
  files.format.kind = json.at("format").get<OutputFormat::Kind>();
  json.at("columns").get_to(files.format.columns);
  files.format.header = json.at("header");
  files.head.database_name = name_of(json.at("database"));
  files.head.detail = json.at("detail").get<Detail>();
  files.head.max_evalue = optional_of<double>(json.at("max_evalue"));
  files.matrix = wanted("matrix");
  for (const Json& value : json.at("matrices")) files.matrices[value.get<PairValue>()] = kWanted;
  files.square = json.at("square");
  files.matrix_type = optional_of<MatrixType>(json.at("matrix_type"));
  files.phylip = wanted("phylip");
  files.phylip_names = json.at("phylip_names").get<PhylipNames>();
  files.edges = wanted("edges");
  files.edge_threshold = optional_of<double>(json.at("edge_threshold"));
  return files;
}

}  // namespace

PairFiles without_names(PairFiles files) {
  for (std::string* name : {&files.rows, &files.matrix, &files.phylip, &files.edges})
    if (!name->empty()) *name = kWanted;
  for (auto& [value, name] : files.matrices)
    if (!name.empty()) name = kWanted;
  return files;
}

std::string Job::to_json() const {
  Json of_blocks = Json::array();
  for (const Block& block : blocks) of_blocks.push_back(json_of(block));
  const Json json = {{"kind", kind},
                     {"part", {part.number, part.count, part.more}},
                     {"blocks", of_blocks},
                     {"version", version},
                     {"run", run},
                     {"scoring", json_of(scoring)},
                     {"sizes", {rows, columns}},
                     {"names", {bytes_of(rows_name), bytes_of(columns_name)}},
                     {"outputs", json_of(files)},
                     {"score_plot", score_plot},
                     {"self", self},
                     {"value", {value.kind, value.denominator}},
                     {"nearest", nearest},
                     {"max_target_seqs", max_target_seqs},
                     {"significance", significance},
                     {"chosen_by_score", chosen_by_score},
                     {"most_candidates", most_candidates}};
  // The description may hold names that are no UTF-8; their invalid bytes are replaced. That does no harm, as
  // a description is only compared with others that were written the same way.
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Job Job::from_json(std::string_view text) {
  const Json json = Json::parse(text);
  Job job;
  job.kind = json.at("kind").get<Plan::Job>();
  job.part = {json.at("part").at(0), json.at("part").at(1), json.at("part").at(2)};
  for (const Json& block : json.at("blocks")) job.blocks.push_back(block_of(block));
  job.version = json.at("version");
  json.at("run").get_to(job.run);
  job.scoring = scoring_of(json.at("scoring"));
  job.rows = json.at("sizes").at(0);
  job.columns = json.at("sizes").at(1);
  job.rows_name = name_of(json.at("names").at(0));
  job.columns_name = name_of(json.at("names").at(1));
  job.files = files_of(json.at("outputs"));
  job.score_plot = json.at("score_plot");
  job.self = json.at("self");
  job.value = {json.at("value").at(0).get<PairValue>(), json.at("value").at(1).get<Denominator>()};
  job.nearest = json.at("nearest");
  job.max_target_seqs = json.at("max_target_seqs");
  job.significance = json.at("significance");
  job.chosen_by_score = json.at("chosen_by_score");
  job.most_candidates = json.at("most_candidates");
  return job;
}

}  // namespace alnus::api

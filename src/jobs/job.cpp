#include "jobs/job.h"

#include <fmt/format.h>
#include <limits>
#include <nlohmann/json.hpp>
#include <type_traits>

#include "alnus/error.h"
#include "alnus/matrix_table.h"
#include "alnus/session.h"
#include "core/decimal.h"
#include "io/json_values.h"
#include "jobs/pair_outputs.h"
#include "jobs/search_outputs.h"

namespace alnus::jobs {
namespace {

using Json = nlohmann::ordered_json;

// The placeholders for the name of an output, and for the name of a matrix of values that is written as a
// table.
constexpr const char *kWanted = "wanted", *kWantedTable = "wanted.csv";

std::string without_name(const PairOutputKind& kind, const std::string& name) {
  return name.empty() ? "" : kind.has_tables && is_matrix_table(name) ? kWantedTable : kWanted;
}

template <class T>
Json json_of(const std::optional<T>& value) {
  return value ? Json(*value) : Json();
}
template <class Read>
auto optional_of(const Json& json, const Read& read) -> std::optional<decltype(read(json))> {
  if (json.is_null()) return std::nullopt;
  return read(json);
}
double number_of(const Json& json) { return io::number(json); }

void require(bool fits) {
  if (!fits) io::refuse_value();
}

// Names of files and matrices may hold any bytes, but strings of JSON must be UTF-8: names become arrays of
// bytes.
Json bytes_of(const std::string& name) { return std::vector<std::uint8_t>(name.begin(), name.end()); }
std::string name_of(const Json& json) {
  std::string name;
  for (const Json& byte : json) name += static_cast<char>(io::whole<std::uint8_t>(byte));
  return name;
}

Json json_of(const Scoring& scoring) {
  const SubstitutionMatrix& matrix = scoring.matrix;
  const FreeEnds& free = scoring.free_ends;
  return {{"matrix", bytes_of(matrix.name())},
          {"alphabet", word_of(matrix.alphabet())},
          {"matrix_scale", matrix.scale()},
          {"values", matrix.values()},
          {"open", scoring.open},
          {"extend", scoring.extend},
          {"scale", scoring.scale},
          {"mode", word_of(scoring.mode)},
          {"free_ends", {free.query_begin, free.query_end, free.subject_begin, free.subject_end}}};
}

// True if multiples of 1/scale are decimals of finitely many digits: `scale` has no prime factors but 2 and
// 5.
bool is_scale_of_decimals(int scale) {
  for (const int factor : {2, 5})
    while (scale % factor == 0) scale /= factor;
  return scale == 1;
}

Scoring scoring_of(const Json& json) {
  constexpr auto kLargest = static_cast<std::int32_t>(kLargestScaledValue);
  const auto scale = io::whole<int>(json.at("scale"), 1, kLargest);
  require(is_scale_of_decimals(scale) && io::whole<int>(json.at("matrix_scale")) == scale);
  std::vector<std::int32_t> values;
  for (const Json& value : json.at("values")) values.push_back(io::whole(value, -kLargest, kLargest));
  const Json& free = json.at("free_ends");
  return {SubstitutionMatrix::of_values(name_of(json.at("matrix")),
                                        io::of_word<AlphabetKind>(json.at("alphabet")), scale, values),
          io::whole(json.at("open"), 0, kLargest),
          io::whole(json.at("extend"), 0, kLargest),
          scale,
          io::of_word<Mode>(json.at("mode")),
          {free.at(0), free.at(1), free.at(2), free.at(3)}};
}

Json json_of(const Block& block) {
  return {block.rows.begin, block.rows.end, block.columns.begin, block.columns.end};
}

IndexRange range_of(const Json& begin, const Json& end, SequenceSet::Index count) {
  const IndexRange range{io::whole(begin, SequenceSet::Index{0}, count),
                         io::whole(end, SequenceSet::Index{0}, count)};
  require(range.begin <= range.end);
  return range;
}

PartOfJob part_of(const Json& json) {
  constexpr std::size_t kMost = std::numeric_limits<std::size_t>::max();
  PartOfJob part;
  part.count = io::whole<std::size_t>(json.at(1), 1, kMost);
  part.number = io::whole<std::size_t>(json.at(0), 1, part.count);
  part.more = io::whole<std::size_t>(json.at(2), 0, part.count - part.number);
  return part;
}

Json json_of(const engine::RowFields& fields) {
  Json ranges = Json::array();
  for (const Denominator range : fields.identity_ranges) ranges.push_back(word_of(range));
  return {word_of(fields.detail),  fields.cigars, fields.significance, ranges,
          word_of(fields.strands), fields.hsps};
}

engine::RowFields fields_of(const Json& json) {
  engine::RowFields fields;
  fields.detail = io::of_word<Detail>(json.at(0));
  fields.cigars = json.at(1);
  fields.significance = json.at(2);
  for (const Json& range : json.at(3)) fields.identity_ranges.push_back(io::of_word<Denominator>(range));
  fields.strands = io::of_word<Strands>(json.at(4));
  fields.hsps = json.at(5);
  return fields;
}

// Refuses a table with columns that the parser of formats does not know.
void check(const OutputFormat& format) {
  if (format.columns.empty()) return;
  require(OutputFormat::parse(fmt::format("6 {}", fmt::join(format.columns, " "))).columns == format.columns);
}

// Which outputs a job has, by the options that name them: for a search true or false, for all pairs the
// placeholders that without_names() makes.
Json names_of(const SearchFiles& files) {
  Json names = Json::object();
  for (const SearchOutputKind& kind : search_output_kinds()) names[kind.option] = !(files.*kind.path).empty();
  return names;
}

void take_names(const Json& names, SearchFiles& files) {
  for (const SearchOutputKind& kind : search_output_kinds())
    if (names.value(std::string(kind.option), false)) files.*kind.path = kWanted;
}

Json names_of(const PairFiles& files) {
  Json names = Json::object();
  for (const PairOutputKind& kind : pair_output_kinds()) {
    Json more = Json::array();
    if (kind.more_paths)
      for (const auto& [value, name] : files.*kind.more_paths)
        if (!name.empty()) more.push_back({word_of(value), without_name(kind, name)});
    names[kind.option] = {without_name(kind, files.*kind.path), more};
  }
  return names;
}

void take_names(const Json& names, PairFiles& files) {
  for (const PairOutputKind& kind : pair_output_kinds()) {
    const auto taken = [&](const Json& json) {
      auto name = json.get<std::string>();
      require(without_name(kind, name) == name);
      return name;
    };
    const Json& of_kind = names.at(kind.option);
    files.*kind.path = taken(of_kind.at(0));
    require(of_kind.at(1).is_array() && (kind.more_paths || of_kind.at(1).empty()));
    for (const Json& one : of_kind.at(1))
      (files.*kind.more_paths)[io::of_word<PairValue>(one.at(0))] = taken(one.at(1));
  }
}

// Calls use(option, its value) for each of kOptions<PairFiles> that is not the name of a file.
template <class Files, class Use>
void for_each_form(Files& files, const Use& use) {
  for_each_option<PairFiles>([&](const auto& option) {
    if constexpr (!std::is_same_v<typename std::decay_t<decltype(option)>::Value, std::string>)
      use(option, files.*(option.member));
  });
}

// What searches and all pairs have in common: which outputs are wanted, and how rows look.
template <class Files>
Json names_and_rows_of(const Files& files) {
  const ReportHead& head = files.head;
  return {{"names", names_of(files)},
          {"format", word_of(files.format.kind)},
          {"columns", files.format.columns},
          {"header", files.format.header},
          {"database", bytes_of(head.database_name)},
          {"detail", word_of(head.detail)},
          {"max_evalue", json_of(head.max_evalue)}};
}

template <class Files>
Files take_names_and_rows(const Json& json) {
  Files files;
  take_names(json.at("names"), files);
  files.format.kind = io::of_word<OutputFormat::Kind>(json.at("format"));
  json.at("columns").get_to(files.format.columns);
  check(files.format);
  files.format.header = json.at("header");
  files.head.database_name = name_of(json.at("database"));
  files.head.detail = io::of_word<Detail>(json.at("detail"));
  files.head.max_evalue = optional_of(json.at("max_evalue"), number_of);
  return files;
}

Json json_of(const PairFiles& files) {
  Json json = names_and_rows_of(files);
  for_each_form(files, [&](const auto& option, const auto& member) {
    using Value = typename std::decay_t<decltype(option)>::Value;
    const std::optional<Value> value = member;
    if constexpr (std::is_enum_v<Value>)
      json[option.name] = value ? Json(word_of(*value)) : Json();
    else
      json[option.name] = json_of(value);
  });
  return json;
}

template <class Value>
Value read_option(const Json& json) {
  if constexpr (std::is_enum_v<Value>)
    return io::of_word<Value>(json);
  else if constexpr (std::is_same_v<Value, bool>)
    return json.get<bool>();
  else
    return number_of(json);
}

PairFiles pair_files_of(const Json& json) {
  auto files = take_names_and_rows<PairFiles>(json);
  for_each_form(files, [&](const auto& option, auto& member) {
    using Value = typename std::decay_t<decltype(option)>::Value;
    const std::optional<Value> value = optional_of(json.at(option.name), read_option<Value>);
    if constexpr (std::is_same_v<std::decay_t<decltype(member)>, Value>) {
      require(value.has_value());
      member = *value;
    } else {
      member = value;
    }
  });
  return files;
}

// The description of a job without what is of one part alone: the part's numbers, its blocks and the commit
// of the build that computed it.
Json shared_of(const Job& job) {
  return {{"kind", word_of(job.kind)},
          {"version", job.version},
          {"run", job.run},
          {"scoring", json_of(job.scoring)},
          {"sizes", {job.rows, job.columns}},
          {"names", {bytes_of(job.rows_name), bytes_of(job.columns_name)}},
          {"digests", {job.rows_digest, job.columns_digest}},
          {"outputs", job.is_search() ? names_and_rows_of(job.search_files) : json_of(job.pair_files)},
          {"fields", json_of(job.fields)},
          {"self", job.self},
          {"value", {word_of(job.value.kind), word_of(job.value.denominator)}},
          {"relations", to_string(job.relations)},
          {"companion", job.companion ? Json(io::to_json(*job.companion)) : Json()},
          {"nearest", job.nearest},
          {"max_target_seqs", job.max_target_seqs},
          {"max_hsps", job.max_hsps},
          {"significance", job.significance},
          {"chosen_by_score", job.chosen_by_score},
          {"most_candidates", job.most_candidates}};
}

std::string text_of(const Json& json) {
  // The description may hold names that are no UTF-8; their invalid bytes are replaced. That does no harm, as
  // a description is only compared with others that were written the same way.
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

SearchFiles without_names(SearchFiles files) {
  for (const SearchOutputKind& kind : search_output_kinds())
    if (std::string& path = files.*kind.path; !path.empty()) path = kWanted;
  return files;
}

PairFiles without_names(PairFiles files) {
  for (const PairOutputKind& kind : pair_output_kinds()) {
    files.*kind.path = without_name(kind, files.*kind.path);
    if (!kind.more_paths) continue;
    for (auto& [value, name] : files.*kind.more_paths) name = without_name(kind, name);
  }
  return files;
}

bool Job::shows_letters() const {
  const std::string& rows = is_search() ? search_files.rows : pair_files.rows;
  const std::string& report = is_search() ? search_files.report : pair_files.report;
  return (!rows.empty() && format().needs_letters()) || (!report.empty() && fields.cigars);
}

std::string Job::to_json() const {
  Json json = shared_of(*this);
  json["commit"] = commit;
  json["part"] = {part.number, part.count, part.more};
  json["blocks"] = Json::array();
  for (const Block& block : blocks) json["blocks"].push_back(json_of(block));
  return text_of(json);
}

std::string Job::work() const {
  Json json = shared_of(*this);
  json.erase("names");
  json["outputs"].erase("database");
  json["scoring"].erase("matrix");  // the matrix' name: it may be a path
  json.erase("companion");          // it has that name, too, and follows from the rest
  return text_of(json);
}

Job Job::from_json(std::string_view text) {
  const auto json = io::parsed<Json>(text);
  Job job;
  job.kind = io::of_word<Plan::Job>(json.at("kind"));
  job.part = part_of(json.at("part"));
  job.rows = io::whole<SequenceSet::Index>(json.at("sizes").at(0));
  job.columns = io::whole<SequenceSet::Index>(json.at("sizes").at(1));
  require(!job.one_set() || job.rows == job.columns);
  for (const Json& block : json.at("blocks"))
    job.blocks.push_back(
        {range_of(block.at(0), block.at(1), job.rows), range_of(block.at(2), block.at(3), job.columns)});
  job.version = json.at("version");
  job.commit = json.value("commit", "");
  json.at("run").get_to(job.run);
  job.scoring = scoring_of(json.at("scoring"));
  job.rows_name = name_of(json.at("names").at(0));
  job.columns_name = name_of(json.at("names").at(1));
  json.at("digests").at(0).get_to(job.rows_digest);
  json.at("digests").at(1).get_to(job.columns_digest);
  if (job.is_search())
    job.search_files = take_names_and_rows<SearchFiles>(json.at("outputs"));
  else
    job.pair_files = pair_files_of(json.at("outputs"));
  job.fields = fields_of(json.at("fields"));
  job.self = json.at("self");
  job.value = {io::of_word<PairValue>(json.at("value").at(0)),
               io::of_word<Denominator>(json.at("value").at(1))};
  if (const std::string relations = json.at("relations"); !relations.empty())
    job.relations = parse_relations(relations);
  job.companion = optional_of(json.at("companion"), [](const Json& text) {
    return io::parse_edge_companion(text.get<std::string>(), "the job");
  });
  job.nearest = json.at("nearest");
  job.max_target_seqs = io::whole<std::uint32_t>(json.at("max_target_seqs"));
  require(!job.is_search() || job.max_target_seqs > 0);
  job.max_hsps = io::whole<std::uint32_t>(json.at("max_hsps"), 1);
  require(job.fields.hsps == (job.max_hsps > 1));
  job.significance = json.at("significance");
  job.chosen_by_score = json.at("chosen_by_score");
  job.most_candidates = io::whole<std::uint32_t>(json.at("most_candidates"));
  check_strands(job.fields.strands, job.scoring.matrix.alphabet(), "");
  return job;
}

}  // namespace alnus::jobs

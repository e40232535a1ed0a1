#include "api/part_calls.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <numeric>

#include "alnus/error.h"
#include "alnus/session.h"
#include "api/database_state.h"

namespace alnus::api {
namespace {

using Json = nlohmann::ordered_json;
using Index = SequenceSet::Index;

}  // namespace

void check(const PartOfJob& part) {
  if (part.number == 0 || part.last() > part.count)
    throw Error(ErrorKind::input,
                fmt::format("{} {}/{}: parts of {} have the numbers 1 to {}.", option("part"), part.number,
                            part.count, part.count, part.count));
}

void check_part_name(const std::string& path, const Database& first, const Database& second,
                     std::span<const std::string> other_inputs) {
  if (path.empty() || path == "-")
    throw Error(ErrorKind::input, fmt::format("{} needs {} FILE: a part is a file, which {} reads.",
                                              option("part"), option("output"), "alnus merge"));
  std::vector<std::string> inputs = first.state()->files;
  inputs.insert(inputs.end(), second.state()->files.begin(), second.state()->files.end());
  inputs.insert(inputs.end(), other_inputs.begin(), other_inputs.end());
  check_outputs({&path, 1}, inputs);
}

io::PartFileWriter::Place place_of(const PartTarget& target) {
  using Place = io::PartFileWriter::Place;
  return target.appended ? Place::appended : Place::new_file;
}

std::vector<Index> numbers_of(IndexRange range) {
  std::vector<Index> numbers(range.size());
  std::iota(numbers.begin(), numbers.end(), range.begin);
  return numbers;
}

std::vector<Index> share_of(Index count, const PartOfJob& part) {
  const auto end_of = [&](std::size_t number) {
    return static_cast<Index>(static_cast<unsigned __int128>(count) * number / part.count);
  };
  return numbers_of({end_of(part.number - 1), end_of(part.last())});
}

std::string to_json(const SearchSummary& summary) {
  const ScoreHistogram& histogram = summary.histogram;
  const Json json = {{"queries", summary.queries},
                     {"cells", summary.cells},
                     {"pairs", summary.pairs},
                     {"cut_ties", summary.cut_ties},
                     {"cut_tie_ids", summary.cut_tie_ids},
                     {"fallbacks", summary.fallbacks},
                     {"method", summary.method},
                     {"statistics", summary.statistics},
                     {"has_parameters", summary.has_parameters},
                     {"fallback", summary.fallback},
                     {"seconds", summary.seconds},
                     {"lowest", histogram.lowest},
                     {"counts", histogram.pairs},
                     {"expected", histogram.expected},
                     {"stride", histogram.stride}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);  // ids need not be UTF-8
}

void add_from_json(std::string_view text, SearchSummary& summary) {
  const Json json = Json::parse(text);
  SearchSummary part;
  json.at("queries").get_to(part.queries);
  json.at("cells").get_to(part.cells);
  json.at("pairs").get_to(part.pairs);
  json.at("cut_ties").get_to(part.cut_ties);
  json.at("cut_tie_ids").get_to(part.cut_tie_ids);
  json.at("fallbacks").get_to(part.fallbacks);
  part.method = json.at("method").get<StatisticsMethod>();
  json.at("statistics").get_to(part.statistics);
  json.at("has_parameters").get_to(part.has_parameters);
  part.fallback = json.at("fallback").get<StatisticsMethod>();
  json.at("seconds").get_to(part.seconds);
  json.at("lowest").get_to(part.histogram.lowest);
  json.at("counts").get_to(part.histogram.pairs);
  json.at("expected").get_to(part.histogram.expected);
  json.at("stride").get_to(part.histogram.stride);
  summary += part;
  add(part.histogram, summary.histogram);
}

std::string to_json(const AllPairsSummary& summary) {
  const Json json = {{"pairs", summary.pairs},           {"cells", summary.cells},
                     {"listed", summary.listed},         {"filtered", summary.filtered},
                     {"empty", summary.empty},           {"edges", summary.edges},
                     {"statistics", summary.statistics}, {"seconds", summary.seconds}};
  return json.dump();
}

void add_from_json(std::string_view text, AllPairsSummary& summary) {
  const Json json = Json::parse(text);
  const auto number = [&](const char* name) { return json.at(name).get<std::uint64_t>(); };
  summary.pairs += number("pairs");
  summary.cells += number("cells");
  summary.listed += number("listed");
  summary.filtered += number("filtered");
  summary.empty += number("empty");
  summary.edges += number("edges");
  json.at("statistics").get_to(summary.statistics);
  summary.seconds += json.at("seconds").get<double>();
}

void add(const ScoreHistogram& part, ScoreHistogram& all) {
  if (part.pairs.empty()) return;
  const auto end = [](const ScoreHistogram& histogram) {
    return histogram.lowest + static_cast<std::int32_t>(histogram.pairs.size());
  };
  ScoreHistogram sum;
  sum.stride = part.stride;
  sum.lowest = all.pairs.empty() ? part.lowest : std::min(all.lowest, part.lowest);
  const std::int32_t last = all.pairs.empty() ? end(part) : std::max(end(all), end(part));
  sum.pairs.resize(static_cast<std::size_t>(last - sum.lowest));
  if (!part.expected.empty() || !all.expected.empty()) sum.expected.resize(sum.pairs.size());
  for (const ScoreHistogram* histogram : {static_cast<const ScoreHistogram*>(&all), &part}) {
    const auto begin = static_cast<std::size_t>(histogram->lowest - sum.lowest);
    for (std::size_t i = 0; i < histogram->pairs.size(); ++i) sum.pairs[begin + i] += histogram->pairs[i];
    for (std::size_t i = 0; i < histogram->expected.size(); ++i)
      sum.expected[begin + i] += histogram->expected[i];
  }
  all = std::move(sum);
}

}  // namespace alnus::api

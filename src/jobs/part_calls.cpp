#include "jobs/part_calls.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <numeric>

#include "alnus/error.h"
#include "alnus/session.h"
#include "core/refuse_input.h"
#include "io/id_check.h"
#include "io/json_values.h"
#include "session/database_state.h"

namespace alnus::jobs {
namespace {

using Json = nlohmann::ordered_json;
using Index = SequenceSet::Index;

}  // namespace

void check(const PartOfJob& part) {
  if (part.number == 0 || part.last() > part.count)
    refuse_input(fmt::format("{} {}/{}: parts of {} have the numbers 1 to {}.", option("part"), part.number,
                             part.count, part.count, part.count));
}

void check_part_name(const std::string& path, const Database& first, const Database& second,
                     std::span<const std::string> other_inputs) {
  if (path.empty() || path == "-")
    refuse_input(fmt::format("{} needs {} FILE: a part is a file, which {} reads.", option("part"),
                             option("output"), "alnus merge"));
  for (const Database* database : {&first, &second})
    io::require_ids_without(" \t", database->sequences(), "a file of a part");
  std::vector<std::string> inputs = first.state()->files;
  inputs.insert(inputs.end(), second.state()->files.begin(), second.state()->files.end());
  inputs.insert(inputs.end(), other_inputs.begin(), other_inputs.end());
  check_outputs({&path, 1}, inputs);
  check_name(path, Contents::part);
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

Told told_of(const Job& job, Side side) {
  const bool all = !job.is_search() || side == Side::rows;
  return {.names = all || job.format().kind == OutputFormat::Kind::sam,
          .letters = all && job.shows_letters()};
}

io::Packer packed(const SearchSummary& summary) {
  const ScoreHistogram& histogram = summary.histogram;
  const Json json = {{"queries", summary.queries},
                     {"cells", summary.cells},
                     {"pairs", summary.pairs},
                     {"hits", summary.hits},
                     {"cut_ties", summary.cut_ties},
                     {"cut_tie_ids", summary.cut_tie_ids},
                     {"fallbacks", summary.fallbacks},
                     {"method", word_of(summary.method)},
                     {"statistics", summary.statistics},
                     {"has_parameters", summary.has_parameters},
                     {"fallback", word_of(summary.fallback)},
                     {"seconds", summary.seconds},
                     {"lowest", histogram.lowest},
                     {"stride", histogram.stride}};
  io::Packer to;
  to.add(json.dump(-1, ' ', false, Json::error_handler_t::replace));  // ids need not be UTF-8
  to.add(histogram.pairs);
  to.add(histogram.expected);
  return to;
}

SearchSummary search_summary_of(const io::ChunkBytes& chunk) {
  io::Unpacker from(chunk.bytes());
  const auto json = io::parsed<Json>(from.take_text());
  const auto count = [&](const char* name) { return io::whole<std::uint64_t>(json.at(name)); };
  SearchSummary summary;
  summary.queries = count("queries");
  summary.cells = count("cells");
  summary.pairs = count("pairs");
  summary.hits = count("hits");
  summary.cut_ties = count("cut_ties");
  json.at("cut_tie_ids").get_to(summary.cut_tie_ids);
  summary.fallbacks = count("fallbacks");
  summary.method = io::of_word<StatisticsMethod>(json.at("method"));
  json.at("statistics").get_to(summary.statistics);
  json.at("has_parameters").get_to(summary.has_parameters);
  summary.fallback = io::of_word<StatisticsMethod>(json.at("fallback"));
  summary.seconds = io::number(json.at("seconds"), 0);
  ScoreHistogram& histogram = summary.histogram;
  histogram.lowest = io::whole<std::int32_t>(json.at("lowest"));
  histogram.stride = io::whole<std::uint32_t>(json.at("stride"), 1);
  const auto pairs = from.take<std::uint64_t>();
  const auto expected = from.take<double>();
  from.require_end();
  const bool fits = summary.cut_tie_ids.size() <= kNamedQueries && summary.cut_ties <= summary.queries &&
                    summary.fallbacks <= summary.queries && expected.size() <= pairs.size() &&
                    std::ranges::all_of(expected, [](double number) { return std::isfinite(number); });
  if (!fits) io::refuse_value();
  histogram.pairs.assign(pairs.begin(), pairs.end());
  histogram.expected.assign(expected.begin(), expected.end());
  return summary;
}

std::string to_json(const AllPairsSummary& summary) {
  const Json json = {{"pairs", summary.pairs},           {"cells", summary.cells},
                     {"listed", summary.listed},         {"filtered", summary.filtered},
                     {"empty", summary.empty},           {"edges", summary.edges},
                     {"statistics", summary.statistics}, {"seconds", summary.seconds}};
  return json.dump();
}

AllPairsSummary pair_summary_of(const io::ChunkBytes& chunk) {
  const auto json = io::parsed<Json>(chunk.text());
  const auto count = [&](const char* name) { return io::whole<std::uint64_t>(json.at(name)); };
  AllPairsSummary summary;
  summary.pairs = count("pairs");
  summary.cells = count("cells");
  summary.listed = count("listed");
  summary.filtered = count("filtered");
  summary.empty = count("empty");
  summary.edges = count("edges");
  json.at("statistics").get_to(summary.statistics);
  summary.seconds = io::number(json.at("seconds"), 0);
  return summary;
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

}  // namespace alnus::jobs

#include "jobs/part_columns.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>

namespace alnus::jobs {
namespace {

// The statistics of queries are packed as arrays: for each query the end of its description, whether it has
// Karlin's parameters, these parameters (four numbers), and the length adjustment.
constexpr std::size_t kKarlinNumbers = 4;

void pack(const std::vector<QueryStatistics>& all, io::Packer& to) {
  std::string descriptions;
  std::vector<std::uint64_t> ends;
  std::vector<std::uint8_t> has_karlin;
  std::vector<double> numbers;
  std::vector<std::int64_t> adjustments;
  for (const QueryStatistics& of_query : all) {
    ends.push_back((descriptions += of_query.description).size());
    has_karlin.push_back(of_query.karlin.has_value());
    const auto karlin = of_query.karlin.value_or(QueryStatistics::Karlin{});
    numbers.insert(numbers.end(), {karlin.lambda, karlin.K, karlin.H, karlin.search_space});
    adjustments.push_back(karlin.length_adjustment);
  }
  to.add(descriptions);
  to.add(ends);
  to.add(has_karlin);
  to.add(numbers);
  to.add(adjustments);
}

std::vector<QueryStatistics> unpack_statistics(io::Unpacker& from) {
  const std::string_view descriptions = from.take_text();
  const auto ends = from.take<std::uint64_t>();
  const auto has_karlin = from.take<std::uint8_t>(ends.size());
  const auto numbers = from.take<double>(kKarlinNumbers * ends.size());
  const auto adjustments = from.take<std::int64_t>(ends.size());
  std::vector<QueryStatistics> all;
  std::uint64_t begin = 0;
  for (std::size_t q = 0; q < ends.size(); ++q) {
    const std::span<const double> of_query = numbers.subspan(kKarlinNumbers * q, kKarlinNumbers);
    if (ends[q] < begin || ends[q] > descriptions.size() || has_karlin[q] > 1 ||
        !std::ranges::all_of(of_query, [](double number) { return std::isfinite(number); }))
      io::Unpacker::fail();
    QueryStatistics& statistics = all.emplace_back();
    statistics.description = descriptions.substr(begin, ends[q] - begin);
    if (has_karlin[q] != 0)
      statistics.karlin = {of_query[0], of_query[1], of_query[2], of_query[3], adjustments[q]};
    begin = ends[q];
  }
  if (begin != descriptions.size()) io::Unpacker::fail();
  return all;
}

}  // namespace

void pack(const Columns& rows, io::Packer& to) {
  for_each_span(rows, [&](const auto& column) { to.add(column); });
  to.add(rows.cigar_offsets);
  to.add(rows.cigar_runs);
}

Columns unpack_columns(io::Unpacker& from, const std::shared_ptr<const void>& owner) {
  Columns rows;
  for_each_span(rows, [&]<class T>(std::span<const T>& column) { column = from.take<T>(); });
  rows.cigar_offsets = from.take<std::uint64_t>();
  rows.cigar_runs = from.take<CigarRun>();
  rows.owner = owner;
  return rows;
}

io::Packer packed(const PartHits& hits, const Block& offsets) {
  const SearchBatch& batch = hits.batch;
  const SequenceSet::Index first = offsets.rows.begin;
  const std::vector<std::uint32_t> numbers = {batch.queries.begin + first,
                                              batch.queries.end + first,
                                              first,
                                              offsets.columns.begin,
                                              hits.block.rows.begin,
                                              hits.block.rows.end,
                                              hits.block.columns.begin,
                                              hits.block.columns.end,
                                              static_cast<std::uint32_t>(hits.candidates.size())};
  io::Packer to;
  to.add(numbers);
  to.add(batch.statistics);
  pack(batch.query_statistics, to);
  to.add(batch.first_row);
  pack(batch.rows, to);
  for (const PartHits::Candidates& candidates : hits.candidates) {
    to.add(std::vector<Strand>{candidates.strand});
    to.add(candidates.keys);
  }
  return to;
}

PartHits hits_of(const io::ChunkBytes& chunk) {
  io::Unpacker from(chunk.bytes());
  const std::span<const std::uint32_t> numbers = from.take<std::uint32_t>(9);
  PartHits hits;
  SearchBatch& batch = hits.batch;
  batch.queries = {numbers[0], numbers[1]};
  const std::uint32_t first = numbers[2], first_subject = numbers[3];
  hits.block = {{numbers[4], numbers[5]}, {numbers[6], numbers[7]}};
  batch.statistics = from.take_text();
  batch.query_statistics = unpack_statistics(from);
  batch.first_row = from.take<std::uint64_t>();
  batch.rows = unpack_columns(from, chunk.owner);
  for (std::uint32_t i = 0; i < numbers[8]; ++i) {
    const Strand strand = from.take<Strand>(1).front();
    if (strand > Strand::minus) io::Unpacker::fail();
    const std::span<const engine::CandidateKey> keys = from.take<engine::CandidateKey>();
    hits.candidates.push_back({strand, {keys.begin(), keys.end()}});
  }
  from.require_end();
  const bool fits =
      batch.queries.begin <= batch.queries.end && batch.rows.query.size() == batch.rows.size() &&
      batch.rows.subject.size() == batch.rows.size() &&
      batch.first_row.size() == std::size_t{batch.queries.size()} + 1 && batch.first_row.front() == 0 &&
      std::ranges::is_sorted(batch.first_row) && batch.first_row.back() == batch.rows.size() &&
      (batch.query_statistics.empty() || batch.query_statistics.size() == batch.queries.size());
  if (!fits) io::Unpacker::fail();
  // From here on, queries and subjects are numbered as in the whole inputs.
  struct Both {
    std::shared_ptr<const void> chunk;
    std::vector<SequenceSet::Index> query, subject;
  };
  const auto both = std::make_shared<Both>(Both{chunk.owner, {}, {}});
  for (const SequenceSet::Index query : batch.rows.query) both->query.push_back(query + first);
  for (const SequenceSet::Index subject : batch.rows.subject)
    both->subject.push_back(subject + first_subject);
  batch.rows.query = both->query;
  batch.rows.subject = both->subject;
  batch.rows.owner = both;
  return hits;
}

}  // namespace alnus::jobs

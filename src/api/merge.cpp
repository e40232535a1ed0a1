// Session::merge.
#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "alnus/error.h"
#include "alnus/session.h"
#include "api/call.h"
#include "api/job.h"
#include "api/merge_hits.h"
#include "api/merge_outputs.h"
#include "api/pair_files.h"
#include "api/part_calls.h"
#include "api/part_sequences.h"
#include "api/part_stripes.h"
#include "api/search_writers.h"
#include "api/session_core.h"
#include "engine/all_pairs.h"

namespace alnus {
namespace api {
namespace {

using Index = SequenceSet::Index;

[[noreturn]] void fail(const std::string& message) { throw Error(ErrorKind::input, message); }

// Calls body(). If body() throws Error(input) or an error of JSON, throws Error(input) that also names the
// file and the byte of the chunk at hand.
template <class Body>
auto of_chunk(const io::PartFileReader& part, const Body& body) {
  try {
    return body();
  } catch (const Interrupted&) {
    throw;
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::input) throw;
    part.refuse(error.what());
  } catch (const nlohmann::json::exception& error) {
    part.refuse(error.what());
  }
}

// The place and the numbers of a part. Only the first part's job is kept, in Parts.
struct Part {
  PartPlace place;
  PartOfJob numbers;
};
struct Parts {
  Job job;
  std::vector<Part> all;  // sorted by number
};

Job read_job(const PartPlace& place) {
  const io::PartFileReader reader(place.path, place.begin);
  if (reader.kind() != io::ChunkKind::job) reader.refuse("it does not begin with its job");
  Job job = of_chunk(reader, [&] { return Job::from_json(reader.read().text()); });
  if (job.version != version())
    fail(
        fmt::format("{} was computed by alnus {}, and this is {}: compute all parts of a job, and merge "
                    "them, by one version.",
                    place.path, job.version, version()));
  return job;
}

// Calls take(reader) with each chunk of the part at hand.
template <class Take>
void for_each_chunk(const Part& part, const StopFlag& stop, const Take& take) {
  for (io::PartFileReader reader(part.place.path, part.place.begin); !reader.at_end(); reader.next()) {
    stop.throw_if_requested();
    take(reader);
  }
}

// Throws for a chunk of a kind that does not belong to this job. `known`: the caller reads chunks of this
// kind. Chunks of the job and of sequences are always allowed.
void require_known(const io::PartFileReader& reader, bool known) {
  if (reader.kind() == io::ChunkKind::job) reader.read();
  if (!known && reader.kind() != io::ChunkKind::job && reader.kind() != io::ChunkKind::sequences)
    reader.refuse("it has no place in this job");
}

// The places of all parts in these files.
std::vector<PartPlace> places_in(const std::vector<std::string>& paths, const StopFlag& stop) {
  std::vector<PartPlace> places;
  for (const std::string& path : paths)
    for (std::uint64_t begin = 0;;) {
      stop.throw_if_requested();
      io::PartFileReader reader(path, begin);
      places.push_back({path, begin});
      while (!reader.at_end()) reader.next();
      if (!reader.has_more()) break;
      begin = reader.end();
    }
  return places;
}

// Numbers in words, with consecutive ones joined: "3, 5 to 7".
std::string ranges_of(const std::vector<std::size_t>& numbers) {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t last = i;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
    words.push_back(last == i ? fmt::format("{}", numbers[i])
                              : fmt::format("{} to {}", numbers[i], numbers[last]));
    i = last + 1;
  }
  return fmt::format("{}", fmt::join(words, ", "));
}

// Throws if two parts are not of one job. The message names both files.
void require_one_job(const Job& first, const std::string& first_path, const Job& other,
                     const std::string& path) {
  const auto refuse = [&](const std::string& what) {
    fail(fmt::format("{} and {} are parts of different jobs: {}.", first_path, path, what));
  };
  if (other.kind != first.kind) refuse("they compute different things");
  const auto [in_first, in_other] = std::ranges::mismatch(first.run, other.run);
  if (in_other != other.run.end()) refuse(differs(in_other->first));
  if (other.part.count != first.part.count)
    refuse(fmt::format("one is of {} parts, the other of {}", first.part.count, other.part.count));
  if (const std::optional<std::string> what = first_difference(first, other)) refuse(*what);
}

// Throws unless `parts`, sorted by number, holds all parts of the job, each once.
void require_all(const std::vector<Part>& parts) {
  const std::size_t count = parts.front().numbers.count;
  std::vector<std::size_t> missing;
  std::size_t next = 1;
  const Part* before = nullptr;
  for (const Part& part : parts) {
    if (part.numbers.number < next)
      fail(fmt::format("{} and {} are the same part, {} of {}: name one of them.", before->place.path,
                       part.place.path, part.numbers.number, count));
    for (; next < part.numbers.number; ++next) missing.push_back(next);
    next = part.numbers.last() + 1;
    before = &part;
  }
  for (; next <= count; ++next) missing.push_back(next);
  if (missing.empty()) return;
  const bool one = missing.size() == 1;
  fail(fmt::format("{} of {} {} missing: {}. Compute {} by {} I/{}, and merge all together.",
                   one ? "One part" : fmt::format("{} parts", missing.size()), count, one ? "is" : "are",
                   ranges_of(missing), one ? "it" : "them", option("part"), count));
}

Parts read_heads(const std::vector<PartPlace>& places, const StopFlag& stop) {
  if (places.empty()) fail("There are no parts to merge.");
  Parts parts{read_job(places.front()), {}};
  parts.all.reserve(places.size());
  for (const PartPlace& place : places) {
    stop.throw_if_requested();
    const Job job = read_job(place);
    require_one_job(parts.job, places.front().path, job, place.path);
    parts.all.push_back({place, job.part});
  }
  std::ranges::stable_sort(parts.all, {}, [](const Part& part) { return part.numbers.number; });
  require_all(parts.all);
  return parts;
}

// The sequences of the pair matrix's rows and columns; for one set both are the same.
struct Sides {
  Database rows, columns;
};

Sides gather(const Parts& parts, const StopFlag& stop) {
  const Job& job = parts.job;
  const AlphabetKind alphabet = job.scoring.matrix.alphabet();
  GatheredSequences rows(alphabet, job.rows, job.rows_name);
  std::optional<GatheredSequences> columns;
  if (!job.one_set()) columns.emplace(alphabet, job.columns, job.columns_name);
  for (const Part& part : parts.all)
    for_each_chunk(part, stop, [&](const io::PartFileReader& reader) {
      if (reader.kind() != io::ChunkKind::sequences) return;
      of_chunk(reader, [&] {
        const io::ChunkBytes chunk = reader.read();
        const bool of_columns = GatheredSequences::side_of(chunk) == Side::columns;
        if (of_columns && !columns) reader.refuse("it has columns, and the job has one set");
        (of_columns ? *columns : rows).add(chunk);
      });
    });
  if (!rows.complete() || (columns && !columns->complete())) {
    for (const Part& part : parts.all)  // throws if damage made a chunk look like one of another kind
      for_each_chunk(part, stop, [](const io::PartFileReader& reader) { reader.read(); });
    fail("The parts together do not have all sequences of their job. Compute them again.");
  }
  const Database of_rows(rows.finish());
  return {of_rows, columns ? Database(columns->finish()) : of_rows};
}

void merge_search(const Parts& parts, const SearchFiles& files, MergeSummary& summary, Call& call) {
  const Job& job = parts.job;
  const Sides sides = gather(parts, call.stop());
  SearchWriters writers(files, job.scoring, sides.rows, sides.columns, call.session().threads(), call.stop());
  HitMerger merger(job, sides.rows.sequences(), sides.columns.sequences(), summary.search,
                   [&](const SearchBatch& batch) { writers.write(batch); });
  for (const Part& part : parts.all)
    for_each_chunk(part, call.stop(), [&](const io::PartFileReader& reader) {
      require_known(reader, reader.kind() == io::ChunkKind::hits || reader.kind() == io::ChunkKind::summary);
      if (reader.kind() == io::ChunkKind::hits)
        merger.add(of_chunk(reader, [&] {
          PartHits hits = hits_of(reader.read());
          merger.require_next(hits);
          return hits;
        }));
      if (reader.kind() == io::ChunkKind::summary)
        of_chunk(reader, [&] { add_from_json(reader.read().text(), summary.search); });
    });
  merger.require_end();
  summary.search.queries = job.rows;
  summary.search.left_out = summary.search.pairs - summary.search.hits;
  call.tell_end();
  writers.finish(summary.search);
}

void merge_pairs(const Parts& parts, const PairFiles& files, MergeSummary& summary, Call& call) {
  const Job& job = parts.job;
  const Sides sides = gather(parts, call.stop());
  const engine::AllPairs pairs(sides.rows.sequences(), job.one_set() ? nullptr : &sides.columns.sequences(),
                               job.self, {},
                               job.nearest ? engine::AllPairs::Rows::whole : engine::AllPairs::Rows::half);
  const PairJob of_pairs{files, job.scoring, pairs, job.value, job.nearest, sides.rows, sides.columns};
  check(of_pairs, call);
  for (const Part& part : parts.all)
    for_each_chunk(part, call.stop(), [&](const io::PartFileReader& reader) {
      if (reader.kind() == io::ChunkKind::summary)
        of_chunk(reader, [&] { add_from_json(reader.read().text(), summary.all_pairs); });
    });
  PairWriters writers(of_pairs, summary.all_pairs.statistics, io::Ledger{}, call);
  Index next = 0;
  for (const Part& part : parts.all)
    for_each_chunk(part, call.stop(), [&](const io::PartFileReader& reader) {
      require_known(reader, reader.kind() == io::ChunkKind::stripe || reader.kind() == io::ChunkKind::edges ||
                                reader.kind() == io::ChunkKind::summary);
      if (reader.kind() == io::ChunkKind::stripe) {
        const engine::Stripe stripe = of_chunk(reader, [&] { return stripe_of(of_pairs, reader.read()); });
        if (stripe.rows.begin != next) reader.refuse("its rows are not those that come next");
        next = stripe.rows.end;
        writers.write(stripe);
      }
      if (reader.kind() == io::ChunkKind::edges)
        writers.write(of_chunk(reader, [&] { return edges_of(of_pairs, reader.read()); }));
    });
  if (next != pairs.rows().size())
    fail("The parts together do not have all rows of their job. Compute them again.");
  call.tell_end();
  writers.finish();
}

}  // namespace
}  // namespace api

void verify_part(const PartPlace& place) {
  for (io::PartFileReader reader(place.path, place.begin); !reader.at_end(); reader.next()) reader.read();
}

namespace {

using FindPlaces = std::function<std::vector<PartPlace>(const StopFlag& stop)>;

MergeSummary merge_all(api::SessionCore& core, const FindPlaces& find, const JobFiles& files,
                       const RunControl& run) {
  api::Call call(core, run);
  MergeSummary summary;
  call.run(api::Call::Length::full, [&] {
    const api::Parts parts = api::read_heads(find(call.stop()), call.stop());
    const api::Job& job = parts.job;
    summary.job = job.kind;
    summary.parts = job.part.count;
    summary.rows = job.rows;
    summary.columns = job.columns;
    api::check(job, files);
    std::vector<std::string> paths;
    paths.reserve(parts.all.size());
    for (const api::Part& part : parts.all) paths.push_back(part.place.path);
    std::ranges::sort(paths);
    paths.erase(std::unique(paths.begin(), paths.end()), paths.end());
    if (job.kind == Plan::Job::search)
      api::merge_search(parts, api::search_files_of(job, files, paths), summary, call);
    else
      api::merge_pairs(parts, api::pair_files_of(job, files, paths), summary, call);
  });
  return summary;
}

}  // namespace

MergeSummary Session::merge(const std::vector<std::string>& parts, const JobFiles& files,
                            const RunControl& run) {
  return merge_all(
      state_->core, [&](const StopFlag& stop) { return api::places_in(parts, stop); }, files, run);
}

MergeSummary Session::merge(const std::vector<PartPlace>& parts, const JobFiles& files,
                            const RunControl& run) {
  return merge_all(
      state_->core, [&](const StopFlag&) { return parts; }, files, run);
}

}  // namespace alnus

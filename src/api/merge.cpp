// Session::merge.
#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "alnus/error.h"
#include "alnus/session.h"
#include "alnus/text.h"
#include "api/call.h"
#include "api/job.h"
#include "api/merge_hits.h"
#include "api/merge_outputs.h"
#include "api/merge_stripes.h"
#include "api/pair_outputs.h"
#include "api/part_calls.h"
#include "api/part_sequences.h"
#include "api/part_stripes.h"
#include "api/row_writer.h"
#include "api/search_writers.h"
#include "api/session_core.h"
#include "engine/all_pairs.h"
#include "engine/search_counts.h"

namespace alnus {
namespace api {
namespace {

using Index = SequenceSet::Index;

[[noreturn]] void fail(const std::string& message) { throw Error(ErrorKind::input, message); }

// Reads the chunk at hand, and calls body() with its contents. If body() throws Error(input) or an error of
// JSON, throws Error(input) that also names the file and the byte of the chunk.
template <class Body>
auto of_chunk(const io::PartFileReader& part, const Body& body) {
  const io::ChunkBytes chunk = part.read();
  try {
    return body(chunk);
  } catch (const Interrupted&) {
    throw;
  } catch (const io::PartError&) {
    throw;  // it names the file and the byte already
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::input) throw;
    part.refuse(error.marked());
  } catch (const nlohmann::json::exception& error) {
    part.refuse(error.what());
  }
}

// The place and the numbers of a part. Only the first part's job is kept, in Parts.
struct Part {
  PartPlace place;
  PartOfJob numbers;
  std::vector<Block> blocks;
};
struct Parts {
  Job job;
  std::vector<Part> all;            // sorted by number
  std::set<std::string> commits{};  // those of the builds that computed the parts
};

Job read_job(const PartPlace& place) {
  const io::PartFileReader reader(place.path, place.begin);
  if (reader.kind() != io::ChunkKind::job) reader.refuse("it does not begin with its job");
  Job job = of_chunk(reader, [](const io::ChunkBytes& chunk) { return Job::from_json(chunk.text()); });
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

// Ranges of numbers in words: "3, 5 to 7".
struct NumberRange {
  std::size_t first, last;
};
std::string words_of(const std::vector<NumberRange>& ranges) {
  std::vector<std::string> words;
  words.reserve(ranges.size());
  for (const auto& [first, last] : ranges)
    words.push_back(first == last ? fmt::format("{}", first) : fmt::format("{} to {}", first, last));
  return fmt::format("{}", fmt::join(words, ", "));
}

// A sentence, with a blank before it, that says how the inputs differ whose digests differ in two jobs; ""
// for a name in the job's description that is no input.
std::string difference_of_inputs(const std::string& name, const Job& first, const std::string& first_path,
                                 const Job& other, const std::string& other_path) {
  const bool rows = name == "the queries" || name == "the sequences";
  if (!rows && name != "the database" && name != "against") return "";
  const std::string &in_first = rows ? first.rows_name : first.columns_name,
                    &in_other = rows ? other.rows_name : other.columns_name;
  const Index count = rows ? first.rows : first.columns, other_count = rows ? other.rows : other.columns;
  if (count != other_count)
    return fmt::format(" {} is of {} ({}), and {} of {} ({}).", first_path, in_first,
                       format_count(count, "sequence", "sequences"), other_path, in_other,
                       format_count(other_count, "sequence", "sequences"));
  if (in_first != in_other)
    return fmt::format(
        " {} is of {}, and {} of {}. Compute all parts from the same file: a database file has its "
        "sequences in another order than the file that it was made of.",
        first_path, in_first, other_path, in_other);
  return " It has as many sequences in both, with other letters or names, or in another order.";
}

// Throws if two parts are not of one job. The message names both files.
void require_one_job(const Job& first, const std::string& first_path, const Job& other,
                     const std::string& path) {
  const auto refuse = [&](const std::string& what, const std::string& more = "") {
    fail(fmt::format("{} and {} are parts of different jobs: {}.{}", first_path, path, what, more));
  };
  if (other.kind != first.kind) refuse("they compute different things");
  const auto [in_first, in_other] = std::ranges::mismatch(first.run, other.run);
  if (in_other != other.run.end()) {
    const std::string& name = in_other->first;
    refuse(differs(name), difference_of_inputs(name, first, first_path, other, path));
  }
  if (other.part.count != first.part.count)
    refuse(fmt::format("one is of {} parts, the other of {}", first.part.count, other.part.count));
  if (const std::optional<std::string> what = first_difference(first, other)) refuse(*what);
  if (first.work() != other.work()) refuse("their descriptions differ");
}

// Throws unless `parts`, sorted by number, holds all parts of the job, each once.
void require_all(const std::vector<Part>& parts) {
  const std::size_t count = parts.front().numbers.count;
  std::vector<NumberRange> missing;
  std::size_t missing_count = 0, next = 1;
  const auto miss = [&](std::size_t last) {
    if (last < next) return;
    missing.push_back({next, last});
    missing_count += last - next + 1;
  };
  const Part* before = nullptr;
  for (const Part& part : parts) {
    if (part.numbers.number < next)
      fail(fmt::format("{} and {} are the same part, {} of {}: name one of them.", before->place.path,
                       part.place.path, part.numbers.number, count));
    miss(part.numbers.number - 1);
    next = part.numbers.last() + 1;
    before = &part;
  }
  if (next <= count) miss(count);
  if (missing.empty()) return;
  const bool one = missing_count == 1;
  fail(fmt::format("{} of {} {} missing: {}. Compute {} by {} I/{}, and merge all together.",
                   one ? "One part" : fmt::format("{} parts", missing_count), count, one ? "is" : "are",
                   words_of(missing), one ? "it" : "them", option("part"), count));
}

// Throws unless the blocks of all parts, sorted by number, are the pair matrix of the job: each begins where
// the one before ends.
void require_blocks(const Parts& parts) {
  const Job& job = parts.job;
  const bool search = job.kind == Plan::Job::search;
  Index row = 0, column = 0;
  for (const Part& part : parts.all)
    for (const auto& [rows, columns] : part.blocks) {
      const bool whole = columns.size() == job.columns;
      if (rows.begin != row || rows.size() == 0 || columns.begin != column ||
          (search && !whole && (rows.size() > 1 || columns.size() == 0)))
        fail(fmt::format("{} does not have the pairs that come next in its job. Compute it again.",
                         part.place.path));
      column = search && columns.end < job.columns ? columns.end : 0;
      if (column == 0) row = rows.end;
    }
  if (row != job.rows || column != 0)
    fail("The parts together do not have all pairs of their job. Compute them again.");
}

Parts read_heads(const std::vector<PartPlace>& places, const StopFlag& stop) {
  if (places.empty()) fail("There are no parts to merge.");
  Parts parts{read_job(places.front()), {}};
  parts.all.reserve(places.size());
  for (const PartPlace& place : places) {
    stop.throw_if_requested();
    const Job job = read_job(place);
    require_one_job(parts.job, places.front().path, job, place.path);
    parts.all.push_back({place, job.part, job.blocks});
    parts.commits.insert(job.commit.empty() ? "an unknown one" : job.commit);
  }
  std::ranges::stable_sort(parts.all, {}, [](const Part& part) { return part.numbers.number; });
  require_all(parts.all);
  require_blocks(parts);
  return parts;
}

// The sequences of the pair matrix's rows and columns; for one set both are the same.
struct Sides {
  Database rows, columns;
  // Tells, of a column, whether the parts have what the outputs show of it.
  std::function<bool(Index column)> has_all;
};

// Calls take(reader) with each chunk of sequences. Comes to the end of each part, so that its digest of all
// chunks is compared.
template <class Take>
void for_each_sequences(const Parts& parts, const StopFlag& stop, const Take& take) {
  for (const Part& part : parts.all)
    for_each_chunk(part, stop, [&](const io::PartFileReader& reader) {
      if (reader.kind() == io::ChunkKind::sequences) take(reader);
    });
}

void require_told(const GatheredSequences& sequences, const Told& told) {
  if ((told.names && !sequences.has_all(&GatheredSequences::has_name)) ||
      (told.letters && !sequences.has_all(&GatheredSequences::has_letters)))
    fail("The parts together do not have all names or letters of their job. Compute them again.");
}

Sides gather(const Parts& parts, const StopFlag& stop) {
  const Job& job = parts.job;
  std::uint64_t most = 0;  // sequences that the parts can tell of: their number is not believed
  for_each_sequences(parts, stop, [&](const io::PartFileReader& reader) {
    most += GatheredSequences::most_of(reader.bytes());
  });
  const std::uint64_t wanted = job.one_set() ? job.rows : std::uint64_t{job.rows} + job.columns;
  const AlphabetKind alphabet = job.scoring.matrix.alphabet();
  const auto incomplete = [&] {
    for (const Part& part : parts.all)  // throws if damage made a chunk look like one of another kind
      for_each_chunk(part, stop, [](const io::PartFileReader& reader) { reader.read(); });
    fail("The parts together do not have all sequences of their job. Compute them again.");
  };
  if (wanted > most) incomplete();
  const auto rows = std::make_shared<GatheredSequences>(alphabet, job.rows, job.rows_name);
  const auto columns =
      job.one_set() ? rows : std::make_shared<GatheredSequences>(alphabet, job.columns, job.columns_name);
  for_each_sequences(parts, stop, [&](const io::PartFileReader& reader) {
    of_chunk(reader, [&](const io::ChunkBytes& chunk) {
      const bool of_columns = GatheredSequences::side_of(chunk) == Side::columns;
      if (of_columns && job.one_set()) fail("it has columns, and the job has one set");
      (of_columns ? *columns : *rows).add(chunk);
    });
  });
  if (!rows->complete() || !columns->complete()) incomplete();
  require_told(*rows, told_of(job, Side::rows));
  require_told(*columns, told_of(job, Side::columns));
  const Database of_rows(rows->finish());
  const Database of_columns = job.one_set() ? of_rows : Database(columns->finish());
  if (digest_of(of_rows, told_of(job, Side::rows)) != job.rows_digest ||
      digest_of(of_columns, told_of(job, Side::columns)) != job.columns_digest)
    fail("The sequences in the parts are not those of their job. Compute them again.");
  // Only these bits live as long as the merge, not the chunks that the columns were gathered from.
  std::vector<bool> has_all(job.columns);
  const bool letters = told_of(job, Side::rows).letters;
  for (Index i = 0; i < job.columns; ++i)
    has_all[i] = columns->has_name(i) && (!letters || columns->has_letters(i));
  return {of_rows, of_columns, [has_all = std::move(has_all)](Index i) { return has_all[i]; }};
}

void merge_search(const Parts& parts, const SearchFiles& files, MergeSummary& summary, Call& call) {
  const Job& job = parts.job;
  const Sides sides = gather(parts, call.stop());
  SearchWriters writers(files, job.scoring, sides.rows, sides.columns, call.session().threads(), call.stop());
  summary.search.limit = engine::limit_of(job.max_target_seqs, job.columns);
  HitMerger merger(job, sides.rows.sequences(), sides.columns.sequences(), sides.has_all, summary.search,
                   [&](const SearchBatch& batch) { writers.write(batch); });
  for (const Part& part : parts.all) {
    merger.begin(part.blocks);
    for_each_chunk(part, call.stop(), [&](const io::PartFileReader& reader) {
      require_known(reader, reader.kind() == io::ChunkKind::hits || reader.kind() == io::ChunkKind::summary);
      if (reader.kind() == io::ChunkKind::hits)
        merger.add(of_chunk(reader, [&](const io::ChunkBytes& chunk) {
          PartHits hits = hits_of(chunk);
          merger.require_next(hits);
          return hits;
        }));
      if (reader.kind() == io::ChunkKind::summary)
        of_chunk(reader, [&](const io::ChunkBytes& chunk) {
          SearchSummary of_part = search_summary_of(chunk);
          merger.end(of_part);
          of_part.hits = 0;  // the merger counts the hits of the whole
          of_part.limit.max_target_seqs = summary.search.limit.max_target_seqs;
          summary.search += of_part;
          add(of_part.histogram, summary.search.histogram);
        });
    });
  }
  merger.require_end();
  summary.search.queries = job.rows;
  summary.search.left_out = summary.search.pairs - summary.search.hits;
  call.tell_end();
  writers.finish(summary.search);
}

// Adds the summaries of all parts. Throws unless these have the counts of their blocks, and unless the
// stripes take as many bytes as all values that the outputs need.
AllPairsSummary summary_of_pairs(const Parts& parts, const PairJob& job, const StopFlag& stop) {
  AllPairsSummary all;
  std::uint64_t bytes = 0;
  for (const Part& part : parts.all)
    for_each_chunk(part, stop, [&](const io::PartFileReader& reader) {
      if (reader.kind() == io::ChunkKind::stripe) bytes += reader.bytes();
      if (reader.kind() != io::ChunkKind::summary) return;
      const AllPairsSummary of_part = of_chunk(reader, [&](const io::ChunkBytes& chunk) {
        AllPairsSummary summary = pair_summary_of(chunk);
        require_counts(parts.job, job, part.blocks, summary);
        return summary;
      });
      all.pairs += of_part.pairs;
      all.cells += of_part.cells;
      all.listed += of_part.listed;
      all.filtered += of_part.filtered;
      all.empty += of_part.empty;
      all.edges += of_part.edges;
      all.statistics = of_part.statistics;
      all.seconds += of_part.seconds;
    });
  if (bytes < bytes_of_values(job))
    fail("The parts together do not have all values of their job. Compute them again.");
  return all;
}

void merge_pairs(const Parts& parts, const PairFiles& files, MergeSummary& summary, Call& call) {
  const Job& job = parts.job;
  const Sides sides = gather(parts, call.stop());
  const engine::AllPairs pairs(sides.rows.sequences(), job.one_set() ? nullptr : &sides.columns.sequences(),
                               job.self, {},
                               job.nearest ? engine::AllPairs::Rows::whole : engine::AllPairs::Rows::half);
  const PairJob of_pairs{files, job.scoring, pairs, job.value, job.nearest, sides.rows, sides.columns};
  check(of_pairs, call);
  if (!files.rows.empty())
    check_row_output(files.format, files.rows, files.head.detail, job.scoring, sides.rows, sides.columns,
                     call.session().threads());
  summary.all_pairs = summary_of_pairs(parts, of_pairs, call.stop());
  PairWriters writers(of_pairs, summary.all_pairs.statistics, io::Ledger{}, call);
  StripeMerger merger(job, of_pairs);
  for (const Part& part : parts.all) {
    merger.begin(part.blocks);
    for_each_chunk(part, call.stop(), [&](const io::PartFileReader& reader) {
      require_known(reader, reader.kind() == io::ChunkKind::stripe || reader.kind() == io::ChunkKind::edges ||
                                reader.kind() == io::ChunkKind::summary);
      if (reader.kind() == io::ChunkKind::stripe)
        writers.write(of_chunk(reader, [&](const io::ChunkBytes& chunk) { return merger.stripe(chunk); }));
      if (reader.kind() == io::ChunkKind::edges)
        writers.write_edges(
            of_chunk(reader, [&](const io::ChunkBytes& chunk) { return merger.edges(chunk); }));
      if (reader.kind() == io::ChunkKind::summary)
        of_chunk(reader, [&](const io::ChunkBytes& chunk) { merger.end(pair_summary_of(chunk)); });
    });
  }
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
    if (parts.commits.size() > 1)
      call.warn(
          fmt::format("The parts were computed by builds of alnus {} from different commits ({}), whose "
                      "results may differ.",
                      version(), fmt::join(parts.commits, ", ")));
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

#include "jobs/job_parts.h"

#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <optional>
#include <utility>

#include "alnus/text.h"
#include "core/refuse_input.h"
#include "jobs/merge_outputs.h"
#include "jobs/part_calls.h"
#include "jobs/part_sequences.h"

namespace alnus::jobs {
namespace {

using Index = SequenceSet::Index;

Job read_job(const PartPlace& place) {
  const io::PartFileReader reader(place.path, place.begin);
  if (reader.kind() != io::ChunkKind::job) reader.refuse("it does not begin with its job");
  Job job = of_chunk(reader, [](const io::ChunkBytes& chunk) { return Job::from_json(chunk.text()); });
  if (job.version != version())
    refuse_input(
        fmt::format("{} was computed by alnus {}, and this is {}: compute all parts of a job, and merge "
                    "them, by one version.",
                    place.path, job.version, version()));
  return job;
}

// The parts with the numbers from `first` to `last`. words_of() writes several ranges as "3, 5 to 7".
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

// A sentence, with a blank before it, that says how two jobs differ in an input whose digests differ. `name`:
// the input's name in the jobs' descriptions; "" is returned if this is no input.
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

// Throws Error(input) if two parts are not of one job. The message names both files.
void require_one_job(const Job& first, const std::string& first_path, const Job& other,
                     const std::string& path) {
  const auto refuse = [&](const std::string& what, const std::string& more = "") {
    refuse_input(fmt::format("{} and {} are parts of different jobs: {}.{}", first_path, path, what, more));
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

// Throws Error(input) unless `parts`, sorted by number, holds all parts of the job, each once.
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
      refuse_input(fmt::format("{} and {} are the same part, {} of {}: name one of them.", before->place.path,
                               part.place.path, part.numbers.number, count));
    miss(part.numbers.number - 1);
    next = part.numbers.last() + 1;
    before = &part;
  }
  if (next <= count) miss(count);
  if (missing.empty()) return;
  const bool one = missing_count == 1;
  refuse_input(fmt::format("{} of {} {} missing: {}. Compute {} by {} I/{}, and merge all together.",
                           one ? "One part" : fmt::format("{} parts", missing_count), count,
                           one ? "is" : "are", words_of(missing), one ? "it" : "them", option("part"),
                           count));
}

// Throws Error(input) unless the blocks of all parts, sorted by number, are the pair matrix of the job: each
// block begins where the block before it ends.
void require_blocks(const Parts& parts) {
  const Job& job = parts.job;
  const bool search = job.is_search();
  Index row = 0, column = 0;
  for (const Part& part : parts.all)
    for (const auto& [rows, columns] : part.blocks) {
      const bool whole = columns.size() == job.columns;
      if (rows.begin != row || rows.size() == 0 || columns.begin != column ||
          (search && !whole && (rows.size() > 1 || columns.size() == 0)))
        refuse_input(fmt::format("{} does not have the pairs that come next in its job. Compute it again.",
                                 part.place.path));
      column = search && columns.end < job.columns ? columns.end : 0;
      if (column == 0) row = rows.end;
    }
  if (row != job.rows || column != 0)
    refuse_input("The parts together do not have all pairs of their job. Compute them again.");
}

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
    refuse_input("The parts together do not have all names or letters of their job. Compute them again.");
}

}  // namespace

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

Parts read_heads(const std::vector<PartPlace>& places, const StopFlag& stop) {
  if (places.empty()) refuse_input("There are no parts to merge.");
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

Sides gather(const Parts& parts, const StopFlag& stop) {
  const Job& job = parts.job;
  // The most sequences that the parts' chunks can hold by their sizes. The job's own numbers may be damaged,
  // and are compared with this before memory is taken for them.
  std::uint64_t most = 0;
  for_each_sequences(parts, stop, [&](const io::PartFileReader& reader) {
    most += GatheredSequences::most_of(reader.bytes());
  });
  const std::uint64_t wanted = job.one_set() ? job.rows : std::uint64_t{job.rows} + job.columns;
  const AlphabetKind alphabet = job.scoring.matrix.alphabet();
  const auto incomplete = [&] {
    for (const Part& part : parts.all)  // throws if damage made a chunk look like one of another kind
      for_each_chunk(part, stop, [](const io::PartFileReader& reader) { reader.read(); });
    refuse_input("The parts together do not have all sequences of their job. Compute them again.");
  };
  if (wanted > most) incomplete();
  const auto rows = std::make_shared<GatheredSequences>(alphabet, job.rows, job.rows_name);
  const auto columns =
      job.one_set() ? rows : std::make_shared<GatheredSequences>(alphabet, job.columns, job.columns_name);
  for_each_sequences(parts, stop, [&](const io::PartFileReader& reader) {
    of_chunk(reader, [&](const io::ChunkBytes& chunk) {
      const bool of_columns = GatheredSequences::side_of(chunk) == Side::columns;
      if (of_columns && job.one_set()) refuse_input("it has columns, and the job has one set");
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
    refuse_input("The sequences in the parts are not those of their job. Compute them again.");
  // `has_all` keeps only these bits for the whole merge, not the chunks that the columns were gathered from.
  std::vector<bool> has_all(job.columns);
  const bool letters = told_of(job, Side::rows).letters;
  for (Index i = 0; i < job.columns; ++i)
    has_all[i] = columns->has_name(i) && (!letters || columns->has_letters(i));
  return {of_rows, of_columns, [has_all = std::move(has_all)](Index i) { return has_all[i]; }};
}

}  // namespace alnus::jobs

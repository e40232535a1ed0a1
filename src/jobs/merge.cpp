#include "jobs/merge.h"

#include <algorithm>
#include <fmt/format.h>
#include <string>

#include "alnus/session.h"
#include "core/refuse_input.h"
#include "engine/all_pairs_driver.h"
#include "engine/search_counts.h"
#include "jobs/job_parts.h"
#include "jobs/merge_hits.h"
#include "jobs/merge_outputs.h"
#include "jobs/merge_stripes.h"
#include "jobs/pair_outputs.h"
#include "jobs/part_calls.h"
#include "jobs/row_writer.h"
#include "jobs/search_outputs.h"
#include "session/session_core.h"

namespace alnus::jobs {
namespace {

// Throws Error(input) for a chunk of a kind that does not belong to this job. `known`: the caller reads
// chunks of this kind. Chunks of the job and of sequences are always allowed. A chunk of the job is read:
// damage may have made another chunk look like one, which its digest tells.
void require_known(const io::PartFileReader& reader, bool known) {
  if (reader.kind() == io::ChunkKind::job) reader.read();
  if (!known && reader.kind() != io::ChunkKind::job && reader.kind() != io::ChunkKind::sequences)
    reader.refuse("it has no place in this job");
}

// The digests of the sequences that the parts were computed from.
InputDigests digests_of(const Job& job) {
  InputDigests digests;
  for (const auto& [name, value] : job.run) {
    if (name == "the queries" || name == "the sequences") digests.first = value;
    if (name == "the database" || name == "against") digests.second = value;
  }
  return digests;
}

void merge_search(const Parts& parts, const SearchFiles& files, MergeSummary& summary, session::Call& call) {
  const Job& job = parts.job;
  const Sides sides = gather(parts, call.stop());
  SearchWriters writers({files, job.scoring, sides.rows, sides.columns, call.session().threads(), call.stop(),
                         digests_of(job)});
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

// Adds the summaries of all parts. Throws Error(input) unless these have the counts of their blocks, and
// unless the stripes take at least the bytes of all values that the outputs need.
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
    refuse_input("The parts together do not have all values of their job. Compute them again.");
  return all;
}

void merge_pairs(const Parts& parts, const PairFiles& files, MergeSummary& summary, session::Call& call) {
  const Job& job = parts.job;
  const Sides sides = gather(parts, call.stop());
  const engine::AllPairs pairs(sides.rows.sequences(), job.one_set() ? nullptr : &sides.columns.sequences(),
                               job.self, {},
                               job.nearest ? engine::AllPairs::Rows::whole : engine::AllPairs::Rows::half);
  const PairJob of_pairs{files,      job.scoring,   pairs,         job.value,     job.nearest,
                         sides.rows, sides.columns, job.relations, job.companion, digests_of(job)};
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

MergeSummary merge(const std::vector<PartPlace>& places, const JobFiles& files, session::Call& call) {
  const Parts parts = read_heads(places, call.stop());
  const Job& job = parts.job;
  MergeSummary summary{.job = job.kind, .parts = job.part.count, .rows = job.rows, .columns = job.columns};
  check(job, files);
  if (parts.commits.size() > 1)
    call.warn(
        fmt::format("The parts were computed by builds of alnus {} from different commits ({}), whose "
                    "results may differ.",
                    version(), fmt::join(parts.commits, ", ")));
  std::vector<std::string> paths;
  paths.reserve(parts.all.size());
  for (const Part& part : parts.all) paths.push_back(part.place.path);
  std::ranges::sort(paths);
  paths.erase(std::unique(paths.begin(), paths.end()), paths.end());
  if (job.is_search())
    merge_search(parts, search_files_of(job, files, paths), summary, call);
  else
    merge_pairs(parts, pair_files_of(job, files, paths), summary, call);
  return summary;
}

}  // namespace alnus::jobs

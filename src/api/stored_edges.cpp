#include "api/stored_edges.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <system_error>

#include "alnus/error.h"
#include "alnus/text.h"
#include "api/pair_run.h"
#include "api/similar_pairs.h"
#include "core/refuse_input.h"
#include "io/directory_lock.h"
#include "io/edge_reader.h"
#include "io/id_index.h"
#include "io/ledger.h"
#include "io/membership_writer.h"
#include "io/set_digests.h"
#include "io/sha2.h"
#include "jobs/relation_parameters.h"
#include "session/file_check.h"
#include "session/session_core.h"

namespace alnus::api {
namespace {

using Index = SequenceSet::Index;
using Take = std::function<void(const SparseValues&)>;

std::string joined_path(const std::string& directory, const char* name) {
  return (std::filesystem::path(directory) / name).string();
}

std::string table_of(const EdgeFiles& files) {
  return files.checkpoint.empty() ? files.edges : joined_path(files.checkpoint, "edges.csv");
}

// Edges in memory, of which each is kept once.
class EachEdgeOnce {
 public:
  explicit EachEdgeOnce(std::uint64_t memory_bytes) : memory_bytes_(memory_bytes) {}

  void add(const SparseValues& batch) {
    for (std::size_t i = 0; i < batch.size(); ++i)
      edges_.push_back({batch.row[i], batch.column[i], batch.value[i], batch.relation[i]});
    if (2 * edges_.size() * sizeof(Edge) <= memory_bytes_ / 2) return;
    throw Error(ErrorKind::memory,
                fmt::format("The table has more than {} edges, and half of the memory of {} does not hold "
                            "them. Allow more memory, or give the table with the file beside it that says "
                            "of which set it is: then edges are not kept.",
                            format_count(edges_.size()), option("memory")));
  }

  // Orders the edges by row and column, and hands each to `take` as it came first. Returns how many there
  // are.
  std::uint64_t hand_over(const StopFlag& stop, const Take& take) {
    constexpr std::size_t kBatch = 1 << 16;
    std::ranges::stable_sort(edges_, {}, &Edge::place);
    const auto same = [](const Edge& a, const Edge& b) { return a.place() == b.place(); };
    edges_.erase(std::unique(edges_.begin(), edges_.end(), same), edges_.end());
    std::vector<Index> row, column;
    std::vector<double> value;
    std::vector<std::uint8_t> relation;
    for (std::size_t i = 0; i < edges_.size(); ++i) {
      row.push_back(edges_[i].row);
      column.push_back(edges_[i].column);
      value.push_back(edges_[i].value);
      relation.push_back(edges_[i].relation);
      if (row.size() < kBatch && i + 1 < edges_.size()) continue;
      stop.throw_if_requested();
      take({row, column, value, nullptr, relation});
      row.clear();
      column.clear();
      value.clear();
      relation.clear();
    }
    return edges_.size();
  }

 private:
  struct Edge {
    Index row, column;
    double value;
    std::uint8_t relation;
    std::pair<Index, Index> place() const { return {row, column}; }
  };
  const std::uint64_t memory_bytes_;
  std::vector<Edge> edges_;
};

}  // namespace

SimilarPairs::SimilarPairs(const Database& set, const Scoring& scoring, const Similarity& similarity,
                           const EdgeFiles& files, session::Call& call)
    : set_(set),
      scoring_(scoring),
      similarity_(similarity),
      files_(files),
      call_(call),
      strands_(similarity.strands.value_or(default_search_strands(set.alphabet()))),
      relations_(similarity.relations),
      source_{jobs::relations_of(similarity.relations, scoring, strands_),
              io::Certificate::Origin::computed} {
  if (files.edges.empty() && files.checkpoint.empty()) return;
  if (!files.edges.empty() && !files.checkpoint.empty())
    refuse_input(
        fmt::format("{} names similar pairs that are there, and {} keeps those that are computed. "
                    "Leave one of them out.",
                    option("edges"), option("checkpoint")));
  io::IdIndex(set.sequences()).require_distinct();
  io::require_writable_ids(set.sequences());
  if (files.edges.empty()) return;
  if (std::optional<io::EdgeCompanion> companion = io::find_edge_companion(files.edges, call.stop()))
    take_companion(*std::move(companion));
  else
    take_as_given();
}

void SimilarPairs::take_as_given() {
  source_.origin = io::Certificate::Origin::given;
  call_.warn(
      fmt::format("There is no {}, which would say of which sequences and by which relations the edges in {} "
                  "are. They are taken as given: no pair is compared, and a certificate says so.",
                  io::companion_file(files_.edges), files_.edges));
}

std::string SimilarPairs::table() const { return table_of(files_); }

// Checks that the table is of this set and as it was written, and takes its relations.
void SimilarPairs::take_companion(io::EdgeCompanion companion) {
  if (io::sha256_of_file(files_.edges, call_.stop()) != companion.table_sha256)
    refuse_input(
        fmt::format("{0} was changed after alnus had written {1}, which tells of it. Write the edges "
                    "anew, or remove {1}: then they count as given.",
                    files_.edges, io::companion_file(files_.edges)));
  const SequenceSet& sequences = set_.sequences();
  session::Verifications(std::initializer_list<Database>{set_}, call_).require();
  const std::vector<std::uint32_t> all(sequences.size());
  if (io::contents_sha256(sequences, all, 1, call_.stop()).front() != companion.contents_sha256)
    refuse_input(
        fmt::format("{} has the edges of {} with {}, and {} has {}; a residue, an id or a record differs. "
                    "Give the sequences that the edges were computed from.",
                    files_.edges, format_count(companion.search_space.records, "record", "records"),
                    format_count(companion.search_space.residues, "residue", "residues"), set_.name(),
                    fmt::format("{} with {}", format_count(sequences.size(), "record", "records"),
                                format_count(sequences.total_residues(), "residue", "residues"))));
  relations_ = parse_relations(io::list_of(companion.relations));
  if (similarity_.relations.empty())
    require_true_parameters(companion);
  else
    require_same_relations(companion);
  source_.relations = std::move(companion.relations);
}

// The parameters of relations that do not follow the scoring of a call are known.
void SimilarPairs::require_true_parameters(const io::EdgeCompanion& companion) const {
  for (std::size_t r = 0; r < relations_.size(); ++r) {
    const auto& told = companion.relations[r].parameters;
    const auto strands = told.find("strands");
    const auto word = strands == told.end()
                          ? kWords<Strands>.end()
                          : std::ranges::find(kWords<Strands>, strands->second, &Word<Strands>::word);
    if (word != kWords<Strands>.end() &&
        (is_of_call(relations_[r].kind) || told == jobs::parameters_of(relations_[r], scoring_, word->value)))
      continue;
    refuse_input(
        fmt::format("{} has other parameters of {} than that relation has for these sequences. Write the "
                    "edges anew, or remove it: "
                    "then they count as given.",
                    io::companion_file(files_.edges), companion.relations[r].name()));
  }
}

void SimilarPairs::require_same_relations(const io::EdgeCompanion& companion) const {
  const std::vector<io::Certificate::Relation>& named = source_.relations;
  if (io::list_of(named) != io::list_of(companion.relations))
    refuse_input(
        fmt::format("{} has the edges of {}, but {} names {}. Name the relations of the edges, or leave "
                    "{} out.",
                    files_.edges, io::list_of(companion.relations), option("relation"), io::list_of(named),
                    option("relation")));
  for (std::size_t r = 0; r < named.size(); ++r)
    for (const auto& [name, value] : named[r].parameters) {
      const auto found = companion.relations[r].parameters.find(name);
      const std::string other = found == companion.relations[r].parameters.end() ? "none" : found->second;
      if (value != other)
        refuse_input(
            fmt::format("{} has edges of {} that were computed with {} {}, but here it is {}. Give the "
                        "same scoring and strands, or leave {} out.",
                        files_.edges, named[r].name(), name, other, value, option("relation")));
    }
}

AllPairsSummary SimilarPairs::for_each(const Take& take) {
  if (files_.edges.empty() && files_.checkpoint.empty())
    return for_each_similar(set_, {}, scoring_, similarity_, {}, call_, take);
  AllPairsSummary summary;
  if (!files_.checkpoint.empty()) summary = compute_table();
  session::Verifications(std::initializer_list<Database>{set_}, call_).require();
  summary.edges = source_.origin == io::Certificate::Origin::given ? read_given(take) : read_table(take);
  return summary;
}

// Computes the pairs into the directory of the checkpoint, or those of them that are missing.
AllPairsSummary SimilarPairs::compute_table() {
  std::error_code error;  // opening the ledger reports an error
  for (const std::string& path : {table(), io::companion_file(table())})
    if (std::filesystem::exists(path, error) &&
        !std::filesystem::exists(io::ledger_file(files_.checkpoint), error))
      refuse_input(
          fmt::format("{} is there, but no ledger of a run that has written it. Name another folder by {}.",
                      path, option("checkpoint")));
  PairFiles files;
  files.edges = table();
  files.checkpoint = files_.checkpoint;
  AllPairsOptions options;
  options.relations = required_relations(similarity_);
  options.strands = strands_;
  AllPairsSummary summary;
  all_pairs_into_files({set_, {}, {}}, scoring_, options, files, summary, call_, false);
  if (summary.finished_before)
    call_.info(fmt::format("The similar pairs are in {} already: nothing is compared again.", table()));
  return summary;
}

std::uint64_t SimilarPairs::read_table(const Take& take) {
  const io::IdIndex ids(set_.sequences());
  io::EdgeReader reader(table(), ids, relations_, call_.stop());
  std::uint64_t edges = 0;
  for (SparseValues batch = reader.next(); batch.size() > 0; batch = reader.next()) {
    call_.stop().throw_if_requested();
    edges += batch.size();
    take(batch);
  }
  return edges;
}

std::uint64_t SimilarPairs::read_given(const Take& take) {
  EachEdgeOnce once(call_.session().options().memory_bytes);
  read_table([&](const SparseValues& batch) { once.add(batch); });
  return once.hand_over(call_.stop(), take);
}

}  // namespace alnus::api

namespace alnus {

std::vector<std::string> files_of(const EdgeFiles& files) {
  if (files.edges.empty() && files.checkpoint.empty()) return {};
  const std::string table = api::table_of(files);
  std::vector<std::string> all = {table, io::companion_file(table)};
  if (!files.checkpoint.empty())
    all.insert(all.end(), {io::ledger_file(files.checkpoint), io::lock_file(files.checkpoint)});
  return all;
}

}  // namespace alnus

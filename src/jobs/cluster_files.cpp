#include "jobs/cluster_files.h"

#include <fmt/format.h>
#include <vector>

#include "alnus/error.h"
#include "core/refuse_input.h"
#include "io/id_index.h"
#include "io/membership_writer.h"
#include "session/database_state.h"

namespace alnus::jobs {

ClusterWriters::ClusterWriters(const ClusterFiles& files, const Database& set, const ClusterOptions& options,
                               const std::vector<std::string>& kept, ThreadPool& threads)
    : set_(set.sequences()) {
  if (files.tsv.empty() && files.clstr.empty()) return;
  std::vector<std::string> inputs = set.state()->files;
  inputs.insert(inputs.end(), kept.begin(), kept.end());
  check_outputs(std::vector{files.tsv, files.clstr}, inputs);
  io::IdIndex(set_).require_distinct();
  io::require_writable_ids(set_, files.clstr.empty() ? "\t" : " \t");
  if (!files.tsv.empty()) {
    check_name(files.tsv, Contents::tabs);
    tsv_.emplace(threads, files.tsv);
  }
  if (files.clstr.empty()) return;
  check_name(files.clstr, Contents::text);
  if (options.promise == ClusterPromise::components)
    refuse_input(
        fmt::format("{} says how identical each member and its representative are, and members of a "
                    "component may be similar to others alone. Choose {} representatives.",
                    option("clstr"), option("promise")));
  clstr_.emplace(threads, files.clstr);
}

void ClusterWriters::write(const Clusters& clusters) {
  std::vector<std::uint32_t> number(set_.size()), cluster_of(set_.size());
  for (std::uint32_t c = 0; c < clusters.representatives.size(); ++c) number[clusters.representatives[c]] = c;
  for (SequenceSet::Index i = 0; i < set_.size(); ++i) cluster_of[i] = number[clusters.representative[i]];
  const io::Clusters written{cluster_of, clusters.representatives};
  if (tsv_) io::write_mmseqs_clusters(*tsv_, set_, written);
  if (clstr_) io::write_clstr(*clstr_, set_, written, clusters.identity);
}

void ClusterWriters::commit() {
  for (auto* file : {&tsv_, &clstr_})
    if (*file) (*file)->finish();
  for (auto* file : {&tsv_, &clstr_})
    if (*file) (*file)->commit();
}

}  // namespace alnus::jobs

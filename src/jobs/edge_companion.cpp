#include "jobs/edge_companion.h"

#include <cstdint>
#include <vector>

#include "io/output_file.h"
#include "io/same_file.h"
#include "io/set_digests.h"
#include "io/sha2.h"
#include "io/sparse_file.h"
#include "jobs/relation_parameters.h"
#include "session/database_state.h"

namespace alnus::jobs {
namespace {

// True if a file can stand beside this output: standard output, devices and pipes have no place for it.
bool has_place(const std::string& path) {
  if (path.empty() || io::is_standard_output(path)) return false;
  if (path.starts_with("/dev/") && !path.starts_with("/dev/shm/")) return false;
  const io::FileIdentity file(path);
  return !file.exists() || file.is_regular();
}

}  // namespace

std::optional<io::EdgeCompanion> companion_of(const PairJob& job, Strands strands,
                                              const StatisticsOptions& chosen, const StopFlag& stop) {
  if (job.files.edges.empty() || job.relations.empty() || !job.pairs.one_set() || !job.pairs.is_whole() ||
      job.rows.state()->masking.any() || chosen.residues || chosen.sequences)
    return std::nullopt;
  const SequenceSet& set = job.pairs.rows();
  const std::vector<std::uint32_t> all(set.size());
  return io::EdgeCompanion{relations_of(job.relations, job.scoring, strands),
                           {set.size(), set.total_residues()},
                           io::contents_sha256(set, all, 1, stop).front(),
                           0,
                           io::sha256("")};
}

std::string companion_path(const PairJob& job) {
  const std::string& table = job.files.edges;
  if (!job.companion || io::is_npz(table) || !has_place(table)) return {};
  return io::companion_file(table);
}

}  // namespace alnus::jobs

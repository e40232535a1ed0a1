// The files of Session::cluster.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "alnus/cluster.h"
#include "core/thread_pool.h"
#include "io/output_file.h"

namespace alnus::jobs {

class ClusterWriters {
 public:
  // Checks everything that can be known before the clusters are, and opens the files. `set` is in file order.
  // `kept`: files besides those of the set that no output may replace.
  // Throws Error(input) for files that Session::cluster() refuses, and what OutputFile throws.
  ClusterWriters(const ClusterFiles& files, const Database& set, const ClusterOptions& options,
                 const std::vector<std::string>& kept, ThreadPool& threads);

  void write(const Clusters& clusters);
  void commit();

 private:
  const SequenceSet set_;
  std::optional<io::OutputFile> tsv_, clstr_;
};

}  // namespace alnus::jobs

// The files of Session::split.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "alnus/output.h"
#include "alnus/split.h"
#include "core/thread_pool.h"
#include "io/output_file.h"
#include "io/set_digests.h"
#include "jobs/split_certificate.h"

namespace alnus::jobs {

class SplitWriters {
 public:
  // Checks everything that can be known before the subsets are, and opens the files. `set` is in file order.
  // `kept`: files besides those of the set that no output may replace.
  // Throws Error(input) for files that Session::split() refuses, and what OutputFile throws.
  SplitWriters(const SplitFiles& files, const Database& set, const std::vector<std::string>& names,
               const std::vector<std::string>& kept, ThreadPool& threads);

  // Takes a pair of similar records, for the certificate.
  void add_pair(SequenceSet::Index record, SequenceSet::Index other);
  // `source`: of the edges of the split, for its certificate. Throws Interrupted when `stop` is requested.
  void write(const Split& split, const Scoring& scoring, EdgeSource source, const StopFlag& stop);
  void commit();

 private:
  void open(std::unique_ptr<io::OutputFile>& file, const std::string& path, Contents contents,
            ThreadPool& threads);

  const Database set_;
  const std::vector<std::string> names_;
  const ReportHead head_;
  std::unique_ptr<io::OutputFile> csv_, graph_part_, methods_, certificate_, report_;
  std::vector<std::unique_ptr<io::OutputFile>> fasta_, ids_;  // of each subset
  io::PairDigest pairs_;                                      // for the certificate
};

}  // namespace alnus::jobs

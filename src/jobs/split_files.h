// The files of Session::split.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "alnus/output.h"
#include "alnus/split.h"
#include "core/thread_pool.h"
#include "io/certificate.h"
#include "io/output_file.h"

namespace alnus::jobs {

class SplitWriters {
 public:
  // Checks everything that can be known before the subsets are, and opens the files. `set` is in file order.
  // Throws Error(input) for files that Session::split() refuses, and what OutputFile throws.
  SplitWriters(const SplitFiles& files, const Database& set, const std::vector<std::string>& names,
               ThreadPool& threads);

  // `relations`: those of the split, for its certificate. Throws Interrupted when `stop` is requested.
  void write(const Split& split, std::vector<io::Certificate::Relation> relations, const StopFlag& stop);
  void commit();

 private:
  void open(std::unique_ptr<io::OutputFile>& file, const std::string& path, Contents contents,
            ThreadPool& threads);

  const Database set_;
  const std::vector<std::string> names_;
  std::unique_ptr<io::OutputFile> csv_, graph_part_, certificate_;
  std::vector<std::unique_ptr<io::OutputFile>> fasta_, ids_;  // of each subset
};

}  // namespace alnus::jobs

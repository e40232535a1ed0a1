// Calls that take some time and run callbacks, by name.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "api/support/inputs.h"
#include "support/temp_dir.h"

namespace alnus::test {

struct Job {
  std::string name;
  bool aligns = true;    // its progress counts cells and pairs
  bool has_sink = true;  // calls `in_sink` for each batch
  std::function<void(Session&, const RunControl&, const std::function<void()>& in_sink)> run;
};

// One call of every kind that takes a RunControl. They read files of their own, and leave in outputs() only
// the files that they are to write.
class Jobs {
 public:
  // `size`: number of sequences, which have about 150 residues each.
  explicit Jobs(std::uint32_t size = 60);
  const std::vector<Job>& all() const { return jobs_; }
  const std::filesystem::path& outputs() const { return outputs_.path(); }

 private:
  TempDir inputs_, outputs_;
  SequenceSet set_;
  std::vector<Job> jobs_;
};

}  // namespace alnus::test

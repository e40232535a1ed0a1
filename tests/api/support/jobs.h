// Calls of some length that run callbacks, by name.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "api/support/inputs.h"
#include "support/temp_dir.h"

namespace alnus::test {

struct Job {
  std::string name;
  bool aligns = true;    // has cells and pairs in its progress
  bool has_sink = true;  // calls `in_sink` for each batch
  std::function<void(Session&, const RunControl&, const std::function<void()>& in_sink)> run;
};

// One of every kind of call that takes a RunControl. They work on files of their own, and leave nothing in
// outputs() but what they are for.
class Jobs {
 public:
  // `size`: how many sequences, of about 150 residues.
  explicit Jobs(std::uint32_t size = 60);
  const std::vector<Job>& all() const { return jobs_; }
  const std::filesystem::path& outputs() const { return outputs_.path(); }

 private:
  TempDir inputs_, outputs_;
  SequenceSet set_;
  std::vector<Job> jobs_;
};

}  // namespace alnus::test

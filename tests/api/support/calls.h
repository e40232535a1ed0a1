// Every call of a session, by name, with small inputs that are right.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "api/support/inputs.h"
#include "support/temp_dir.h"

namespace alnus::test {

struct NamedCall {
  std::string name;
  std::function<void()> run;
};

class EveryCall {
 public:
  EveryCall();
  // The members of `session` and the constructors that take one, but for options(), counters() and state().
  std::vector<NamedCall> of(Session& session) const;

 private:
  SearchFiles search_files() const;

  TempDir directory_;
  std::string fasta_, database_file_, part_;
  Database set_;
  Calibration calibration_;
};

// The search of two sequences gives the right hits: the session works.
void expect_works(Session& session);

}  // namespace alnus::test

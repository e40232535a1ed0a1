// Every call of a session, by name, with small inputs that are no errors.
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
  // Calls of all members of `session` except options(), counters() and state(), and of the constructors that
  // take a session.
  std::vector<NamedCall> of(Session& session) const;

 private:
  SearchFiles search_files() const;

  TempDir directory_;
  std::string fasta_, database_file_, part_;
  Database set_;
  Calibration calibration_;
};

// Expects that a small search by the session finds the hits that follow from align_reference().
void expect_works(Session& session);

}  // namespace alnus::test

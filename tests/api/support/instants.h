// Calls that are cancelled at random instants.
#pragma once

#include <functional>
#include <string>

#include "alnus/run.h"

namespace alnus::test {

struct CancelledCall {
  std::string name;  // in what is printed
  // Once: begins anew each time.
  std::function<void(const RunControl&)> run;
  // After each time, with what came of it: whether the call was interrupted or ended before.
  std::function<void(bool interrupted)> check = [](bool) {};
  // Instants are from 0 to this; 0: to the end of the call, which runs once to be measured.
  double seconds = 0;
};

// Runs the call at several random instants (full tests: at 100), half of them spread evenly over its time and
// half over the first tenth of it. Each time it must throw Interrupted, or end by itself if it was near its
// end. Prints and records (RecordProperty) how long the longest took from the request to the return; the full
// tests demand 0.2 s of 99% and 0.5 s of all, but not under sanitizers.
void cancel_at_random_instants(const CancelledCall& call);

}  // namespace alnus::test

// Calls that are cancelled at random instants.
#pragma once

#include <functional>
#include <string>

#include "alnus/run.h"

namespace alnus::test {

struct CancelledCall {
  std::string name;  // shown in what is printed
  // Makes the call once. It is run many times, and must begin anew each time.
  std::function<void(const RunControl&)> run;
  // Checks what is left after each run. `interrupted` is false if the call ended by itself.
  std::function<void(bool interrupted)> check = [](bool) {};
  // Instants lie between 0 and this many seconds after the beginning. If it is 0, the call is run once to
  // measure how long it takes, and instants lie between its beginning and end.
  double seconds = 0;
};

// Runs the call again and again, and requests its stop at a random instant: five times, in the full tests 100
// times. Half of the instants are spread over nine tenths of its time, half over the first tenth. Each run
// must throw Interrupted, or end by itself if it was near its end. Prints and records (RecordProperty) the
// longest time from a request to the return. The full tests, except under sanitizers, demand that 99% of the
// runs return within 0.2 s, and all within 0.5 s.
void cancel_at_random_instants(const CancelledCall& call);

}  // namespace alnus::test

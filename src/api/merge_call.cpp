// Session::merge.
#include <string>
#include <vector>

#include "alnus/parts.h"
#include "alnus/session.h"
#include "io/part_file.h"
#include "jobs/job_parts.h"
#include "jobs/merge.h"
#include "session/call.h"
#include "session/session_core.h"

namespace alnus {

void verify_part(const PartPlace& place) {
  for (io::PartFileReader reader(place.path, place.begin); !reader.at_end(); reader.next()) reader.read();
}

MergeSummary Session::merge(const std::vector<std::string>& parts, const JobFiles& files,
                            const RunControl& run) {
  return session::in_call(state_->core, run, session::Call::Length::full, [&](session::Call& call) {
    return jobs::merge(jobs::places_in(parts, call.stop()), files, call);
  });
}

MergeSummary Session::merge(const std::vector<PartPlace>& parts, const JobFiles& files,
                            const RunControl& run) {
  return session::in_call(state_->core, run, session::Call::Length::full,
                          [&](session::Call& call) { return jobs::merge(parts, files, call); });
}

}  // namespace alnus

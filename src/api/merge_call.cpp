// Session::merge.
#include <functional>
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

namespace {

using FindPlaces = std::function<std::vector<PartPlace>(const StopFlag& stop)>;

MergeSummary merge_all(session::SessionCore& core, const FindPlaces& find, const JobFiles& files,
                       const RunControl& run) {
  session::Call call(core, run);
  MergeSummary summary;
  call.run(session::Call::Length::full, [&] { jobs::merge(find(call.stop()), files, summary, call); });
  return summary;
}

}  // namespace

MergeSummary Session::merge(const std::vector<std::string>& parts, const JobFiles& files,
                            const RunControl& run) {
  return merge_all(
      state_->core, [&](const StopFlag& stop) { return jobs::places_in(parts, stop); }, files, run);
}

MergeSummary Session::merge(const std::vector<PartPlace>& parts, const JobFiles& files,
                            const RunControl& run) {
  return merge_all(
      state_->core, [&](const StopFlag&) { return parts; }, files, run);
}

}  // namespace alnus

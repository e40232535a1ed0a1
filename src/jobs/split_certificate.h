// The certificate of a split.
#pragma once

#include <string>
#include <vector>

#include "alnus/database.h"
#include "alnus/split.h"
#include "core/stop_flag.h"
#include "io/certificate.h"

namespace alnus::jobs {

// Where the edges of a split come from.
struct EdgeSource {
  std::vector<io::Certificate::Relation> relations;  // with the parameters that they are computed by
  io::Certificate::Origin origin = io::Certificate::Origin::computed;
};

// Says what a split holds to. `set` is in file order. Throws Error(input) naming an id or a file that a
// certificate cannot hold, and Interrupted.
io::Certificate certificate_of(const Split& split, const Database& set, EdgeSource source,
                               const StopFlag& stop);

}  // namespace alnus::jobs

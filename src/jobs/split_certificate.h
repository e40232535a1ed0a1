// The certificate of a split.
#pragma once

#include <string>
#include <vector>

#include "alnus/database.h"
#include "alnus/split.h"
#include "core/stop_flag.h"
#include "io/certificate.h"

namespace alnus::jobs {

// Says what a split holds to. `set` is in file order. `relations`: with the parameters that they were
// computed by. Throws Error(input) naming an id or a file that a certificate cannot hold, and Interrupted.
io::Certificate certificate_of(const Split& split, const Database& set,
                               std::vector<io::Certificate::Relation> relations, const StopFlag& stop);

}  // namespace alnus::jobs

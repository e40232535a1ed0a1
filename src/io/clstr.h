// CD-HIT's .clstr files.
#pragma once

#include <string_view>

#include "io/line_reader.h"
#include "io/membership.h"

namespace alnus::io {

// True if a file that begins with this line is a .clstr file: ">Cluster 0".
bool is_clstr(std::string_view first_line);

// Reads the file from the reader's line on. A cluster's name is what follows ">Cluster ", and its
// representative is the member that has a star. Ids end at the first blank. Throws what read_membership()
// throws.
Membership read_clstr(LineReader& reader);

}  // namespace alnus::io

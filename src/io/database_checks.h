// The check of a database file's indexes. verify_database() (io/database.h) checks everything.
#pragma once

#include "core/stop_flag.h"
#include "io/database_file.h"

namespace alnus::io {

// Checks that every index is in range, so that a damaged file cannot lead a reader outside of it. Reads no
// residues and no headers. Throws Error(database) and Interrupted.
void check_indexes(const DatabaseFile& file, const StopFlag& stop);

}  // namespace alnus::io

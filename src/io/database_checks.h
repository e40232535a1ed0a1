// Whether the indexes of a database file can be used. verify_database (io/database.h) checks everything.
#pragma once

#include "core/stop_flag.h"
#include "io/database_file.h"

namespace alnus::io {

// Every index is in range, so that no damage to the file leads outside of it. Touches no residues and no
// headers. Throws Error(database), Interrupted.
void check_indexes(const DatabaseFile& file, const StopFlag& stop);

}  // namespace alnus::io

// The .alnus database file: written once, sorted by length, mapped. Format: docs/database-format.md.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "alnus/database.h"
#include "core/stop_flag.h"
#include "core/thread_pool.h"
#include "io/database_file.h"

namespace alnus::io {

// By the first bytes of a regular file; false for "-" and for what cannot be read.
bool is_database(const std::string& path);

// The inputs' records, one file after the other. `counts`, if given, is for the caller's warnings.
// Throws Error(input) for bad input, Error(database) naming the output for what cannot be written, and
// Interrupted. The file appears under its name complete and synced, or not at all.
DatabaseInfo make_database(const std::vector<std::string>& inputs, const std::string& output,
                           const MakeDatabaseOptions& options, ThreadPool& pool, ReadCounts* counts = nullptr,
                           const StopFlag& stop = StopFlag::never());

// The sequences of a file, which they keep open. Checks the header and that every index is in range, so that
// no damage to the file leads outside of it; touches no residues and no headers. Throws Error(database),
// Interrupted.
SequenceSet open_database(const std::string& path, bool in_memory = false,
                          const StopFlag& stop = StopFlag::never());
SequenceSet open_database(std::shared_ptr<const DatabaseFile> file, const StopFlag& stop = StopFlag::never());

// Reads everything and checks every block's checksum, every index and every residue. Throws Error(database)
// naming section, block and bytes, of several damaged blocks those of the first in the file; and Interrupted.
void verify_database(const std::string& path, ThreadPool& pool, const StopFlag& stop = StopFlag::never());
void verify_database(const DatabaseFile& file, ThreadPool& pool, const StopFlag& stop = StopFlag::never());

}  // namespace alnus::io

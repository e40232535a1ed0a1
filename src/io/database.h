// The .alnus database file, which is written once, has the longest sequences first, and is mapped into memory
// by readers. Format: docs/database-format.md.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "alnus/database.h"
#include "core/stop_flag.h"
#include "core/thread_pool.h"
#include "io/database_file.h"
#include "io/record_notes.h"

namespace alnus::io {

// True if a regular file begins as a database file does; false for "-" and for files that cannot be read.
bool is_database(const std::string& path);
bool is_database_text(std::string_view text);  // true if bytes in memory begin as a database file does

// Says what was read of one input.
struct ReadInput {
  std::string name;
  ReadCounts counts{};
  std::uint64_t alignment_columns = 0;  // columns, if the records look like an alignment; else 0
  RecordNotes notes{};
};

// Writes a database file of the records of all inputs, the longest first; ordinals count the records of one
// input after the other. If given, `counts` gets the counts of all inputs added, and `read` an element for
// each input, for the caller's warnings. The file appears under its name complete and synced, or not at all.
// Throws Error(input) for bad input, Error(database) naming the output for what cannot be written,
// Error(memory), and Interrupted.
DatabaseInfo make_database(const std::vector<std::string>& inputs, const std::string& output,
                           const MakeDatabaseOptions& options, ThreadPool& pool, ReadCounts* counts = nullptr,
                           const StopFlag& stop = StopFlag::never(), std::vector<ReadInput>* read = nullptr);

// The sequences of a database file, which they keep open. Checks the header, and that every index is in
// range, so that a damaged file cannot lead a reader outside of it. Reads no residues and no headers. Throws
// Error(database) and Interrupted.
SequenceSet open_database(const std::string& path, bool in_memory = false,
                          const StopFlag& stop = StopFlag::never());
SequenceSet open_database(std::shared_ptr<const DatabaseFile> file, const StopFlag& stop = StopFlag::never());

// Reads the whole file and checks every block's checksum, every index and every residue. Throws
// Error(database) for the first fault that it finds, which for a wrong checksum names section, block and
// bytes of the first damaged block in the file; and Interrupted.
void verify_database(const std::string& path, ThreadPool& pool, const StopFlag& stop = StopFlag::never());
void verify_database(const DatabaseFile& file, ThreadPool& pool, const StopFlag& stop = StopFlag::never());

}  // namespace alnus::io

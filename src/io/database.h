// The .alnus database file: written once, sorted by length, mapped. Format: docs/database-format.md.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "alnus/sequence_set.h"

namespace alnus::io {

struct DatabaseInfo {
  std::uint32_t format_version = 0;
  AlphabetKind alphabet = AlphabetKind::protein;
  std::uint64_t sequences = 0, residues = 0, longest = 0, shortest = 0, unknown_bytes = 0;
  std::uint64_t file_bytes = 0;
  std::string digest;  // hex: identifies the contents
};

struct MakeDatabaseOptions {
  AlphabetKind alphabet = AlphabetKind::protein;
  std::uint64_t memory_bytes = 1ULL << 30;  // bound on what building keeps in memory
  std::string temporary_directory;          // empty: beside the output
};

bool is_database(const std::string& path);  // by the first bytes; false for "-"

// Throws Error(input) for bad input, Error(database) naming the output for what cannot be written.
// The file appears under its name complete and synced, or not at all.
DatabaseInfo make_database(const std::vector<std::string>& inputs, const std::string& output,
                           const MakeDatabaseOptions& options);

// Maps the file; checks magic, version, byte order, sizes and the header's checksum, touches no
// residues. Throws Error(database).
SequenceSet open_database(const std::string& path);
DatabaseInfo database_info(const std::string& path);
// Checks every block's checksum and every index; throws Error(database) naming block and byte.
void verify_database(const std::string& path);

}  // namespace alnus::io

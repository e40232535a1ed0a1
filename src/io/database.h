// The .alnus database file: written once, sorted by length, mapped. Format: docs/database-format.md.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "alnus/sequence_set.h"
#include "io/sequence_reader.h"

namespace alnus::io {

struct DatabaseInfo {
  std::uint32_t format_version = 0;
  AlphabetKind alphabet = AlphabetKind::protein;
  std::uint64_t sequences = 0, residues = 0, longest = 0, shortest = 0, unknown_bytes = 0;
  std::uint64_t file_bytes = 0;
  std::string digest;  // hex: identifies the contents
};

struct MakeDatabaseOptions {
  std::optional<AlphabetKind> alphabet = AlphabetKind::protein;  // empty: guessed, as from every input
  std::uint64_t memory_bytes = 1ULL << 30;  // bound on what building keeps in memory (and a few MiB)
  std::string temporary_directory;          // empty: beside the output
  Masking masking;
};

// By the first bytes of a regular file; false for "-" and for what cannot be read.
bool is_database(const std::string& path);

// The inputs' records, one file after the other. `counts`, if given, is for the caller's warnings.
// Throws Error(input) for bad input, Error(database) naming the output for what cannot be written.
// The file appears under its name complete and synced, or not at all.
DatabaseInfo make_database(const std::vector<std::string>& inputs, const std::string& output,
                           const MakeDatabaseOptions& options, ReadCounts* counts = nullptr);

// Maps the file; checks magic, version, byte order, sizes, the header's checksum, and that every index
// is in range, so that no damage to the file leads outside of it. Touches no residues and no headers.
// Throws Error(database).
SequenceSet open_database(const std::string& path);
DatabaseInfo database_info(const std::string& path);
// Reads everything and checks every block's checksum, every index and every residue. Throws
// Error(database) naming section, block and bytes.
void verify_database(const std::string& path);

}  // namespace alnus::io

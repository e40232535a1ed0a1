// The companion of a table of edges: a JSON file beside it: "edges.tsv.json" for "edges.tsv". The table
// itself has nothing but edges, because programs read it that know no header (docs/formats.md).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/stop_flag.h"
#include "io/certificate.h"

namespace alnus::io {

// The table has all pairs of a set that have one of these relations, and no others.
struct EdgeCompanion {
  std::vector<Certificate::Relation> relations;
  Certificate::Size search_space;  // all records of the set, which are the search space of E-values
  std::string contents_sha256;     // of all records (io/set_digests.h)
  std::uint64_t edges = 0;         // lines of the table
  std::string table_sha256;        // of the bytes of the table's file, compressed or not
};

// The name of the file beside a table.
std::string companion_file(const std::string& table);

// Throws Error(input) naming a parameter that is not UTF-8.
std::string to_json(const EdgeCompanion& companion);

// Reads a companion. Throws Error(input) naming the file and the path of a value for what to_json() does not
// write.
EdgeCompanion parse_edge_companion(std::string_view text, const std::string& file);
// The companion of a table; empty if there is no file of its name. Throws what parse_edge_companion() and
// read_text() throw.
std::optional<EdgeCompanion> find_edge_companion(const std::string& table,
                                                 const StopFlag& stop = StopFlag::never());

}  // namespace alnus::io

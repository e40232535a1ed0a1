// What writers and readers of certificates, and of the companions of edges, share: words and relations of the
// JSON text, and the digest of a predicate.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "io/certificate.h"
#include "io/strict_json.h"

namespace alnus::io {

inline constexpr const char* kSeal = "predicate_sha256";
inline constexpr const char* kComputedEdges = "computed";
inline constexpr const char* kGivenEdges = "edges as given";
inline constexpr std::uint64_t kPairLimit = std::uint64_t{1} << 63;  // of counts of pairs

// The SHA-256 of a predicate as JSON without its member kSeal: keys sorted by their bytes, no blanks.
std::string seal_of(nlohmann::json predicate);

// A relation as JSON. Throws Error(input) naming a parameter that is not UTF-8.
nlohmann::json json_of(const Certificate::Relation& relation);
// The members records and residues of an object.
Certificate::Size read_size(const JsonValue& value);
// Reads a relation. Throws Error(input) for what json_of() does not write.
Certificate::Relation read_relation(const JsonValue& value);

}  // namespace alnus::io

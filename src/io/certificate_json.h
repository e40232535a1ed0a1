// What the writer and the reader of certificates share: words of the JSON text, and the digest of a
// predicate.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace alnus::io {

inline constexpr const char* kSeal = "predicate_sha256";
inline constexpr const char* kComputedEdges = "computed";
inline constexpr const char* kGivenEdges = "edges as given";

// The SHA-256 of a predicate as JSON without its member kSeal: keys sorted by their bytes, no blanks.
std::string seal_of(nlohmann::json predicate);

}  // namespace alnus::io

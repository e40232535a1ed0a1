// The certificate of a split: an in-toto Statement (v1) in JSON. docs/certificate.md says what it holds to,
// and docs/schema/certificate-v1.json is its schema.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/stop_flag.h"
#include "io/output_file.h"

namespace alnus::io {

inline constexpr std::string_view kStatementType = "https://in-toto.io/Statement/v1";
inline constexpr std::string_view kPredicateType = "https://example.org/alnus/certificate/v1";

// All texts are UTF-8, and numbers that are no counts are texts, so that the same certificate has the same
// bytes everywhere. Digests are SHA-256 in 64 hexadecimal digits.
struct Certificate {
  struct Relation {
    std::string kind, threshold;  // as in "whole:30"
    // What the relation was computed by: matrix, gap costs, mode, denominator, E-value limit, strands.
    std::map<std::string, std::string> parameters;
    std::string name() const { return kind + ":" + threshold; }
  };
  struct Size {
    std::uint64_t records = 0, residues = 0;
  };
  struct Subset {
    std::string name;
    Size size;
    std::string contents_sha256, ids_sha256;  // io/set_digests.h
  };
  struct Removed {
    std::vector<std::string> ids;  // sorted by their bytes, each once
    std::uint64_t residues = 0;
  };
  struct Pairs {
    std::uint64_t across = 0, within = 0;  // pairs of two subsets, and pairs of one
  };
  enum class Origin : std::uint8_t { computed, given };
  struct Edges {
    std::uint64_t within = 0;  // there are none across
    // PairDigest (io/set_digests.h) of the ids of all similar pairs, those of removed records included.
    std::optional<std::string> sum_sha256;
    Origin origin = Origin::computed;
  };
  struct NearestPair {
    std::string first, second, value;  // ids; the value as in files of edges
  };
  struct Bin {
    std::uint64_t from = 0;  // percent; the bin reaches up to the next one's, the last to 100
    std::uint64_t records = 0;
  };
  struct Histogram {
    std::string relation;    // the kind whose identity is counted
    std::vector<Bin> bins;   // in increasing order
    std::uint64_t none = 0;  // records without such a neighbour in another subset
  };
  struct File {
    std::string name, sha256;  // without folders; of its bytes
  };

  std::string version;              // of alnus
  std::vector<Relation> relations;  // may be empty for given edges
  Size search_space;                // all records of all files
  std::vector<Subset> subsets;
  Removed removed;
  Pairs pairs_compared;  // within: all pairs of each subset, or 0 if those were not compared; given edges: 0
  Edges edges;
  // The nearest two records of different subsets by each relation, in the order of `relations`; empty if they
  // were not computed.
  std::vector<std::optional<NearestPair>> nearest_across;
  std::optional<Histogram> nearest_identities;
  std::vector<File> files;  // information only
};

// "whole:30,part:30"
std::string list_of(const std::vector<Certificate::Relation>& relations);

// The certificate as text, with the digest of its predicate. Throws Error(input) naming a text that is not
// UTF-8.
std::string to_json(const Certificate& certificate);
// Writes to_json(). Throws Error(other) if contradictions() finds any, which is an error of the caller.
void write_certificate(OutputFile& out, const Certificate& certificate);

// A certificate as it stands in a file, and what the file says again or could say only in one way.
struct CertificateText {
  struct Subject {
    std::string name, contents_sha256;
  };
  Certificate certificate;
  std::vector<Subject> subjects;
  std::uint64_t edges_across = 0, removed_records = 0;
  std::string removed_ids_sha256;
  std::vector<std::string> nearest_relations;  // as in "whole:30"
  std::string predicate_sha256;                // as the file says it
  std::string computed_sha256;                 // what it must be
};

// Reads a certificate. Throws Error(input) naming the file and the path of the value, as in
// "predicate.subsets[0].records", for what docs/schema/certificate-v1.json does not allow, and for keys that
// come twice. read_certificate() also throws what read_text() throws.
CertificateText parse_certificate(std::string_view text, const std::string& file);
CertificateText read_certificate(const std::string& path, const StopFlag& stop = StopFlag::never());

// What does not hold in a certificate, found without its sequences: a sentence for each count and digest that
// contradicts the rest. Empty for every certificate that to_json() wrote.
std::vector<std::string> contradictions(const CertificateText& text);

}  // namespace alnus::io

// Takes arbitrary bytes as a certificate: the reader must refuse them with an Error(input), or return a
// certificate that contradictions() can judge. One without contradictions must be written as the same again.
#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "alnus/error.h"
#include "io/certificate.h"
#include "io/certificate_json.h"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t capacity);

namespace {

using nlohmann::json;

// Makes the digest of the predicate anew, so that mutations reach certificates without contradictions.
std::string sealed(std::string_view text) {
  try {
    json statement = json::parse(text);
    json& predicate = statement.at("predicate");
    predicate[alnus::io::kSeal] = alnus::io::seal_of(predicate);
    return statement.dump();
  } catch (const json::exception&) {
    return std::string(text);
  }
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t capacity,
                                               unsigned int seed) {
  const std::size_t result = LLVMFuzzerMutate(data, size, capacity);
  if (seed % 2 == 0) return result;
  const std::string text = sealed({reinterpret_cast<const char*>(data), result});
  return text.size() > capacity ? result : text.copy(reinterpret_cast<char*>(data), capacity);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace alnus;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const io::CertificateText read = io::parse_certificate(text, "input");
    if (!contradictions(read).empty()) return 0;
    const std::string written = to_json(read.certificate);
    const io::CertificateText again = io::parse_certificate(written, "again");
    if (!contradictions(again).empty() || to_json(again.certificate) != written) std::abort();
    if (again.predicate_sha256 != read.predicate_sha256) std::abort();
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::input) std::abort();
  }
  return 0;
}

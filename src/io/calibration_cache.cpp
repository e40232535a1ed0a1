#include "io/calibration_cache.h"

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fmt/format.h>
#include <new>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <system_error>
#include <utility>
#include <vector>
#include <xxhash.h>

#include "alnus/error.h"
#include "io/atomic_file.h"
#include "io/byte_source.h"

namespace alnus {
namespace {

using Json = nlohmann::ordered_json;

Json as_json(const ParameterEstimate& estimate) { return {estimate.value, estimate.error}; }

ParameterEstimate estimate_of(const Json& json) { return {json.at(0), json.at(1)}; }

// Throws Json::exception or std::invalid_argument.
Calibration read(std::string_view text) {
  const Json json = Json::parse(text);
  Calibration result;
  json.at("digest").get_to(result.digest);
  result.lambda = estimate_of(json.at("lambda"));
  result.K = estimate_of(json.at("K"));
  result.alpha = estimate_of(json.at("alpha"));
  result.alpha_v = estimate_of(json.at("alpha_v"));
  result.sigma = estimate_of(json.at("sigma"));
  result.beta = json.at("beta");
  const Json& ungapped = json.at("ungapped");
  result.ungapped = {ungapped.at("lambda"), ungapped.at("K"), ungapped.at("H"), ungapped.at("alpha"),
                     ungapped.at("alpha_v")};
  result.pairs = json.at("pairs");
  result.length = json.at("length");
  result.precision = json.at("precision");
  result.seconds = json.at("seconds");
  for (const double value : {result.lambda.value, result.K.value, result.alpha.value})
    if (!(value > 0) || !std::isfinite(value)) throw std::invalid_argument("it has impossible values");
  return result;
}

}  // namespace

std::string Calibration::to_json() const {
  const Json json = {{"digest", digest},
                     {"lambda", as_json(lambda)},
                     {"K", as_json(K)},
                     {"alpha", as_json(alpha)},
                     {"alpha_v", as_json(alpha_v)},
                     {"sigma", as_json(sigma)},
                     {"beta", beta},
                     {"ungapped",
                      {{"lambda", ungapped.lambda},
                       {"K", ungapped.K},
                       {"H", ungapped.H},
                       {"alpha", ungapped.alpha},
                       {"alpha_v", ungapped.alpha_v}}},
                     {"pairs", pairs},
                     {"length", length},
                     {"precision", precision},
                     {"seconds", seconds}};
  return json.dump(2) + "\n";
}

Calibration Calibration::from_json(std::string_view text) {
  try {
    return read(text);
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    throw Error(ErrorKind::input, fmt::format("This text is no calibration of alnus: {}.", error.what()));
  }
}

namespace io {
namespace {

// Raised when the method of calibration changes, so that older files are computed anew.
constexpr int kVersion = 1;

}  // namespace

std::string calibration_digest(const Scoring& scoring, const Background& background) {
  std::vector<std::int32_t> numbers = {kVersion,
                                       static_cast<std::int32_t>(scoring.matrix.alphabet()),
                                       static_cast<std::int32_t>(scoring.mode),
                                       scoring.scale,
                                       scoring.open,
                                       scoring.extend};
  const auto letters = static_cast<Residue>(background.size());
  for (Residue query = 0; query < letters; ++query)
    for (Residue subject = 0; subject < letters; ++subject)
      numbers.push_back(scoring.matrix.value(query, subject));
  const XXH64_hash_t seed = XXH3_64bits(numbers.data(), numbers.size() * sizeof(numbers[0]));
  const XXH128_hash_t hash =
      XXH3_128bits_withSeed(background.data(), background.size() * sizeof(background[0]), seed);
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

CalibrationCache::CalibrationCache(const std::string& directory, const Scoring& scoring,
                                   const Background& background, std::uint32_t length,
                                   std::function<void(const std::string&)> log)
    : digest_(calibration_digest(scoring, background)), log_(std::move(log)) {
  if (directory.empty()) return;
  const std::string of_length = length == CalibrationOptions{}.length ? "" : fmt::format("-{}", length);
  path_ = fmt::format("{}/calibration-{}{}.json", directory, digest_, of_length);
}

std::optional<Calibration> CalibrationCache::find(double precision) const {
  std::error_code error_code;
  if (path_.empty() || !std::filesystem::exists(path_, error_code)) return std::nullopt;
  try {
    Calibration result = read(read_text(path_));
    if (result.digest != digest_) throw std::invalid_argument("it is that of another scoring");
    if (result.precision > precision) return std::nullopt;
    return result;
  } catch (const std::exception& error) {
    log_(fmt::format("The calibration in {} cannot be used, and is computed anew: {}", path_, error.what()));
    return std::nullopt;
  }
}

void CalibrationCache::store(const Calibration& calibration) const {
  if (path_.empty()) return;
  Calibration kept = calibration;
  kept.digest = digest_;
  const std::string text = kept.to_json();
  try {
    std::filesystem::create_directories(std::filesystem::path(path_).parent_path());
    AtomicFile file(path_);
    file.write(text.data(), text.size());
    file.commit();
  } catch (const std::exception& error) {
    log_(fmt::format("The calibration cannot be kept for the next time: {}", error.what()));
  }
}

}  // namespace io
}  // namespace alnus

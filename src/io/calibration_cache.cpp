#include "io/calibration_cache.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fmt/format.h>
#include <new>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>
#include <vector>
#include <xxhash.h>

#include "alnus/error.h"
#include "io/atomic_file.h"
#include "io/digest.h"
#include "io/json_values.h"
#include "io/kept_file.h"
#include "stats/karlin.h"

namespace alnus {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kDigestOfValues = "values_digest";

Json as_json(const ParameterEstimate& estimate) { return {estimate.value, estimate.error}; }

ParameterEstimate estimate_of(const Json& json) { return {io::number(json.at(0)), io::number(json.at(1))}; }

// Returns a calibration as JSON, but without the digest of the values. The text of a number has every digit,
// so that equal values have equal texts.
Json values_of(const Calibration& calibration) {
  const UngappedParameters& ungapped = calibration.ungapped;
  return {{"digest", calibration.digest},
          {"lambda", as_json(calibration.lambda)},
          {"K", as_json(calibration.K)},
          {"alpha", as_json(calibration.alpha)},
          {"alpha_v", as_json(calibration.alpha_v)},
          {"sigma", as_json(calibration.sigma)},
          {"beta", calibration.beta},
          {"ungapped",
           {{"lambda", ungapped.lambda},
            {"K", ungapped.K},
            {"H", ungapped.H},
            {"alpha", ungapped.alpha},
            {"alpha_v", ungapped.alpha_v}}},
          {"pairs", calibration.pairs},
          {"length", calibration.length},
          {"precision", calibration.precision},
          {"seconds", calibration.seconds}};
}

std::string digest_of(const Json& values) {
  const std::string text = values.dump();
  io::Digest digest;
  digest.add(text.data(), text.size());
  return digest.text();
}

// Reads a calibration from JSON, and checks it by the digest of its values. Throws Json::exception, Error or
// std::invalid_argument.
Calibration read(std::string_view text) {
  const auto json = io::parsed<Json>(text);
  Calibration result;
  json.at("digest").get_to(result.digest);
  result.lambda = estimate_of(json.at("lambda"));
  result.K = estimate_of(json.at("K"));
  result.alpha = estimate_of(json.at("alpha"));
  result.alpha_v = estimate_of(json.at("alpha_v"));
  result.sigma = estimate_of(json.at("sigma"));
  result.beta = io::number(json.at("beta"));
  const Json& ungapped = json.at("ungapped");
  const auto of_ungapped = [&](const char* name) { return io::number(ungapped.at(name)); };
  result.ungapped = {of_ungapped("lambda"), of_ungapped("K"), of_ungapped("H"), of_ungapped("alpha"),
                     of_ungapped("alpha_v")};
  result.pairs = io::whole<std::uint64_t>(json.at("pairs"));
  result.length = io::whole<std::uint64_t>(json.at("length"));
  result.precision = io::number(json.at("precision"));
  result.seconds = io::number(json.at("seconds"));
  if (!json.contains(kDigestOfValues))
    throw std::invalid_argument("it has no digest of its values, as an older version of alnus wrote it");
  if (json.at(kDigestOfValues) != digest_of(values_of(result)))
    throw std::invalid_argument("the digest of its values does not match: they were changed");
  for (const double value : {result.lambda.value, result.K.value, result.alpha.value})
    if (!(value > 0)) throw std::invalid_argument("it has impossible values");
  return result;
}

}  // namespace

std::string Calibration::to_json() const {
  Json json = values_of(*this);
  json[kDigestOfValues] = digest_of(json);
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

// A part of every calibration's digest. It is raised when the way in which calibrations are computed changes,
// so that the files of older calibrations are no longer found.
constexpr int kVersion = 1;

constexpr std::size_t kMostBytes = 1 << 16;  // larger files are refused; alnus writes less than 1 KiB

// Throws unless a simulation of the scoring may have found these values. `exact` has the ungapped values that
// follow from the scoring. Gaps make scores larger: lambda is at most the ungapped one, apart from errors of
// short sequences.
void require_plausible(const Calibration& calibration, const std::optional<UngappedParameters>& exact) {
  const auto require = [](bool fits) {
    if (!fits) throw std::invalid_argument("it has values that its scoring cannot have");
  };
  require(exact.has_value());
  const UngappedParameters& ungapped = calibration.ungapped;
  const auto is_near = [&](double value, double expected) {
    constexpr double kMost = 0.01;
    return std::abs(value - expected) <= kMost * std::abs(expected);
  };
  require(is_near(ungapped.lambda, exact->lambda) && is_near(ungapped.K, exact->K) &&
          is_near(ungapped.H, exact->H) && is_near(ungapped.alpha, exact->alpha) &&
          is_near(ungapped.alpha_v, exact->alpha_v));
  const auto is_within = [](double value, double expected, double least, double most) {
    return value >= least * expected && value <= most * expected;
  };
  require(is_within(calibration.lambda.value, exact->lambda, 0.02, 1.5) &&
          is_within(calibration.K.value, exact->K, 1e-9, 100) &&
          is_within(calibration.alpha.value, exact->alpha, 0.1, 1e4));
  for (const ParameterEstimate& estimate : {calibration.lambda, calibration.K, calibration.alpha})
    require(estimate.error >= 0 && estimate.error <= estimate.value);
  for (const double value : {calibration.alpha_v.value, calibration.sigma.value})
    require(std::abs(value) <= 1e6 * exact->alpha_v);
}

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
    : digest_(calibration_digest(scoring, background)),
      directory_(directory),
      scoring_(scoring),
      background_(background),
      log_(std::move(log)) {
  if (directory.empty()) return;
  const std::string of_length = length == CalibrationOptions{}.length ? "" : fmt::format("-{}", length);
  path_ = fmt::format("{}/calibration-{}{}.json", directory, digest_, of_length);
}

std::optional<Calibration> CalibrationCache::find(double precision) const {
  if (path_.empty()) return std::nullopt;
  if (const auto distrust = distrust_of_directory(directory_)) {
    log_(fmt::format("No calibration is read or kept in {}, and this one is computed anew: {}.", directory_,
                     *distrust));
    return std::nullopt;
  }
  try {
    const std::optional<std::string> text = read_kept(directory_, path_, kMostBytes);
    if (!text) return std::nullopt;
    Calibration result = read(*text);
    if (result.digest != digest_) throw std::invalid_argument("it is that of another scoring");
    require_plausible(result, stats::ungapped_parameters(scoring_, background_));
    if (result.precision > precision) return std::nullopt;
    return result;
  } catch (const std::exception& error) {
    log_(fmt::format("The calibration in {} cannot be used, and is computed anew: {}.", path_, error.what()));
    return std::nullopt;
  }
}

void CalibrationCache::store(const Calibration& calibration) const {
  if (path_.empty() || distrust_of_directory(directory_)) return;  // find() has said why
  Calibration kept = calibration;
  kept.digest = digest_;
  const std::string text = kept.to_json();
  try {
    std::filesystem::create_directories(directory_);
    AtomicFile file(path_);
    file.write(text.data(), text.size());
    file.commit();
  } catch (const std::exception& error) {
    log_(fmt::format("The calibration cannot be kept for the next time: {}", error.what()));
  }
}

}  // namespace io
}  // namespace alnus

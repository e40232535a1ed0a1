#include "io/calibration_cache.h"

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>
#include <vector>
#include <xxhash.h>

#include "alnus/error.h"
#include "io/byte_source.h"
#include "io/output_file.h"

namespace alnus::io {
namespace {

// Rises when the method changes, and what was kept before is computed anew.
constexpr int kVersion = 1;

std::string digest_of(const Scoring& scoring, const stats::Background& background) {
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

std::string cache_directory() {
  const auto set = [](const char* name) {
    const char* value = std::getenv(name);
    return std::filesystem::path(value ? value : "");
  };
  if (const auto cache = set("XDG_CACHE_HOME"); cache.is_absolute()) return cache / "alnus";
  if (const auto home = set("HOME"); home.is_absolute()) return home / ".cache" / "alnus";
  return {};
}

nlohmann::ordered_json to_json(const stats::Estimate& estimate) { return {estimate.value, estimate.error}; }

stats::Estimate estimate(const nlohmann::json& json) { return {json.at(0), json.at(1)}; }

}  // namespace

CalibrationCache::CalibrationCache(const Scoring& scoring, const stats::Background& background,
                                   std::function<void(const std::string&)> log)
    : digest_(digest_of(scoring, background)), log_(std::move(log)) {
  if (const std::string directory = cache_directory(); !directory.empty())
    path_ = fmt::format("{}/calibration-{}.json", directory, digest_);
}

std::optional<stats::Calibration> CalibrationCache::find(double precision) const {
  std::error_code error_code;
  if (path_.empty() || !std::filesystem::exists(path_, error_code)) return std::nullopt;
  try {
    const nlohmann::json json = nlohmann::json::parse(read_text(path_));
    if (json.at("digest") != digest_) throw Error(ErrorKind::input, "it is that of another scoring");
    stats::Calibration result;
    result.lambda = estimate(json.at("lambda"));
    result.K = estimate(json.at("K"));
    result.alpha = estimate(json.at("alpha"));
    result.alpha_v = estimate(json.at("alpha_v"));
    result.sigma = estimate(json.at("sigma"));
    result.beta = json.at("beta");
    const nlohmann::json& ungapped = json.at("ungapped");
    result.ungapped = {ungapped.at("lambda"), ungapped.at("K"), ungapped.at("H"), ungapped.at("alpha"),
                       ungapped.at("alpha_v")};
    result.pairs = json.at("pairs");
    result.length = json.at("length");
    result.precision = json.at("precision");
    result.seconds = json.at("seconds");
    for (const double value : {result.lambda.value, result.K.value, result.alpha.value})
      if (!(value > 0) || !std::isfinite(value)) throw Error(ErrorKind::input, "it has impossible values");
    if (result.precision > precision) return std::nullopt;
    return result;
  } catch (const std::exception& error) {
    log_(fmt::format("The calibration in {} cannot be used, and is computed anew: {}", path_, error.what()));
    return std::nullopt;
  }
}

void CalibrationCache::store(const stats::Calibration& calibration) const {
  if (path_.empty()) return;
  const stats::UngappedParameters& ungapped = calibration.ungapped;
  const nlohmann::ordered_json json = {{"digest", digest_},
                                       {"lambda", to_json(calibration.lambda)},
                                       {"K", to_json(calibration.K)},
                                       {"alpha", to_json(calibration.alpha)},
                                       {"alpha_v", to_json(calibration.alpha_v)},
                                       {"sigma", to_json(calibration.sigma)},
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
  try {
    std::filesystem::create_directories(std::filesystem::path(path_).parent_path());
    OutputFile file(path_);
    file.write(json.dump(2) + "\n");
    file.commit();
  } catch (const std::exception& error) {
    log_(fmt::format("The calibration cannot be kept for the next time: {}", error.what()));
  }
}

}  // namespace alnus::io

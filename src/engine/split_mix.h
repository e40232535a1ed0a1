// SplitMix64 (Steele, Lea & Flood 2014): a counter, and a mixing function that makes its values random.
#pragma once

#include <cstdint>

namespace alnus::engine {

inline constexpr std::uint64_t kSplitMixStep = 0x9e3779b97f4a7c15;

inline std::uint64_t split_mix(std::uint64_t counter) {
  counter = (counter ^ (counter >> 30)) * 0xbf58476d1ce4e5b9;
  counter = (counter ^ (counter >> 27)) * 0x94d049bb133111eb;
  return counter ^ (counter >> 31);
}

}  // namespace alnus::engine

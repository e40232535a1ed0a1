// How much tests do: less under sanitizers, more in the full tests.
#pragma once

#include <cstdlib>
#include <string_view>

namespace alnus::test {

#if defined(__SANITIZE_THREAD__)
inline constexpr bool kThreadSanitizer = true;
#else
inline constexpr bool kThreadSanitizer = false;
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

// Returns whether ALNUS_FULL_TESTS=1 is set in the environment, which asks for the full tests. They take some
// minutes.
inline bool full_tests() {
  const char* value = std::getenv("ALNUS_FULL_TESTS");
  return value != nullptr && std::string_view(value) == "1";
}
inline int by_size(int usual, int full) { return full_tests() ? full : usual; }

}  // namespace alnus::test

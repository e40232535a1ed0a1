// Counts the methods of papers that the program has, and asks for one of them. The arguments: how many it
// must have, and how many it would have with alnus::papers.
#include <alnus/alnus.h>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <string>

int main(int, char** arguments) {
  const std::size_t expected = std::strtoul(arguments[1], nullptr, 10),
                    linked = std::strtoul(arguments[2], nullptr, 10);
  std::size_t found = 0;
  for (const alnus::Backend& backend : alnus::backends()) found += backend.papers.size();
  if (found != expected) {
    std::fprintf(stderr, "%zu methods of papers in place of %zu\n", found, expected);
    return 1;
  }
  try {
    alnus::Session(alnus::SessionOptions{.method = "sw-cuda"});
  } catch (const alnus::Error& error) {
    const bool names_target = std::string(error.what()).find("alnus::papers") != std::string::npos;
    if (names_target == (found < linked))
      return 0;  // a method that is linked is also an error on a machine without a GPU
    std::fprintf(stderr, "another message: %s\n", error.what());
    return 1;
  }
  return found > 0 ? 0 : 1;
}

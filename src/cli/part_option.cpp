#include "cli/part_option.h"

#include <CLI/CLI.hpp>
#include <cstdint>
#include <fmt/format.h>
#include <string>

#include "alnus/error.h"
#include "cli/common_options.h"
#include "cli/values.h"

namespace alnus::cli {
namespace {

PartOfJob parse_part(const std::string& text) {
  constexpr std::uint64_t kMost = 10'000'000;
  const std::size_t slash = text.find('/');
  if (slash == std::string::npos)
    throw Error(
        ErrorKind::input,
        fmt::format("--part is I/N, the number of a part and how many there are, such as 3/64, not {}.",
                    text));
  PartOfJob part;
  part.count = parse_count("--part", text.substr(slash + 1), 1, kMost);
  const std::string number = text.substr(0, slash);
  part.number = number == "-" ? 0 : parse_count("--part", number, 1, part.count);
  return part;
}

}  // namespace

void add_part(CLI::App& command, PartChoice& part) {
  command
      .add_option_function<std::string>(
          "--part", [&part](const std::string& text) { part = parse_part(text); },
          "Compute part I of N of the job, into the file of -o; alnus merge makes the outputs from all "
          "parts. -/N: a program hands out the numbers on standard input")
      ->type_name("I/N")
      ->group("Long runs");
}

void check_part(const CommonOptions& options) {
  if (options.dry_run)
    throw Error(
        ErrorKind::input,
        "--dry-run tells what the whole job would cost, of which each part takes about the same: leave "
        "--part out.");
  if (options.output.empty())
    throw Error(ErrorKind::input, "--part needs -o FILE: a part is a file, which alnus merge reads.");
}

}  // namespace alnus::cli

// The check for outputs that would replace an input, each other or the messages of a program.
#include <fcntl.h>
#include <fmt/format.h>
#include <optional>
#include <system_error>
#include <unistd.h>
#include <vector>

#include "alnus/cost.h"
#include "alnus/error.h"
#include "alnus/output.h"
#include "core/refuse_input.h"
#include "io/atomic_file.h"
#include "io/output_file.h"
#include "io/output_name.h"
#include "io/same_file.h"

namespace alnus {
namespace {

using io::FileIdentity;

// An output, and the files that writing it makes or replaces.
struct Output {
  explicit Output(const std::string& name)
      : path(name),
        standard(io::is_standard_output(name)),
        file(standard ? FileIdentity(STDOUT_FILENO) : FileIdentity(name)) {
    if (standard || (file.exists() && !file.is_regular())) return;
    try {
      part.emplace(io::part_name(name));
    } catch (const std::system_error&) {  // opening the file reports the error
    }
  }

  const std::string path;
  const bool standard;
  const FileIdentity file;
  std::optional<FileIdentity> part;  // NAME.alnus-part, the file that is written first
};

void check_input(const Output& output, const std::string& input) {
  const FileIdentity file = input == "-" ? FileIdentity(STDIN_FILENO) : FileIdentity(input);
  if (!file.is_regular()) return;
  const std::string name = input == "-" ? "the file of standard input" : input;
  if (output.part && same_file(*output.part, file))
    refuse_input(
        fmt::format("The output {} is first written to {}, which is one of the inputs and would be lost. "
                    "Choose another name.",
                    output.path, name));
  if (!same_file(output.file, file)) return;
  if (output.standard)
    refuse_input(fmt::format(
        "Standard output goes to one of the inputs, {}, which would be lost. Let it go to another "
        "file.",
        name));
  refuse_input(fmt::format("The output {} is one of the inputs{}, which would be lost. Choose another name.",
                           output.path, output.path == name ? "" : fmt::format(" ({})", name)));
}

bool appends(int fd) { return (::fcntl(fd, F_GETFL) & O_APPEND) != 0; }

// Throws if the output and messages on standard error would overwrite each other.
void check_messages(const Output& output) {
  const FileIdentity messages(STDERR_FILENO);
  if (!messages.is_regular()) return;
  if (output.part && same_file(*output.part, messages))
    refuse_input(fmt::format(
        "The output {} is first written to the file that standard error goes to. Choose another name.",
        output.path));
  if (!same_file(output.file, messages)) return;
  if (!output.standard)
    refuse_input(fmt::format("The output {} is the file that standard error goes to. Choose another name.",
                             output.path));
  if ((appends(STDOUT_FILENO) && appends(STDERR_FILENO)) || io::share_place(STDOUT_FILENO, STDERR_FILENO))
    return;
  refuse_input(
      "Standard output and standard error go to one file, which was opened for each, so that they would "
      "overwrite each other. Let standard error go to another file, or both by \"> FILE 2>&1\".");
}

void check_pair(const Output& a, const Output& b) {
  if (a.path == b.path || (a.standard && b.standard))
    refuse_input(fmt::format("Two outputs have the name {}; each is a file of its own.", a.path));
  const auto same = [](const auto& x, const auto& y) { return x && y && same_file(*x, *y); };
  if (a.file.is_device() && b.file.is_device()) return;  // writing to a device replaces nothing
  const std::optional<FileIdentity> file_a = a.file, file_b = b.file;
  if (same(file_a, file_b) || same(a.part, file_b) || same(file_a, b.part) || same(a.part, b.part))
    refuse_input(fmt::format("The outputs {} and {} are written to the same file; each needs one of its own.",
                             a.path, b.path));
}

}  // namespace

void check_outputs(std::span<const std::string> outputs, std::span<const std::string> inputs) {
  std::vector<Output> wanted;
  for (const std::string& output : outputs) {
    if (output.empty()) continue;
    io::check_is_written(output);
    const Output& last = wanted.emplace_back(output);
    check_messages(last);
    for (const std::string& input : inputs)
      if (!input.empty()) check_input(last, input);
    for (std::size_t other = 0; other + 1 < wanted.size(); ++other) check_pair(wanted[other], last);
  }
}

bool is_standard_error(const std::string& input) {
  const FileIdentity file = input == "-" ? FileIdentity(STDIN_FILENO) : FileIdentity(input);
  return file.is_regular() && same_file(file, FileIdentity(STDERR_FILENO));
}

void check_places(std::span<const std::string> outputs) {
  for (const std::string& output : outputs)
    if (!output.empty() && !io::is_standard_output(output)) io::AtomicFile::check_place(output);
}

}  // namespace alnus

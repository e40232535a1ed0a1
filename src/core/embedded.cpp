#include "core/embedded.h"

#include <fmt/format.h>

#include "alnus/error.h"

namespace alnus {
namespace {

constexpr EmbeddedFile kFiles[] = {
#include "core_data.inc"
};

}  // namespace

std::span<const EmbeddedFile> embedded_files() { return kFiles; }

std::string_view embedded_text(std::string_view path, std::span<const EmbeddedFile> files) {
  for (const EmbeddedFile& file : files)
    if (file.path == path) return file.text;
  throw Error(ErrorKind::other, fmt::format("The file data/{} was not compiled in.", path));
}

}  // namespace alnus

#include "io/file_state.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <vector>

#include "alnus/error.h"
#include "core/pieces.h"
#include "io/digest.h"
#include "io/open_file.h"

namespace alnus::io {
namespace {

constexpr std::uint64_t kPiece = 1 << 20;

}  // namespace

void refuse_contents(const std::string& path, const std::string& reason) {
  throw Error(
      ErrorKind::input,
      fmt::format("{} is not as the run left it: {}. Put it back as it was, or remove ledger.json from "
                  "the directory of {} to start anew.",
                  path, reason, option("checkpoint")));
}

void require_digest(const std::string& path, const std::string& digest, const std::string& expected) {
  if (digest != expected) refuse_contents(path, "its contents have changed");
}

// Without O_NONBLOCK, opening a pipe would wait for its writer.
InputFile::InputFile(const std::string& path) : fd_(open_file(path, O_RDONLY | O_NONBLOCK)) {
  if (fd_ < 0)
    refuse_contents(path, errno == ENOENT ? "it is missing" : std::generic_category().message(errno));
  struct stat status {};
  if (::fstat(fd_, &status) == 0 && S_ISREG(status.st_mode)) return;
  ::close(fd_);
  refuse_contents(path, "it is no file");
}

InputFile::~InputFile() { ::close(fd_); }

void read_pieces(int fd, const std::string& path, std::uint64_t offset, std::uint64_t bytes,
                 const StopFlag& stop, const TakeBytes& take) {
  std::vector<char> piece(std::min(bytes, kPiece));
  for (const std::uint64_t end = offset + bytes; offset < end;) {
    throw_if_requested(stop);
    const std::size_t wanted = std::min<std::uint64_t>(end - offset, piece.size());
    const BytesRead read = read_at(fd, offset, piece.data(), wanted);
    if (read.error != 0)
      refuse_contents(path, "it cannot be read: " + std::generic_category().message(read.error));
    if (read.bytes < wanted)
      refuse_contents(path, fmt::format("it ends at byte {}, before byte {}", offset + read.bytes, end));
    take(piece.data(), wanted);
    offset += wanted;
  }
}

void require_file(const std::string& path, const FileState& expected, const StopFlag& stop) {
  const InputFile file(path);
  struct stat status {};
  if (::fstat(file.fd(), &status) == 0 && static_cast<std::uint64_t>(status.st_size) != expected.bytes)
    refuse_contents(path, fmt::format("it has {} {} instead of {}", status.st_size,
                                      status.st_size == 1 ? "byte" : "bytes", expected.bytes));
  Digest digest;
  read_pieces(file.fd(), path, 0, expected.bytes, stop,
              [&](const void* data, std::size_t bytes) { digest.add(data, bytes); });
  require_digest(path, digest.text(), expected.digest);
}

}  // namespace alnus::io

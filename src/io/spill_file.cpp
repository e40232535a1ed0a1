#include "io/spill_file.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <fmt/format.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include "core/pieces.h"
#include "io/open_file.h"

namespace alnus::io {
namespace {

constexpr std::size_t kSpillBuffer = std::size_t{1} << 20;
constexpr std::size_t kLargestWrite = std::size_t{16} << 20;  // between two looks at the stop flag

}  // namespace

SpillFile::SpillFile(const std::string& directory, ErrorKind kind, std::string advice, const StopFlag& stop)
    : directory_(directory.empty() ? "." : directory), advice_(std::move(advice)), kind_(kind), stop_(stop) {
  fd_ = open_file(directory_, O_RDWR | O_TMPFILE, 0600);
  if (fd_ < 0 && (errno == EOPNOTSUPP || errno == EISDIR)) {  // a file system without O_TMPFILE
    std::string name = directory_ + "/alnus-spill-XXXXXX";
    fd_ = above_standard(::mkostemp(name.data(), O_CLOEXEC));
    if (fd_ >= 0) ::unlink(name.c_str());
  }
  if (fd_ < 0) fail("create", errno);
}

SpillFile::~SpillFile() { ::close(fd_); }

void SpillFile::append(const void* data, std::size_t bytes) {
  const auto* from = static_cast<const unsigned char*>(data);
  buffer_.reserve(kSpillBuffer);
  if (bytes > kSpillBuffer - buffer_.size()) flush();
  if (bytes > kSpillBuffer) return write(from, bytes);
  buffer_.insert(buffer_.end(), from, from + bytes);
}

void SpillFile::flush() {
  const std::size_t bytes = buffer_.size();
  if (bytes == 0) return;
  write(buffer_.data(), bytes);
  buffer_.clear();
}

void SpillFile::write(const unsigned char* from, std::size_t bytes) {
  while (bytes > 0) {
    throw_if_requested(stop_);
    const ssize_t written = ::write(fd_, from, std::min(bytes, kLargestWrite));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail("write", errno);
    from += written;
    bytes -= static_cast<std::size_t>(written);
    written_ += static_cast<std::uint64_t>(written);
  }
}

void SpillFile::read_at(std::uint64_t offset, void* data, std::size_t bytes) const {
  const BytesRead read = io::read_at(fd_, offset, data, bytes);
  if (read.bytes < bytes) fail("read", read.error != 0 ? read.error : EIO);
}

void SpillFile::fail(const char* action, int error) const {
  throw Error(kind_, fmt::format("Cannot {} a temporary file in {}: {}. {}", action, directory_,
                                 std::generic_category().message(error), advice_));
}

}  // namespace alnus::io

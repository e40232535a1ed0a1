#include "io/kept_file.h"

#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

#include "alnus/error.h"
#include "io/open_file.h"

namespace alnus::io {
namespace {

[[noreturn]] void refuse(const std::string& what) { throw Error(ErrorKind::input, what); }
[[noreturn]] void fail() { refuse(std::generic_category().message(errno)); }

bool everybody_may_write(const struct stat& status) { return (status.st_mode & S_IWOTH) != 0; }

bool is_of_user_or_root(const struct stat& status) {
  return status.st_uid == ::geteuid() || status.st_uid == 0;
}

// An open file, closed by the destructor.
struct Descriptor {
  // Without O_NONBLOCK, opening a pipe would wait for its writer.
  explicit Descriptor(const std::string& path) : fd(open_file(path, O_RDONLY | O_NONBLOCK)) {}
  ~Descriptor() {
    if (fd >= 0) ::close(fd);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  const int fd;
};

}  // namespace

std::optional<std::string> distrust_of_directory(const std::string& directory) {
  struct stat status {
  }, above{};
  if (::stat(directory.c_str(), &status) != 0) return std::nullopt;  // using it reports the error
  if (everybody_may_write(status))
    return fmt::format("everybody may write {}; take that right away (chmod o-w)", directory);
  if (is_of_user_or_root(status)) return std::nullopt;
  const std::string folder = (std::filesystem::path(directory) / "..").string();
  if (::stat(folder.c_str(), &above) != 0 || !everybody_may_write(above)) return std::nullopt;
  return fmt::format(
      "{} belongs to another user, and everybody may write the folder above it; choose a directory of your "
      "own",
      directory);
}

std::optional<std::string> read_kept(const std::string& directory, const std::string& path,
                                     std::size_t most) {
  const Descriptor file(path);
  if (file.fd < 0 && (errno == ENOENT || errno == ENOTDIR)) return std::nullopt;
  struct stat status {
  }, of_directory{};
  if (file.fd < 0 || ::fstat(file.fd, &status) != 0 || ::stat(directory.c_str(), &of_directory) != 0) fail();
  if (!S_ISREG(status.st_mode)) refuse("it is no file");
  if (everybody_may_write(status)) refuse("everybody may write it");
  const bool of_group = (of_directory.st_mode & S_IWGRP) != 0;
  if (!is_of_user_or_root(status) && status.st_uid != of_directory.st_uid && !of_group)
    refuse("it belongs to a user who may not write its directory");
  std::string text(most + 1, '\0');
  std::size_t size = 0;
  while (size < text.size()) {
    const ssize_t count = ::read(file.fd, text.data() + size, text.size() - size);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail();
    if (count == 0) break;
    size += static_cast<std::size_t>(count);
  }
  if (size > most) refuse(fmt::format("it has more than {} bytes", most));
  text.resize(size);
  return text;
}

}  // namespace alnus::io

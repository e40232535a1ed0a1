#include "io/same_file.h"

#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <system_error>
#include <unistd.h>

namespace alnus::io {

namespace fs = std::filesystem;

std::string resolved(const std::string& path) {
  constexpr int kMostLinks = 40;  // Linux's limit
  fs::path place = fs::weakly_canonical(fs::absolute(path));
  for (int links = 0; fs::is_symlink(fs::symlink_status(place));
       ++links) {  // a link whose target does not exist; other links are resolved already
    if (links == kMostLinks) throw std::system_error(ELOOP, std::generic_category());
    place = fs::weakly_canonical(place.parent_path() / fs::read_symlink(place));
  }
  return place.string();
}

FileIdentity::FileIdentity(const std::string& path) : exists_(::stat(path.c_str(), &status_) == 0) {
  if (exists_) return;
  try {
    place_ = resolved(path);
  } catch (const std::system_error&) {
    place_ = path;  // opening the file reports the error
  }
}

FileIdentity::FileIdentity(int fd) : exists_(::fstat(fd, &status_) == 0) {}

bool same_file(const FileIdentity& a, const FileIdentity& b) {
  if (a.exists_ != b.exists_) return false;
  if (!a.exists_) return !a.place_.empty() && a.place_ == b.place_;
  return a.status_.st_dev == b.status_.st_dev && a.status_.st_ino == b.status_.st_ino;
}

bool share_place(int a, int b) {
  const int flags = ::fcntl(a, F_GETFL);
  if (flags < 0 || ::fcntl(b, F_GETFL) != flags || ::lseek(a, 0, SEEK_CUR) != ::lseek(b, 0, SEEK_CUR))
    return false;
  // Both may still be openings of their own. Descriptors that share a place share their flags, too, and this
  // flag has no effect on a regular file.
  ::fcntl(a, F_SETFL, flags ^ O_NONBLOCK);
  const bool shared = ::fcntl(b, F_GETFL) == ::fcntl(a, F_GETFL);
  ::fcntl(a, F_SETFL, flags);
  return shared;
}

}  // namespace alnus::io

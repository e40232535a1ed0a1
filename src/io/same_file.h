// Whether two names lead to one file, by hard and symbolic links and before the file is there.
#pragma once

#include <string>
#include <sys/stat.h>

namespace alnus::io {

// Where the name leads, absolute and without symbolic links; of a link to nothing, the place where writing to
// it would make a file. Throws std::system_error.
std::string resolved(const std::string& path);

// What a name leads to.
class FileIdentity {
 public:
  explicit FileIdentity(const std::string& path);
  // Of what an open descriptor leads to.
  explicit FileIdentity(int fd);

  bool exists() const { return exists_; }
  bool is_regular() const { return exists_ && S_ISREG(status_.st_mode); }
  // A device, a pipe or a terminal.
  bool is_special() const { return exists_ && !S_ISREG(status_.st_mode) && !S_ISDIR(status_.st_mode); }
  // Of a name that leads to nothing: the place where its file would be made.
  friend bool same_file(const FileIdentity& a, const FileIdentity& b);

 private:
  struct stat status_ {};
  bool exists_ = false;  // after `status_`, which finding it out fills
  std::string place_;
};

}  // namespace alnus::io

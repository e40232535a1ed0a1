// Tells whether two names lead to one file, through hard and symbolic links and before the file exists.
#pragma once

#include <string>
#include <sys/stat.h>

namespace alnus::io {

// The path that a name leads to, absolute and without symbolic links. For a link whose target does not exist,
// this is the path where writing to the link would make a file. Throws std::system_error.
std::string resolved(const std::string& path);

// The file that a name leads to.
class FileIdentity {
 public:
  explicit FileIdentity(const std::string& path);
  // The file of an open descriptor.
  explicit FileIdentity(int fd);

  bool exists() const { return exists_; }
  bool is_regular() const { return exists_ && S_ISREG(status_.st_mode); }
  // True for a terminal or a device such as /dev/null.
  bool is_device() const { return exists_ && S_ISCHR(status_.st_mode); }
  // True if `a` and `b` are one file. Names that lead to no file are compared by the path where their file
  // would be made.
  friend bool same_file(const FileIdentity& a, const FileIdentity& b);

 private:
  struct stat status_ {};
  bool exists_ = false;  // declared after `status_`, which its initialisation fills
  std::string place_;
};

// True if these descriptors of a regular file share one place in it, as those of "> FILE 2>&1" do. Two
// openings of the file, as by "> FILE 2> FILE", have a place each, so that each overwrites what the other has
// written.
bool share_place(int a, int b);

}  // namespace alnus::io

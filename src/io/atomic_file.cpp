#include "io/atomic_file.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <system_error>
#include <unistd.h>

#include "alnus/error.h"
#include "alnus/output.h"
#include "io/open_file.h"
#include "io/same_file.h"

namespace alnus {
namespace io {
namespace {

// The names of unfinished files, in a list that only grows, so that a signal handler can walk it at any
// moment. Whoever takes a name out of its slot owns the name: the file's owner frees it; the handler does
// not, because the process is ending. A child after fork() has the list, too, but the files belong to its
// parent.
struct Name {
  std::string path;
  pid_t process = ::getpid();
};
struct Slot {
  std::atomic<Name*> name{nullptr};
  Slot* next = nullptr;
};
std::atomic<Slot*> slots{nullptr};

class Registration {
 public:
  void add(const std::string& path) {
    name_ = new Name{path};
    for (slot_ = slots.load(); slot_ != nullptr; slot_ = slot_->next) {
      Name* empty = nullptr;
      if (slot_->name.compare_exchange_strong(empty, name_)) return;
    }
    slot_ = new Slot;
    slot_->name = name_;
    slot_->next = slots.load();
    while (!slots.compare_exchange_weak(slot_->next, slot_)) {
    }
  }
  void remove() noexcept {
    if (slot_ == nullptr) return;
    Name* mine = name_;
    if (slot_->name.compare_exchange_strong(mine, nullptr)) delete name_;
    slot_ = nullptr;
  }

 private:
  Slot* slot_ = nullptr;
  Name* name_ = nullptr;
};

// Blocks signals on this thread while a file is made and registered, because a signal handler cannot remove a
// file that is not registered.
class SignalsHeld {
 public:
  SignalsHeld() {
    sigset_t all;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_BLOCK, &all, &before_);
  }
  SignalsHeld(const SignalsHeld&) = delete;
  SignalsHeld& operator=(const SignalsHeld&) = delete;
  ~SignalsHeld() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_{};
};

constexpr const char* kPartSuffix = ".alnus-part";
constexpr std::size_t kLargestWrite = std::size_t{1} << 30;  // Linux writes at most 2 GiB at once

}  // namespace

struct AtomicFile::State {
  std::string path;      // as the user gave it
  std::string resolved;  // absolute, links resolved
  std::string part;      // NAME.alnus-part; empty if a device or pipe is written directly
  ErrorKind kind;
  Begin begin;
  const pid_t process = ::getpid();  // the process that made the file
  bool kept = false;                 // the destructor leaves the part on disk
  int fd = -1;
  struct stat existing {};  // the file of this name, if it exists
  bool exists = false;
  Registration registration;

  [[noreturn]] void fail(const char* action, int error) const {
    const std::filesystem::path folder = std::filesystem::path(resolved).parent_path();
    std::error_code ignored;
    const bool no_folder = error == ENOENT && !folder.empty() && !std::filesystem::exists(folder, ignored);
    throw Error(kind,
                fmt::format("Cannot {} the output file {}: {}.{}", action, path,
                            std::generic_category().message(error),
                            no_folder ? fmt::format(" Make the folder {} first.", folder.string()) : ""));
  }

  // Finds `existing`, `resolved` and `part`; a device or pipe is written directly, and has no `part`. Throws
  // if there is a folder in the output's place, or a file that may not be replaced.
  void find() {
    exists = ::stat(path.c_str(), &existing) == 0;
    if (exists && S_ISDIR(existing.st_mode)) fail("write", EISDIR);
    if (exists && !S_ISREG(existing.st_mode)) return;
    if (exists && ::access(path.c_str(), W_OK) != 0) fail("replace", errno);
    try {
      resolved = io::resolved(path);
    } catch (const std::system_error& error) {
      fail("create", error.code().value());
    }
    part = resolved + kPartSuffix;
  }

  // Throws if open() could not make or open the file, as far as the permissions of the file and of its folder
  // tell.
  void check() {
    find();
    const std::string written = part.empty() ? path : std::filesystem::path(part).parent_path().string();
    if (::access(written.c_str(), part.empty() ? W_OK : W_OK | X_OK) != 0)
      fail(part.empty() ? "open" : "create", errno);
  }

  void open() {
    find();
    if (part.empty()) {
      fd = open_file(path, O_WRONLY);
      if (fd < 0) fail("open", errno);
      return;
    }
    {
      const SignalsHeld held;
      while (!lock()) {
      }
      kept = begin == Begin::resumed;
      if (!kept) registration.add(part);
    }
    if (!kept && ::ftruncate(fd, 0) != 0) fail("empty", errno);
    if (exists) ::fchmod(fd, existing.st_mode & 07777);  // keeps the permissions if the system allows it
  }

  // Syncs the directory, so that the file's name survives a power failure. Some file systems cannot sync a
  // directory.
  void sync_directory() const {
    const std::string directory = std::filesystem::path(resolved).parent_path().string();
    const int directory_fd = open_file(directory, O_RDONLY | O_DIRECTORY);
    if (directory_fd < 0) return;
    const int result = ::fsync(directory_fd);
    const int error = errno;
    ::close(directory_fd);
    if (result != 0 && error != EINVAL) fail("sync the directory of", error);
  }

  // Opens and locks the part. Returns false if the part's owner renamed or removed it between this process'
  // open() and flock(), so that the caller must try again. Throws if another process holds the lock.
  bool lock() {
    const bool resumed = begin == Begin::resumed;
    fd = open_file(part, O_RDWR | (resumed ? 0 : O_CREAT) | O_NOFOLLOW, 0666);
    if (fd < 0 && resumed && errno == ENOENT)
      throw Error(kind,
                  fmt::format("The output file {} cannot be resumed: {}, which held what an earlier run "
                              "had written of it, is gone. Another run that wrote {} took it, or it was "
                              "removed. Remove the directory of {} to begin anew.",
                              path, part, path, option("checkpoint")));
    if (fd < 0) fail(resumed ? "resume" : "create", errno);
    if (::flock(fd, LOCK_EX | LOCK_NB) != 0) {
      const int error = errno;
      close();
      if (error != EWOULDBLOCK) fail("lock", error);
      throw Error(kind, fmt::format("The output file {} is being written by another process (it holds {}). "
                                    "Wait until it has ended, or choose another name.",
                                    path, part));
    }
    struct stat mine {
    }, named{};
    if (::fstat(fd, &mine) == 0 && ::stat(part.c_str(), &named) == 0 && mine.st_dev == named.st_dev &&
        mine.st_ino == named.st_ino) {
      return true;
    }
    close();
    return false;
  }

  void close() noexcept {
    if (fd >= 0) ::close(fd);
    fd = -1;
  }

  // Unlinks the part before close(), because the name belongs to this process while it holds the lock. A
  // child after fork() only closes its descriptor, which leaves the lock to its parent.
  void abandon() noexcept {
    if (fd >= 0 && !part.empty() && !kept && process == ::getpid()) ::unlink(part.c_str());
    registration.remove();
    close();
  }
};

AtomicFile::AtomicFile(const std::string& path, ErrorKind kind, Begin begin)
    : state_(std::make_unique<State>()) {
  state_->path = path;
  state_->kind = kind;
  state_->begin = begin;
  try {
    state_->open();
  } catch (...) {
    state_->abandon();
    throw;
  }
}

void AtomicFile::check_place(const std::string& path, ErrorKind kind) {
  State state;
  state.path = path;
  state.kind = kind;
  state.check();
}

AtomicFile::~AtomicFile() { state_->abandon(); }

std::string part_name(const std::string& path) { return resolved(path) + kPartSuffix; }

int AtomicFile::fd() const { return state_->fd; }

const std::string& AtomicFile::path() const { return state_->path; }
const std::string& AtomicFile::part() const { return state_->part; }

void AtomicFile::write(const void* data, std::size_t bytes) {
  const auto* from = static_cast<const char*>(data);
  while (bytes > 0) {
    const ssize_t written = ::write(state_->fd, from, std::min(bytes, kLargestWrite));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) state_->fail("write", errno);
    from += written;
    bytes -= static_cast<std::size_t>(written);
  }
}

void AtomicFile::write_at(std::uint64_t offset, const void* data, std::size_t bytes) {
  const auto* from = static_cast<const char*>(data);
  while (bytes > 0) {
    const ssize_t written =
        ::pwrite(state_->fd, from, std::min(bytes, kLargestWrite), static_cast<off_t>(offset));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) state_->fail("write", errno);
    from += written;
    offset += static_cast<std::uint64_t>(written);
    bytes -= static_cast<std::size_t>(written);
  }
}

void AtomicFile::reserve(std::uint64_t bytes) {
  const auto size = static_cast<off_t>(bytes);
  int result = 0;
  do {
    result = ::fallocate(state_->fd, 0, 0, size);
  } while (result != 0 && errno == EINTR);
  if (result != 0 && errno == EOPNOTSUPP) result = ::ftruncate(state_->fd, size);
  if (result == 0) return;
  const int error = errno;
  throw Error(state_->kind, fmt::format("The output file {} needs {} bytes, which cannot be had there: {}.",
                                        state_->path, bytes, std::generic_category().message(error)));
}

void AtomicFile::cut(std::uint64_t bytes) {
  struct stat now {};
  if (::fstat(state_->fd, &now) != 0) state_->fail("read", errno);
  const auto size = static_cast<off_t>(bytes);
  if (now.st_size < size) {
    throw Error(state_->kind,
                fmt::format("The output file {} cannot be resumed at byte {}: only {} are there.",
                            state_->path, bytes, now.st_size));
  }
  if (::ftruncate(state_->fd, size) != 0) state_->fail("cut", errno);
  if (::lseek(state_->fd, size, SEEK_SET) < 0) state_->fail("write", errno);
}

void AtomicFile::sync() {
  // Pipes and devices give EINVAL: they have nothing to sync.
  State& state = *state_;
  if (::fsync(state.fd) != 0 && errno != EINVAL) state.fail("write", errno);
  if (!state.part.empty() && !state.kept) state.sync_directory();
  state.kept = true;
  state.registration.remove();
}

void AtomicFile::commit() {
  State& state = *state_;
  if (state.part.empty()) {
    const int fd = state.fd;
    state.fd = -1;
    if (::close(fd) != 0) state.fail("write", errno);
    return;
  }
  if (::fsync(state.fd) != 0) state.fail("write", errno);
  if (::rename(state.part.c_str(), state.resolved.c_str()) != 0) {
    if (errno != ENOENT) state.fail("rename", errno);
    throw Error(state.kind,
                fmt::format("The output file {} is lost: {}, to which it was written, was renamed "
                            "or removed meanwhile by another program. Run the same again.",
                            state.path, state.part));
  }
  state.registration.remove();
  state.close();
  state.sync_directory();
}

void AtomicFile::discard() {
  state_->kept = false;
  state_->abandon();
}

bool has_unfinished_file(const std::string& path) {
  try {
    return std::filesystem::exists(part_name(path));
  } catch (const std::system_error&) {  // opening the file reports the error
    return false;
  }
}

}  // namespace io

void remove_unfinished_files() noexcept {
  for (io::Slot* slot = io::slots.load(); slot != nullptr; slot = slot->next) {
    const io::Name* name = slot->name.exchange(nullptr);
    if (name != nullptr && name->process == ::getpid()) ::unlink(name->path.c_str());
  }
}

}  // namespace alnus

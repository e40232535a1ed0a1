// A library for LD_PRELOAD that ends or stops a program at its N-th write, sync or rename. ALNUS_AIM is
// "CALL N ACTION": CALL is write, sync or rename, N counts from 1, and ACTION is
//   before, after  the process is killed before or after the call,
//   half           it is killed when half of the bytes are written,
//   full           the call fails as on a full disk,
//   stop           the process stops before the call, until it gets SIGCONT.
// ALNUS_CALLS names a file that gets the number of calls of each kind when the program exits.
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <string>
#include <unistd.h>

namespace {

struct Call {
  const char* name;
  std::atomic<int> count{0};
};
Call writes{"write"}, syncs{"sync"}, renames{"rename"};

struct Aim {
  char call[16] = "", action[16] = "";
  int number = 0;
  Aim() {
    const char* text = std::getenv("ALNUS_AIM");
    if (text != nullptr && std::sscanf(text, "%15s %d %15s", call, &number, action) != 3) std::abort();
  }
};

struct CountsAtExit {
  ~CountsAtExit() {
    const char* path = std::getenv("ALNUS_CALLS");
    std::FILE* file = path != nullptr ? std::fopen(path, "w") : nullptr;
    if (file == nullptr) return;
    for (const Call* call : {&writes, &syncs, &renames})
      std::fprintf(file, "%s %d\n", call->name, call->count.load());
    std::fclose(file);
  }
} counts_at_exit;

// Counts the call, calls `whole`, and does what ALNUS_AIM says. `half` does half of the work.
template <class Whole, class Half>
auto aimed(Call& call, Whole whole, Half half) -> decltype(whole()) {
  static const Aim aim;
  const bool here = ++call.count == aim.number && std::strcmp(call.name, aim.call) == 0;
  const std::string action = here ? aim.action : "";
  if (action == "full") {
    errno = ENOSPC;
    return -1;
  }
  if (action == "stop") ::raise(SIGSTOP);
  if (action == "half") half();
  if (action == "half" || action == "before") ::raise(SIGKILL);
  const auto result = whole();
  if (action == "after") ::raise(SIGKILL);
  return result;
}

template <class Function>
Function* real(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

}  // namespace

extern "C" {

ssize_t write(int fd, const void* data, size_t bytes) {
  static auto* const call = real<ssize_t(int, const void*, size_t)>("write");
  if (fd <= STDERR_FILENO) return call(fd, data, bytes);
  return aimed(
      writes, [&] { return call(fd, data, bytes); }, [&] { call(fd, data, bytes / 2); });
}

ssize_t pwrite(int fd, const void* data, size_t bytes, off_t offset) {
  static auto* const call = real<ssize_t(int, const void*, size_t, off_t)>("pwrite");
  return aimed(
      writes, [&] { return call(fd, data, bytes, offset); }, [&] { call(fd, data, bytes / 2, offset); });
}

int fsync(int fd) {
  static auto* const call = real<int(int)>("fsync");
  return aimed(
      syncs, [&] { return call(fd); }, [] {});
}

int rename(const char* from, const char* to) noexcept {
  static auto* const call = real<int(const char*, const char*)>("rename");
  return aimed(
      renames, [&] { return call(from, to); }, [] {});
}
}

#include "io/byte_source.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <condition_variable>
#include <exception>
#include <fcntl.h>
#include <fmt/format.h>
#include <mutex>
#include <poll.h>
#include <sys/stat.h>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <utility>

#include "alnus/error.h"
#include "io/decompressor.h"

namespace alnus::io {
namespace {

constexpr std::size_t kLargestRead = std::size_t{1} << 30;  // Linux reads at most 2 GiB at once
constexpr int kPollMilliseconds = 100;

class FileSource final : public ByteSource {
 public:
  // `as_they_come`: read() may return fewer bytes than wanted before the end.
  FileSource(const std::string& path, std::stop_token stop, bool as_they_come)
      : name_(display_name(path)), stop_(std::move(stop)), as_they_come_(as_they_come) {
    is_standard_input_ = path == "-";
    fd_ = is_standard_input_ ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd_ < 0) fail(errno);
    struct stat status {};
    const int error = ::fstat(fd_, &status) != 0 ? errno : S_ISDIR(status.st_mode) ? EISDIR : 0;
    if (error != 0) {
      close();
      fail(error);
    }
    may_wait_ = !S_ISREG(status.st_mode);
    if (!may_wait_) ::posix_fadvise(fd_, 0, 0, POSIX_FADV_SEQUENTIAL);
  }
  ~FileSource() override { close(); }
  FileSource(const FileSource&) = delete;
  FileSource& operator=(const FileSource&) = delete;

  std::size_t read(char* to, std::size_t capacity) override {
    std::size_t size = 0;
    while (size < capacity && !ended_ && !(as_they_come_ && size > 0)) {
      if (may_wait_ && !wait()) break;
      const ssize_t count = ::read(fd_, to + size, std::min(capacity - size, kLargestRead));
      if (count < 0 && (errno == EINTR || errno == EAGAIN)) continue;
      if (count < 0) fail(errno);
      ended_ = count == 0;
      size += static_cast<std::size_t>(count);
    }
    return size;
  }

 private:
  // Until there is something to read; false when that is no longer wanted.
  bool wait() {
    pollfd polled{fd_, POLLIN, 0};
    while (::poll(&polled, 1, kPollMilliseconds) == 0) {
      if (stop_.stop_requested()) {
        ended_ = true;
        return false;
      }
    }
    return true;
  }

  void close() const {
    if (!is_standard_input_) ::close(fd_);
  }

  [[noreturn]] void fail(int error) const {
    const char* advice = "";
    if (error == ENOENT) advice = " Check its name.";
    if (error == EISDIR) advice = " Name the file in it.";
    if (error == EACCES) advice = " Check its permissions.";
    throw Error(ErrorKind::input,
                fmt::format("Cannot read {}: {}.{}", name_, std::generic_category().message(error), advice));
  }

  std::string name_;
  std::stop_token stop_;
  const bool as_they_come_;
  int fd_ = -1;
  bool is_standard_input_ = false, may_wait_ = false, ended_ = false;
};

}  // namespace

std::string display_name(const std::string& path) { return path == "-" ? "standard input" : path; }

std::unique_ptr<ByteSource> open_bytes(const std::string& path, std::stop_token stop) {
  return decompressed(std::make_unique<FileSource>(path, std::move(stop), false), display_name(path));
}

std::unique_ptr<ByteSource> open_stream(const std::string& path) {
  return std::make_unique<FileSource>(path, std::stop_token(), true);
}

std::string read_text(const std::string& path) {
  const std::unique_ptr<ByteSource> source = open_bytes(path);
  std::string text;
  for (std::size_t size = 0, capacity = 1 << 16;; capacity *= 2) {
    text.resize(size + capacity);
    const std::size_t count = source->read(text.data() + size, capacity);
    size += count;
    if (count < capacity) {
      text.resize(size);
      return text;
    }
  }
}

// Two blocks: one is filled while the other is with the consumer.
struct ReadAhead::State {
  explicit State(const std::string& path) : source(open_bytes(path, stop.get_token())) {
    for (auto& block : blocks) block.bytes = std::make_unique_for_overwrite<char[]>(kBlockBytes);
    thread = std::thread([this] { run(); });
  }
  ~State() {
    stop.request_stop();
    thread.join();
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  void run() {
    try {
      for (std::size_t next = 0, size = kBlockBytes; size == kBlockBytes; next ^= 1) {
        {
          std::unique_lock lock(mutex);
          if (!changed.wait(lock, stop.get_token(), [this] { return filled < blocks.size(); })) return;
        }
        size = source->read(blocks[next].bytes.get(), kBlockBytes);
        const std::lock_guard lock(mutex);
        blocks[next].size = size;
        if (size > 0) ++filled;
        ended = size < kBlockBytes;
        changed.notify_all();
      }
    } catch (...) {
      const std::lock_guard lock(mutex);
      error = std::current_exception();
      ended = true;
      changed.notify_all();
    }
  }

  struct Block {
    std::unique_ptr<char[]> bytes;
    std::size_t size = 0;
  };

  std::stop_source stop;
  std::unique_ptr<ByteSource> source;
  std::mutex mutex;
  std::condition_variable_any changed;
  std::array<Block, 2> blocks;
  std::size_t filled = 0;   // blocks, with the one that is with the consumer
  std::size_t current = 0;  // the block that is with the consumer, or will be next
  bool with_consumer = false;
  bool ended = false;  // no block will be filled any more
  std::exception_ptr error;
  std::thread thread;
};

ReadAhead::ReadAhead(const std::string& path) : state_(std::make_unique<State>(path)) {}

ReadAhead::~ReadAhead() = default;

std::string_view ReadAhead::next() {
  State& s = *state_;
  std::unique_lock lock(s.mutex);
  if (std::exchange(s.with_consumer, false)) {
    s.current ^= 1;
    --s.filled;
    s.changed.notify_all();
  }
  s.changed.wait(lock, [&s] { return s.filled > 0 || s.ended; });
  if (s.filled == 0) {
    if (s.error) std::rethrow_exception(s.error);
    return {};
  }
  s.with_consumer = true;
  return {s.blocks[s.current].bytes.get(), s.blocks[s.current].size};
}

}  // namespace alnus::io

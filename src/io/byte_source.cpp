#include "io/byte_source.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <fcntl.h>
#include <fmt/format.h>
#include <mutex>
#include <optional>
#include <poll.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include "alnus/error.h"
#include "core/pieces.h"
#include "io/decompressor.h"
#include "io/open_file.h"

namespace alnus::io {
namespace {

constexpr std::size_t kLargestRead = std::size_t{1} << 30;  // Linux reads at most 2 GiB at once
constexpr int kPollMilliseconds = 10;                       // between two looks at the stop flag

// What FileSource does about files that are not regular ones.
struct Reading {
  bool as_they_come = false;  // read() may return fewer bytes than asked for before the end of the file
  // If set, the file is a text that is read as a whole: it is no device that may never end, and read() fails
  // if no program opens a pipe for writing within that time, or if a pipe brings more than kLongestPipe.
  std::optional<std::chrono::milliseconds> patience{};
};
constexpr std::size_t kLongestPipe = std::size_t{1} << 30;

bool is_null_device(const struct stat& status) {
  struct stat null {};
  return ::stat("/dev/null", &null) == 0 && status.st_rdev == null.st_rdev;
}

class FileSource final : public ByteSource {
 public:
  FileSource(const std::string& path, ThreadPool* pool, const Reading& reading)
      : name_(display_name(path)), pool_(pool), reading_(reading) {
    is_standard_input_ = path == "-";
    // Without O_NONBLOCK, opening a pipe would wait for its writer. read() waits for the bytes instead.
    fd_ = is_standard_input_ ? STDIN_FILENO : open_file(path, O_RDONLY | O_NONBLOCK);
    if (fd_ < 0) fail(errno);
    struct stat status {};
    const int error = ::fstat(fd_, &status) != 0 ? errno : S_ISDIR(status.st_mode) ? EISDIR : 0;
    if (error != 0) {
      close();
      fail(error);
    }
    may_wait_ = !S_ISREG(status.st_mode);
    if (reading_.patience && may_wait_ && !S_ISFIFO(status.st_mode) && !S_ISSOCK(status.st_mode) &&
        ::isatty(fd_) == 0 && !is_null_device(status)) {
      close();
      refuse("is a device, and may never end. Name a file.");
    }
    waits_for_writer_ = reading_.patience && S_ISFIFO(status.st_mode) && !is_standard_input_;
    if (!may_wait_) ::posix_fadvise(fd_, 0, 0, POSIX_FADV_SEQUENTIAL);
  }
  ~FileSource() override { close(); }
  FileSource(const FileSource&) = delete;
  FileSource& operator=(const FileSource&) = delete;

  std::size_t read(char* to, std::size_t capacity, const StopFlag& stop) override {
    std::size_t size = 0;
    while (size < capacity && !ended_ && !(reading_.as_they_come && size > 0)) {
      throw_if_requested(stop);
      if (waits_for_writer_) size += wait_for_writer(to + size, stop);
      if (may_wait_) wait(stop);
      const ssize_t count = ::read(fd_, to + size, std::min(capacity - size, kLargestRead));
      if (count < 0 && (errno == EINTR || errno == EAGAIN)) continue;
      if (count < 0) fail(errno);
      ended_ = count == 0;
      size += static_cast<std::size_t>(count);
    }
    brought_ += size;
    if (reading_.patience && may_wait_ && brought_ > kLongestPipe)
      refuse("brings more than 1 GiB. Write it to a file, and name that.");
    return size;
  }

 private:
  // Waits until there are bytes to read, or the end of the file.
  void wait(const StopFlag& stop) const {
    pollfd polled{fd_, POLLIN, 0};
    if (::poll(&polled, 1, 0) != 0) return;
    std::optional<ThreadPool::Pause> pause;
    if (pool_ != nullptr) pause.emplace(*pool_, stop);
    while (::poll(&polled, 1, kPollMilliseconds) == 0) throw_if_requested(stop);
  }

  // Waits until a program has opened the pipe for writing. A pipe without a writer gives no bytes, and no
  // error either. If a writer comes meanwhile, the read that looks for it may find a byte, which is put to
  // `to`. Returns the number of bytes found, 0 or 1.
  std::size_t wait_for_writer(char* to, const StopFlag& stop) {
    waits_for_writer_ = false;
    const auto start = std::chrono::steady_clock::now();
    for (pollfd polled{fd_, POLLIN, 0}; ::poll(&polled, 1, kPollMilliseconds) == 0;) {
      throw_if_requested(stop);
      const ssize_t count = ::read(fd_, to, 1);
      if (count != 0) return count > 0 ? 1 : 0;
      if (std::chrono::steady_clock::now() - start > *reading_.patience)
        refuse(
            "is a pipe that no program has opened for writing. Start that program before, or name a file.");
    }
    return 0;
  }

  [[noreturn]] void refuse(const char* what) const {
    throw Error(ErrorKind::input, fmt::format("{} {}", name_, what));
  }

  void close() const {
    if (!is_standard_input_) ::close(fd_);
  }

  [[noreturn]] void fail(int error) const {
    const char* advice = "";
    if (error == ENOENT) advice = " Check its name.";
    if (error == EISDIR) advice = " Name the file in it.";
    if (error == EACCES) advice = " Check its permissions.";
    if (error == EBADF && is_standard_input_)
      throw Error(ErrorKind::input,
                  "Cannot read standard input: it is closed. Let it come from a file or a pipe.");
    throw Error(ErrorKind::input,
                fmt::format("Cannot read {}: {}.{}", name_, std::generic_category().message(error), advice));
  }

  std::string name_;
  ThreadPool* const pool_;
  const Reading reading_;
  int fd_ = -1;
  bool is_standard_input_ = false, may_wait_ = false, waits_for_writer_ = false, ended_ = false;
  std::size_t brought_ = 0;  // bytes that read() has returned so far
};

class TextSource final : public ByteSource {
 public:
  explicit TextSource(std::string_view text) : rest_(text) {}

  std::size_t read(char* to, std::size_t capacity, const StopFlag& stop) override {
    throw_if_requested(stop);
    const std::size_t size = rest_.copy(to, capacity);
    rest_.remove_prefix(size);
    return size;
  }

 private:
  std::string_view rest_;
};

}  // namespace

std::string display_name(const std::string& path) { return path == "-" ? "standard input" : path; }

std::string name_of(const Input& input) { return input.text ? input.path : display_name(input.path); }

std::unique_ptr<ByteSource> open_bytes(const Input& input, ThreadPool* pool, const StopFlag& stop) {
  std::unique_ptr<ByteSource> source;
  if (input.text)
    source = std::make_unique<TextSource>(*input.text);
  else
    source = std::make_unique<FileSource>(input.path, pool, Reading{});
  return decompressed(std::move(source), name_of(input), stop);
}

std::unique_ptr<ByteSource> open_stream(const std::string& path, ThreadPool* pool) {
  return std::make_unique<FileSource>(path, pool, Reading{.as_they_come = true});
}

std::string read_text(const std::string& path, const StopFlag& stop, std::chrono::milliseconds patience) {
  auto plain = std::make_unique<FileSource>(path, nullptr, Reading{.patience = patience});
  const std::unique_ptr<ByteSource> source = decompressed(std::move(plain), display_name(path), stop);
  std::string text;
  for (std::size_t size = 0, capacity = 1 << 16;; capacity *= 2) {
    text.resize(size + capacity);
    const std::size_t count = source->read(text.data() + size, capacity, stop);
    size += count;
    if (count < capacity) {
      text.resize(size);
      return text;
    }
  }
}

// Has two blocks: the reading thread fills one while the other is with the consumer.
struct ReadAhead::State {
  State(const Input& input, ThreadPool& threads, const StopFlag& stop_of_consumer)
      : pool(threads), stop(stop_of_consumer) {
    for (auto& block : blocks) block.bytes = std::make_unique_for_overwrite<char[]>(kBlockBytes);
    task = pool.start([this, input] { run(input); });
  }
  ~State() {
    {
      const std::lock_guard lock(mutex);
      abandoned.request();
    }
    changed.notify_all();
    if (task.ended()) return;
    // The reading thread may need this thread's permit (core/thread_pool.h) to end.
    const ThreadPool::Pause pause(pool, stop);
    task = {};
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  // Runs on the reading thread.
  void run(const Input& input) {
    try {
      const std::unique_ptr<ByteSource> source = open_bytes(input, &pool, abandoned);
      std::unique_lock lock(mutex);
      opened = true;
      changed.notify_all();
      for (std::size_t next = 0; !ended; next ^= 1) {
        changed.wait(lock, [this] { return filled < blocks.size() || abandoned.requested(); });
        if (abandoned.requested()) return;
        lock.unlock();
        const std::size_t size = fill(*source, blocks[next]);
        lock.lock();
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
  std::size_t fill(ByteSource& source, Block& block) {
    const ThreadPool::Permit permit(pool, abandoned);
    block.size = source.read(block.bytes.get(), kBlockBytes, abandoned);
    return block.size;
  }

  // Called by the consumer, which waits without its permit, because the reading thread may need it.
  template <typename Done>
  void wait(Done done) {
    constexpr auto kLook = std::chrono::milliseconds(10);
    throw_if_requested(stop);
    {
      const std::lock_guard lock(mutex);
      if (done()) return;
    }
    const ThreadPool::Pause pause(pool, stop);
    std::unique_lock lock(mutex);
    while (!changed.wait_for(lock, kLook, done)) throw_if_requested(stop);
  }

  ThreadPool& pool;
  const StopFlag& stop;  // ends the consumer's waiting
  StopFlag abandoned;    // ends the reading thread
  std::mutex mutex;
  std::condition_variable changed;
  std::array<Block, 2> blocks;
  std::size_t filled = 0;   // blocks that are filled, including the consumer's
  std::size_t current = 0;  // the block that is with the consumer, or will be next
  bool with_consumer = false;
  bool opened = false;
  bool ended = false;  // no block will be filled any more
  std::exception_ptr error;
  ThreadPool::Task task;
};

ReadAhead::ReadAhead(const Input& input, ThreadPool& pool, const StopFlag& stop)
    : state_(std::make_unique<State>(input, pool, stop)) {
  State& s = *state_;
  s.wait([&s] { return s.opened || s.ended; });
  if (!s.opened) std::rethrow_exception(s.error);
}

ReadAhead::~ReadAhead() = default;

std::string_view ReadAhead::next() {
  State& s = *state_;
  if (std::exchange(s.with_consumer, false)) {
    const std::lock_guard lock(s.mutex);
    s.current ^= 1;
    --s.filled;
    s.changed.notify_all();
  }
  s.wait([&s] { return s.filled > 0 || s.ended; });
  const std::lock_guard lock(s.mutex);
  if (s.filled == 0) {
    if (s.error) std::rethrow_exception(s.error);
    return {};
  }
  s.with_consumer = true;
  return {s.blocks[s.current].bytes.get(), s.blocks[s.current].size};
}

}  // namespace alnus::io

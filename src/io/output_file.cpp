#include "io/output_file.h"

#include <cerrno>
#include <condition_variable>
#include <deque>
#include <exception>
#include <fmt/format.h>
#include <functional>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <utility>

#include "alnus/error.h"
#include "io/atomic_file.h"
#include "io/compressor.h"

namespace alnus::io {
namespace {

constexpr std::size_t kBlock = 1 << 18;  // bytes that are collected before they are handed on
constexpr std::size_t kQueuedBlocks = 4;

bool is_standard_output(const std::string& path) {
  return path.empty() || path == "-" || path == "/dev/stdout";
}

// Works on blocks in their order, on a thread of its own. What the work throws comes out of the next
// put() or finish().
class BlockWorker {
 public:
  using Work = std::function<void(std::string_view block, bool last)>;

  explicit BlockWorker(Work work) : work_(std::move(work)), thread_([this] { run(); }) {}
  ~BlockWorker() {
    if (!thread_.joinable()) return;
    {
      const std::lock_guard lock(mutex_);
      blocks_.clear();
      state_ = State::abandoned;
    }
    changed_.notify_all();
    thread_.join();
  }

  void put(std::string block) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return blocks_.size() < kQueuedBlocks || error_; });
    if (error_) std::rethrow_exception(error_);
    blocks_.push_back(std::move(block));
    changed_.notify_all();
  }

  void finish() {
    {
      const std::lock_guard lock(mutex_);
      state_ = State::ending;
    }
    changed_.notify_all();
    thread_.join();
    if (error_) std::rethrow_exception(error_);
  }

 private:
  enum class State { open, ending, abandoned };

  void run() {
    try {
      for (;;) {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return !blocks_.empty() || state_ != State::open; });
        if (blocks_.empty()) {
          const bool ending = state_ == State::ending;
          lock.unlock();
          if (ending) work_({}, true);
          return;
        }
        const std::string block = std::move(blocks_.front());
        blocks_.pop_front();
        lock.unlock();
        changed_.notify_all();
        work_(block, false);
      }
    } catch (...) {
      const std::lock_guard lock(mutex_);
      error_ = std::current_exception();
      changed_.notify_all();
    }
  }

  Work work_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::string> blocks_;
  State state_ = State::open;
  std::exception_ptr error_;
  std::thread thread_;  // last: it uses all of the above
};

}  // namespace

struct OutputFile::State {
  explicit State(const std::string& name) : path(name) {
    if (!is_standard_output(path)) {
      file.emplace(path);
      compressor = compressor_for(path);
    }
    buffer.reserve(kBlock);
    if (!compressor) return;
    worker.emplace([this](std::string_view block, bool last) {
      compressor->compress(block, last, [this](std::string_view bytes) { write_all(bytes); });
    });
  }

  void write_all(std::string_view bytes) const {
    const int fd = file ? file->fd() : STDOUT_FILENO;
    while (!bytes.empty()) {
      const ssize_t written = ::write(fd, bytes.data(), bytes.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) fail(errno);
      bytes.remove_prefix(static_cast<std::size_t>(written));
    }
  }

  [[noreturn]] void fail(int error) const {
    if (error == EPIPE) throw ClosedPipe();
    const bool full = error == ENOSPC || error == EDQUOT;
    throw Error(ErrorKind::other,
                fmt::format("Cannot write {}: {}.{}", file ? "the output file " + path : "standard output",
                            std::generic_category().message(error),
                            full ? " Free some space there, or write elsewhere with -o." : ""));
  }

  void hand_on() {
    if (buffer.empty()) return;
    if (worker) {
      worker->put(std::exchange(buffer, {}));
      buffer.reserve(kBlock);
    } else {
      write_all(buffer);
      buffer.clear();
    }
  }

  std::string path;
  std::optional<AtomicFile> file;  // none: standard output
  std::string buffer;
  std::unique_ptr<Compressor> compressor;
  std::optional<BlockWorker> worker;  // where there is a compressor; ends before what it uses
};

OutputFile::OutputFile(const std::string& path) : state_(std::make_unique<State>(path)) {}

OutputFile::~OutputFile() = default;

void OutputFile::write(std::string_view text) {
  state_->buffer.append(text);
  if (state_->buffer.size() >= kBlock) state_->hand_on();
}

void OutputFile::commit() {
  state_->hand_on();
  if (state_->worker) state_->worker->finish();
  if (state_->file) state_->file->commit();
}

const std::string& OutputFile::path() const { return state_->path; }

}  // namespace alnus::io

#include "io/output_file.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <fmt/format.h>
#include <functional>
#include <iterator>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <sys/types.h>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <vector>

#include "alnus/error.h"
#include "alnus/output.h"
#include "io/atomic_file.h"
#include "io/compressor.h"
#include "io/digest.h"

namespace alnus::io {
namespace {

constexpr std::size_t kBlock = 1 << 18;   // bytes that are collected before they are written or compressed
constexpr std::size_t kBlocksAtOnce = 2;  // blocks that compress() gets at once, times the threads
constexpr std::chrono::milliseconds kLook(10);  // between two looks at the stop flag

// Works on blocks in their order, on another thread, which takes up to `at_once` blocks at a time. An
// exception of the work comes out of the next put() or wait().
class BlockWorker {
 public:
  // Throws Interrupted if `abandoned` is requested before the work has ended.
  using Work = std::function<void(std::span<const TextBlock> blocks, const StopFlag& abandoned)>;

  BlockWorker(ThreadPool& pool, std::size_t at_once, Work work)
      : pool_(pool), at_once_(at_once), work_(std::move(work)), task_(pool.start([this] { run(); })) {}
  ~BlockWorker() {
    {
      const std::lock_guard lock(mutex_);
      abandoned_.request();
    }
    changed_.notify_all();
  }
  BlockWorker(const BlockWorker&) = delete;
  BlockWorker& operator=(const BlockWorker&) = delete;

  // Hands on a block. Only one thread may call this. Throws Interrupted if `stop` is requested while the
  // blocks before have no room for another one.
  void put(TextBlock block, const StopFlag& stop) {
    wait_until([this] { return blocks_.size() + in_work_ < 2 * at_once_; }, stop);
    const std::lock_guard lock(mutex_);
    blocks_.push_back(std::move(block));
    changed_.notify_all();
  }

  // Waits until the work on all blocks is done.
  void wait() {
    wait_until([this] { return blocks_.size() + in_work_ == 0; }, StopFlag::never());
  }

 private:
  template <typename Done>
  void wait_until(Done done, const StopFlag& stop) {
    const auto ready = [&] { return done() || error_; };
    std::optional<ThreadPool::Pause> pause;  // declared before the lock, so that it ends after the lock
    std::unique_lock lock(mutex_);
    if (!ready()) {
      lock.unlock();
      // The work needs a permit, perhaps the one that this thread holds.
      pause.emplace(pool_, stop);
      lock.lock();
      while (!changed_.wait_for(lock, kLook, ready)) stop.throw_if_requested();
    }
    if (error_) std::rethrow_exception(error_);
  }

  void run() {
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [this] { return !blocks_.empty() || abandoned_.requested(); });
      if (abandoned_.requested()) return;
      in_work_ = std::min(blocks_.size(), at_once_);
      const auto taken = blocks_.begin() + static_cast<std::ptrdiff_t>(in_work_);
      const std::vector<TextBlock> blocks(std::move_iterator(blocks_.begin()), std::move_iterator(taken));
      blocks_.erase(blocks_.begin(), taken);
      lock.unlock();
      try {
        work_(blocks, abandoned_);
        lock.lock();
      } catch (...) {
        lock.lock();
        error_ = std::current_exception();
        changed_.notify_all();
        return;
      }
      in_work_ = 0;
      changed_.notify_all();
    }
  }

  ThreadPool& pool_;
  const std::size_t at_once_;
  Work work_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<TextBlock> blocks_;  // blocks that wait for the work
  std::size_t in_work_ = 0;       // blocks that are being worked on
  StopFlag abandoned_;
  std::exception_ptr error_;
  ThreadPool::Task task_;  // declared last, so that its end comes before that of what it uses
};

}  // namespace

struct OutputFile::State {
  State(ThreadPool& threads, const std::string& name, const FileState& synced, bool reads_back,
        const StopFlag& flag)
      : pool(threads), stop(flag), path(name), bytes(synced.bytes) {
    if (!is_standard_output(path)) {
      file.emplace(path, ErrorKind::other, bytes > 0 ? AtomicFile::Begin::resumed : AtomicFile::Begin::empty);
      if (bytes > 0) {
        if (reads_back) read_back(synced);
        file->cut(bytes);
      }
      compressor = compressor_for(path);
    } else if (bytes > 0) {
      throw Error(ErrorKind::other, "Standard output cannot be resumed: only files can.");
    }
    buffer.reserve(kBlock);
    if (!compressor) return;
    const auto work = [this](std::span<const TextBlock> blocks, const StopFlag& abandoned) {
      pack(blocks, abandoned);
      write_all(packed);
      packed.clear();
    };
    worker =
        std::make_unique<BlockWorker>(pool, kBlocksAtOnce * static_cast<std::size_t>(pool.threads()), work);
  }
  ~State() {
    // After fork() the worker's thread is in the parent, and the child cannot wait for it.
    if (process != ::getpid()) static_cast<void>(worker.release());
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  // Reads the synced bytes back. A file with other contents is refused before anything of it is cut off.
  void read_back(const FileState& synced) {
    const std::string part = file->part();
    read_pieces(file->fd(), part, 0, synced.bytes, stop,
                [this](const void* data, std::size_t count) { digest.add(data, count); });
    require_digest(part, digest.text(), synced.digest);
  }

  std::string name() const { return file ? "the output file " + path : "standard output"; }

  // Throws Error(other) in a child after fork().
  void check_process() const {
    if (process == ::getpid()) return;
    throw Error(ErrorKind::other,
                fmt::format("This process was forked, and {} is its parent's to write. Make "
                            "a new session in the child, and an output of its own.",
                            name()));
  }

  void pack(std::span<const TextBlock> blocks, const StopFlag& abandoned) {
    const ThreadPool::Permit permit(pool, abandoned);
    compressor->compress(blocks, pool, abandoned, [this](std::string_view piece) { packed.append(piece); });
  }

  void write_all(std::string_view piece) {
    const int fd = file ? file->fd() : STDOUT_FILENO;
    while (!piece.empty()) {
      const ssize_t written = ::write(fd, piece.data(), piece.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) fail(errno);
      digest.add(piece.data(), static_cast<std::size_t>(written));
      piece.remove_prefix(static_cast<std::size_t>(written));
      bytes += static_cast<std::uint64_t>(written);
    }
  }

  [[noreturn]] void fail(int error) const {
    if (error == EPIPE) throw ClosedPipe();
    if (error == EBADF && !file)
      throw Error(ErrorKind::other,
                  fmt::format("Cannot write standard output: it is closed. Let it go to a file or a pipe{}.",
                              path.empty() ? "" : fmt::format(", or name a file by {}", option("output"))));
    const bool full = error == ENOSPC || error == EDQUOT;
    throw Error(ErrorKind::other,
                fmt::format("Cannot write {}: {}.{}", name(), std::generic_category().message(error),
                            !full          ? ""
                            : path.empty() ? " Free some space there, or let it go elsewhere."
                                           : " Free some space there, or name another place for it."));
  }

  void hand_on(const StopFlag& stop) {
    if (worker) {
      worker->put({std::exchange(buffer, {}), false}, stop);
      buffer.reserve(kBlock);
      in_stream = true;
    } else {
      write_all(buffer);
      buffer.clear();
    }
  }

  // Brings all text to the system and ends the compressed stream; a requested stop does not interrupt this.
  // `at_end`: a compressed file without any stream gets an empty one.
  void flush(bool at_end) {
    if (!buffer.empty()) hand_on(StopFlag::never());
    if (!worker) return;
    if (in_stream || (at_end && bytes == 0)) worker->put({{}, true}, StopFlag::never());
    in_stream = false;
    worker->wait();
  }

  ThreadPool& pool;
  const StopFlag& stop;
  const pid_t process = ::getpid();  // the process that made this object
  std::string path;                  // empty: the standard output of a command without an option for outputs
  std::optional<AtomicFile> file;    // empty: standard output
  std::uint64_t bytes;               // bytes in the file; only the worker uses it while it works
  Digest digest;                     // digest of these bytes; used as `bytes` is
  std::string buffer;
  std::string packed;      // compressed bytes that are not written yet; only the worker uses it
  bool in_stream = false;  // the compressor has begun a stream
  std::unique_ptr<Compressor> compressor;
  std::unique_ptr<BlockWorker> worker;  // if there is a compressor; destroyed before the members that it uses
};

bool is_standard_output(const std::string& path) {
  return path.empty() || path == "-" || path == "/dev/stdout";
}

OutputFile::OutputFile(ThreadPool& pool, const std::string& path, std::uint64_t resume_at)
    : state_(std::make_unique<State>(pool, path, FileState{resume_at, {}}, false, StopFlag::never())) {}

OutputFile::OutputFile(ThreadPool& pool, const std::string& path, const FileState& synced,
                       const StopFlag& stop)
    : state_(std::make_unique<State>(pool, path, synced, true, stop)) {}

OutputFile::~OutputFile() = default;

void OutputFile::write(std::string_view text) {
  state_->check_process();
  // Blocks, and so compressed bytes, do not depend on how the text is divided into calls.
  while (state_->buffer.size() + text.size() >= kBlock) {
    const std::size_t taken = kBlock - state_->buffer.size();
    state_->buffer.append(text.substr(0, taken));
    text.remove_prefix(taken);
    state_->stop.throw_if_requested();
    state_->hand_on(state_->stop);
  }
  state_->buffer.append(text);
}

std::uint64_t OutputFile::sync() {
  state_->check_process();
  state_->flush(false);
  if (state_->file) state_->file->sync();
  return state_->bytes;
}

void OutputFile::finish() {
  state_->check_process();
  state_->flush(true);
}

void OutputFile::commit() {
  finish();
  if (state_->file) state_->file->commit();
}

FileState OutputFile::state() const { return {state_->bytes, state_->digest.text()}; }

const std::string& OutputFile::path() const { return state_->path; }

ThreadPool& OutputFile::threads() const { return state_->pool; }

}  // namespace alnus::io

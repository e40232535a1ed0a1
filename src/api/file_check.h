// The check of database files, which runs at the same time as the calls that use them.
#pragma once

#include <atomic>
#include <exception>
#include <functional>
#include <memory>
#include <sys/types.h>
#include <utility>
#include <vector>

#include "alnus/database.h"
#include "api/call.h"
#include "core/thread_pool.h"

namespace alnus::api {

// One file's check: by one call at a time, until one has done it, and again when the file has changed since.
// It has no lock: a child after fork() has its parent's databases, and what a thread of the parent has begun
// or locked there would never end. A check that the parent has begun is to be begun in the child.
class FileCheck {
 public:
  // Throws Error if the file is damaged. Whatever else it throws leaves the check to another call.
  using Work = std::function<void(ThreadPool& threads, const StopFlag& stop)>;
  // Another number when the file has changed. Throws Error if bytes of it are gone.
  using Version = std::function<std::uint64_t()>;

  explicit FileCheck(
      Work work, Version version = [] { return std::uint64_t{0}; })
      : work_(std::move(work)), version_(std::move(version)) {}

  // Throws Error if bytes of the file are gone or damage was found.
  void require_sound() const;
  // Throws Error if bytes of the file are gone.
  bool passed() const { return state_ == kPassed && version_() == passed_version_; }
  // The file as it is now needs no check.
  void trust();
  // Takes the check over, if it is to be done and nobody is at it. Then run() or give_up() follows.
  bool begin();
  void run(ThreadPool& threads, const StopFlag& stop);  // throws what is no damage
  void give_up() { state_ = kNeeded; }
  // Waits until the check has passed, or is to be begun. Throws Error(database) if the file is damaged,
  // Interrupted.
  enum class Outcome : std::uint8_t { passed, to_be_begun };
  Outcome wait(const StopFlag& stop);
  // Waits until the check has passed, and does it if nobody else does. Throws as wait() and `work` do.
  void require(ThreadPool& threads, const StopFlag& stop);

 private:
  static constexpr pid_t kNeeded = 0, kPassed = -1, kFailed = -2;
  const Work work_;
  const Version version_;
  std::atomic<pid_t> state_{kNeeded};  // above 0: it is under way in that process
  std::atomic<std::uint64_t> passed_version_{0};
  std::exception_ptr damage_;  // of kFailed
};

// The checks of the files that a call's sequences come from, which run at the same time as its work. The call
// fails soon after damage, or a change by another program, is noticed; Error(other), and exceptions that are
// no Error, are then reported as Error(database).
class Verifications {
 public:
  Verifications(std::initializer_list<Database> databases, Call& call);
  ~Verifications();  // ends the checks if nobody has waited for them
  Verifications(const Verifications&) = delete;
  Verifications& operator=(const Verifications&) = delete;

  // Waits until all checks are done, of the files as they are now; to be called before any result leaves the
  // call. Throws Error(database) if a file is damaged, and what else ended a check of this call.
  void require();

 private:
  struct Part {
    std::shared_ptr<FileCheck> check;
    ThreadPool::Task task{};  // where this call has begun the check
  };
  void start(Part& part);

  Call& call_;
  StopFlag abandoned_;
  std::vector<Part> parts_;
};

// Nothing of the sequences is left to be checked. Throws Error(database) if bytes of a file are gone.
bool is_checked(const Database& database);

}  // namespace alnus::api

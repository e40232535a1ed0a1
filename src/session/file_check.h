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
#include "core/thread_pool.h"
#include "session/call.h"

namespace alnus::session {

// The check of one file. One call at a time runs it; after it has passed, no call runs it again unless the
// file has changed. The class uses an atomic instead of a lock: after fork(), a child has copies of its
// parent's databases, and a lock that a thread of the parent held would never be released there. A check that
// was running in the parent at the fork must begin anew in the child.
class FileCheck {
 public:
  // Checks the file. Throws Error(database) if it is damaged. After any other exception the check is still to
  // be done, by this or another call.
  using Work = std::function<void(ThreadPool& threads, const StopFlag& stop)>;
  // Returns a number that is different once the file has changed. Throws Error if bytes of the file are gone.
  using Version = std::function<std::uint64_t()>;

  explicit FileCheck(
      Work work, Version version = [] { return std::uint64_t{0}; })
      : work_(std::move(work)), version_(std::move(version)) {}

  // Throws Error if bytes of the file are gone or damage was found.
  void require_sound() const;
  // True if the file has passed the check and has not changed since. Throws Error if bytes of it are gone.
  bool passed() const { return state_ == kPassed && version_() == passed_version_; }
  // True if the file has passed the check and has changed since. Throws Error if bytes of it are gone.
  bool has_changed() const { return state_ == kPassed && version_() != passed_version_; }
  // Counts the file as checked in its present state, without a check (Verification::none).
  void trust();
  // Claims the check for the caller, who must then call run() or give_up(). False: the check has passed, has
  // found damage, or another thread is running it.
  bool begin();
  // Runs the check, and keeps the damage that it finds. Throws all other exceptions, after giving the check
  // up.
  void run(ThreadPool& threads, const StopFlag& stop);
  void give_up() { state_ = kNeeded; }
  // Waits while another thread runs the check. Throws Error(database) if the file is damaged, Interrupted.
  enum class Outcome : std::uint8_t { passed, to_be_begun };
  Outcome wait(const StopFlag& stop);
  // Returns when the check has passed; runs it if no other thread does. Throws what wait() and `work` throw.
  void require(ThreadPool& threads, const StopFlag& stop);

 private:
  static constexpr pid_t kNeeded = 0, kPassed = -1, kFailed = -2;
  const Work work_;
  const Version version_;
  std::atomic<pid_t> state_{kNeeded};  // above 0: the id of the process that runs the check
  std::atomic<std::uint64_t> passed_version_{0};
  std::exception_ptr damage_;  // in the state kFailed: the error that the check found
};

// The checks of the files that a call's sequences come from. They run at the same time as the call's work.
// The call fails soon after damage, or a change by another program, is noticed. If the work throws
// Error(other) or an exception that is no Error, and a file turns out to be damaged, the call throws
// Error(database) instead.
class Verifications {
 public:
  Verifications(std::initializer_list<Database> databases, Call& call);
  ~Verifications();  // stops the checks of this call that are still running

  // Waits until the files as they are now have passed their checks. A call must do so before any result
  // leaves it. Throws Error(database) if a file is damaged, and what else ended a check of this call.
  void require();

 private:
  struct StartedCheck {
    std::shared_ptr<FileCheck> check;
    ThreadPool::Task task{};  // runs the check, if this call has begun it
  };

  Call& call_;
  StopFlag abandoned_;
  std::vector<StartedCheck> started_;
};

// True if all files of the sequences have passed their checks and have not changed since. Throws
// Error(database) if bytes of a file are gone.
bool is_checked(const Database& database);

// Does what Database::check_files() does, on the threads of this pool.
void check_files(const Database& database, ThreadPool& threads);

}  // namespace alnus::session

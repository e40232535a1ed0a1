#include "session/file_check.h"

#include <chrono>
#include <thread>
#include <unistd.h>

#include "alnus/error.h"
#include "session/database_state.h"
#include "session/session_core.h"

namespace alnus::session {

void FileCheck::require_sound() const {
  if (state_ == kFailed) std::rethrow_exception(damage_);
  version_();
}

void FileCheck::trust() {
  passed_version_ = version_();
  state_ = kPassed;
}

bool FileCheck::begin() {
  const pid_t process = ::getpid();
  pid_t before = state_;
  const bool due = before == kPassed ? !passed() : before >= kNeeded && before != process;
  return due && state_.compare_exchange_strong(before, process);
}

void FileCheck::run(ThreadPool& threads, const StopFlag& stop) {
  try {
    const std::uint64_t version = version_();
    work_(threads, stop);
    passed_version_ = version;
    state_ = kPassed;
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::database) {
      give_up();
      throw;
    }
    damage_ = std::current_exception();
    state_ = kFailed;
  } catch (...) {  // the check was stopped, or there was too little memory
    give_up();
    throw;
  }
}

FileCheck::Outcome FileCheck::wait(const StopFlag& stop) {
  constexpr auto kLook = std::chrono::milliseconds(1);
  while (state_ == ::getpid()) {
    stop.throw_if_requested();
    std::this_thread::sleep_for(kLook);
  }
  if (state_ == kFailed) std::rethrow_exception(damage_);
  return passed() ? Outcome::passed : Outcome::to_be_begun;
}

void FileCheck::require(ThreadPool& threads, const StopFlag& stop) {
  while (wait(stop) == Outcome::to_be_begun)
    if (begin()) run(threads, stop);
}

namespace {

// Runs a check that the caller has claimed on another thread. If there is none, the call fails, so that its
// other checks can stop.
ThreadPool::Task started(FileCheck& check, ThreadPool& threads, StopFlag& abandoned) {
  try {
    return threads.start([&check, &threads, &abandoned] { check.run(threads, abandoned); });
  } catch (...) {
    check.give_up();
    abandoned.request();
    throw;
  }
}

// Looks at the files of a call while the call lasts, on the caller's thread. If a file has changed, its check
// begins anew.
class Watcher {
 public:
  Watcher(std::vector<std::shared_ptr<FileCheck>> checks, ThreadPool& threads)
      : checks_(std::move(checks)), threads_(threads) {}
  ~Watcher() { abandoned_.request(); }

  void look() {
    for (const std::shared_ptr<FileCheck>& check : checks_) {
      check->require_sound();
      if (check->begin()) tasks_.push_back(started(*check, threads_, abandoned_));
    }
  }

  void require(const StopFlag& stop) {
    for (const std::shared_ptr<FileCheck>& check : checks_) check->require(threads_, stop);
  }

 private:
  const std::vector<std::shared_ptr<FileCheck>> checks_;
  ThreadPool& threads_;
  StopFlag abandoned_;
  std::vector<ThreadPool::Task> tasks_;  // last member: destroyed first, since tasks use the other members
};

}  // namespace

Verifications::Verifications(std::initializer_list<Database> databases, Call& call) : call_(call) {
  std::vector<std::shared_ptr<FileCheck>> checks;
  for (const Database& database : databases)
    checks.insert(checks.end(), database.state()->checks.begin(), database.state()->checks.end());
  if (checks.empty()) return;
  for (const std::shared_ptr<FileCheck>& check : checks) started_.push_back({check});
  for (StartedCheck& one : started_)
    if (one.check->begin()) one.task = started(*one.check, call.session().threads(), abandoned_);
  const auto watcher = std::make_shared<Watcher>(std::move(checks), call.session().threads());
  call.watch([watcher] { watcher->look(); }, [watcher](const StopFlag& stop) { watcher->require(stop); });
}

Verifications::~Verifications() { abandoned_.request(); }

void Verifications::require() {
  for (StartedCheck& one : started_)
    while (one.check->wait(call_.stop()) == FileCheck::Outcome::to_be_begun) {
      if (one.task.valid()) one.task.wait();  // throws the exception that ended this call's check
      if (one.check->begin())                 // another call gave the check up, or the file has changed
        one.task = started(*one.check, call_.session().threads(), abandoned_);
    }
}

bool is_checked(const Database& database) {
  for (const std::shared_ptr<FileCheck>& check : database.state()->checks)
    if (!check->passed()) return false;
  return true;
}

void check_files(const Database& database, ThreadPool& threads) {
  for (const std::shared_ptr<FileCheck>& check : database.state()->checks) {
    check->require_sound();
    if (check->has_changed()) check->require(threads, StopFlag::never());
  }
}

}  // namespace alnus::session

namespace alnus {

void Database::check_files() const {
  ThreadPool threads(1);
  session::check_files(*this, threads);
}

}  // namespace alnus

#include "api/file_check.h"

#include <chrono>
#include <utility>

#include "alnus/error.h"
#include "api/database_state.h"
#include "api/session_core.h"
#include "io/database.h"

namespace alnus::api {

bool FileCheck::passed() {
  const std::lock_guard lock(mutex_);
  return state_ == State::passed;
}

bool FileCheck::begin() {
  const std::lock_guard lock(mutex_);
  if (state_ != State::needed) return false;
  state_ = State::under_way;
  return true;
}

void FileCheck::run(ThreadPool& threads, const StopFlag& stop) {
  State outcome = State::needed;  // once more, by another call, if this one ends before
  std::exception_ptr damage;
  try {
    io::verify_database(*file_, threads, stop);
    outcome = State::passed;
  } catch (const Interrupted&) {
  } catch (...) {
    outcome = State::failed;
    damage = std::current_exception();
  }
  const std::lock_guard lock(mutex_);
  state_ = outcome;
  damage_ = damage;
  changed_.notify_all();
}

FileCheck::Outcome FileCheck::wait(const StopFlag& stop) {
  constexpr auto kLook = std::chrono::milliseconds(10);
  std::unique_lock lock(mutex_);
  while (state_ == State::under_way) {
    stop.throw_if_requested();
    changed_.wait_for(lock, kLook);
  }
  if (state_ == State::failed) std::rethrow_exception(damage_);
  return state_ == State::passed ? Outcome::passed : Outcome::to_be_begun;
}

Verifications::Verifications(std::initializer_list<Database> databases, Call& call) : call_(call) {
  for (const Database& database : databases)
    for (const std::shared_ptr<FileCheck>& check : database.state()->checks)
      if (!check->passed()) checks_.push_back(check);
  for (const std::shared_ptr<FileCheck>& check : checks_)
    if (check->begin()) start(*check);
}

Verifications::~Verifications() { abandoned_.request(); }

void Verifications::start(FileCheck& check) {
  ThreadPool& threads = call_.session().threads();
  tasks_.push_back(threads.start([this, &check, &threads] { check.run(threads, abandoned_); }));
}

void Verifications::require() {
  for (const std::shared_ptr<FileCheck>& check : checks_)
    while (check->wait(call_.stop()) == FileCheck::Outcome::to_be_begun)  // another call has given it up
      if (check->begin()) start(*check);
  checks_.clear();
}

bool is_checked(const Database& database) {
  for (const std::shared_ptr<FileCheck>& check : database.state()->checks)
    if (!check->passed()) return false;
  return true;
}

}  // namespace alnus::api

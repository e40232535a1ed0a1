// The check of database files, beside the work of the calls that use them.
#pragma once

#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <vector>

#include "alnus/database.h"
#include "api/call.h"
#include "core/thread_pool.h"
#include "io/database_file.h"

namespace alnus::api {

// One file's check: by one call at a time, until one has done it.
class FileCheck {
 public:
  explicit FileCheck(std::shared_ptr<const io::DatabaseFile> file) : file_(std::move(file)) {}

  bool passed();
  // Takes the check over, if it is to be done and nobody is at it.
  bool begin();
  void run(ThreadPool& threads, const StopFlag& stop);  // after begin()
  // Waits until the check has passed, or is to be begun. Throws Error(database) if the file is damaged,
  // Interrupted.
  enum class Outcome : std::uint8_t { passed, to_be_begun };
  Outcome wait(const StopFlag& stop);

 private:
  enum class State : std::uint8_t { needed, under_way, passed, failed };
  const std::shared_ptr<const io::DatabaseFile> file_;
  std::mutex mutex_;
  std::condition_variable changed_;
  State state_ = State::needed;
  std::exception_ptr damage_;
};

// The checks of the files that a call's sequences come from, which run beside its work.
class Verifications {
 public:
  Verifications(std::initializer_list<Database> databases, Call& call);
  ~Verifications();  // ends the checks if nobody has waited for them
  Verifications(const Verifications&) = delete;
  Verifications& operator=(const Verifications&) = delete;

  // Waits until all checks are done; to be called before any result leaves the call. Throws Error(database)
  // if a file is damaged.
  void require();

 private:
  void start(FileCheck& check);

  Call& call_;
  StopFlag abandoned_;
  std::vector<std::shared_ptr<FileCheck>> checks_;
  std::vector<ThreadPool::Task> tasks_;
};

// Nothing of the sequences is left to be checked.
bool is_checked(const Database& database);

}  // namespace alnus::api

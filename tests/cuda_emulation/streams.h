// What was given to the streams of the emulated GPU and is not done yet.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>

namespace cuda_emulation {

// How often an event was recorded, and up to which of these times its streams have come.
struct Progress {
  std::uint64_t recorded = 0, reached = 0;
};
struct Event {
  std::shared_ptr<Progress> progress = std::make_shared<Progress>();  // which work may need for longer
};

struct Work {
  std::function<bool()> may_begin;  // if there is anything to wait for
  std::function<bool()> run;        // does some of it, and returns true when all is done
};

struct Stream {
  Stream();
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream();
  std::deque<Work> work;
};

// Something of what may be done now is done at once, or nothing.
void give(Stream& stream, Work work);
// Does something of any stream, again and again, until the condition holds.
void work_until(const std::function<bool()>& condition);
void work_until_done(const Stream& stream);
void work_until_all_is_done();
// Does something of any stream. Returns whether the condition holds then.
bool work_towards(const std::function<bool()>& condition);

}  // namespace cuda_emulation

// The work that was given to the streams of the emulated GPU and is not done yet.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>

namespace cuda_emulation {

// How often an event was recorded, and how many of these records its streams have reached.
struct Progress {
  std::uint64_t recorded = 0, reached = 0;
};
struct Event {
  std::shared_ptr<Progress> progress = std::make_shared<Progress>();  // work may need it after the event
};

struct Work {
  std::function<bool()> may_begin;  // empty if the work waits for nothing
  std::function<bool()> run;        // does a part of the work; returns true when all is done
};

struct Stream {
  Stream();
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream();
  std::deque<Work> work;
};

// Adds the work to the stream, and at times does some of the streams' work at once.
void give(Stream& stream, Work work);
// Does work of any streams until the condition holds.
void work_until(const std::function<bool()>& condition);
void work_until_done(const Stream& stream);
void work_until_all_is_done();
// Does a piece of any stream's work, unless the condition holds. Returns whether it holds then.
bool work_towards(const std::function<bool()>& condition);

}  // namespace cuda_emulation

#include "streams.h"

#include <algorithm>
#include <random>
#include <utility>
#include <vector>

#include "lanes.h"

namespace cuda_emulation {
namespace {

std::vector<Stream*>& streams() {
  static auto& all = *new std::vector<Stream*>;
  return all;
}
std::minstd_rand random_numbers(2);

bool can_go_on(const Stream* stream) {
  return !stream->work.empty() && (!stream->work.front().may_begin || stream->work.front().may_begin());
}

// Does a piece of the work of a random stream. Returns false if there was nothing to do.
bool work_once() {
  std::vector<Stream*> ready;
  std::ranges::copy_if(streams(), std::back_inserter(ready), can_go_on);
  if (ready.empty()) return false;
  Stream& stream = *ready[random_numbers() % ready.size()];
  Work& work = stream.work.front();
  if (!work.run || work.run()) stream.work.pop_front();
  return true;
}

}  // namespace

Stream::Stream() { streams().push_back(this); }
Stream::~Stream() { std::erase(streams(), this); }

void give(Stream& stream, Work work) {
  stream.work.push_back(std::move(work));
  constexpr unsigned kMostOften = 4;  // in 3 of 4 calls nothing is done, as if the host were ahead of the GPU
  if (random_numbers() % kMostOften > 0) return;
  for (auto times = random_numbers() % 6; times > 0 && work_once(); --times) continue;
}

bool work_towards(const std::function<bool()>& condition) {
  if (!condition() && !work_once()) fail("streams wait for each other");
  return condition();
}
void work_until(const std::function<bool()>& condition) {
  while (!work_towards(condition)) continue;
}

void work_until_done(const Stream& stream) {
  work_until([&] { return stream.work.empty(); });
}

void work_until_all_is_done() {
  work_until([] {
    return std::ranges::all_of(streams(), [](const Stream* stream) { return stream->work.empty(); });
  });
}

}  // namespace cuda_emulation

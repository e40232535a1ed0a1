#include "core/stack.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <system_error>
#include <utility>

namespace alnus {
namespace {

constexpr std::size_t kUnknown = std::numeric_limits<std::size_t>::max();

std::size_t find_stack_left() {
  pthread_attr_t attributes;
  if (::pthread_getattr_np(::pthread_self(), &attributes) != 0) return kUnknown;
  void* lowest = nullptr;
  std::size_t bytes = 0;
  const int result = ::pthread_attr_getstack(&attributes, &lowest, &bytes);
  ::pthread_attr_destroy(&attributes);
  const auto begin = reinterpret_cast<std::uintptr_t>(lowest),
             here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  return result == 0 && here > begin && here - begin <= bytes ? here - begin : kUnknown;
}

void* run(void* work) {
  const std::unique_ptr<std::function<void()>> owned(static_cast<std::function<void()>*>(work));
  (*owned)();
  return nullptr;
}

}  // namespace

std::size_t stack_left() {
  thread_local const std::size_t left = find_stack_left();
  return left;
}

WorkThread::WorkThread(std::function<void()> work) {
  auto owned = std::make_unique<std::function<void()>>(std::move(work));
  pthread_attr_t attributes;
  int error = ::pthread_attr_init(&attributes);
  if (error == 0) {
    std::size_t bytes = 0;
    ::pthread_attr_getstacksize(&attributes, &bytes);
    ::pthread_attr_setstacksize(&attributes, std::max(bytes, kWorkStack));
    error = ::pthread_create(&thread_, &attributes, run, owned.get());
    ::pthread_attr_destroy(&attributes);
  }
  if (error != 0) throw std::system_error(error, std::generic_category());
  static_cast<void>(owned.release());  // run() has it
  joinable_ = true;
}

WorkThread::WorkThread(WorkThread&& other) noexcept
    : thread_(other.thread_), joinable_(std::exchange(other.joinable_, false)) {}

WorkThread::~WorkThread() {
  if (joinable_) ::pthread_join(thread_, nullptr);
}

}  // namespace alnus

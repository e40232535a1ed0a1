#include "lost_pages.h"

#include <atomic>
#include <csignal>
#include <mutex>

namespace alnus::python {
namespace {

std::atomic<bool> watching = false;
std::atomic<bool> passed_on = false;  // a SIGBUS was passed on to `handler_before`
static_assert(std::atomic<bool>::is_always_lock_free);
std::mutex installing;
struct sigaction handler_before {};  // what handles a SIGBUS that is not of a database file

void on_sigbus(int signal, siginfo_t* info, void*) {
  const bool by_an_instruction = info->si_code > 0;  // else it was sent by kill() or the like
  if (by_an_instruction && zero_lost_pages(info->si_addr)) return;
  // The handler that was there before takes over: the instruction is repeated, and raises the signal again.
  // That handler may put this one back in place and raise the signal once more, as faulthandler does.
  if (passed_on.exchange(true))
    ::signal(signal, SIG_DFL);
  else
    ::sigaction(signal, &handler_before, nullptr);
  if (!by_an_instruction) ::raise(signal);
}

}  // namespace

void watch_lost_pages() {
  watching = true;
  keep_watching_lost_pages();
}

void keep_watching_lost_pages() {
  if (!watching) return;
  struct sigaction present {};
  ::sigaction(SIGBUS, nullptr, &present);
  const auto is_ours = [&] {
    return (present.sa_flags & SA_SIGINFO) != 0 && present.sa_sigaction == on_sigbus;
  };
  if (is_ours()) return;
  const std::lock_guard lock(installing);
  ::sigaction(SIGBUS, nullptr, &present);
  if (is_ours()) return;
  handler_before = present;
  passed_on = false;
  struct sigaction ours {};
  ours.sa_sigaction = on_sigbus;
  ours.sa_flags = SA_SIGINFO | SA_ONSTACK;
  ::sigaction(SIGBUS, &ours, nullptr);
}

}  // namespace alnus::python

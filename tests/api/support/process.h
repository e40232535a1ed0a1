// What Linux says of this process, and calls in a child of it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace alnus::test {

std::vector<int> threads_of_process();  // a thread that was joined may be among them for a moment
std::size_t open_files();
double processor_seconds();           // of all threads so far
std::uint64_t resident_bytes();       // now
std::uint64_t peak_resident_bytes();  // at most, since the last reset
bool reset_peak_resident();           // false: this kernel does not let us

// The field of /proc/<path>, for example "SigBlk" of "self/task/17/status".
std::string field_of(const std::string& path, const std::string& name);

// True as soon as the predicate is, false if it is not within 5 seconds.
bool soon(const std::function<bool()>& predicate);

struct ChildResult {
  std::string text;    // that the child returned
  int exit_code = -1;  // 0 if it returned
  int signal = 0;      // that ended it; SIGALRM: it took too long
};

// The child has only the thread that called, as after any fork, and runs no destructors of the parent's
// objects.
ChildResult in_child(const std::function<std::string()>& run, unsigned limit_seconds = 60);

}  // namespace alnus::test

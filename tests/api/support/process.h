// What Linux tells about this process, and calls in a child process.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace alnus::test {

std::vector<int> threads_of_process();  // their ids; a joined thread may remain among them for a moment
std::size_t open_files();
double processor_seconds();           // that all threads have used so far
std::uint64_t resident_bytes();       // at present
std::uint64_t peak_resident_bytes();  // the highest number since the last reset
bool reset_peak_resident();           // returns false if the kernel does not allow it

// Returns a field of /proc/<path>, for example "SigBlk" of "self/task/17/status".
std::string field_of(const std::string& path, const std::string& name);

// Waits until the predicate is true. Returns false if it is not true within 5 seconds.
bool soon(const std::function<bool()>& predicate);

struct ChildResult {
  std::string text;    // what `run` returned in the child
  int exit_code = -1;  // 0 if `run` returned
  int signal = 0;      // the signal that ended the child; SIGALRM if it took too long
};

// Runs `run` in a child made by fork(). The child has only the calling thread, and runs no destructors of the
// parent's objects.
ChildResult in_child(const std::function<std::string()>& run, unsigned limit_seconds = 60);

}  // namespace alnus::test

// Reads of mapped database files that another program may shorten meanwhile.
#pragma once

#include "alnus/database.h"

namespace alnus::python {

// Installs a handler of SIGBUS, with which reads of lost pages of database files give zeros instead of ending
// the process. Any other SIGBUS goes to the handler that was there before, such as that of faulthandler.
// Called before a database file is opened, so that a process without one keeps its handlers.
void watch_lost_pages();

// Puts the handler back in place if watch_lost_pages() was called and another handler is there now.
void keep_watching_lost_pages();

// Returns what read() returns, which reads the sequences of `database` outside of a call of a session. Throws
// Error(database) if what was read may be wrong, because the file was shortened or changed.
template <class Read>
auto read_from(const Database& database, const Read& read) {
  keep_watching_lost_pages();
  auto result = read();
  database.check_files();
  return result;
}

}  // namespace alnus::python

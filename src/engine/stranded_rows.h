// The strands of a call's queries as the rows that devices work with.
#pragma once

#include <memory>

#include "core/strands.h"
#include "engine/call_state.h"

namespace alnus::engine {

class StrandedRows {
 public:
  // With Strands::plus the rows are the given sequences themselves, which devices may hold already.
  StrandedRows(SortedPtr given, Strands strands, const CallState& call)
      : set_(given->set(), strands, call.progress.stop),
        sorted_(strands == Strands::plus
                    ? std::move(given)
                    : std::make_shared<const SortedSequences>(set_.set(), call.progress.stop)),
        call_(call) {}
  // Makes the devices drop the strands, which no other call can use.
  ~StrandedRows() {
    if (set_.strands() == Strands::plus) return;
    for (Device* device : call_.devices) device->unload(*sorted_);
  }
  StrandedRows(const StrandedRows&) = delete;
  StrandedRows& operator=(const StrandedRows&) = delete;

  const StrandedSet& set() const { return set_; }
  const SortedPtr& sorted() const { return sorted_; }

 private:
  const StrandedSet set_;
  const SortedPtr sorted_;
  const CallState& call_;
};

}  // namespace alnus::engine

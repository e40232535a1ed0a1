// Residents in device memory, as methods want them laid out.
#pragma once

#include <list>
#include <memory>

#include "cuda/methods/method.h"
#include "cuda/runtime.h"

namespace alnus::cuda {

class SequenceStore {
 public:
  // Those that come in tiles. They are in device memory from their first use on, as long as anybody has them.
  void add(const std::shared_ptr<const Resident>& resident, Layout layout);
  // One that was added. Throws Error(memory) when there is no room for it.
  Sequences of(const Resident& resident);

 private:
  struct Stored {
    std::weak_ptr<const Resident> resident;
    Layout layout;
    DeviceArray<std::uint8_t> residues{};
    DeviceArray<std::uint64_t> places{};
    DeviceArray<std::uint32_t> lengths{};
    bool uploaded = false;
  };
  static void upload(const Resident& resident, Stored& stored);

  std::list<Stored> stored_;
};

}  // namespace alnus::cuda

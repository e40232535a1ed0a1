// How the layer papers adds the methods of published papers to the devices. Programs that do not link that
// layer (alnus::papers in CMake) do without them.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "core/device.h"

namespace alnus::cuda {

struct PaperMethods {
  std::vector<PaperMethod> (*all)();  // in the order of the papers' years
  // A device that computes by the method of this name, which is one of all(). `usual`: a device of the same
  // GPU, which does what the paper leaves out: alignments of hits, lists of pairs, and pairs whose scores
  // exceed the method's integers.
  std::unique_ptr<Device> (*make_device)(std::string_view method, std::unique_ptr<Device> usual, int ordinal);
};

}  // namespace alnus::cuda

// The layer papers defines this object. In a program that does not link the layer, the object's address is
// null. A linker takes the definition of a weak symbol from an archive only if an option says that the symbol
// is needed (src/CMakeLists.txt has this option).
extern "C" [[gnu::weak]] const alnus::cuda::PaperMethods alnus_paper_methods;

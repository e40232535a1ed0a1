// What stands in for src/cuda in builds without CUDA, and in test programs that need no GPU: there are no
// GPUs.
#include <fmt/format.h>

#include "alnus/error.h"
#include "alnus/text.h"
#include "cuda/cuda_device.h"

namespace alnus::cuda {

std::vector<std::string> methods() { return {}; }

std::vector<PaperMethod> paper_methods() { return {}; }

std::string why_unavailable() { return "this build of alnus has no CUDA support (other builds have it)"; }

std::vector<DeviceInfo> devices() { return {}; }

int device_count() { return 0; }

std::unique_ptr<Device> make_cuda_device(const CudaOptions& options) {
  throw Error(ErrorKind::device, fmt::format("There is no device cuda:{}: {}; use {} cpu.", options.ordinal,
                                             why_unavailable(), option("devices")));
}

}  // namespace alnus::cuda

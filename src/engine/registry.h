// The only place that names the backends.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "alnus/session.h"
#include "core/device.h"
#include "core/further_aligner.h"
#include "core/pair_scorer.h"

namespace alnus::engine {

// The number of processors that the system lets this process run on; at least 1.
int available_threads();
// What a session tells of a device.
DeviceDescription description_of(const DeviceInfo& info);

// A request is the devices, isa, method, threads and memory of a session's options. Returns the single
// devices that a request names, in order: "cpu", "cuda:0", ... For "auto" the result is "auto" alone, unless
// the instruction set or the method leaves no choice. Throws Error(input) for unknown words and methods,
// devices named twice, a negative number of threads and a memory of 0 bytes, and Error(device) if all GPUs
// are wanted and there is none. Looks for GPUs only if all of them are wanted.
std::vector<std::string> device_names(const SessionOptions& request);
// Number of GPUs that this build can use on this machine. Starts the driver, but no GPU.
int gpu_count();
// Makes one of device_names(), which must not be "auto". `standby`: DeviceInfo::standby, for the CPU. Throws
// Error(device) for a device that is not there or does not start, and Error(input) for a method that this
// device does not have.
std::unique_ptr<Device> make_device(const std::string& name, const SessionOptions& request,
                                    bool standby = false);

// Makes a scorer of single pairs on the CPU, with this instruction set ("auto": the best). Throws
// Error(input) for an unknown instruction set, Error(device) for one that the CPU does not run.
std::unique_ptr<PairScorer> make_pair_scorer(const std::string& isa);

// Makes a finder of several alignments of a pair on the CPU, as make_pair_scorer() does. It may take three
// quarters of `memory_bytes`. For a pair whose alignments cannot have gaps it takes up to 12 bytes for each
// of these alignments instead.
std::unique_ptr<FurtherAligner> make_further_aligner(const std::string& isa, std::uint64_t memory_bytes);

// Makes all devices of a request. With "auto" these are all GPUs and then the CPU, on standby if there is a
// GPU; a GPU whose making throws Error(device) is left out, and `warn` gets the reason. Otherwise throws as
// device_names() and make_device() do.
std::vector<std::unique_ptr<Device>> make_devices(const SessionOptions& request,
                                                  const std::function<void(const std::string&)>& warn = {});

}  // namespace alnus::engine

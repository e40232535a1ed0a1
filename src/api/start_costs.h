// What `auto` expects of GPUs that it has not started yet. Measured; docs/results/auto.md has the figures.
#pragma once

namespace alnus::api {

// From nothing to the first kernel: driver, context, kernels' code, first buffers. An H200, driver 580.
inline constexpr double kGpuStartSeconds = 0.30;
// What each call takes besides its cells.
inline constexpr double kGpuCallSeconds = 0.0005;
// Expected of a GPU before it can tell, 1e9 cells a second: scores of rectangles; alignments and lists.
inline constexpr double kUnstartedGpuGcups = 4000, kUnstartedGpuGcupsOfAlignments = 800;

// The part of its nominal speed that the CPU reaches when all of its threads compute.
inline constexpr double kCpuShare = 0.65;

}  // namespace alnus::api

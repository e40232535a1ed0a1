// Times and speeds by which a session with devices "auto" chooses between the CPU and GPUs. They were
// measured; docs/results/auto.md has the figures.
#pragma once

namespace alnus::session {

// Time to start a GPU, up to its first kernel: driver, context, kernels' code, first buffers. Measured with
// an H200 and driver 580.
inline constexpr double kGpuStartSeconds = 0.30;
// Time that each call on a GPU takes besides that for its cells.
inline constexpr double kGpuCallSeconds = 0.0005;
// Assumed speeds of a GPU that is not started, in 1e9 cells a second: the first one for scores of rectangles
// of pairs, the second one for alignments and for lists of pairs.
inline constexpr double kUnstartedGpuGcups = 4000, kUnstartedGpuGcupsOfAlignments = 800;

// Fraction of its nominal speed that the CPU reaches when all of its threads compute.
inline constexpr double kCpuShare = 0.65;

}  // namespace alnus::session

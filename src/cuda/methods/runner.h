// What computes the tiles of a device that was made for one method.
#pragma once

#include <memory>
#include <string>

#include "cuda/methods/method.h"
#include "cuda/methods/sequences.h"
#include "cuda/stopper.h"

namespace alnus::cuda {

class Runner {
 public:
  virtual ~Runner() = default;
  virtual const PaperMethod& paper() const = 0;
  virtual double expected_gcups() const = 0;  // of a full H200
  virtual std::string declines(const Problem& problem) const = 0;
  virtual Layout layout() const = 0;
  virtual bool needs_rows() const = 0;  // on the device, as it does the columns
  // Whether the method does this; else the usual device does it.
  virtual bool does(const Tile& tile, const Problem& problem) const = 0;
  // Device memory that a tile takes, but for the sequences.
  virtual std::uint64_t bytes(const Tile& tile, const Problem& problem) const = 0;
  // `usual`: for pairs whose scores are beyond the method's integers. Calls sink.accept or accept_scores
  // once. Throws what the stopper throws.
  virtual void run(const Tile& tile, const Problem& problem, Sink& sink, SequenceStore& sequences,
                   Device& usual, Stopper& stopper) = 0;
  // Waits for what a run that was stopped has left on the device.
  virtual void settle() = 0;
};

std::unique_ptr<Runner> make_search_runner(std::unique_ptr<SearchMethod> method, int multiprocessors);
// `memory_bytes`: for what the method keeps of the matrices.
std::unique_ptr<Runner> make_pair_runner(std::unique_ptr<PairMethod> method, std::uint64_t memory_bytes);

}  // namespace alnus::cuda

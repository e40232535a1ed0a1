// Computes the tiles of a device that was made for one method of a paper.
#pragma once

#include <memory>
#include <string>

#include "cuda/stopper.h"
#include "papers/method.h"
#include "papers/sequences.h"

namespace alnus::cuda::papers {

class Runner {
 public:
  virtual ~Runner() = default;
  virtual const PaperMethod& paper() const = 0;
  virtual double expected_gcups() const = 0;  // in 1e9 cells a second, on a full H200
  virtual std::string declines(const Problem& problem) const = 0;
  virtual Layout layout() const = 0;
  virtual bool needs_rows() const = 0;  // rows must be on the device, too, not columns only
  // True if the method computes such a tile; otherwise the usual device (the GPU's device without a paper's
  // method) does.
  virtual bool does(const Tile& tile, const Problem& problem) const = 0;
  // Bytes of device memory that a tile takes, without the sequences.
  virtual std::uint64_t bytes(const Tile& tile, const Problem& problem) const = 0;
  // `usual` does the pairs that the method cannot do, because their scores exceed its integers, their
  // sequences are too long for it or they need more workspace than there is. Calls sink.accept or
  // accept_scores once. Throws what the stopper throws.
  virtual void run(const Tile& tile, const Problem& problem, Sink& sink, SequenceStore& sequences,
                   Device& usual, Stopper& stopper) = 0;
  // Waits until a run that was stopped has left nothing on the device.
  virtual void settle() = 0;
};

std::unique_ptr<Runner> make_search_runner(std::unique_ptr<SearchMethod> method, int multiprocessors);
// `memory_bytes`: device memory for the method's workspace.
std::unique_ptr<Runner> make_pair_runner(std::unique_ptr<PairMethod> method, std::uint64_t memory_bytes);

}  // namespace alnus::cuda::papers

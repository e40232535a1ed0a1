#include "lanes.h"

#include <algorithm>
#include <array>
#include <boost/context/fiber.hpp>
#include <boost/context/protected_fixedsize_stack.hpp>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <memory>
#include <random>
#include <span>
#include <vector>

#include "shared_memory.h"

namespace cuda_emulation {

Index thread_index, block_index, block_size, grid_size;

namespace {

namespace context = boost::context;

const Grid* running_grid = nullptr;
struct Lane* running_lane = nullptr;

// A coroutine. It runs a thread of a block, and after that threads of other blocks or grids.
struct Lane {
  Lane()
      : self(std::allocator_arg, context::protected_fixedsize_stack(64 << 10),
             [this](context::fiber&& scheduler) -> context::fiber {
               for (other = std::move(scheduler);; leave(Wait::ended)) running_grid->run_thread();
             }) {}

  void leave(Wait reason) {
    waits = reason;
    other = std::move(other).resume();
  }
  void resume() {
    waits = Wait::nothing;
    running_lane = this;
    thread_index = index;
    self = std::move(self).resume();
  }

  context::fiber self, other;
  Index index;
  Wait waits = Wait::nothing;
  std::uint32_t value = 0;
  int argument = 0, width = 0;
};

// Lanes are never destroyed, because their stacks cannot be unwound.
class LanePool {
 public:
  std::vector<Lane*> take(unsigned count) {
    while (free_.size() < count) free_.push_back(&all_.emplace_back());
    std::vector<Lane*> taken(free_.end() - count, free_.end());
    free_.resize(free_.size() - count);
    return taken;
  }
  void give_back(std::span<Lane* const> lanes) { free_.insert(free_.end(), lanes.begin(), lanes.end()); }

 private:
  std::deque<Lane> all_;
  std::vector<Lane*> free_;
};
LanePool& lane_pool = *new LanePool;

std::minstd_rand random_numbers(1);
unsigned below(unsigned limit) { return static_cast<unsigned>(random_numbers() % limit); }

std::uint64_t fruitless_steps = 0;  // latest steps in a row after which all lanes that ran were asleep again

class Warp {
 public:
  explicit Warp(std::span<Lane* const> lanes) { std::ranges::copy(lanes, lanes_.begin()); }

  bool ended() const { return state_ == Wait::ended; }
  bool waits_for_block() const { return state_ == Wait::for_block; }
  // Returns the values of the lanes that wait for the block, joined by `or`.
  std::uint32_t brings() const {
    std::uint32_t all = 0;
    for (const Lane* const lane : lanes_)
      if (lane->waits == Wait::for_block) all |= lane->value;
    return all;
  }
  void leave_barrier(std::uint32_t value) {
    if (ended()) return;
    state_ = Wait::nothing;
    for (Lane* const lane : lanes_) {
      if (lane->waits != Wait::for_block) continue;
      lane->waits = Wait::nothing;
      lane->value = value;
    }
  }

  // Runs the lanes until each is at a collective operation, asleep or at its end.
  void step() {
    bool sleeps = false, fruitful = false;
    const unsigned first = below(kWarpLanes), stride = below(kWarpLanes) | 1;  // odd, so all lanes get a turn
    for (unsigned k = 0; k < kWarpLanes; ++k) {
      Lane& lane = *lanes_[(first + k * stride) % kWarpLanes];
      if (lane.waits != Wait::nothing && lane.waits != Wait::asleep) continue;
      const bool slept = lane.waits == Wait::asleep;
      lane.resume();
      sleeps |= lane.waits == Wait::asleep;
      fruitful |= !slept || lane.waits != Wait::asleep;
    }
    constexpr std::uint64_t kPatience = 1'000'000;
    fruitless_steps = fruitful ? 0 : fruitless_steps + 1;
    if (fruitless_steps > kPatience) fail("lanes sleep for ever");
    if (!sleeps) meet();
  }

 private:
  void meet() {
    const Lane* reached = nullptr;
    bool some_ended = false;
    for (const Lane* const lane : lanes_) {
      if (lane->waits == Wait::ended)
        some_ended = true;
      else if (!reached)
        reached = lane;
      else if (lane->waits != reached->waits || lane->width != reached->width ||
               (lane->waits != Wait::shuffle && lane->argument != reached->argument))
        fail("the lanes of a warp are at different collective operations");
    }
    state_ = reached ? reached->waits : Wait::ended;
    if (!reached || state_ == Wait::for_block) return;
    if (some_ended) fail("some lanes of a warp have ended, and others are at a collective operation");
    if (state_ != Wait::for_warp) shuffle();
    for (Lane* const lane : lanes_) lane->waits = Wait::nothing;
  }

  void shuffle() {
    std::array<std::uint32_t, kWarpLanes> values;
    for (int k = 0; k < kWarpLanes; ++k) values[k] = lanes_[k]->value;
    for (int k = 0; k < kWarpLanes; ++k) {
      Lane& lane = *lanes_[k];
      const int first = k / lane.width * lane.width;
      int from = k;
      if (state_ == Wait::shuffle) from = first + lane.argument % lane.width;
      if (state_ == Wait::shuffle_up && k - lane.argument >= first) from = k - lane.argument;
      if (state_ == Wait::shuffle_xor) from = k ^ lane.argument;
      lane.value = values[from];
    }
  }

  std::array<Lane*, kWarpLanes> lanes_;
  Wait state_ = Wait::nothing;
};

}  // namespace

class Block {
 public:
  Block(unsigned number, const Grid& grid)
      : number_(number), lanes_(lane_pool.take(grid.threads)), shared_(grid.shared_bytes) {
    for (unsigned k = 0; k < grid.threads; ++k) {
      lanes_[k]->index = {k};
      lanes_[k]->waits = Wait::nothing;
    }
    for (unsigned k = 0; k < grid.threads; k += kWarpLanes)
      warps_.emplace_back(std::span(lanes_).subspan(k, kWarpLanes));
  }
  ~Block() { lane_pool.give_back(lanes_); }

  // Runs some steps of some warps. Returns whether the block has ended.
  bool run() {
    block_index = {number_};
    const SharedMemory::InPlace in_place(shared_);
    constexpr unsigned kTurns = 8, kSteps = 64;  // at most kTurns turns a call, and kSteps steps a turn
    for (unsigned turn = below(kTurns) + 1; turn > 0; --turn) {
      Warp* const warp = find_warp();
      if (warp) {
        for (unsigned step = below(kSteps) + 1; step > 0 && can_go_on(*warp); --step) warp->step();
      } else {
        if (std::ranges::all_of(warps_, &Warp::ended)) return true;
        std::uint32_t value = 0;
        for (const Warp& waiting : warps_) value |= waiting.brings();
        for (Warp& waiting : warps_) waiting.leave_barrier(value);
      }
    }
    return false;
  }

 private:
  static bool can_go_on(const Warp& warp) { return !warp.ended() && !warp.waits_for_block(); }
  Warp* find_warp() {
    const std::size_t count = warps_.size(), first = below(static_cast<unsigned>(count));
    for (std::size_t k = 0; k < count; ++k) {
      Warp& warp = warps_[(first + k) % count];
      if (can_go_on(warp)) return &warp;
    }
    return nullptr;
  }

  unsigned number_;
  std::vector<Lane*> lanes_;
  std::vector<Warp> warps_;
  SharedMemory shared_;
};

RunningGrid::RunningGrid(Grid grid) : grid_(std::move(grid)) {}
RunningGrid::~RunningGrid() = default;

bool RunningGrid::advance() {
  constexpr unsigned kMostBlocks = 8, kMostLanes = 2048;  // the most blocks and lanes that run at a time
  const unsigned at_a_time = std::clamp(kMostLanes / grid_.threads, 1U, kMostBlocks);
  running_grid = &grid_;
  grid_size = {grid_.blocks};
  block_size = {grid_.threads};
  constexpr unsigned kTurns = 64;
  for (unsigned turn = 0; turn < kTurns; ++turn) {
    while (next_ < grid_.blocks && blocks_.size() < at_a_time)
      blocks_.push_back(std::make_unique<Block>(next_++, grid_));
    if (blocks_.empty()) return true;
    std::unique_ptr<Block>& block = blocks_[below(static_cast<unsigned>(blocks_.size()))];
    if (!block->run()) continue;
    std::swap(block, blocks_.back());
    blocks_.pop_back();
  }
  return next_ == grid_.blocks && blocks_.empty();
}

std::uint32_t wait(Wait what, std::uint32_t value, int argument, int width) {
  Lane& lane = *running_lane;
  lane.value = value;
  lane.argument = argument;
  lane.width = width;
  lane.leave(what);
  return lane.value;
}

void fail(std::string_view what) {
  std::fprintf(stderr, "Emulated GPU, block %u, thread %u: %.*s.\n", block_index.x, thread_index.x,
               static_cast<int>(what.size()), what.data());
  std::abort();
}

}  // namespace cuda_emulation

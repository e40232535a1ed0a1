// Compression of an output stream by the suffix of its name.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "core/thread_pool.h"

namespace alnus::io {

// A piece of a stream's text. `last` ends the stream, and what follows begins another: files of several
// streams, or of an empty one, are valid.
struct TextBlock {
  std::string text;
  bool last = false;
};

class Compressor {
 public:
  using Write = std::function<void(std::string_view)>;

  virtual ~Compressor() = default;
  // Takes the next blocks, hands over what is ready, in order. The bytes depend on the blocks alone, not on
  // how many come at once, nor on threads. The caller holds a permit of the pool. Throws std::bad_alloc, and
  // what `write` throws.
  virtual void compress(std::span<const TextBlock> blocks, ThreadPool& pool, const Write& write) = 0;
};

// For names that end in .gz or .zst; else null.
std::unique_ptr<Compressor> compressor_for(std::string_view name);

}  // namespace alnus::io

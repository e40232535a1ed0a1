// Compression of an output, chosen by the suffix of its name.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "core/stop_flag.h"
#include "core/thread_pool.h"

namespace alnus::io {

// A piece of the text of a stream, which is a gzip member or a series of zstd frames. `last` ends the stream,
// and the next block begins another one. A file may consist of several streams, or of an empty one.
struct TextBlock {
  std::string text;
  bool last = false;
};

class Compressor {
 public:
  using Write = std::function<void(std::string_view)>;

  virtual ~Compressor() = default;
  // Compresses the next blocks, and hands what is ready to `write`, in order. The bytes depend on the blocks
  // alone, not on how many blocks come at once, nor on threads. The caller holds a permit of the pool. Throws
  // std::bad_alloc, what `write` throws, and Interrupted if `stop` is requested before a block.
  virtual void compress(std::span<const TextBlock> blocks, ThreadPool& pool, const StopFlag& stop,
                        const Write& write) = 0;
};

// A compressor for names that end in .gz or .zst; null for other names.
std::unique_ptr<Compressor> compressor_for(std::string_view name);

}  // namespace alnus::io

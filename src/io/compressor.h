// Compression of an output stream by the suffix of its name.
#pragma once

#include <functional>
#include <memory>
#include <string_view>

namespace alnus::io {

class Compressor {
 public:
  using Write = std::function<void(std::string_view)>;

  virtual ~Compressor() = default;
  // Takes the next bytes of the stream, hands over what is ready. `last` ends the stream, and what follows
  // begins another: files of several streams, or of an empty one, are valid. Throws std::bad_alloc, and what
  // `write` throws.
  virtual void compress(std::string_view bytes, bool last, const Write& write) = 0;
};

// For names that end in .gz or .zst; else null.
std::unique_ptr<Compressor> compressor_for(std::string_view name);

}  // namespace alnus::io

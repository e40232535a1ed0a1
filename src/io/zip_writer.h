// Archives of arrays (.npz), which NumPy reads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <string>

#include "io/atomic_file.h"

namespace alnus::io {

// Writes the files of a zip archive one after the other, as they are, without compression. The same files
// make the same bytes. Throws Error(other) naming the archive.
class ZipWriter {
 public:
  // The archive must be empty, and live as long. Who made it commits it, after finish().
  explicit ZipWriter(AtomicFile& archive);
  ~ZipWriter();
  ZipWriter(const ZipWriter&) = delete;
  ZipWriter& operator=(const ZipWriter&) = delete;

  void begin(const std::string& name, std::uint64_t bytes);  // of the next file
  void write(const void* data, std::size_t bytes);           // of the file that was begun last
  void finish();

 private:
  struct Output;
  void require(int status) const;  // throws unless it is 0

  const std::unique_ptr<Output> output_;
  void* zip_ = nullptr;
  bool begun_ = false;
};

}  // namespace alnus::io

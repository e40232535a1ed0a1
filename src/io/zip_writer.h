// Archives of arrays (.npz) for NumPy.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <string>

#include "io/atomic_file.h"

namespace alnus::io {

// Writes the files of a zip archive one after the other, without compression. The same files make the same
// bytes. Throws Error(other) naming the archive.
class ZipWriter {
 public:
  // The archive's file must be empty, and outlive this object. The caller commits it after finish().
  explicit ZipWriter(AtomicFile& archive);
  ~ZipWriter();
  ZipWriter(const ZipWriter&) = delete;
  ZipWriter& operator=(const ZipWriter&) = delete;

  // Begins the next file, which must get `bytes` bytes by write().
  void begin(const std::string& name, std::uint64_t bytes);
  void write(const void* data, std::size_t bytes);  // appends to that file
  void finish();

 private:
  struct Output;
  void require(int status) const;  // throws unless the status is ZIP_OK

  const std::unique_ptr<Output> output_;
  void* zip_ = nullptr;
  bool begun_ = false;
};

}  // namespace alnus::io

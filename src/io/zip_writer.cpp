#include "io/zip_writer.h"

#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <utility>
#include <zip.h>

#include "alnus/error.h"

namespace alnus::io {

// The stream that minizip writes to. An exception waits here until minizip's function has returned.
struct ZipWriter::Output {
  explicit Output(AtomicFile& archive) : file(archive) {}

  AtomicFile& file;
  std::uint64_t place = 0, end = 0;
  std::exception_ptr error{};

  static Output& of(voidpf stream) { return *static_cast<Output*>(stream); }
  static voidpf open(voidpf output, const void* /*name*/, int /*mode*/) { return output; }
  static uLong read(voidpf, voidpf, void*, uLong) { return 0; }  // a new archive is only written
  static uLong write(voidpf, voidpf stream, const void* data, uLong bytes) {
    Output& output = of(stream);
    try {
      output.file.write_at(output.place, data, bytes);
    } catch (...) {
      output.error = std::current_exception();
      return 0;
    }
    output.place += bytes;
    output.end = std::max(output.end, output.place);
    return bytes;
  }
  static ZPOS64_T tell(voidpf, voidpf stream) { return of(stream).place; }
  static long seek(voidpf, voidpf stream, ZPOS64_T offset, int origin) {
    Output& output = of(stream);
    output.place = (origin == SEEK_CUR ? output.place : origin == SEEK_END ? output.end : 0) + offset;
    return 0;
  }
  static int close(voidpf, voidpf) { return 0; }
  static int has_error(voidpf, voidpf stream) { return of(stream).error ? 1 : 0; }
};

ZipWriter::ZipWriter(AtomicFile& archive) : output_(std::make_unique<Output>(archive)) {
  zlib_filefunc64_def functions{&Output::open, &Output::read,  &Output::write,     &Output::tell,
                                &Output::seek, &Output::close, &Output::has_error, output_.get()};
  zip_ = zipOpen2_64(archive.path().c_str(), APPEND_STATUS_CREATE, nullptr, &functions);
  require(zip_ == nullptr ? ZIP_ERRNO : ZIP_OK);
}

ZipWriter::~ZipWriter() {
  if (zip_ != nullptr) zipClose(zip_, nullptr);
}

void ZipWriter::begin(const std::string& name, std::uint64_t bytes) {
  if (std::exchange(begun_, true)) require(zipCloseFileInZip(zip_));
  constexpr std::uint64_t kMostWithout64 = UINT32_MAX;
  constexpr int kStored = 0;
  zip_fileinfo about{};
  about.tmz_date.tm_mday = 1;
  about.tmz_date.tm_year = 1980;  // the first year of the format; the same in all archives
  require(zipOpenNewFileInZip64(zip_, name.c_str(), &about, nullptr, 0, nullptr, 0, nullptr, kStored, 0,
                                bytes >= kMostWithout64 ? 1 : 0));
}

void ZipWriter::write(const void* data, std::size_t bytes) {
  constexpr std::size_t kLargest = 1 << 30;
  const auto* from = static_cast<const unsigned char*>(data);
  for (; bytes > 0; from += std::min(bytes, kLargest), bytes -= std::min(bytes, kLargest))
    require(zipWriteInFileInZip(zip_, from, static_cast<unsigned>(std::min(bytes, kLargest))));
}

void ZipWriter::finish() {
  if (std::exchange(begun_, false)) require(zipCloseFileInZip(zip_));
  require(zipClose(std::exchange(zip_, nullptr), nullptr));
}

void ZipWriter::require(int status) const {
  if (output_->error) std::rethrow_exception(output_->error);
  if (status != ZIP_OK)
    throw Error(ErrorKind::other, fmt::format("Cannot write the archive {}: minizip's error {}.",
                                              output_->file.path(), status));
}

}  // namespace alnus::io

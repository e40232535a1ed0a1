// Decompression of gzip and zstd, as a source of bytes over another source.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "io/byte_source.h"

namespace alnus::io {

// The program that compressed data with these first bytes; empty if none is known.
std::string_view compressed_by(std::string_view begin);

// "UTF-16" or "UTF-32" if the text begins with that encoding's byte order mark, else empty.
std::string_view wide_encoding(std::string_view begin);

// The bytes of `source`, decompressed if its first bytes say that it is compressed: gzip of any number of
// members (BGZF too), with or without zeros behind them, or zstd of any number of frames. `name` stands in
// messages. This function and the result's read() throw Error(input) for data that are truncated or damaged,
// compressed by another program or twice, for text in UTF-16 or UTF-32, for a document of an office program,
// and for a database of makedb, which must be mapped and not read.
std::unique_ptr<ByteSource> decompressed(std::unique_ptr<ByteSource> source, const std::string& name,
                                         const StopFlag& stop = StopFlag::never());

}  // namespace alnus::io

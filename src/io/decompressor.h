// gzip and zstd, as a source of bytes over another.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "io/byte_source.h"

namespace alnus::io {

// The program that compressed what begins so; empty where none is known.
std::string_view compressed_by(std::string_view begin);

// "UTF-16" or "UTF-32" if the text begins with its byte order mark, else empty.
std::string_view wide_encoding(std::string_view begin);

// What `source` holds, decompressed if its first bytes say that it is compressed: gzip of any number of
// members (BGZF too), with zeros behind them or not, or zstd of any number of frames. `name` stands in
// messages. Throws Error(input), while it is read too: data that are truncated or damaged, compressed by
// another program or twice, text in UTF-16 or UTF-32, or a database of
// makedb, which is mapped and not read.
std::unique_ptr<ByteSource> decompressed(std::unique_ptr<ByteSource> source, const std::string& name,
                                         const StopFlag& stop = StopFlag::never());

}  // namespace alnus::io

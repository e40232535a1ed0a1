// The header of an array in NumPy's format (.npy).
#pragma once

#include <bit>
#include <cstddef>
#include <string>
#include <string_view>

namespace alnus::io {

static_assert(std::endian::native == std::endian::little, "values are written as they are in memory");

inline constexpr std::size_t kNpyHeaderBytes = 128;

// A header of format version 1.0. `type` is NumPy's name of the value's type, such as "<f4". `shape` is the
// inside of a Python tuple: "3, 4" or "3,".
std::string npy_header(std::string_view type, std::string_view shape);

}  // namespace alnus::io

#include "io/npy.h"

#include <fmt/format.h>

namespace alnus::io {

// The header has the magic bytes, the format's version, the length of the rest, a Python dictionary, and
// blanks with a line end up to a multiple of 64 bytes, as NumPy wants it. 128 bytes suffice for all shapes.
std::string npy_header(std::string_view type, std::string_view shape) {
  constexpr std::size_t kBeforeDictionary = 10;
  std::string header("\x93NUMPY\x01\0\x76\0", kBeforeDictionary);
  static_assert(kNpyHeaderBytes - kBeforeDictionary == 0x76);
  header += fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", type, shape);
  header.resize(kNpyHeaderBytes - 1, ' ');
  return header + '\n';
}

}  // namespace alnus::io

// Takes arbitrary bytes as a database file: open_database() must refuse them with an alnus::Error, or return
// a set whose sequences can all be read. verify_database() must refuse what open_database() refuses.
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

#include "alnus/error.h"
#include "io/database.h"
#include "io/database_format.h"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t capacity);

namespace {

using alnus::io::format::Header;

// Corrects the header's magic, version, byte order, file size and checksum, so that mutations reach the code
// behind the checks of these fields.
void seal(std::uint8_t* data, std::size_t size) {
  if (size < sizeof(Header)) return;
  Header header;
  std::memcpy(&header, data, sizeof(header));
  header.magic = alnus::io::format::kMagic;
  header.version = alnus::io::format::kVersion;
  header.byte_order = alnus::io::format::kByteOrder;
  header.file_bytes = size;
  header.checksum = alnus::io::format::header_checksum(header);
  std::memcpy(data, &header, sizeof(header));
}

volatile std::uint64_t bytes_read;  // keeps the compiler from leaving the reading out

// Reads every byte that the set says it has, and returns the sum of the bytes. Aborts if a file ordinal is
// not below the number of sequences, or if a sequence is longer than longest().
std::uint64_t read_everything(const alnus::SequenceSet& set) {
  const alnus::Alphabet& alphabet = alnus::Alphabet::of(set.alphabet());
  std::uint64_t sum = 0;
  for (alnus::SequenceSet::Index i = 0; i < set.size(); ++i) {
    for (const alnus::Residue residue : set[i].residues)
      sum += static_cast<unsigned char>(alphabet.decode(residue));
    for (const char byte : set[i].header) sum += static_cast<unsigned char>(byte);
    if (static_cast<std::uint32_t>(set.file_ordinal(i)) >= set.size() || set.length(i) > set.longest())
      std::abort();
    sum += set[i].id().size() + set[i].title().size();
  }
  return sum;
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t capacity,
                                               unsigned int seed) {
  // Changes the whole file, only the fields of the header (its first 240 bytes), or only what follows the
  // header. Then corrects the header in 15 of 16 cases.
  std::size_t result = size;
  switch (seed % 4) {
    case 0:
      result = LLVMFuzzerMutate(data, size, capacity);
      break;
    case 1:
      if (size > sizeof(Header)) LLVMFuzzerMutate(data, 240, 240);
      break;
    default:
      if (size > sizeof(Header)) {
        const std::size_t fixed = sizeof(Header);
        result = fixed + LLVMFuzzerMutate(data + fixed, size - fixed,
                                          seed % 4 == 2 ? size - fixed : capacity - fixed);
      }
  }
  if (seed % 16 != 0) seal(data, result);
  return result;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const int file = ::memfd_create("database", MFD_CLOEXEC);
  static const std::string path = "/proc/self/fd/" + std::to_string(file);
  if (::ftruncate(file, 0) != 0 || ::pwrite(file, data, size, 0) != static_cast<ssize_t>(size)) std::abort();
  bool opened = false;
  try {
    const alnus::SequenceSet set = alnus::io::open_database(path);
    opened = true;
    bytes_read = read_everything(set);
  } catch (const alnus::Error&) {
  }
  try {
    static alnus::ThreadPool pool(1);
    alnus::io::verify_database(path, pool);
    if (!opened || alnus::database_info(path).file_bytes != size) std::abort();
  } catch (const alnus::Error&) {
  }
  return 0;
}

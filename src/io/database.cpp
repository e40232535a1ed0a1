#include "io/database.h"

#include <array>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include "io/database_checks.h"
#include "io/database_format.h"
#include "io/open_file.h"
#include "io/output_name.h"

namespace alnus {
namespace io {

using format::SectionId;

bool is_database(const std::string& path) {
  struct stat status {};
  if (path == "-" || ::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return false;
  const int fd = open_file(path, O_RDONLY);
  if (fd < 0) return false;
  std::array<char, format::kMagic.size()> begin{};
  const std::size_t count = read_at(fd, 0, begin.data(), begin.size()).bytes;
  ::close(fd);
  return count == begin.size() && begin == format::kMagic;
}

bool is_database_text(std::string_view text) {
  return text.starts_with(std::string_view(format::kMagic.data(), format::kMagic.size()));
}

SequenceSet open_database(const std::string& path, bool in_memory, const StopFlag& stop) {
  return open_database(std::make_shared<const DatabaseFile>(path, in_memory, stop), stop);
}

SequenceSet open_database(std::shared_ptr<const DatabaseFile> file, const StopFlag& stop) {
  check_indexes(*file, stop);
  const SequenceSet::Arrays arrays{
      file->section<Residue>(SectionId::residues), file->section<std::uint64_t>(SectionId::offsets),
      file->section<char>(SectionId::headers), file->section<std::uint64_t>(SectionId::header_offsets),
      file->section<FileOrdinal>(SectionId::file_order)};
  const AlphabetKind alphabet = file->alphabet();
  std::string path = file->path();
  return SequenceSet(alphabet, arrays, std::move(file), std::move(path));
}

void verify_database(const std::string& path, ThreadPool& pool, const StopFlag& stop) {
  verify_database(DatabaseFile(path), pool, stop);
}

}  // namespace io

bool is_database_file(const std::string& path) {
  return io::has_ending(path, ".alnus") || io::is_database(path);
}

DatabaseInfo database_info(const std::string& path) { return io::format::describe(io::read_header(path)); }

}  // namespace alnus

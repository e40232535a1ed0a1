#include "support/zip_reader.h"

#include <memory>
#include <stdexcept>
#include <unzip.h>

namespace alnus::test {

std::map<std::string, std::string> read_zip(const std::string& path) {
  const std::unique_ptr<void, int (*)(unzFile)> archive(unzOpen64(path.c_str()), unzClose);
  if (!archive) throw std::runtime_error(path + " is no zip archive");
  const auto require = [&](bool good) {
    if (!good) throw std::runtime_error(path + " is damaged");
  };
  std::map<std::string, std::string> files;
  for (int status = unzGoToFirstFile(archive.get()); status != UNZ_END_OF_LIST_OF_FILE;
       status = unzGoToNextFile(archive.get())) {
    unz_file_info64 info{};
    char name[64] = {};
    require(status == UNZ_OK && unzGetCurrentFileInfo64(archive.get(), &info, name, sizeof(name) - 1, nullptr,
                                                        0, nullptr, 0) == UNZ_OK);
    std::string bytes(info.uncompressed_size, '\0');
    require(unzOpenCurrentFile(archive.get()) == UNZ_OK);
    require(unzReadCurrentFile(archive.get(), bytes.data(), static_cast<unsigned>(bytes.size())) ==
            static_cast<int>(bytes.size()));
    require(unzCloseCurrentFile(archive.get()) == UNZ_OK);  // fails if the checksum differs
    files[name] = bytes;
  }
  return files;
}

}  // namespace alnus::test

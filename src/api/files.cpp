// Options whose values may be paths of files.
#include <filesystem>

#include "alnus/error.h"
#include "alnus/scoring.h"
#include "alnus/statistics.h"
#include "alnus/text_file.h"
#include "io/byte_source.h"

namespace alnus {

Scoring read_scoring(ScoringOptions options) {
  if (!options.matrix.empty() && options.matrix_text.empty()) {
    try {
      SubstitutionMatrix::builtin(options.matrix);
    } catch (const Error&) {
      const bool is_path = options.matrix.find('/') != std::string::npos;
      if (is_path || std::filesystem::exists(options.matrix)) {
        options.matrix_text = io::read_text(options.matrix);
        if (options.matrix_text.empty()) options.matrix_text = "\n";  // "" would mean that there is no text
      }
    }
  }
  return make_scoring(options);
}

std::string read_text_file(const std::string& path) { return io::read_text(path); }

Background read_background(const std::string& path, AlphabetKind alphabet) {
  return parse_background(io::read_text(path), path, alphabet);
}

}  // namespace alnus

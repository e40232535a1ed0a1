#include "alnus/matrix.h"

#include <algorithm>
#include <bitset>
#include <cctype>
#include <fmt/format.h>
#include <map>
#include <mutex>
#include <numeric>
#include <optional>
#include <utility>

#include "alnus/error.h"
#include "alnus/text.h"
#include "core/byte_order_mark.h"
#include "core/decimal.h"
#include "core/embedded.h"

namespace alnus {
namespace {

constexpr std::string_view kFolder = "matrices/", kSuffix = ".txt";

std::string_view stem(std::string_view path) {
  path.remove_prefix(kFolder.size());
  path.remove_suffix(kSuffix.size());
  return path;
}

std::string upper(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return result;
}

// Resolves the names that other programs have for a matrix.
std::string_view resolve_alias(std::string_view name) {
  const std::string folded = upper(name);
  if (folded == "EBLOSUM62") return "BLOSUM62";
  if (folded == "GONNET250" || folded == "GONNET1992") return "GONNET";
  if (folded == "EDNAFULL" || folded == "DNAFULL" || folded == "NUC.4.4") return "NUC44";
  return name;
}

// The alphabet of a compiled-in matrix. Matrices of nucleotides are few, and have names that begin with NUC.
AlphabetKind alphabet_of(std::string_view name) {
  return name.starts_with("NUC") ? AlphabetKind::dna : AlphabetKind::protein;
}

std::vector<std::string_view> split(std::string_view line) {
  constexpr std::string_view kBlanks = " \t\r\v\f";
  std::vector<std::string_view> words;
  for (std::size_t begin = line.find_first_not_of(kBlanks); begin != std::string_view::npos;) {
    const std::size_t end = std::min(line.find_first_of(kBlanks, begin), line.size());
    words.push_back(line.substr(begin, end - begin));
    begin = line.find_first_not_of(kBlanks, end);
  }
  return words;
}

// Reads the text of one matrix file into cells, which are addressed by the codes of two letters.
class Parser {
 public:
  Parser(std::string_view text, const std::string& origin, AlphabetKind kind)
      : text_(without_byte_order_mark(text)),
        origin_(origin),
        alphabet_(Alphabet::of(kind)),
        cells_(kMaxLetters * kMaxLetters) {}

  void read() {
    for (std::size_t begin = 0; begin < text_.size();) {
      const std::size_t end = std::min(text_.find('\n', begin), text_.size());
      ++line_;
      const std::vector<std::string_view> words = split(text_.substr(begin, end - begin));
      begin = end + 1;
      if (words.empty() || words[0].starts_with('#')) continue;
      if (columns_.empty()) {
        read_columns(words);
      } else {
        read_row(words);
      }
    }
    check_complete();
  }

  int scale() const { return static_cast<int>(scale_); }

  // The score of two codes in units of 1/scale, with the rules for letters that the file lacks.
  std::int32_t value(int query, int subject) const {
    const std::optional<int> row = source(query), column = source(subject);
    return row && column ? scaled(*row, *column) : lowest();
  }

 private:
  [[noreturn]] void fail(const std::string& message) const {
    throw Error(ErrorKind::input, fmt::format("Matrix {}, line {}: {}", origin_, line_, message));
  }

  // The code of a letter that heads a row or column. It is empty for `*` among nucleotides, and for U beside
  // T: such rows and columns are read and dropped.
  std::optional<int> code_of(std::string_view word, bool has_T) const {
    const bool dna = alphabet_.kind() == AlphabetKind::dna;
    if (word.size() != 1 || !(alphabet_.is_known(word[0]) || (dna && word[0] == '*')))
      fail(fmt::format("{} is not a letter of the {} alphabet.", in_quotes(word), alphabet_.name()));
    if (dna && (word[0] == '*' || (has_T && (word[0] == 'U' || word[0] == 'u')))) return std::nullopt;
    return alphabet_.encode(word[0]) & kCodeMask;
  }

  void read_columns(const std::vector<std::string_view>& words) {
    has_T_ = std::any_of(words.begin(), words.end(), [](auto word) { return word == "T" || word == "t"; });
    for (const std::string_view word : words) {
      const std::optional<int> code = code_of(word, has_T_);
      if (code && has_column_[*code]) fail(fmt::format("the column of {} is there twice.", in_quotes(word)));
      if (code) has_column_.set(*code);
      columns_.push_back(code);
    }
  }

  void read_row(const std::vector<std::string_view>& words) {
    const std::optional<int> row = code_of(words[0], has_T_);
    if (words.size() != columns_.size() + 1)
      fail(fmt::format("the row of {} has {} scores, but there are {} columns.", in_quotes(words[0]),
                       words.size() - 1, columns_.size()));
    if (row && has_row_[*row]) fail(fmt::format("the row of {} is there twice.", in_quotes(words[0])));
    if (row) has_row_.set(*row);
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const std::optional<Decimal> score = parse_decimal(words[i + 1]);
      if (!score)
        fail(fmt::format("{} is not a score; write a number such as -4 or 0.5.", in_quotes(words[i + 1])));
      if (!row || !columns_[i]) continue;
      cells_[*row * kMaxLetters + *columns_[i]] = *score;
      scale_ = std::lcm(scale_, score->denominator);
      const std::int64_t size = std::abs(score->numerator) / score->denominator + 1;
      largest_ = std::max(largest_, size);
      if (largest_ > kLargestScaledValue / scale_)
        fail(
            fmt::format("the score {} is too large or has too many decimals: scaled to integers, scores "
                        "must stay below {}.",
                        words[i + 1], kLargestScaledValue));
    }
  }

  void check_complete() const {
    if (columns_.empty())
      throw Error(ErrorKind::input,
                  fmt::format("Matrix {} is empty; the first line must name the columns.", origin_));
    const int core_letters = alphabet_.kind() == AlphabetKind::protein ? 20 : 4;
    for (int code = 0; code < alphabet_.size(); ++code) {
      const char letter = alphabet_.letters()[code];
      if (has_row_[code] != has_column_[code])
        fail(fmt::format("the letter {} has a {} but no {}.", letter, has_row_[code] ? "row" : "column",
                         has_row_[code] ? "column" : "row"));
      if (code < core_letters && !has_row_[code])
        fail(fmt::format("the file ends without the letter {}, which every {} matrix needs.", letter,
                         alphabet_.name()));
    }
  }

  // The code whose row and column a letter takes. Empty: the letter scores as the lowest score.
  std::optional<int> source(int code) const {
    if (has_row_[code]) return code;
    if (const int other = alphabet_.scored_as(static_cast<Residue>(code)); other != code) return other;
    const int unknown = alphabet_.encode('?') & kCodeMask;
    if (alphabet_.letters()[code] != '*' && has_row_[unknown]) return unknown;
    return std::nullopt;
  }

  std::int32_t scaled(int row, int column) const {
    const Decimal& cell = cells_[row * kMaxLetters + column];
    return static_cast<std::int32_t>(cell.numerator * (scale_ / cell.denominator));
  }

  std::int32_t lowest() const {
    std::int32_t result = scaled(0, 0);
    for (int row = 0; row < alphabet_.size(); ++row)
      for (int column = 0; column < alphabet_.size(); ++column)
        if (has_row_[row] && has_row_[column]) result = std::min(result, scaled(row, column));
    return result;
  }

  std::string_view text_;
  const std::string& origin_;
  const Alphabet& alphabet_;
  std::vector<Decimal> cells_;
  std::vector<std::optional<int>> columns_;  // codes; empty for a column to drop
  std::bitset<kMaxLetters> has_row_, has_column_;
  bool has_T_ = false;
  std::int64_t scale_ = 1, largest_ = 0;
  std::size_t line_ = 0;
};

}  // namespace

SubstitutionMatrix SubstitutionMatrix::builtin(std::string_view name) {
  static std::map<std::string, SubstitutionMatrix> parsed;
  static std::mutex mutex;
  const std::string wanted = upper(resolve_alias(name));
  const std::lock_guard lock(mutex);
  if (const auto found = parsed.find(wanted); found != parsed.end()) return found->second;
  for (const std::string& known : builtin_names())
    if (upper(known) == wanted)
      return parsed[wanted] = parse(embedded_text(fmt::format("{}{}{}", kFolder, known, kSuffix)), known,
                                    alphabet_of(known));
  throw Error(ErrorKind::input, fmt::format("There is no matrix {}; {} A file is named by its path.",
                                            in_quotes(name), suggestion(name, builtin_names())));
}

std::vector<std::string> SubstitutionMatrix::builtin_names() {
  std::vector<std::string> names;
  for (const EmbeddedFile& file : embedded_files())
    if (file.path.starts_with(kFolder)) names.emplace_back(stem(file.path));
  return names;
}

SubstitutionMatrix SubstitutionMatrix::parse(std::string_view text, const std::string& origin,
                                             AlphabetKind alphabet) {
  Parser parser(text, origin, alphabet);
  parser.read();

  SubstitutionMatrix matrix;
  matrix.name_ = origin.substr(origin.find_last_of('/') + 1);
  matrix.alphabet_ = alphabet;
  matrix.scale_ = parser.scale();
  const int size = Alphabet::of(alphabet).size();
  for (int query = 0; query < size; ++query)
    for (int subject = 0; subject < size; ++subject)
      matrix.values_[query * kMaxLetters + subject] = parser.value(query, subject);
  matrix.finish();
  return matrix;
}

SubstitutionMatrix SubstitutionMatrix::match_mismatch(std::string_view match, std::string_view mismatch) {
  const std::optional<Decimal> equal = parse_decimal(match), other = parse_decimal(mismatch);
  if (!equal || equal->numerator <= 0)
    throw Error(ErrorKind::input, fmt::format("The match score must be a number above 0, such as 2, not {}.",
                                              in_quotes(match)));
  if (!other || other->numerator > 0)
    throw Error(ErrorKind::input,
                fmt::format("The mismatch score must be a number not above 0, such as -3, not {}.",
                            in_quotes(mismatch)));
  SubstitutionMatrix matrix;
  matrix.name_ = fmt::format("{}/{}", match, mismatch);
  matrix.alphabet_ = AlphabetKind::dna;
  const std::int64_t scale = std::lcm(equal->denominator, other->denominator);
  const auto scaled = [&](const Decimal& score) {
    const std::optional<std::int32_t> value = scale_exactly(score, scale);
    if (!value)
      throw Error(
          ErrorKind::input,
          fmt::format("The scores {} and {} are too large or have too many decimals: scaled to integers, "
                      "scores must not exceed {}.",
                      match, mismatch, kLargestScaledValue));
    return *value;
  };
  matrix.values_.fill(scaled(*other));
  for (int code = 0; code < 4; ++code) matrix.values_[code * kMaxLetters + code] = scaled(*equal);
  matrix.scale_ = static_cast<int>(scale);
  matrix.finish();
  return matrix;
}

SubstitutionMatrix SubstitutionMatrix::of_values(std::string name, AlphabetKind alphabet, int scale,
                                                 std::span<const std::int32_t> values) {
  SubstitutionMatrix matrix;
  if (values.size() != matrix.values_.size() || scale < 1)
    throw Error(ErrorKind::input,
                fmt::format("A substitution matrix has {} values and a scale of 1 or more, not {} and {}.",
                            matrix.values_.size(), values.size(), scale));
  matrix.name_ = std::move(name);
  matrix.alphabet_ = alphabet;
  matrix.scale_ = scale;
  std::ranges::copy(values, matrix.values_.begin());
  matrix.finish();
  return matrix;
}

bool SubstitutionMatrix::symmetric() const {
  const int size = Alphabet::of(alphabet_).size();
  for (int i = 0; i < size; ++i)
    for (int j = 0; j < i; ++j)
      if (values_[i * kMaxLetters + j] != values_[j * kMaxLetters + i]) return false;
  return true;
}

SubstitutionMatrix SubstitutionMatrix::transposed() const {
  SubstitutionMatrix result = *this;
  for (int query = 0; query < kMaxLetters; ++query)
    for (int subject = 0; subject < kMaxLetters; ++subject)
      result.values_[query * kMaxLetters + subject] = values_[subject * kMaxLetters + query];
  return result;
}

void SubstitutionMatrix::multiply(int factor) {
  for (std::int32_t& value : values_) value *= factor;
  scale_ *= factor;
  lowest_ *= factor;
  highest_ *= factor;
}

SubstitutionMatrix SubstitutionMatrix::weighted(std::int32_t factor, std::int32_t equal,
                                                std::int32_t different) const {
  SubstitutionMatrix result = *this;
  for (int query = 0; query < kMaxLetters; ++query)
    for (int subject = 0; subject < kMaxLetters; ++subject) {
      std::int32_t& value = result.values_[query * kMaxLetters + subject];
      value = factor * value + (query == subject ? equal : different);
    }
  result.finish();
  return result;
}

void SubstitutionMatrix::finish() {
  const int size = Alphabet::of(alphabet_).size();
  lowest_ = highest_ = values_[0];
  for (int i = 0; i < size; ++i) {
    const auto row = values_.begin() + i * kMaxLetters;
    const auto [low, high] = std::minmax_element(row, row + size);
    lowest_ = std::min(lowest_, *low);
    highest_ = std::max(highest_, *high);
  }
  for (int i = 0; i < kMaxLetters; ++i)
    for (int j = 0; j < kMaxLetters; ++j)
      if (i >= size || j >= size) values_[i * kMaxLetters + j] = lowest_;
}

}  // namespace alnus

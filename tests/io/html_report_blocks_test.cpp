// Blocks of the HTML report, their letters, and texts in its markup.
#include <gtest/gtest.h>
#include <libdeflate.h>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "io/html_report/block.h"
#include "io/html_report/draft.h"
#include "io/html_report/letters.h"
#include "io/writer_fixture.h"
#include "support/sequences.h"

namespace alnus::io {
namespace {

using test::below;
using test::Random;

constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

// Six bits for each letter, as RFC 4648 says.
std::string from_base64(std::string_view text) {
  EXPECT_EQ(text.size() % 4, 0u);
  std::string bits, bytes;
  std::size_t padding = 0;
  for (const char letter : text) {
    if (letter == '=') {
      ++padding;
      continue;
    }
    EXPECT_EQ(padding, 0u);
    const std::size_t digit = kDigits.find(letter);
    EXPECT_NE(digit, std::string_view::npos);
    for (int k = 5; k >= 0; --k) bits += (digit >> k & 1) != 0 ? '1' : '0';
  }
  EXPECT_LE(padding, 2u);
  for (std::size_t k = 0; k + 8 <= bits.size(); k += 8)
    bytes += static_cast<char>(std::stoi(bits.substr(k, 8), nullptr, 2));
  return bytes;
}

std::string inflated(const std::string& stream, std::size_t size) {
  std::string bytes(size, '\0');
  libdeflate_decompressor* const decompressor = libdeflate_alloc_decompressor();
  const libdeflate_result result = libdeflate_zlib_decompress(decompressor, stream.data(), stream.size(),
                                                              bytes.data(), bytes.size(), nullptr);
  libdeflate_free_decompressor(decompressor);
  EXPECT_EQ(result, LIBDEFLATE_SUCCESS);
  return bytes;
}

std::string random_bytes(Random& random, std::size_t size, std::size_t kinds = 256) {
  std::string bytes(size, '\0');
  for (char& byte : bytes) byte = static_cast<char>(below(random, kinds));
  return bytes;
}

TEST(HtmlReportBlocks, Base64OfTheStandard) {
  const std::vector<std::pair<std::string, std::string>> examples = {{"", ""},
                                                                     {"f", "Zg=="},
                                                                     {"fo", "Zm8="},
                                                                     {"foo", "Zm9v"},
                                                                     {"foob", "Zm9vYg=="},
                                                                     {"fooba", "Zm9vYmE="},
                                                                     {"foobar", "Zm9vYmFy"},
                                                                     {"\xFB\xFF\xBE", "+/++"}};
  for (const auto& [bytes, text] : examples) EXPECT_EQ(base64(bytes), text);
}

TEST(HtmlReportBlocks, Base64IsReadBack) {
  Random random(1);
  for (std::size_t size = 0; size < 200; ++size) {
    const std::string bytes = random_bytes(random, size);
    EXPECT_EQ(from_base64(base64(bytes)), bytes);
  }
}

TEST(HtmlReportBlocks, ABlockIsALineThatIsReadBack) {
  Random random(2);
  const std::string begin = R"(<script type="application/vnd.alnus.report" id="hits-rows-12">)";
  const std::string end = "</script>\n";
  for (const std::size_t size : {0, 1, 2, 3, 100, 65'536, 300'001})
    for (const std::size_t kinds : {1, 4, 256}) {
      const std::string bytes = random_bytes(random, size, kinds);
      const std::string line = report_block("hits-rows-12", bytes);
      ASSERT_TRUE(line.starts_with(begin));
      ASSERT_TRUE(line.ends_with(end));
      const std::string data = line.substr(begin.size(), line.size() - begin.size() - end.size());
      EXPECT_EQ(inflated(from_base64(data), size), bytes);
    }
}

// Which letters of which sequence ranges have, one by one.
std::vector<std::vector<bool>> marked(const std::vector<LetterRange>& ranges, std::size_t sequences,
                                      std::size_t length) {
  std::vector<std::vector<bool>> letters(sequences, std::vector<bool>(length));
  for (const LetterRange& range : ranges)
    for (std::size_t k = range.begin; k < range.end; ++k) letters[range.number][k] = true;
  return letters;
}

std::vector<LetterRange> random_ranges(Random& random, std::size_t count, std::size_t sequences,
                                       std::size_t length) {
  std::vector<LetterRange> ranges;
  for (std::size_t k = 0; k < count; ++k) {
    const auto number = static_cast<SequenceSet::Index>(below(random, sequences));
    const std::size_t begin = below(random, length),
                      size = below(random, std::min<std::size_t>(length - begin + 1, 9));
    ranges.push_back({number, static_cast<SequenceSet::Index>(sequences - number), begin, begin + size});
  }
  return ranges;
}

TEST(HtmlReportLetters, JoinedRangesHaveTheSameLettersOnce) {
  Random random(3);
  for (int round = 0; round < 1'000; ++round) {
    const std::size_t sequences = 1 + below(random, 4), length = 1 + below(random, 40);
    const std::vector<LetterRange> ranges = random_ranges(random, below(random, 20), sequences, length);
    const std::vector<LetterRange> all = joined(ranges);
    EXPECT_EQ(marked(all, sequences, length), marked(ranges, sequences, length));
    for (std::size_t k = 0; k < all.size(); ++k) {
      EXPECT_LT(all[k].begin, all[k].end);
      EXPECT_EQ(all[k].index, sequences - all[k].number);
      if (k == 0) continue;
      // Sorted; those of a sequence neither overlap nor touch.
      EXPECT_LE(all[k - 1].number, all[k].number);
      if (all[k - 1].number == all[k].number) {
        EXPECT_LT(all[k - 1].end, all[k].begin);
      }
    }
  }
}

TEST(HtmlReportLetters, BlocksHaveAllLettersInOrder) {
  Random random(4);
  for (int round = 0; round < 1'000; ++round) {
    const std::size_t most = 1 + below(random, 20);
    const std::vector<LetterRange> ranges = joined(random_ranges(random, below(random, 20), 4, 40));
    const std::vector<std::vector<LetterRange>> blocks = letter_blocks(ranges, most);
    using Place = std::pair<SequenceSet::Index, std::size_t>;
    const auto places_of = [](const std::vector<LetterRange>& some) {
      std::vector<Place> places;
      for (const LetterRange& range : some)
        for (std::size_t k = range.begin; k < range.end; ++k) places.emplace_back(range.number, k);
      return places;
    };
    std::vector<Place> found;
    for (std::size_t k = 0; k < blocks.size(); ++k) {
      const std::vector<Place> places = places_of(blocks[k]);
      // A block is full before the next one begins.
      if (k + 1 < blocks.size()) {
        EXPECT_EQ(places.size(), most);
      }
      EXPECT_LE(places.size(), most);
      EXPECT_GT(places.size(), 0u);
      for (const LetterRange& piece : blocks[k]) EXPECT_LT(piece.begin, piece.end);
      found.insert(found.end(), places.begin(), places.end());
    }
    EXPECT_EQ(found, places_of(ranges));
  }
}

TEST(HtmlReportLetters, JsonHasTheLettersAsGiven) {
  const SequenceSet set = sequences({{"a", "ARNDarnd*XUOJ"}, {"empty", ""}, {"b", "wwCC"}});
  const auto found = nlohmann::json::parse(letters_json({{7, 0, 2, 13}, {9, 2, 0, 3}}, set));
  EXPECT_EQ(found,
            nlohmann::json::parse(R"({"sequence":[7,9],"start":[2,0],"letters":["NDarnd*XUOJ","wwC"]})"));
  EXPECT_EQ(letters_json({}, set), R"({"sequence":[],"start":[],"letters":[]})");
}

TEST(HtmlReportMarkup, EscapesWhatMarkupTakes) {
  EXPECT_EQ(as_markup(""), "NA");
  EXPECT_EQ(as_markup("a b\tc\nd"), "a b\tc\nd");
  EXPECT_EQ(as_markup(R"(<a href="x" id='y'>&amp;</a>)"),
            "&lt;a href=&quot;x&quot; id=&#39;y&#39;&gt;&amp;amp;&lt;/a&gt;");
  EXPECT_EQ(as_markup("</script><!--"), "&lt;/script&gt;&lt;!--");
  EXPECT_EQ(as_markup("t\xC3\xADtle \xE8\x9B\x8B \xF0\x9F\x92\xA9"),
            "t\xC3\xADtle \xE8\x9B\x8B \xF0\x9F\x92\xA9");
}

const std::string kReplaced = "\xEF\xBF\xBD";

TEST(HtmlReportMarkup, ReplacesControlCharacters) {
  for (int code = 0; code < 0xA0; ++code) {
    const bool control = (code < 0x20 && code != '\t' && code != '\n') || (code >= 0x7F && code < 0xA0);
    const std::string text =
        code < 0x80 ? std::string(1, static_cast<char>(code)) : std::string("\xC2") + static_cast<char>(code);
    const std::string markup = as_markup("a" + text + "b");
    EXPECT_EQ(markup == "a" + kReplaced + "b", control) << code;
  }
  EXPECT_EQ(as_markup("\xC2\xA0"), "\xC2\xA0");  // the first code behind them
  EXPECT_EQ(as_markup("\xC3\x80"), "\xC3\x80");  // a letter whose second byte is that of a control character
}

TEST(HtmlReportMarkup, ReplacesBytesThatAreNotUtf8) {
  EXPECT_EQ(as_markup("a\x80z"), "a" + kReplaced + "z");
  EXPECT_EQ(as_markup("a\xFF\xFEz"), "a" + kReplaced + kReplaced + "z");
  EXPECT_EQ(as_markup("a\xC2"), "a" + kReplaced);
  EXPECT_EQ(as_markup("\xC2<b>"), kReplaced + "&lt;b&gt;");
  EXPECT_EQ(as_markup("\xE2\x28\xA1"), kReplaced + "(" + kReplaced);
  // Any bytes: what is left is UTF-8 without markup.
  Random random(5);
  for (int round = 0; round < 2'000; ++round) {
    const std::string markup = as_markup(random_bytes(random, 1 + below(random, 12)));
    EXPECT_EQ(markup.find_first_of("<>\"'"), std::string::npos);
    EXPECT_NO_THROW(static_cast<void>(nlohmann::json(markup).dump())) << "not UTF-8";
  }
}

}  // namespace
}  // namespace alnus::io

#include "io/score_plot.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>
#include <string_view>

#include "alnus/text.h"
#include "io/json_text.h"
#include "io/row_text.h"

namespace alnus::io {
namespace {

// Lengths and places in units of the picture's viewBox, from the left and from the top.
constexpr double kWidth = 960, kHeight = 540, kMargin = 24;
constexpr double kLeft = 116, kRight = kWidth - kMargin, kTop = 112, kBottom = 462;
constexpr double kBreak = 26;           // between the panels of a broken axis
constexpr double kMainPart = 0.7;       // the first panel's share of the width, if the axis is broken
constexpr double kNarrowestBar = 2.25;  // 364 bars fit side by side
constexpr double kFloor = 0.5;          // the count where bars begin: below 1, so that one pair is a bar
constexpr std::size_t kFewest = 20;     // bins in a picture: fewer do not fill it

constexpr std::string_view kInk = "#1b1f24", kFaint = "#59636e", kGrid = "#e3e7eb";
constexpr std::string_view kPairs = "#a3b8cc", kHits = "#d1570f", kExpected = "#10375c";

struct Range {
  std::size_t begin = 0, end = 0;  // bins [begin, end)
  std::size_t size() const { return end - begin; }
};

struct Bar {
  std::uint64_t pairs = 0, hits = 0;
  double expected = 0;
};

// A stretch of the horizontal axis with one scale.
struct Panel {
  double left, right;
  Range bins;
  std::size_t merged;  // bins in one bar
  std::vector<Bar> bars;

  double width_of_bar() const {
    return (right - left) * static_cast<double>(merged) / static_cast<double>(bins.size());
  }
};

// The text as XML can hold it: markup is escaped, and bytes that are no UTF-8 or no characters are replaced.
std::string escaped(std::string_view text) {
  std::string result;
  for (const char letter : as_utf8(text)) {
    const auto code = static_cast<unsigned char>(letter);
    if (letter == '&')
      result += "&amp;";
    else if (letter == '<')
      result += "&lt;";
    else if (letter == '>')
      result += "&gt;";
    else
      result += code < ' ' || code == 0x7F ? ' ' : letter;
  }
  return result;
}

std::string number(double value) {
  Text text;
  if (std::abs(value) < 1e15 && value == std::round(value)) {
    if (value < 0) append(text, '-');
    append(text, format_count(static_cast<std::uint64_t>(std::abs(value))));
  } else {
    fmt::format_to(fmt::appender(text), "{:.6g}", value);
  }
  return fmt::to_string(text);
}

std::string counted(std::uint64_t count, std::string_view of_what) {
  Text text;
  append(text, format_count(count));
  fmt::format_to(fmt::appender(text), " {}{}", of_what, count == 1 ? "" : "s");
  return fmt::to_string(text);
}

// The smallest number of the series 1, 2, 5, 10, 20, ... times `unit` that is at least `least`.
double round_step(double least, double unit) {
  for (double power = unit;; power *= 10)
    for (const double digit : {1, 2, 5})
      if (digit * power >= least) return digit * power;
}

class Drawing {
 public:
  explicit Drawing(const ScorePlot& plot) : plot_(plot) {
    count_hits();
    lay_out();
    for (const Panel& panel : panels_)
      for (const Bar& bar : panel.bars)
        highest_ = std::max({highest_, static_cast<double>(bar.pairs), bar.expected});
    highest_ *= 1.6;
  }

  std::string svg() {
    head();
    legend();
    counts_axis();
    for (const Panel& panel : panels_) draw(panel);
    if (pairs() == 0) label((kLeft + kRight) / 2, (kTop + kBottom) / 2, "middle", 15, kFaint, "no pairs");
    if (panels_.size() > 1) mark_break();
    if (!plot_.note.empty()) fitting_label(kHeight - 9, 12, kFaint, plot_.note);
    add("</svg>\n");
    return fmt::to_string(text_);
  }

 private:
  template <typename... Arguments>
  void add(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fmt::format_to(fmt::appender(text_), format, std::forward<Arguments>(arguments)...);
  }
  void label(double x, double y, std::string_view anchor, double size, std::string_view colour,
             std::string_view words) {
    add("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\" font-size=\"{:.4g}\" fill=\"{}\">{}</text>\n", x,
        y, anchor, size, colour, escaped(words));
  }
  void line(double x1, double y1, double x2, double y2, std::string_view colour, std::string_view more = "") {
    add("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\"{}/>\n", x1, y1, x2, y2,
        colour, more);
  }

  std::uint64_t pairs() const {
    return std::accumulate(plot_.counts.begin(), plot_.counts.end(), std::uint64_t{0});
  }
  std::uint64_t pairs_of(std::size_t bin) const { return bin < plot_.counts.size() ? plot_.counts[bin] : 0; }
  double expected_of(std::size_t bin) const { return bin < plot_.expected.size() ? plot_.expected[bin] : 0; }
  double bin_of(double x) const { return (x - plot_.first_bin) / plot_.bin_width; }
  double value_of(double bin) const { return plot_.first_bin + bin * plot_.bin_width; }

  void count_hits() {
    hits_.assign(plot_.counts.size(), 0);
    if (hits_.empty()) return;
    for (const double x : plot_.hits)
      ++hits_[static_cast<std::size_t>(std::clamp(bin_of(x), 0.0, static_cast<double>(hits_.size() - 1)))];
  }

  // The bins from the first to the last one that has something to show.
  Range used() const {
    Range range{plot_.counts.size(), 0};
    for (std::size_t bin = 0; bin < std::max(plot_.counts.size(), plot_.expected.size()); ++bin)
      if (pairs_of(bin) > 0 || expected_of(bin) >= kFloor) {
        range.begin = std::min(range.begin, bin);
        range.end = bin + 1;
      }
    if (range.end == 0) range.begin = 0;
    range.end = std::max(range.end, range.begin + kFewest);
    // Includes the score at the limit of E-values even if no pair reaches it, but only if its bin is less
    // than a hundred times range.end.
    if (plot_.threshold) {
      const double bin = std::ceil(bin_of(*plot_.threshold)) + 1;
      if (bin > static_cast<double>(range.end) && bin < 100.0 * static_cast<double>(range.end))
        range.end = static_cast<std::size_t>(bin);
    }
    return range;
  }

  // Returns the end of the bulk of the scores. In the bins behind it lie at most a tenth of all pairs, those
  // among them that are no hits are at most a thousandth of all pairs, and chance gives no pairs.
  std::size_t end_of_bulk(const Range& all) const {
    std::size_t end = all.end;
    const std::uint64_t all_pairs = pairs();
    for (std::uint64_t behind = 0, hits_behind = 0; end > all.begin + kFewest; --end) {
      behind += pairs_of(end - 1);
      hits_behind += end <= hits_.size() ? hits_[end - 1] : 0;
      if (behind > all_pairs / 10 || behind - hits_behind > all_pairs / 1000) break;
      if (expected_of(end - 1) >= kFloor) break;
    }
    return end;
  }

  void lay_out() {
    const Range all = used();
    Range main{all.begin, end_of_bulk(all)};
    main.end += main.size() / 4;
    if (all.size() <= 3 * main.size()) {
      add_panel(kLeft, kRight, all);
    } else {
      const double end = kLeft + kMainPart * (kRight - kLeft);
      add_panel(kLeft, end, main);
      add_panel(end + kBreak, kRight, {panels_[0].bins.end, all.end});
    }
  }
  void add_panel(double left, double right, Range bins) {
    const double at_least = kNarrowestBar * static_cast<double>(bins.size()) / (right - left);
    Panel panel{left, right, bins, static_cast<std::size_t>(round_step(at_least, 1)), {}};
    const std::size_t bars = (bins.size() + panel.merged - 1) / panel.merged;
    panel.bins.end = bins.begin + bars * panel.merged;
    panel.bars.resize(bars);
    for (std::size_t bin = panel.bins.begin; bin < panel.bins.end; ++bin) {
      Bar& bar = panel.bars[(bin - bins.begin) / panel.merged];
      bar.pairs += pairs_of(bin);
      bar.hits += bin < hits_.size() ? hits_[bin] : 0;
      bar.expected += expected_of(bin);
    }
    panels_.push_back(std::move(panel));
  }

  double y(double count) const {
    return kBottom - (kBottom - kTop) * std::log(count / kFloor) / std::log(highest_ / kFloor);
  }

  void head() {
    add("<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
        "height=\"{1}\" font-family=\"Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif\" "
        "role=\"img\" aria-labelledby=\"score-plot-title score-plot-desc\">\n",
        kWidth, kHeight);
    add("<title id=\"score-plot-title\">{}</title>\n", escaped(plot_.title));
    add("<desc id=\"score-plot-desc\">{}</desc>\n", escaped(description()));
    add("<rect width=\"{}\" height=\"{}\" fill=\"#ffffff\"/>\n", kWidth, kHeight);
    add("<clipPath id=\"score-plot-area\"><rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/></clipPath>\n",
        kLeft, kTop, kRight - kLeft, kBottom - kTop);
    fitting_label(38, 19, kInk, plot_.title);
    fitting_label(62, 13, kFaint, plot_.subtitle);
  }
  // A label in a smaller font if the words would not fit.
  void fitting_label(double y, double size, std::string_view colour, std::string_view words) {
    constexpr double kOfSize = 0.58;  // width of a letter, relative to the font size
    size = std::min(size, (kWidth - 2 * kMargin) /
                              (kOfSize * static_cast<double>(std::max<std::size_t>(words.size(), 1))));
    label(kMargin, y, "start", size, colour, words);
  }
  std::string description() const {
    std::string words = fmt::format("Histogram of {} by {}, counts on a logarithmic axis",
                                    counted(pairs(), "pair"), plot_.x_label);
    if (!plot_.expected.empty()) words += ", with the number expected by chance";
    words += ". " + counted(plot_.hits.size(), "reported hit");
    if (!plot_.hits.empty()) {
      const auto [least, most] = std::minmax_element(plot_.hits.begin(), plot_.hits.end());
      words += fmt::format(", from {} to {}", number(*least), number(*most));
    }
    words += '.';
    if (plot_.threshold) words += fmt::format(" The limit of E-values lies at {}.", number(*plot_.threshold));
    if (!plot_.note.empty()) words += ' ' + plot_.note;
    return words;
  }

  void legend() {
    constexpr double kY = 90, kSample = 22, kLetter = 6.6, kSpace = 26;
    double x = kLeft;
    const auto entry = [&](auto&& sample, const std::string& words) {
      sample();
      label(x + kSample + 7, kY, "start", 12.5, kInk, words);
      x += kSample + 7 + kLetter * static_cast<double>(words.size()) + kSpace;
    };
    const auto box = [&](std::string_view colour) {
      return [&, colour] {
        add("<rect x=\"{:.1f}\" y=\"{}\" width=\"{}\" height=\"11\" fill=\"{}\"/>\n", x, kY - 10, kSample,
            colour);
      };
    };
    entry(box(kPairs), counted(pairs(), "pair") + (pairs() > 0 ? " (grey alone: not reported)" : ""));
    entry(box(kHits), counted(plot_.hits.size(), "reported hit"));
    if (!plot_.expected.empty())
      entry([&] { line(x, kY - 4.5, x + kSample, kY - 4.5, kExpected, " stroke-width=\"2\""); },
            "expected by chance");
    if (plot_.threshold)
      entry([&] { line(x + kSample / 2, kY - 12, x + kSample / 2, kY + 3, kInk, kDashes); },
            "limit of E-values at " + number(*plot_.threshold));
  }

  void counts_axis() {
    add("<g id=\"counts\">\n");
    const bool fine = highest_ < 200;
    const int powers = static_cast<int>(std::ceil(std::log10(highest_)));
    for (int power = 0; power < powers; ++power)
      for (const double digit : {1, 2, 5}) {
        const double count = digit * std::pow(10, power);
        if (count > highest_ || (digit > 1 && !fine)) continue;
        for (const Panel& panel : panels_) line(panel.left, y(count), panel.right, y(count), kGrid);
        label(kLeft - 8, y(count) + 4, "end", 12, kInk, number(count));
      }
    add("</g>\n<text transform=\"translate({} {}) rotate(-90)\" text-anchor=\"middle\" font-size=\"13\" "
        "fill=\"{}\">pairs</text>\n",
        kMargin - 4, (kTop + kBottom) / 2, kInk);
  }

  void draw(const Panel& panel) {
    const double width = panel.width_of_bar();
    draw_bars(panel, kPairs, "pairs", width, &Bar::pairs);
    draw_bars(panel, kHits, "hits", width, &Bar::hits);
    if (!plot_.expected.empty()) {
      add("<polyline class=\"expected\" clip-path=\"url(#score-plot-area)\" fill=\"none\" stroke=\"{}\" "
          "stroke-width=\"2\" stroke-linejoin=\"round\" points=\"",
          kExpected);
      double x = panel.left - width / 2;
      for (const Bar& bar : panel.bars) {
        x += width;
        if (bar.expected >= kFloor / 1000) add("{:.1f},{:.1f} ", x, y(bar.expected));
      }
      add("\"/>\n");
    }
    scores_axis(panel);
  }
  void draw_bars(const Panel& panel, std::string_view colour, std::string_view what, double width,
                 std::uint64_t Bar::*count) {
    const double space = width > 5 ? 1 : 0;
    add("<g class=\"{}\" fill=\"{}\">\n", what, colour);
    double x = panel.left;
    for (const Bar& bar : panel.bars) {
      if (bar.*count > 0) {
        const double top = y(static_cast<double>(bar.*count));
        add("<rect x=\"{:.2f}\" y=\"{:.1f}\" width=\"{:.2f}\" height=\"{:.1f}\"/>\n", x, top, width - space,
            kBottom - top);
      }
      x += width;
    }
    add("</g>\n");
  }

  void scores_axis(const Panel& panel) {
    constexpr double kTickSpace = 60;
    const double begin = value_of(static_cast<double>(panel.bins.begin));
    const double end = value_of(static_cast<double>(panel.bins.end));
    const double scale = (panel.right - panel.left) / (end - begin);
    line(panel.left, kBottom, panel.right, kBottom, kInk);
    const double step = round_step(kTickSpace / scale, plot_.bin_width < 1 ? 1e-6 : 1);
    add("<g class=\"scores\">\n");
    const auto last = static_cast<std::int64_t>(std::floor(end / step));
    for (auto k = static_cast<std::int64_t>(std::ceil(begin / step)); k <= last; ++k) {
      const double score = static_cast<double>(k) * step;
      const double x = panel.left + (score - begin) * scale;
      line(x, kBottom, x, kBottom + 6, kInk);
      label(x, kBottom + 21, "middle", 12, kInk, number(score));
    }
    add("</g>\n");
    std::string words = &panel == &panels_[0] ? plot_.x_label : "";
    if (panels_.size() > 1 || panel.merged > 1) {
      words += fmt::format("{}bars of {}", words.empty() ? "" : ", ",
                           number(static_cast<double>(panel.merged) * plot_.bin_width));
    }
    label((panel.left + panel.right) / 2, kBottom + 48, "middle", 13, kInk, words);
    if (plot_.threshold && *plot_.threshold >= begin && *plot_.threshold < end) {
      const double x = panel.left + (*plot_.threshold - begin) * scale;
      line(x, kTop, x, kBottom, kInk, kDashes);
    }
  }

  void mark_break() {
    for (const double x : {panels_[0].right, panels_[1].left})
      line(x - 4, kBottom + 7, x + 4, kBottom - 7, kInk);
  }

  static constexpr std::string_view kDashes = " stroke-dasharray=\"5 4\" stroke-width=\"1.3\"";

  const ScorePlot& plot_;
  std::vector<std::uint64_t> hits_;  // hits in each bin
  std::vector<Panel> panels_;
  double highest_ = 10;
  Text text_;
};

}  // namespace

std::string score_plot_svg(const ScorePlot& plot) { return Drawing(plot).svg(); }

}  // namespace alnus::io

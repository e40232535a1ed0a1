// The costs of calls in words.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "alnus/cost.h"
#include "alnus/text.h"

namespace alnus {
namespace {

// The number with one decimal, if it is below 10 and the decimal is not 0; else without decimals.
std::string rounded(double number) {
  const double tenths = std::round(10 * number) / 10;
  return fmt::format("{:.{}f}", number, tenths < 10 && tenths != std::round(tenths) ? 1 : 0);
}

// " on this CPU", or " on cuda:0 and cuda:1"; empty if there are no devices.
std::string on_devices(const std::vector<std::string>& devices) {
  if (devices.empty()) return "";
  if (devices == std::vector<std::string>{"cpu"}) return " on this CPU";
  if (devices.size() == 1) return " on " + devices.front();
  return fmt::format(" on {} and {}", fmt::join(devices.begin(), devices.end() - 1, ", "), devices.back());
}

}  // namespace

std::string format_duration(double seconds) {
  constexpr double kMinute = 60, kHour = 3600, kDay = 24 * kHour, kYear = 365.25 * kDay;
  if (seconds < 1) return "less than a second";
  if (seconds < 59.5) return fmt::format("{:.0f} s", seconds);
  if (seconds < 59.5 * kMinute) return rounded(seconds / kMinute) + " min";
  if (seconds < 9.99 * kHour) {
    const auto tens = std::llround(seconds / (10 * kMinute));  // in units of 10 minutes
    return tens % 6 == 0 ? fmt::format("{} h", tens / 6)
                         : fmt::format("{} h {} min", tens / 6, 10 * (tens % 6));
  }
  if (seconds < 47.5 * kHour) return fmt::format("{:.0f} h", seconds / kHour);
  if (seconds < 2 * kYear) return rounded(seconds / kDay) + " days";
  const double years = seconds / kYear;
  return (years < 1000 ? rounded(years) : format_count(static_cast<std::uint64_t>(std::min(years, 1e18)))) +
         " years";
}

std::string expected_time(const Cost& cost) {
  return fmt::format("{}{} if nothing else runs", format_duration(cost.seconds), on_devices(cost.devices));
}

double expected_output_bytes(const Cost& cost, const OutputFormat& format, const SequenceSet& queries,
                             const SequenceSet& subjects) {
  const double of_rows =
      cost.rows == 0 ? 0 : static_cast<double>(cost.rows) * expected_row_bytes(format, queries, subjects);
  return of_rows + static_cast<double>(cost.matrix_bytes);
}

std::string describe(const Cost& cost, double output_bytes) {
  std::string text = fmt::format(
      "queries: {}\nsubjects: {}\npairs: {}\ncells: {}\n"
      "expected time: {}, mostly right within a factor of 3{}{}\n",
      format_count(cost.queries), format_count(cost.subjects), format_count(cost.pairs),
      format_count(cost.cells), expected_time(cost),
      cost.calibration_seconds > 0
          ? fmt::format("; of this, {} are a simulation that finds the statistics of the scoring, once",
                        format_duration(cost.calibration_seconds))
          : "",
      cost.any_alignments
          ? "; pairs that are aligned for filters come on top, and how many is not known before the run"
          : "");
  const bool other_outputs = cost.edges || cost.matrix_bytes > 0;
  if (cost.rows > 0 || !other_outputs)
    text += cost.any_rows
                ? fmt::format("output rows: {} if each pair has 16; how many is not known before the run\n",
                              format_count(cost.rows))
                : fmt::format("output rows: at most {}\n", format_count(cost.rows));
  if (cost.edges)
    text += fmt::format("edges: at most {} (how many pass is not known before the run)\n",
                        format_count(*cost.edges));
  if (output_bytes > 0 || !cost.edges)
    text += fmt::format("output bytes: about {} ({}{})\n",
                        format_count(static_cast<std::uint64_t>(std::llround(output_bytes))),
                        format_bytes(output_bytes), cost.edges ? ", without the edges" : "");
  return text;
}

}  // namespace alnus

#include "io/html_report/page.h"

#include <fmt/format.h>

#include "core/embedded.h"
#include "io/html_report/block.h"
#include "io/sha2.h"

namespace alnus::io {
namespace {

constexpr EmbeddedFile kReportPageFiles[] = {
#include "report_data.inc"
};

constexpr std::string_view kReportScripts[] = {
    "dom.js",     "data.js",      "values.js", "table.js",   "graphic.js", "alignment.js", "downloads.js",
    "heatmap.js", "tableview.js", "panel.js",  "queries.js", "summary.js", "page.js"};

std::string_view page_file(std::string_view name) { return embedded_text(name, kReportPageFiles); }

std::string hash_for_policy(std::string_view text) {
  const Sha256Bytes hash = sha256_bytes(text);
  return base64({reinterpret_cast<const char*>(hash.data()), hash.size()});
}

}  // namespace

std::string_view report_template() { return page_file("page.html"); }

std::string_view report_style() { return page_file("page.css"); }

std::string_view report_script() {
  static const std::string kJoined = [] {
    std::string joined;
    for (const std::string_view name : kReportScripts) joined += page_file(name);
    return joined;
  }();
  return kJoined;
}

std::string report_policy() {
  return fmt::format("default-src 'none'; script-src 'sha256-{}'; style-src 'sha256-{}'",
                     hash_for_policy(report_script()), hash_for_policy(report_style()));
}

}  // namespace alnus::io

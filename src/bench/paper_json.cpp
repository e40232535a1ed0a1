#include <nlohmann/json.hpp>
#include <utility>

#include "bench/paper_compare.h"
#include "bench/paper_report.h"
#include "bench/speed_report.h"

namespace alnus::bench {
namespace {

using Json = nlohmann::ordered_json;

Json figure_json(const PaperSeries& series, const PaperFigure* figure, const PaperFigure* ratio_of) {
  if (figure == nullptr) return nullptr;
  Json json;
  for (const std::string& unit : series.units)
    if (const auto value = value_in(unit, figure, ratio_of)) json[unit] = *value;
  append(figure->measured, json);
  json["pairs"] = figure->pairs;
  json["part"] = figure->part;
  json["subjects"] = {{"sequences", figure->subjects.sequences},
                      {"distinct", figure->subjects.distinct},
                      {"residues", figure->subjects.residues},
                      {"longest", figure->subjects.longest}};
  return json;
}

Json series_json(const PaperTable& table, const PaperFigures& figures, std::size_t place) {
  const PaperSeries& series = table.series[place];
  Json json = {
      {"title", series.title}, {"units", series.units}, {"method", series.method}, {"rows", Json::array()}};
  for (const PaperRow& row : table.rows) {
    const PaperCell& cell = row.cells[place];
    const Compared compared(figures, series, cell);
    json["rows"].push_back({{"labels", row.labels},
                            {"paper", cell.printed},
                            {"method", figure_json(series, compared.method, compared.method_ratio_of)},
                            {"alnus", figure_json(series, compared.alnus, compared.alnus_ratio_of)}});
  }
  json["alnus_batch"] = figure_json(series, figures.batch(table, place), nullptr);
  return json;
}

}  // namespace

std::string as_json(const PaperReport& report, const std::string& command_line) {
  Json json = machine_json(command_line, report.devices);
  json["source"] = {{"file", report.file}, {"sequences", report.sequences}, {"residues", report.residues}};
  json["part"] = report.part;
  json["seconds"] = report.seconds;
  json["papers"] = Json::array();
  for (const auto& [paper, figures] : report.results) {
    Json of_paper = {{"name", paper.name},
                     {"title", paper.title},
                     {"hardware", paper.hardware},
                     {"seconds", figures.seconds()},
                     {"tables", Json::array()}};
    for (const PaperTable& table : paper.tables) {
      Json of_table = {{"name", table.name}, {"caption", table.caption}, {"series", Json::array()}};
      for (std::size_t i = 0; i < table.series.size(); ++i)
        of_table["series"].push_back(series_json(table, figures, i));
      of_paper["tables"].push_back(std::move(of_table));
    }
    json["papers"].push_back(std::move(of_paper));
  }
  return dump(json);
}

}  // namespace alnus::bench

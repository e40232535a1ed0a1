// Texts and JSON that the reports of all measurements share.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "bench/measure.h"

namespace alnus::bench {

std::string milliseconds(double seconds);
std::string format_checksum(std::uint64_t checksum);

// "BLOSUM62, gaps 11/1"
std::string describe_costs(const Scoring& scoring);

// The first lines of a report: the program, the processor, the devices.
std::string describe_machine(std::span<const DeviceInfo> devices);

// A row of a table: its titles, and its cells for one measurement.
std::vector<std::string> measurement_columns();
std::vector<std::string> cells_of(const Measurement& measured);

// Each column is as wide as its widest cell; all but the first are aligned to the right.
std::string aligned(std::span<const std::vector<std::string>> rows);

// The beginning of a report as JSON, and what a measurement adds to its line.
nlohmann::ordered_json machine_json(const std::string& command_line, std::span<const DeviceInfo> devices);
void append(const Measurement& measured, nlohmann::ordered_json& line);
std::string dump(const nlohmann::ordered_json& report);

}  // namespace alnus::bench

// What the reports of all measurements share: texts and JSON.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "cli/bench_measure.h"

namespace alnus::cli {

std::string milliseconds(double seconds);
std::string format_checksum(std::uint64_t checksum);

// "BLOSUM62, gaps 11/1"
std::string describe_costs(const Scoring& scoring);

// Lines of a report's head: the program, the processor, the devices.
std::string describe_machine(std::span<const DeviceInfo> devices);

// The header line of what cells_of() gives: cells, milliseconds, speed.
std::vector<std::string> measurement_columns();
std::vector<std::string> cells_of(const Measurement& measured);

// Columns as wide as what is in them; all but the first on the right.
std::string aligned(std::span<const std::vector<std::string>> rows);

// The beginning of a report, and what it has for each measurement.
nlohmann::ordered_json machine_json(const std::string& command_line, std::span<const DeviceInfo> devices);
void append(const Measurement& measured, nlohmann::ordered_json& line);
std::string dump(const nlohmann::ordered_json& report);

}  // namespace alnus::cli

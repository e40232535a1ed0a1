// The texts and the JSON that the reports of all measurements share.
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

// The matrix and the gap costs: "BLOSUM62, gaps 11/1".
std::string describe_costs(const Scoring& scoring);

// The first lines of a report: the program, the processor, the devices.
std::string describe_machine(std::span<const DeviceInfo> devices);

// The columns that a measurement has in a table: their titles, and their cells in one row.
std::vector<std::string> measurement_columns();
std::vector<std::string> cells_of(const Measurement& measured);

// Each column is as wide as its widest cell; all but the first are aligned to the right.
std::string aligned(std::span<const std::vector<std::string>> rows);

// machine_json() begins a report as JSON, append() adds a measurement to its line, and dump() makes the text.
nlohmann::ordered_json machine_json(const std::string& command_line, std::span<const DeviceInfo> devices);
void append(const Measurement& measured, nlohmann::ordered_json& line);
std::string dump(const nlohmann::ordered_json& report);

}  // namespace alnus::bench

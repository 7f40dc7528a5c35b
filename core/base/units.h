#pragma once
// Units — the one place where quantities become text and text becomes quantities.
//
// Parsing: "64K", "64Ki", "64KiB" are binary (65,536); "64kB", "64KB" decimal (64,000); a bare number is
// itself. Printing: decimal units (1 GB = 1e9 bytes), three significant digits, "C" locale always.

#include <cstdint>
#include <string>
#include <string_view>

namespace perflab {

std::int64_t parse_count(
    std::string_view text);  // Error(usage) on anything that is not a whole number with a known suffix
std::string format_bytes(double bytes);            // "1.20 GB"
std::string format_time(double seconds);           // "3.40 ms"
std::string format_rate(double bytes_per_second);  // "1.20 GB/s"
std::string format_number(
    double value);  // shortest text that reads back as the same double; never inf or nan
double parse_number(std::string_view text);  // strict, "C" locale; Error(data)

}  // namespace perflab

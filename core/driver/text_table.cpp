#include "driver/text_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "base/units.h"

namespace perflab {
namespace {

// Characters, not bytes: figures hold signs such as µ and ×.
std::size_t width_of(const std::string& text) {
  return std::size_t(std::count_if(text.begin(), text.end(),
                                   [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

}  // namespace

std::string aligned(const std::vector<std::vector<std::string>>& lines) {
  std::vector<std::size_t> widths;
  for (const auto& line : lines) {
    widths.resize(std::max(widths.size(), line.size()), 0);
    for (std::size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], width_of(line[i]));
  }
  std::string text;
  for (const auto& line : lines) {
    for (std::size_t i = 0; i + 1 < line.size(); ++i)
      text += line[i] + std::string(widths[i] - width_of(line[i]) + 2, ' ');
    text += (line.empty() ? "" : line.back()) + "\n";
  }
  return text;
}

// Whole numbers up to a million are written out: 8600, not 8.6e+03.
std::string three_digits(const std::string& number) {
  if (number.empty()) return "";
  const double value = parse_number(number), size = std::fabs(value);
  if (size >= 999.5 && size < 1e6) {
    const double step = size >= 1e5 ? 1000 : size >= 1e4 ? 100 : 10;
    return fmt::format("{:.0f}", std::round(value / step) * step);
  }
  return fmt::format("{:.3g}", value);
}

std::string wrapped(const std::string& text, std::size_t width, const std::string& indent) {
  std::istringstream words(text);
  std::string lines, line, word;
  while (words >> word) {
    if (!line.empty() && width_of(line) + 1 + width_of(word) > width) {
      lines += indent + line + "\n";
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word;
  }
  return lines + (line.empty() ? "" : indent + line + "\n");
}

}  // namespace perflab

#include "driver/number_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace perflab {
namespace {

constexpr double log_from_ratio = 3;
constexpr int most_ticks = 6, label_width = 11;
// Beyond them a decade's end is 0 or infinite, and ticks would never get there.
constexpr double least_decade = 1e-300, largest_decade = 1e300;

struct Scale {
  bool log;
  double lo, hi;
  int width;

  int column(double value) const {
    const double place = log ? std::log(value / lo) / std::log(hi / lo) : (value - lo) / (hi - lo);
    return std::clamp(int(std::lround(place * (width - 1))), 0, width - 1);
  }
};

// From whole decades, or from round numbers a little outside of everything.
Scale scale_for(double low, double high, int width) {
  if (low > 0 && high / low > log_from_ratio)
    return {true, std::max(least_decade, std::pow(10, std::floor(std::log10(low) + 1e-9))),
            std::min(largest_decade, std::pow(10, std::ceil(std::log10(high) - 1e-9))), width};
  const double from = low >= 0 ? 0 : low * 1.2, to = high > 0 ? high * 1.2 : 0;
  return from < to ? Scale{false, from, to, width} : Scale{false, -1, 1, width};
}

std::vector<double> one_two_five(const Scale& scale) {
  std::vector<double> ticks;
  for (double decade = scale.lo; decade <= scale.hi * 1.001; decade *= 10)
    for (const double step : {1, 2, 5})
      if (decade * step <= scale.hi * 1.001) ticks.push_back(decade * step);
  return ticks;
}

std::vector<double> ticks_of(const Scale& scale) {
  std::vector<double> ticks;
  if (scale.log) {
    const double decades = std::log10(scale.hi / scale.lo);
    if (decades < 2.5) return one_two_five(scale);
    const double factor = std::pow(10, std::max(1.0, std::ceil(decades / (most_ticks - 1))));
    for (double tick = scale.lo; tick <= scale.hi * 1.001; tick *= factor) ticks.push_back(tick);
    return ticks;
  }
  const double rough = (scale.hi - scale.lo) / 4, power = std::pow(10, std::floor(std::log10(rough)));
  const double step = power * (rough / power >= 5 ? 5 : rough / power >= 2 ? 2 : 1);
  for (double tick = std::ceil(scale.lo / step) * step; tick <= scale.hi * 1.001; tick += step)
    ticks.push_back(std::fabs(tick) < step / 1e6 ? 0 : tick);
  return ticks;
}

std::string bar(const Scale& scale, const Span& span, char point) {
  const int from = scale.column(span.lo), to = scale.column(span.hi);
  std::string text(std::size_t(to) + 1, ' ');
  if (to - from < 2) text.back() = point;  // too narrow for a bar
  else {
    std::fill(text.begin() + from, text.end(), '=');
    text[std::size_t(from)] = '|';
    text.back() = '|';
  }
  return text;
}

std::string row(const char* label, const std::string& text) {
  return fmt::format("  {:<{}}{}\n", label, label_width, text);
}

std::string tick_text(double tick) {
  return std::fabs(tick) < 1e6 && std::fabs(tick) >= 1000 ? fmt::format("{:.0f}", tick)
                                                          : fmt::format("{:.3g}", tick);
}

std::string axis(const Scale& scale) {
  std::string line(std::size_t(scale.width), '-'), labels;
  for (const double tick : ticks_of(scale)) {
    const auto at = std::size_t(scale.column(tick));
    line[at] = '+';
    if (!labels.empty() && labels.size() + 1 > at) continue;  // no room
    labels.resize(at, ' ');
    labels += tick_text(tick);
  }
  return row("", line) + row("", labels);
}

}  // namespace

std::string number_line(const std::optional<Span>& predicted, const Span& measured, int width) {
  const Span said = predicted.value_or(measured);
  const Scale scale = scale_for(std::min(said.lo, measured.lo), std::max(said.hi, measured.hi), width);
  return (predicted ? row("you", bar(scale, said, 'o')) : "") + row("measured", bar(scale, measured, '#')) +
         axis(scale);
}

}  // namespace perflab

#pragma once
// NumberLine — a prediction and a measurement on one scale, in plain characters:
//
//   you       |=======|
//   measured                                   #
//             +-----+-------+------+-----+-------+------+
//             1     2       5      10    20      50     100
//
// The scale is logarithmic where everything is positive and spans more than a factor of three. Pure.

#include <optional>
#include <string>

namespace perflab {

struct Span {
  double lo = 0, hi = 0;
};

std::string number_line(const std::optional<Span>& predicted, const Span& measured, int width = 50);

}  // namespace perflab

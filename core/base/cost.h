#pragma once
// Cost — the useful work of one call: what every rate in a chart is divided by.
//
// Useful bytes only: what the algorithm must move, not what the cache happens to (a plain store's
// read-for-ownership is not counted). flops counts additions and multiplications in floating point, a fused
// multiply-add as two.

namespace perflab {

struct Cost {
  double flops = 0;
  double bytes_read = 0;
  double bytes_written = 0;

  double bytes() const { return bytes_read + bytes_written; }
  // Operations per byte, the x axis of a roofline; 0 when nothing is moved.
  double intensity() const { return bytes() > 0 ? flops / bytes() : 0; }
};

}  // namespace perflab

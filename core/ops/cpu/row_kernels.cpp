#include "ops/cpu/row_kernels.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "ops/cpu/row_storage.h"
#include "ops/functors.h"

namespace perflab {
namespace {

// body(row, index) over the rows of the operand.
template <typename Body>
void over_rows(const Operand& operand, StreamContext& context, const Body& body) {
  const std::int64_t length = operand.shape[-1];
  const std::int64_t rows = length > 0 ? operand.shape.elements() / length : 0;
  for_each_row(context, rows, length, [&](std::int64_t index, const Row& row) { body(row, index, length); });
}

template <typename Combiner>
float reduce_as_stored(const Row& row, const SourceRow& x) {
  return row.reduce<Combiner>(
      [&](std::int64_t begin, std::int64_t count, float* tile) { return x.read(begin, count, tile); });
}

void set_element(const Operand& out, std::int64_t index, float value) {
  const TargetRow target(out, index, 1);
  *target.place(0, &value) = value;
  target.write(0, 1, &value);
}

// y = map(x, i), element by element of the row; i is the index in the row.
template <typename Map>
void map_row(const Row& row, const SourceRow& x, const TargetRow& y, const Map& map) {
  row.each_chunk([&](std::int64_t begin, std::int64_t count, float* tile) {
    const float* from = x.read(begin, count, tile);
    float* to = y.place(begin, tile);
    for_chunk(count, to, [&](std::int64_t i) { return map(from[i]); });
    y.write(begin, count, to);
  });
}
template <typename Map>
void map_rows(const Row& row, const SourceRow& x, const SourceRow& z, const TargetRow& y, const Map& map) {
  row.each_chunk([&](std::int64_t begin, std::int64_t count, float* tile) {
    Tile second;
    const float* from = x.read(begin, count, tile);
    const float* other = z.read(begin, count, second.data());
    float* to = y.place(begin, tile);
    for_chunk(count, to, [&](std::int64_t i) { return map(from[i], other[i]); });
    y.write(begin, count, to);
  });
}
template <typename Combiner, typename Map>
float reduce_mapped(const Row& row, const SourceRow& x, const Map& map) {
  return row.reduce<Combiner>([&](std::int64_t begin, std::int64_t count, float* tile) {
    const float* from = x.read(begin, count, tile);
    for_chunk(count, tile, [&](std::int64_t i) { return map(from[i]); });
    return tile;
  });
}
template <typename Combiner, typename Map>
float reduce_mapped(const Row& row, const SourceRow& x, const SourceRow& z, const Map& map) {
  return row.reduce<Combiner>([&](std::int64_t begin, std::int64_t count, float* tile) {
    Tile second;
    const float* from = x.read(begin, count, tile);
    const float* other = z.read(begin, count, second.data());
    for_chunk(count, tile, [&](std::int64_t i) { return map(from[i], other[i]); });
    return tile;
  });
}

struct Exponentials {  // of a row: its maximum and the sum of exp(x - maximum)
  float most, sum;
};
Exponentials exponentials(const Row& row, const SourceRow& x) {
  const float most = reduce_as_stored<Max>(row, x);
  return {most, reduce_mapped<Sum>(row, x, [most](float value) { return functors::exp{}(value - most); })};
}

// y = factor * softmax of x. f32 keeps the exponentials in the output and scales them there; 16 bits would
// round them, so they are made anew.
void scaled_softmax(const Row& row, const SourceRow& x, const TargetRow& y, float factor) {
  const float most = reduce_as_stored<Max>(row, x);
  const auto exponentials_of = [&](std::int64_t begin, std::int64_t count, float* tile) {
    const float* from = x.read(begin, count, tile);
    float* to = y.place(begin, tile);
    for_chunk(count, to, [&](std::int64_t i) { return functors::exp{}(from[i] - most); });
    return to;
  };
  const float scale = factor / row.reduce<Sum>(exponentials_of);
  row.each_chunk([&](std::int64_t begin, std::int64_t count, float* tile) {
    float* values = y.in_place() ? y.place(begin, tile) : exponentials_of(begin, count, tile);
    for_chunk(count, values, [&](std::int64_t i) { return values[i] * scale; });
    y.write(begin, count, values);
  });
}

struct Moments {
  float mean, rstd;
};
Moments moments(const Row& row, const SourceRow& x, float epsilon) {
  const float mean = reduce_as_stored<Mean>(row, x);
  const float variance =
      reduce_mapped<Mean>(row, x, [mean](float value) { return (value - mean) * (value - mean); });
  return {mean, 1.0f / std::sqrt(variance + epsilon)};
}

std::int32_t label_of(const Operand& labels, std::int64_t row, std::int64_t classes) {
  const std::int32_t label = labels.as<const std::int32_t>()[row];
  if (label < 0 || label >= classes)
    fail(ErrorKind::data, "cross_entropy: the label of row {} is {}; want 0..{}", row, label, classes - 1);
  return label;
}

}  // namespace

void row_sum_kernel(const KernelArgs& args, StreamContext& context) {
  for_each_row(context, args.out.shape.elements(), args.in[0].shape[-1], [&](std::int64_t i, const Row& row) {
    set_element(args.out, i, reduce_as_stored<Sum>(row, {args.in[0], i, args.in[0].shape[-1]}));
  });
}

void row_max_kernel(const KernelArgs& args, StreamContext& context) {
  over_rows(args.in[0], context, [&](const Row& row, std::int64_t i, std::int64_t length) {
    set_element(args.out, i, reduce_as_stored<Max>(row, {args.in[0], i, length}));
  });
}

void softmax_kernel(const KernelArgs& args, StreamContext& context) {
  over_rows(args.in[0], context, [&](const Row& row, std::int64_t i, std::int64_t length) {
    scaled_softmax(row, {args.in[0], i, length}, {args.out, i, length}, 1);
  });
}

void log_softmax_kernel(const KernelArgs& args, StreamContext& context) {
  over_rows(args.in[0], context, [&](const Row& row, std::int64_t i, std::int64_t length) {
    const SourceRow x(args.in[0], i, length);
    const Exponentials e = exponentials(row, x);
    const float log_sum = functors::log{}(e.sum);
    map_row(row, x, {args.out, i, length}, [=](float value) { return (value - e.most) - log_sum; });
  });
}

void layer_norm_kernel(const KernelArgs& args, StreamContext& context) {
  over_rows(args.in[0], context, [&](const Row& row, std::int64_t i, std::int64_t length) {
    const SourceRow x(args.in[0], i, length);
    const Moments m = moments(row, x, args.a);
    map_row(row, x, {args.out, i, length}, [=](float value) { return (value - m.mean) * m.rstd; });
  });
}

void cross_entropy_kernel(const KernelArgs& args, StreamContext& context) {
  const std::int64_t classes = args.in[0].shape[-1];
  for_each_row(context, args.in[0].shape[0], classes, [&](std::int64_t i, const Row& row) {
    const std::int32_t label = label_of(args.in[1], i, classes);
    const Exponentials e = exponentials(row, {args.in[0], i, classes});
    const float logit = args.in[0].as<const float>()[i * classes + label];
    args.out.as<float>()[i] = functors::log{}(e.sum) - (logit - e.most);
  });
}

void row_broadcast_kernel(const KernelArgs& args, StreamContext& context) {
  over_rows(args.out, context, [&](const Row& row, std::int64_t i, std::int64_t length) {
    float buffer = 0;
    const float value = *SourceRow(args.in[0], i, 1).read(0, 1, &buffer);
    const TargetRow y(args.out, i, length);
    row.each_chunk([&](std::int64_t begin, std::int64_t count, float* tile) {
      float* to = y.place(begin, tile);
      std::fill_n(to, count, value);
      y.write(begin, count, to);
    });
  });
}

void row_max_grad_kernel(const KernelArgs& args, StreamContext& context) {
  over_rows(args.in[0], context, [&](const Row& row, std::int64_t i, std::int64_t length) {
    const SourceRow x(args.in[0], i, length);
    float buffers[2];
    const float most = *SourceRow(args.in[1], i, 1).read(0, 1, &buffers[0]);
    const float d = *SourceRow(args.in[2], i, 1).read(0, 1, &buffers[1]);
    const float ties =
        reduce_mapped<Sum>(row, x, [most](float value) { return value == most ? 1.0f : 0.0f; });
    const float elsewhere = std::isnan(most) ? most : 0.0f;
    map_row(row, x, {args.out, i, length}, [=](float value) { return value == most ? d / ties : elsewhere; });
  });
}

void softmax_grad_kernel(const KernelArgs& args, StreamContext& context) {
  over_rows(args.out, context, [&](const Row& row, std::int64_t i, std::int64_t length) {
    const SourceRow y(args.in[0], i, length), d(args.in[1], i, length);
    const float dot = reduce_mapped<Sum>(row, y, d, [](float a, float b) { return a * b; });
    map_rows(row, y, d, {args.out, i, length}, [=](float a, float b) { return a * (b - dot); });
  });
}

void log_softmax_grad_kernel(const KernelArgs& args, StreamContext& context) {
  over_rows(args.out, context, [&](const Row& row, std::int64_t i, std::int64_t length) {
    const SourceRow y(args.in[0], i, length), d(args.in[1], i, length);
    const float sum = reduce_as_stored<Sum>(row, d);
    map_rows(row, y, d, {args.out, i, length}, [=](float a, float b) { return b - functors::exp{}(a)*sum; });
  });
}

void layer_norm_grad_kernel(const KernelArgs& args, StreamContext& context) {
  over_rows(args.out, context, [&](const Row& row, std::int64_t i, std::int64_t length) {
    const SourceRow x(args.in[0], i, length), d(args.in[1], i, length);
    const Moments m = moments(row, x, args.a);
    const float mean_d = reduce_as_stored<Mean>(row, d);
    const float mean_product = reduce_mapped<Mean>(
        row, x, d, [=](float value, float slope) { return (value - m.mean) * m.rstd * slope; });
    map_rows(row, x, d, {args.out, i, length}, [=](float value, float slope) {
      return m.rstd * ((slope - mean_d) - (value - m.mean) * m.rstd * mean_product);
    });
  });
}

void cross_entropy_grad_kernel(const KernelArgs& args, StreamContext& context) {
  over_rows(args.out, context, [&](const Row& row, std::int64_t i, std::int64_t length) {
    const std::int32_t label = label_of(args.in[1], i, length);
    const float d = args.in[2].as<const float>()[i];
    scaled_softmax(row, {args.in[0], i, length}, {args.out, i, length}, d);
    args.out.as<float>()[i * length + label] -= d;
  });
}

}  // namespace perflab

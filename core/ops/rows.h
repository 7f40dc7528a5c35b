#pragma once
// rows — the parts of the op table, one source file per family of operations; table.cpp puts them together.

#include <array>

#include "ops/op.h"

namespace perflab {

using OpTable = std::array<OpInfo, op_count>;

void add_elementwise_rows(OpTable& table);  // elementwise.cpp: op_list.h, column_sum
void add_movement_rows(OpTable& table);     // movement.cpp: cast, fill, sgd_step
void add_reduction_rows(OpTable& table);    // reductions.cpp: row_sum .. cross_entropy_grad
void add_matmul_rows(OpTable& table);       // matmul.cpp
void add_random_rows(OpTable& table);       // random_ops.cpp: uniform, normal

// Shape rules and costs that several rows share.
Result same_as_input(const Call& call);   // floating input; shape and dtype of input 0
void require_floating(const Call& call);  // every input is f32, f16 or bf16
Cost elementwise_cost(const Call& call,
                      double flops_per_element);  // reads all inputs, writes one of input 0's size

}  // namespace perflab

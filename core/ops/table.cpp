#include "base/check.h"
#include "ops/rows.h"

namespace perflab {
namespace {

OpTable build() {
  OpTable table;
  add_elementwise_rows(table);
  add_movement_rows(table);
  add_reduction_rows(table);
  add_matmul_rows(table);
  add_random_rows(table);
  for (std::size_t i = 0; i < table.size(); ++i)
    PL_CHECK(table[i].shape && table[i].cost && table[i].cpu,
             "op table: row {} ({}) is incomplete; want shape, cost, cpu", i, table[i].name);
  return table;
}

}  // namespace

const OpInfo& info(Op op) {
  static const OpTable table = build();
  return table[std::size_t(op)];
}

}  // namespace perflab

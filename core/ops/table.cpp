#include "base/check.h"
#include "base/nearest.h"
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

Op parse_op(std::string_view name) {
  std::vector<std::string> names;
  for (int i = 0; i < op_count; ++i) {
    names.emplace_back(info(Op(i)).name);
    if (names.back() == name) return Op(i);
  }
  fail(ErrorKind::usage, "{}", unknown_text("op", name, names));
}

}  // namespace perflab

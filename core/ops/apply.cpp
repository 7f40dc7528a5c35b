#include "ops/apply.h"

#include "base/check.h"
#include "engine/policy.h"

namespace perflab {
namespace {

struct Active {
  std::array<Interceptor*, slot_count> slots{};
  int count = 0;
};
constinit thread_local Active active{};

// What goes into the queue. It holds no tensors: memory given back meanwhile is reused behind this work
// (buffer.h).
struct KernelRun {
  Kernel kernel;
  KernelArgs args;
  void operator()(StreamContext& context) const { kernel(args, context); }
};
static_assert(sizeof(KernelRun) <= Task::capacity, "an operation must fit a queue slot without the heap");

Device& device_of(const Call& call, const OpInfo& row) {
  PL_CHECK(int(call.in.size()) == row.inputs, "{}: {} inputs; want {}", row.name, call.in.size(), row.inputs);
  if (call.in.empty()) {
    PL_CHECK(call.attrs.device, "{}: no device; want one in attrs, because there is no input to take it from",
             row.name);
    return *call.attrs.device;
  }
  for (const Tensor& input : call.in)
    PL_CHECK(bool(input), "{}: an empty tensor; want one that holds numbers", row.name);
  Device& device = call.in[0].device();
  for (const Tensor& input : call.in.subspan(1))
    PL_CHECK(&input.device() == &device, "{}: inputs on {} and {}; want both on one device, see Tensor::to()",
             row.name, device.name(), input.device().name());
  return device;
}

Kernel kernel_for(Kind kind, const OpInfo& row) {
  switch (kind) {
    case Kind::cpu:
      return row.cpu;
    case Kind::cuda:
      return row.cuda;
    case Kind::sim:
      break;  // it takes time and computes nothing
  }
  return nullptr;
}

// What is updated in place must not be read as another input: threads would see parts of both.
void refuse_overlap(const Call& call, const OpInfo& row) {
  for (const Tensor& input : call.in.subspan(1))
    PL_CHECK(!input.shares_memory_with(call.in[0]),
             "{}: the tensor that it updates is given as another input too; want a copy there", row.name);
}

// Field by field: a whole Operand would be put together in a temporary and copied with wide loads right
// behind its narrow stores, which the processor cannot forward.
void set(Operand& operand, const Tensor& tensor) {
  operand.data = tensor.raw_data_unsynchronised();
  operand.shape = tensor.shape();
  operand.dtype = tensor.dtype();
}

Tensor execute_call(const Call& call) {
  const OpInfo& row = info(call.op);
  Device& device = device_of(call, row);
  const Kernel kernel = kernel_for(device.kind(), row);
  PL_CHECK(kernel, "{}: {} has no kernel for it; want a device that computes", row.name, device.name());
  const Result result = row.shape(call);
  if (row.writes) refuse_overlap(call, row);

  KernelRun run{kernel, {}};
  for (std::size_t i = 0; i < call.in.size(); ++i) set(run.args.in[i], call.in[i]);
  run.args.a = call.attrs.a;
  run.args.b = call.attrs.b;
  run.args.seed = call.attrs.seed;
  run.args.n0 = call.attrs.n[0];
  run.args.trans_a = call.attrs.trans_a;
  run.args.trans_b = call.attrs.trans_b;
  Tensor out = row.writes ? call.in[0] : Tensor::empty(result.shape, result.dtype, device);
  set(run.args.out, out);  // last: what was written before has reached the cache when the whole is copied
  execute(device.stream(compute_stream), run);
  return out;
}

Tensor route(const Call& call, int slot) {
  for (; slot < slot_count; ++slot)
    if (Interceptor* interceptor = active.slots[std::size_t(slot)]) return interceptor->on(call);
  return execute_call(call);
}

}  // namespace

Tensor apply(Op op, std::span<const Tensor> in, const Attrs& attrs) {
  const Call call{op, in, attrs};
  if (active.count > 0) [[unlikely]]
    return route(call, 0);
  return execute_call(call);
}

Interceptor::Interceptor(Slot slot) : slot_(slot), outer_(active.slots[std::size_t(slot)]) {
  active.slots[std::size_t(slot)] = this;
  ++active.count;
}

Interceptor::~Interceptor() {
  active.slots[std::size_t(slot_)] = outer_;
  --active.count;
}

Tensor Interceptor::next(const Call& call) { return route(call, int(slot_) + 1); }

}  // namespace perflab

#pragma once
// apply — the waist: every operation on tensors goes through this one function.
//
// It checks, allocates the output, and gives the kernel to the engine (sync or async, engine/policy.h).
// Interceptors are RAII guards of the calling thread that see every call first, in a fixed order whatever the
// order of their construction: Autocast, GradTape, Capture, then execute. So autocast's casts are
// differentiated and gradients are captured. Errors: Error(check) for inputs of different devices, wrong
// shapes or dtypes, at the call and before anything is enqueued; what a kernel throws comes at the call under
// sync, at the next wait under async.

#include "ops/op.h"

namespace perflab {

Tensor apply(Op op, std::span<const Tensor> in, const Attrs& attrs = {});
inline Tensor apply(Op op, std::initializer_list<Tensor> in, const Attrs& attrs = {}) {
  return apply(op, std::span<const Tensor>(in.begin(), in.size()), attrs);
}

enum class Slot : std::uint8_t { autocast, tape, capture };  // outermost first
inline constexpr int slot_count = 3;

class Interceptor {
 public:
  explicit Interceptor(Slot slot);  // active on this thread from here until it is destroyed
  virtual ~Interceptor();           // the guard that the slot held before is active again
  Interceptor(const Interceptor&) = delete;
  Interceptor& operator=(const Interceptor&) = delete;

  virtual Tensor on(
      const Call& call) = 0;  // its own apply() calls start at the outermost guard again, so come back to it

 protected:
  Tensor next(const Call& call);  // the next active slot inwards, at last execution

 private:
  Slot slot_;
  Interceptor* outer_;
};

}  // namespace perflab

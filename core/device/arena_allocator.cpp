// One region, handed out front to back.
//
// When all of it has been given back it starts over. Work of before may still be using the front then: the
// same stream may have it at once, anybody else waits until that work is done. Jumping behind it instead
// would make it a matter of timing where a block lies and whether the next one still fits.

#include <algorithm>
#include <memory>
#include <vector>

#include "base/check.h"
#include "base/units.h"
#include "device/allocator_parts.h"
#include "device/device.h"
#include "device/stream.h"

namespace perflab {
namespace {

struct ArenaUser {  // a stream that took
  const Stream* stream;
  WorkPoint given_back;  // at its last giving back
  std::unique_ptr<ArenaUser> next = nullptr;
};

struct ArenaBlock : Block {
  ArenaBlock* next = nullptr;
};

// Until the point is passed. Its work may have failed; whoever synchronizes the stream is told.
void wait_for(const WorkPoint& point) {
  try {
    point.progress->wait(point.ticket);
  } catch (...) {
    if (!point.passed()) throw;  // work of that very stream, which cannot wait for itself
  }
}

class ArenaAllocator final : public AccountedAllocator {
 public:
  ArenaAllocator(Device& device, std::size_t bytes);
  ~ArenaAllocator() override;

  std::string_view name() const override { return "arena"; }
  Block* take(std::size_t bytes, Stream& stream, Use use) override;
  void give(Block* block) noexcept override;

 private:
  // With lock_ held.
  bool start_over_if_empty(std::size_t bytes);
  const ArenaUser* in_the_way(const ArenaUser& user, Use use) const;
  Block* place(ArenaBlock& block, std::size_t bytes, ArenaUser& user);

  std::shared_ptr<Mapping> memory_ = std::make_shared<Mapping>();
  std::size_t next_ = 0, used_before_ = 0;  // where the next block begins; how far pending work may reach
  PerStream<ArenaUser> users_;
  RecordStore<ArenaBlock> records_;
};

ArenaAllocator::ArenaAllocator(Device& device, std::size_t bytes) : AccountedAllocator(device) {
  if (bytes > largest_request || !fits(bytes)) fail_out_of_memory(bytes);
  *memory_ = Mapping::make(round_up(std::max<std::size_t>(bytes, 1), block_alignment));
  if (!*memory_) fail_out_of_memory(bytes);
  stats_.reserved_bytes = std::int64_t(bytes);
  stats_.system_calls = 1;
}

ArenaAllocator::~ArenaAllocator() {
  std::vector<WorkPoint> points;
  for (const ArenaUser* user = users_.first(); user; user = user->next.get())
    points.push_back(user->given_back);
  release_after(std::move(points), std::move(memory_));
}

// False if it is full.
bool ArenaAllocator::start_over_if_empty(std::size_t bytes) {
  if (stats_.takes == stats_.gives) next_ = 0;
  return bytes <= memory_->bytes() - next_;
}

// Of those whose pending work may still use what lies behind next_, one that the user has to wait for.
const ArenaUser* ArenaAllocator::in_the_way(const ArenaUser& user, Use use) const {
  if (next_ >= used_before_) return nullptr;
  for (const ArenaUser* other = users_.first(); other; other = other->next.get())
    if ((other != &user || use == Use::idle) && !other->given_back.passed()) return other;
  return nullptr;
}

Block* ArenaAllocator::place(ArenaBlock& block, std::size_t bytes, ArenaUser& user) {
  block.data = memory_->data() + next_;
  block.bytes = round_up(std::max<std::size_t>(bytes, 1), block_alignment);
  block.asked_bytes = bytes;
  block.owner = this;
  block.device = &device_;
  block.pool = &user;
  next_ += block.bytes;
  used_before_ = std::max(used_before_, next_);
  count_take(bytes);
  return &block;
}

Block* ArenaAllocator::take(std::size_t bytes, Stream& stream, Use use) {
  ArenaUser& user = users_.of(stream, lock_, [&] {
    return std::make_unique<ArenaUser>(ArenaUser{.stream = &stream, .given_back = {stream.progress(), 0}});
  });
  const std::size_t needed = round_up(std::clamp<std::size_t>(bytes, 1, largest_request), block_alignment);
  std::int64_t out = 0;
  std::size_t left = 0;
  while (true) {
    WorkPoint pending;
    {
      const std::lock_guard lock(lock_);
      if (!start_over_if_empty(needed)) {
        out = stats_.takes - stats_.gives;
        left = memory_->bytes() - next_;
        break;
      }
      if (const ArenaUser* other = in_the_way(user, use)) pending = other->given_back;
      else if (!records_.empty()) return place(*records_.pop(), bytes, user);
    }
    if (pending.progress) wait_for(pending);
    else records_.grow(lock_);
  }
  fail(ErrorKind::environment,
       "{}: arena is full: asked {}, {} of {} are left, blocks out: {}; {}make it larger", device_.name(),
       format_bytes(double(bytes)), format_bytes(double(left)), format_bytes(double(memory_->bytes())), out,
       out > 0 ? "give back all of it, or " : "");
}

void ArenaAllocator::give(Block* given) noexcept {
  auto* block = static_cast<ArenaBlock*>(given);
  auto* user = static_cast<ArenaUser*>(block->pool);
  bool last = false;
  {
    const std::lock_guard lock(lock_);
    user->given_back.ticket = user->given_back.progress->issued();
    records_.push(block);
    last = count_give(block->asked_bytes);
  }
  if (last) delete this;
}

}  // namespace

AllocatorHandle make_arena_allocator(Device& device, std::size_t bytes) {
  return AllocatorHandle(std::make_unique<ArenaAllocator>(device, bytes).release());
}

}  // namespace perflab

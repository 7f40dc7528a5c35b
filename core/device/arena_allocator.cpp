// One region, handed out front to back.
//
// When all of it has been given back it starts over; whether the work that used it is finished decides who
// may have the front again: the same stream at once, others only from where nothing pending reaches.

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
};

struct ArenaBlock : Block {
  ArenaBlock* next = nullptr;
};

class ArenaAllocator final : public AccountedAllocator {
 public:
  ArenaAllocator(Device& device, std::size_t bytes);
  ~ArenaAllocator() override;

  std::string_view name() const override { return "arena"; }
  Block* take(std::size_t bytes, Stream& stream, Use use) override;
  void give(Block* block) noexcept override;

 private:
  ArenaUser& user_of(Stream& stream);
  ArenaBlock* record();
  bool place(ArenaBlock& block, std::size_t bytes, const ArenaUser& user, Use use);
  bool front_is_free_for(const ArenaUser& user, Use use);

  std::shared_ptr<Mapping> memory_ = std::make_shared<Mapping>();
  std::size_t next_ = 0, used_before_ = 0;  // where the next block begins; how far pending work may reach
  std::vector<std::unique_ptr<ArenaUser>> users_;
  std::vector<std::unique_ptr<ArenaBlock>> records_;
  ArenaBlock* unused_ = nullptr;
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
  for (const auto& user : users_) points.push_back(user->given_back);
  release_after(std::move(points), std::move(memory_));
}

ArenaUser& ArenaAllocator::user_of(Stream& stream) {
  const auto find = [&]() -> ArenaUser* {
    for (const auto& user : users_)
      if (user->stream == &stream) return user.get();
    return nullptr;
  };
  {
    const std::lock_guard lock(lock_);
    if (ArenaUser* known = find()) return *known;
  }
  auto user = std::make_unique<ArenaUser>(ArenaUser{&stream, {stream.progress(), 0}});
  const std::lock_guard lock(lock_);
  if (ArenaUser* known = find()) return *known;
  users_.push_back(std::move(user));
  return *users_.back();
}

ArenaBlock* ArenaAllocator::record() {
  {
    const std::lock_guard lock(lock_);
    if (unused_) return std::exchange(unused_, unused_->next);
  }
  auto fresh = std::make_unique<ArenaBlock>();
  const std::lock_guard lock(lock_);
  records_.push_back(std::move(fresh));
  return records_.back().get();
}

bool ArenaAllocator::front_is_free_for(const ArenaUser& user, Use use) {
  bool all = true, others = true;
  for (const auto& known : users_)
    if (!known->given_back.passed()) {
      all = false;
      others = others && known.get() == &user;
    }
  if (all) used_before_ = next_;
  return all || (others && use == Use::stream_ordered);
}

bool ArenaAllocator::place(ArenaBlock& block, std::size_t bytes, const ArenaUser& user, Use use) {
  if (stats_.takes == stats_.gives) next_ = 0;
  if (next_ < used_before_ && !front_is_free_for(user, use)) next_ = used_before_;
  const std::size_t taken = round_up(std::max<std::size_t>(bytes, 1), block_alignment);
  if (taken > memory_->bytes() - next_) return false;
  block.data = memory_->data() + next_;
  block.bytes = taken;
  next_ += taken;
  used_before_ = std::max(used_before_, next_);
  count_take(bytes);
  return true;
}

Block* ArenaAllocator::take(std::size_t bytes, Stream& stream, Use use) {
  ArenaUser& user = user_of(stream);
  ArenaBlock* block = bytes <= largest_request ? record() : nullptr;
  std::size_t left = 0;
  {
    const std::lock_guard lock(lock_);
    if (block && place(*block, bytes, user, use)) {
      block->asked_bytes = bytes;
      block->owner = this;
      block->device = &device_;
      block->pool = &user;
      return block;
    }
    if (block) {
      block->next = unused_;
      unused_ = block;
    }
    left = memory_->bytes() - next_;
  }
  fail(ErrorKind::environment,
       "{}: arena is full: asked {}, {} of {} are left; give back all of it, or make it larger",
       device_.name(), format_bytes(double(bytes)), format_bytes(double(left)),
       format_bytes(double(memory_->bytes())));
}

void ArenaAllocator::give(Block* given) noexcept {
  auto* block = static_cast<ArenaBlock*>(given);
  auto* user = static_cast<ArenaUser*>(block->pool);
  bool last = false;
  {
    const std::lock_guard lock(lock_);
    user->given_back.ticket = user->given_back.progress->issued();
    block->next = unused_;
    unused_ = block;
    last = count_give(block->asked_bytes);
  }
  if (last) delete this;
}

}  // namespace

AllocatorHandle make_arena_allocator(Device& device, std::size_t bytes) {
  return AllocatorHandle(std::make_unique<ArenaAllocator>(device, bytes).release());
}

}  // namespace perflab

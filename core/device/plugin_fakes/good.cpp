// A plugin as it should be: one device cuda:0 that has nothing to wait for, with an allocator of its own.

#include <array>
#include <memory>

#include "device/plugin.h"

namespace {

using namespace perflab;

class FakeAllocator final : public Allocator {
 public:
  explicit FakeAllocator(Device& device) : device_(device) {}
  std::string_view name() const override { return "fake"; }
  Block* take(std::size_t bytes, Stream&, Use) override {
    auto block = std::make_unique<Block>();
    block->data = memory_.data();
    block->bytes = block->asked_bytes = bytes;
    block->owner = this;
    block->device = &device_;
    ++stats_.takes;
    return block.release();
  }
  void give(Block* block) noexcept override {
    delete block;
    ++stats_.gives;
    end_if_unused();
  }
  AllocatorStats stats() const override { return stats_; }
  void reset_peak() override {}

 private:
  void retire() noexcept override {
    retired_ = true;
    end_if_unused();
  }
  void end_if_unused() noexcept {
    if (retired_ && stats_.takes == stats_.gives) delete this;
  }

  Device& device_;
  alignas(64) std::array<std::byte, 1024> memory_{};
  AllocatorStats stats_;
  bool retired_ = false;
};

class FakeCuda : public Device {
 public:
  FakeCuda() : Device(DeviceInfo{.name = "cuda:0", .kind = Kind::cuda, .pinned_cpus = {}}) {}
  void synchronize() override {}
  Allocator& allocator() override { return *allocator_; }

 private:
  AllocatorHandle allocator_{std::make_unique<FakeAllocator>(*this).release()};
};

int count_devices(const char**) { return 1; }
Device* open_device(int, const char**) { return std::make_unique<FakeCuda>().release(); }

constexpr PluginInterface interface { plugin_version, plugin_layout, count_devices, open_device };

}  // namespace

extern "C" const perflab::PluginInterface* perflab_plugin() { return &interface; }

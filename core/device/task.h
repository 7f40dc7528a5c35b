#pragma once
// Task — a piece of work in a stream's queue: a move-only callable that receives the StreamContext.
//
// Callables up to `capacity` bytes are kept inline, so that enqueueing an operation does not touch the heap;
// larger ones are moved there. A Task runs at most once and is destroyed right after, which drops what it
// captured.

#include <concepts>
#include <cstddef>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

namespace perflab {

class Device;
class Stream;

// What running work may use. threads > 1 only for work on a device's compute stream: it alone opens parallel
// regions (parallel.h), because every thread that does so gets a pool of its own.
struct StreamContext {
  Device& device;
  Stream& stream;
  int threads = 1;
};

class Task {
 public:
  static constexpr std::size_t capacity = 304;

  Task() = default;
  template <typename Work>
  requires(!std::same_as<std::remove_cvref_t<Work>, Task> && std::invocable<Work&, StreamContext&>)
      Task(Work&& work) {  // NOLINT: a callable is a task
    using Held = std::remove_cvref_t<Work>;
    if constexpr (sizeof(Held) <= capacity && alignof(Held) <= alignof(std::max_align_t) &&
                  std::is_nothrow_move_constructible_v<Held>) {
      new (storage_) Held(std::forward<Work>(work));
      actions_ = &actions_for<Held>;
    } else {
      auto boxed = [held = std::make_unique<Held>(std::forward<Work>(work))](StreamContext& context) {
        (*held)(context);
      };
      new (storage_) decltype(boxed)(std::move(boxed));
      actions_ = &actions_for<decltype(boxed)>;
    }
  }
  Task(Task&& other) noexcept
      : actions_(std::exchange(other.actions_, nullptr)), keeps_order_(other.keeps_order_) {
    if (actions_) actions_->relocate(other.storage_, storage_);
  }
  Task& operator=(Task&& other) noexcept {
    if (this == &other) return *this;
    reset();
    actions_ = std::exchange(other.actions_, nullptr);
    keeps_order_ = other.keeps_order_;
    if (actions_) actions_->relocate(other.storage_, storage_);
    return *this;
  }
  ~Task() { reset(); }

  // A wait for another stream: done even when the stream is poisoned and everything else is skipped, because
  // memory is reused on the strength of the order of tickets.
  void keep_order() { keeps_order_ = true; }
  bool keeps_order() const { return keeps_order_; }

  explicit operator bool() const { return actions_ != nullptr; }
  void operator()(StreamContext& context) { actions_->run(storage_, context); }
  void reset() {
    if (const Actions* actions = std::exchange(actions_, nullptr)) actions->destroy(storage_);
  }

 private:
  struct Actions {
    void (*run)(void*, StreamContext&);
    void (*relocate)(void* from, void* to) noexcept;  // moves to `to` and destroys `from`
    void (*destroy)(void*) noexcept;
  };
  template <typename Held>
  static constexpr Actions actions_for{
      [](void* held, StreamContext& context) { (*static_cast<Held*>(held))(context); },
      [](void* from, void* to) noexcept {
        new (to) Held(std::move(*static_cast<Held*>(from)));
        static_cast<Held*>(from)->~Held();
      },
      [](void* held) noexcept { static_cast<Held*>(held)->~Held(); }};

  const Actions* actions_ = nullptr;
  bool keeps_order_ = false;
  alignas(std::max_align_t) std::byte storage_[capacity];
};

}  // namespace perflab

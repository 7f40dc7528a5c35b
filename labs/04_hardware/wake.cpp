// How long one thread takes to wake another, by three ways of waiting. A call is a round trip: two one-way
// wake-ups.

#include "bodies.h"
#include "ping_pong.h"
#include "scaled.h"

namespace perflab::hardware {
namespace {

PingPong::Wait wait_of(const Case& c) {
  if (c.is("spin")) return PingPong::Wait::spin;
  return c.is("atomic_wait") ? PingPong::Wait::atomic_wait : PingPong::Wait::condvar;
}

}  // namespace

// All three pairs are there while one is timed; the partners of the other two sleep. So the first of the some
// thousand round trips of a sample wakes a partner that spun before, too.
void wake_body(Case& c) {
  if (this_machine().effective_cpus < 2)
    return c.skip("one_cpu", "two threads that wake each other need two processors");
  auto pair = std::make_shared<PingPong>(wait_of(c));
  for (int i = 0; i < 3; ++i) pair->round_trip();
  c.expect(pair->answered() == 3 && pair->handshakes() == 6,
           "three round trips are not three answers and six handshakes");
  c.threads(2, nullptr);
  c.metric("handshakes_count", 2);
  c.verify([pair] { return Verified{2 * pair->answered() == pair->handshakes(), pair->handshakes()}; });
  c.measure([pair] { pair->round_trip(); });
}

void derive_wake(const Results& results, Derived& derived) {
  for (const char* variant : {"spin", "atomic_wait", "condvar"}) {
    const Series* series = results.only("wake", {}, variant);
    std::optional<Estimate> one_way;
    if (series != nullptr && !series->timed.empty()) one_way = scaled(series->finish_ns(), 0.5);
    add_or_missing(derived, std::string("wake_") + variant + "_ns", "ns", one_way, "no_valid_samples",
                   {series});
  }
}

}  // namespace perflab::hardware

// Blocks, clocks and their ends.

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "base/check.h"
#include "bench/sampler_test.h"

namespace perflab {
namespace {

TEST_F(SamplerTest, EveryBlockHoldsEveryVariantAndTheCopyOnceInChangingSeededOrder) {
  Prepared a = taking("a", ms), b = taking("b", 2 * ms);
  const PointOutcome outcome = sample({&a, &b});
  std::map<int, std::vector<std::string>> blocks;
  for (const Sample& s : timed()) {
    EXPECT_EQ(std::size_t(s.order_in_block), blocks[s.block].size());
    blocks[s.block].push_back(s.variant);
  }
  ASSERT_EQ(blocks.size(), 10u);
  std::set<std::vector<std::string>> orders;
  for (auto& [block, order] : blocks) {
    orders.insert(order);
    std::sort(order.begin(), order.end());
    EXPECT_EQ(order, (std::vector<std::string>{"a", "aa", "b"}));
  }
  EXPECT_GE(orders.size(), 3u);
  ASSERT_EQ(outcome.rows.size(), 3u);
  EXPECT_EQ(outcome.rows[0].stop_reason, "fixed");
  EXPECT_EQ(outcome.rows[0].blocks, 10);

  const std::vector<Sample> first = std::exchange(kept_, {});
  sample({&a, &b});
  const auto order_of = [](const std::vector<Sample>& samples) {
    std::vector<std::string> order;
    for (const Sample& s : samples) order.push_back(s.variant);
    return order;
  };
  EXPECT_EQ(order_of(kept_), order_of(first)) << "the same seed gives the same order";
}

TEST_F(SamplerTest, TimesArePerCallWhateverTheNumberOfCalls) {
  for (const std::int64_t call_ns : {std::int64_t{50}, 3 * ms}) {
    kept_.clear();
    Prepared a = taking("a", call_ns);
    const PointOutcome outcome = sample({&a});
    for (const Sample& s : timed()) EXPECT_DOUBLE_EQ(*s.finish_ns, double(call_ns));
    EXPECT_GE(outcome.rows[0].inner_iters * call_ns, ms) << "a sample lasts at least a millisecond";
    EXPECT_EQ(outcome.rows[0].first_call_ns, call_ns);
  }
}

TEST_F(SamplerTest, SubmitStopsWithTheCallFinishWithTheDrainedDevice) {
  QueueDevice device(clock_);
  Prepared a = variant("a", [&](Counts&) {
    clock_.advance_ns(10);
    device.enqueue_ns(ms);
  });
  a.waited_for = {&device};
  sample({&a});
  for (const Sample& s : timed()) {
    EXPECT_DOUBLE_EQ(*s.submit_ns, 10);
    EXPECT_DOUBLE_EQ(*s.finish_ns, 10 + ms);
    EXPECT_EQ(s.device, "queue:0");
  }
}

TEST_F(SamplerTest, CountsAreSummedOverTheCallsAndGivenPerCall) {
  Prepared a = variant("a", [&](Counts& counts) {
    clock_.advance_ns(1000);
    counts.add("messages_count", 3);
    counts.set("queue_count", 7);
  });
  a.declared_metrics = {"messages_count", "queue_count", "bytes"};
  a.metrics = {{"bytes", 64}};
  sample({&a}, false);
  for (const Sample& s : timed()) {
    EXPECT_GT(s.inner_iters, 1);
    EXPECT_DOUBLE_EQ(s.metrics.at("messages_count"), 3);
    EXPECT_DOUBLE_EQ(s.metrics.at("queue_count"), 7);
    EXPECT_DOUBLE_EQ(s.metrics.at("bytes"), 64);
  }
}

TEST_F(SamplerTest, ColdCasesAreFlushedBeforeEverySampleOutsideTheClock) {
  int flushes = 0, calls = 0;
  Prepared a = variant("a", [&](Counts&) {
    ++calls;
    clock_.advance_ns(ms);
  });
  a.before_sample = [&] {
    ++flushes;
    clock_.advance_ns(50 * ms);
  };
  a.max_inner = 1;
  sample({&a}, false);
  EXPECT_EQ(flushes, calls);
  for (const Sample& s : timed()) EXPECT_DOUBLE_EQ(*s.finish_ns, double(ms));
}

TEST_F(SamplerTest, AnInterruptKeepsCompleteBlocksAndAContinuationAddsTheRest) {
  Prepared a = taking("a", ms), b = taking("b", ms);
  int asked = 0;
  interrupted_ = [&] { return ++asked > 18; };
  const PointOutcome cut = sample({&a, &b});
  EXPECT_TRUE(cut.interrupted);
  const std::size_t blocks = std::size_t(cut.rows[0].blocks);
  EXPECT_EQ(cut.rows[0].stop_reason, "interrupted");
  EXPECT_GT(blocks, 0u);
  EXPECT_LT(blocks, 10u);
  EXPECT_EQ(timed().size(), 3 * blocks);

  earlier_ = kept_;
  interrupted_ = nullptr;
  const PointOutcome rest = sample({&a, &b});
  EXPECT_FALSE(rest.interrupted);
  EXPECT_EQ(rest.rows[0].blocks, 10);
  std::set<std::string> keys;
  for (const Sample& s : kept_)
    EXPECT_TRUE(keys.insert(fmt::format("{} {} {} {}", s.variant, s.block, s.sample, int(s.phase))).second);
  EXPECT_EQ(timed().size(), 30u);
}

TEST_F(SamplerTest, AWrongOutputAfterATimedRunEndsTheCase) {
  int runs = 0;
  Prepared a = variant("a", [&](Counts&) { clock_.advance_ns(ms); });
  a.verify = [&] { return Verified{.correct = ++runs < 3, .checksum = 0xabc}; };
  const PointOutcome outcome = sample({&a}, false);
  EXPECT_EQ(outcome.rows[0].stop_reason, "wrong_result");
  ASSERT_EQ(timed().size(), 3u);
  EXPECT_EQ(timed()[0].checksum, "0000000000000abc");
  EXPECT_TRUE(timed()[0].verified_ns.has_value());
  EXPECT_EQ(timed()[2].invalid_reason, "wrong_result");
}

// 1 % slower with every sample taken. One arm after the other is biased; interleaved blocks are not.
TEST_F(SamplerTest, ADriftingMachineDoesNotTouchTheInterleavedRatio) {
  std::int64_t duration = 10 * ms;
  const auto drifting = [&](Counts&) { clock_.advance_ns(duration += duration / 300); };
  Prepared a = variant("a", drifting), b = variant("b", drifting);
  profile_.min_blocks = profile_.max_blocks = 20;
  sample({&a, &b}, false);
  double log_ratio = 0, sequential = 0;
  std::vector<double> times;
  std::map<int, std::map<std::string, double>> blocks;
  for (const Sample& s : timed()) {
    blocks[s.block][s.variant] = *s.finish_ns;
    times.push_back(*s.finish_ns);
  }
  for (const auto& [block, by_name] : blocks) log_ratio += std::log(by_name.at("b") / by_name.at("a")) / 20;
  for (int i = 0; i < 20; ++i)
    sequential += std::log(times[std::size_t(20 + i)] / times[std::size_t(i)]) / 20;
  EXPECT_LT(std::fabs(log_ratio), 0.004);
  EXPECT_GT(sequential, 0.05) << "the same forty samples, first half against second half";
}

}  // namespace
}  // namespace perflab

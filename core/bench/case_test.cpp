#include "bench/case.h"

#include <gtest/gtest.h>

#include <limits>

#include "base/check.h"
#include "bench/experiment.h"
#include "device/runtime.h"
#include "device/sim_device.h"

namespace perflab {
namespace {

Experiment experiment_with(std::function<void(Case&)> body) {
  Experiment experiment("chain");
  experiment.axis("n", {.quick = {std::int64_t{4}}})
      .axis("scale", {.quick = {0.5}})
      .axis("level", {.quick = {"L1"}})
      .metrics({"launches_count"})
      .variants({"plain", "fused"}, "plain")
      .faults({"a fault"})
      .run(std::move(body));
  return experiment;
}

const Point point{{"n", std::int64_t{4}}, {"scale", 0.5}, {"level", std::string("L1")}};

Prepared prepared_by(std::function<void(Case&)> body, int fault = 0) {
  return prepare(experiment_with(std::move(body)), point, "fused", Device::named("cpu:0"), 7, fault);
}

TEST(Case, HandsOverWorkMetricsAndTheCallable) {
  int calls = 0;
  const Prepared prepared = prepared_by([&](Case& c) {
    EXPECT_EQ(c.i("n"), 4);
    EXPECT_EQ(c.f("n"), 4.0);
    EXPECT_EQ(c.f("scale"), 0.5);
    EXPECT_EQ(c.s("level"), "L1");
    EXPECT_TRUE(c.is("fused"));
    EXPECT_FALSE(c.fault(1));
    c.expect_equal(std::vector{1.0f}, std::vector{1.0f});
    c.work({.flops = 8, .bytes_read = 16});
    c.metric("launches_count", 2);
    c.measure([&calls] { ++calls; });
  });
  EXPECT_EQ(prepared.status, "ok");
  EXPECT_EQ(prepared.id(), "chain/n=4/scale=0.5/level=L1");
  EXPECT_EQ(prepared.cost.flops, 8);
  EXPECT_EQ(prepared.metrics.at("launches_count"), 2);
  ASSERT_EQ(prepared.waited_for.size(), 1u);
  Counts counts({});
  prepared.once(counts);
  EXPECT_EQ(calls, 1);
}

TEST(Case, TimeThatAModelPutInIsNeverCalledMeasured) {
  SimDevice sim(0);
  const auto with = [&](std::vector<Device*> waited_for, const std::string& evidence = "",
                        const std::string& subject = "") {
    return prepared_by([&](Case& c) {
      c.expect(true, "");
      if (!evidence.empty()) c.evidence(evidence, subject);
      c.measure([] {}, waited_for);
    });
  };
  Device* const cpu = &Device::named("cpu:0");
  EXPECT_EQ(with({}).evidence, "measured");
  EXPECT_EQ(with({cpu}).subject, "this_machine");
  EXPECT_EQ(with({cpu, &sim}).evidence, "modelled");
  EXPECT_EQ(with({&sim}).subject, "model");
  EXPECT_EQ(with({&sim}, "measured", "perflab_engine").evidence, "modelled");
  EXPECT_EQ(with({&sim}, "measured", "perflab_engine").subject, "perflab_engine");
  EXPECT_EQ(with({&sim}, "simulated", "model").evidence, "simulated");
}

TEST(Case, ModelledLinksOfTheRunsDevicesAreSaidUnlessTheBodySaysOtherwise) {
  const auto link = [](const std::string& said = "") {
    return prepared_by([&](Case& c) {
             c.expect(true, "");
             if (!said.empty()) c.link(said);
             c.measure([] {});
           })
        .link;
  };
  const LinkModel model{.latency_s = 5e-6, .bandwidth_GBps = 10};
  EXPECT_EQ(link(), "none");
  {
    const Runtime two({.cpu_devices = 2, .link = model});
    EXPECT_EQ(link(), "modelled");
    EXPECT_EQ(link("none"), "none");
  }
  {
    const Runtime one({.cpu_devices = 1, .link = model});
    EXPECT_EQ(link(), "none") << "one device has nobody to be linked to";
  }
  const Runtime plain({.cpu_devices = 2});
  EXPECT_EQ(link(), "none");
}

TEST(Case, NothingIsTimedBeforeAResultWasChecked) {
  const Prepared prepared = prepared_by([](Case& c) { c.measure([] {}); });
  EXPECT_EQ(prepared.status, "failed");
  EXPECT_EQ(prepared.status_reason, "body_error");
  EXPECT_NE(prepared.status_text.find("correct first"), std::string::npos);
}

TEST(Case, AWrongResultFailsTheCaseWithWhereAndWhat) {
  const Prepared prepared = prepared_by([](Case& c) {
    c.expect_close(std::vector{1.0f, 2.0f}, std::vector{1.0f, 2.1f}, 1e-3, 0);
    c.measure([] {});
  });
  EXPECT_EQ(prepared.status_reason, "wrong_result");
  EXPECT_NE(prepared.status_text.find("value 1 is 2; want 2.1"), std::string::npos) << prepared.status_text;
  EXPECT_FALSE(prepared.once);
}

TEST(Case, NaNNeverPassesAndZerosOfOtherSignAreNotBitwiseEqual) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(
      prepared_by([&](Case& c) { c.expect_close(std::vector{nan}, std::vector{1.0f}, 1, 1); }).status_reason,
      "wrong_result");
  EXPECT_EQ(
      prepared_by([&](Case& c) { c.expect_equal(std::vector{-0.0f}, std::vector{0.0f}); }).status_reason,
      "wrong_result");
  EXPECT_EQ(
      prepared_by([&](Case& c) { c.expect_equal(std::vector{1.0f}, std::vector<float>{}); }).status_reason,
      "wrong_result");
}

TEST(Case, MistakesOfABodyFailItsCaseAndSayWhatIsValid) {
  const std::pair<std::function<void(Case&)>, const char*> mistakes[] = {
      {[](Case& c) { c.i("m"); }, "has n, scale, level"},
      {[](Case& c) { c.i("level"); }, "no integers"},
      {[](Case& c) { c.is("slow"); }, "no variant 'slow'"},
      {[](Case& c) { c.fault(2); }, "number 2"},
      {[](Case& c) { c.metric("bytes", 1); }, "declares launches_count"},
      {[](Case& c) { c.metric("launches_count", 1.0 / 0.0); }, "not finite"},
      {[](Case& c) { c.evidence("felt", "x"); }, "want measured"},
      {[](Case&) {}, "neither measured nor skipped"},
      {[](Case& c) {
         c.skip("no_level", "x");
         c.skip("no_level", "x");
       },
       "twice"},
      {[](Case&) { throw std::bad_alloc(); }, "not enough memory"}};
  for (const auto& [body, message] : mistakes) {
    const Prepared prepared = prepared_by(body);
    EXPECT_EQ(prepared.status, "failed");
    EXPECT_NE(prepared.status_text.find(message), std::string::npos) << prepared.status_text;
  }
}

TEST(Case, ASkipIsNoFailure) {
  const Prepared prepared =
      prepared_by([](Case& c) { c.skip("no_l3", "this machine reports no third cache level"); });
  EXPECT_EQ(prepared.status, "skipped");
  EXPECT_EQ(prepared.status_reason, "no_l3");
}

TEST(Case, VariantsOfAPointSeeTheSameRandomNumbersAndOtherPointsOthers) {
  std::vector<std::uint32_t> bits;
  const Experiment experiment = experiment_with([&](Case& c) {
    bits.push_back(c.random().bits(0));
    c.skip("x", "x");
  });
  Device& device = Device::named("cpu:0");
  prepare(experiment, point, "plain", device, 7, 0);
  prepare(experiment, point, "fused", device, 7, 0);
  prepare(experiment, {{"n", std::int64_t{5}}, {"scale", 0.5}, {"level", std::string("L1")}}, "plain", device,
          7, 0);
  prepare(experiment, point, "plain", device, 8, 0);
  EXPECT_EQ(bits[0], bits[1]);
  EXPECT_NE(bits[0], bits[2]);
  EXPECT_NE(bits[0], bits[3]);
}

TEST(Counts, AddsAndRefusesWhatIsNotDeclared) {
  Counts counts({"messages_count"});
  counts.add("messages_count", 2);
  counts.add("messages_count", 3);
  EXPECT_EQ(counts.per_call(2).at("messages_count"), 2.5);
  EXPECT_THROW(counts.set("bytes", 1), Error);
}

TEST(Experiment, RefusesAnAxisTwiceAForeignBaselineAndTheNameOfTheCopy) {
  Experiment experiment("x");
  experiment.axis("n", {});
  EXPECT_THROW(experiment.axis("n", {}), Error);
  EXPECT_THROW(experiment.variants({"a"}, "b"), Error);
  EXPECT_THROW(experiment.variants({"a", "aa"}, "a"), Error);
}

TEST(Axis, ParsesLikeItsOwnValuesAndNamesTheAxesThatExist) {
  EXPECT_EQ(parse_axis_like("64K", AxisValue(std::int64_t{1})), AxisValue(std::int64_t{65536}));
  EXPECT_EQ(parse_axis_like("0.25", AxisValue(1.0)), AxisValue(0.25));
  EXPECT_EQ(parse_axis_like("DRAM", AxisValue(std::string("L1"))), AxisValue(std::string("DRAM")));
  EXPECT_THROW(parse_axis_like("x", AxisValue(std::int64_t{1})), Error);
  EXPECT_EQ(pow2(2, 6, 2), (std::vector<AxisValue>{std::int64_t{4}, std::int64_t{16}, std::int64_t{64}}));
}

}  // namespace
}  // namespace perflab

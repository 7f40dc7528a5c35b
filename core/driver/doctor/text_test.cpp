#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <set>
#include <sstream>

#include "driver/doctor/doctor_test.h"

namespace perflab {
namespace {

using Text = DoctorTest;

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::set<std::string> check_ids() {
  std::set<std::string> ids;
  for (const Check& check : doctor_checks()) ids.insert(check.id);
  return ids;
}

std::string outlook_text(const DoctorFacts& facts) {
  std::string text;
  for (const Outlook& one : outlook(facts)) text += (one.can ? "can " : "cannot ") + one.text + "\n";
  return text;
}

}  // namespace

TEST_F(Text, HasEveryCheckOnceWithinAHundredColumnsOfPlainAscii) {
  put_virtual_machine();
  put("/sys/class/dmi/id/sys_vendor", "M\xC3\xBCller & S\xC3\xB6hne\n");
  put("/proc/loadavg", "3.50 1 1 1/100 4242\n");
  const DoctorFacts seen = facts("/results/\xC3\xBC");
  const std::string text = doctor_text(seen, judge_all(seen));
  std::multiset<std::string> found;
  const std::regex item("^  (PASS|WARN|UNKNOWN|FAIL) +([a-z]+) .*");
  for (const std::string& line : lines_of(text)) {
    EXPECT_LE(line.size(), 100u) << line;
    EXPECT_TRUE(std::all_of(line.begin(), line.end(), [](char c) { return c >= 0x20 && c < 0x7F; })) << line;
    if (std::smatch match; std::regex_match(line, match, item)) found.insert(match[2]);
  }
  const std::set<std::string> ids = check_ids();
  EXPECT_EQ(found, (std::multiset<std::string>(ids.begin(), ids.end())));
  EXPECT_EQ(ids.size(), doctor_checks().size());
  EXPECT_TRUE(holds(text, "M?ller & S?hne"));
}

TEST_F(Text, SaysWhatToChangeAndOnlyWhatCanBeChanged) {
  put_virtual_machine();
  put("/proc/loadavg", "3.50 1 1 1/100 4242\n");
  DoctorFacts seen = facts();
  seen.tools.mpi.clear();
  const std::string text = doctor_text(seen, judge_all(seen));
  EXPECT_TRUE(std::regex_search(text, std::regex("For better numbers, change: [a-z, ]*load"))) << text;
  EXPECT_FALSE(std::regex_search(text, std::regex("change: [a-z, ]*\\bvm\\b"))) << text;
  EXPECT_TRUE(holds(text, "To measure or see more, mend: mpi\n")) << text;
  EXPECT_FALSE(holds(text, "Nothing works before")) << text;
}

TEST_F(Text, JsonHoldsTheSameAndTheFacts) {
  put_virtual_machine();
  const DoctorFacts seen = facts();
  const Json json = Json::parse(doctor_json(seen, judge_all(seen)).dump(), "doctor");
  std::set<std::string> ids;
  for (const Json& item : json.at("items").array()) {
    const std::string id = item.at("id").text();
    ids.insert(id);
    EXPECT_EQ(item.at("status").text(), health_text(judge(id.c_str(), seen).health)) << id;
    EXPECT_EQ(item.at("value").text(), judge(id.c_str(), seen).value) << id;
  }
  EXPECT_EQ(ids, check_ids());
  EXPECT_EQ(json.at("exit_code").number(), 0);
  EXPECT_EQ(json.at("outlook").array().size(), outlook(seen).size());
  EXPECT_TRUE(json.at("environment").at("hypervisor").at("value").boolean());
}

TEST_F(Text, CountsTheClaimsThatNeedWhatIsNotHere) {
  put_cpus(2);
  DoctorFacts seen = facts();
  seen.claims.push_back({"02_fake", "two-cores", "cores:2"});
  seen.claims.push_back({"02_fake", "many-cores", "cores:8"});
  seen.claims.push_back({"02_fake", "ddr4", "mem:ddr4"});
  // Parts of one claim: what is missing for one of them decides.
  seen.claims.push_back({"02_fake", "parts", ""});
  seen.claims.push_back({"02_fake", "parts", "nic:1"});
  seen.claims.push_back({"02_fake", "parts", "gpu:1"});
  seen.claims.push_back({"02_fake", "many-cores", "nic:1"});
  const std::string text = outlook_text(seen);
  EXPECT_TRUE(holds(text, "can measure 2 of the labs' 7 claims")) << text;
  EXPECT_TRUE(
      holds(text, "cannot measure 3 claims about GPUs: NOT TESTABLE HERE (2 needs_gpus:1, 1 needs_gpus:2)"))
      << text;
  EXPECT_TRUE(holds(text, "cannot measure 1 claim: NOT TESTABLE HERE (needs_cores:8; 2 usable)")) << text;
  EXPECT_TRUE(holds(text, "1 claim: the run finds out whether there is mem:ddr4\n")) << text;
  seen.no_cuda_reason = "";
  seen.gpu.devices = {{"a", 1, "9.0"}, {"b", 1, "9.0"}};
  EXPECT_FALSE(holds(outlook_text(seen), "needs_gpus")) << outlook_text(seen);
}

TEST_F(Text, OneProcessorAVirtualMachineAndOneNodeAreTold) {
  put_cpus(1);
  put_virtual_machine();
  const std::string one = outlook_text(facts());
  EXPECT_TRUE(holds(one, "cannot show overlap")) << one;
  EXPECT_TRUE(holds(one, "virtual machine")) << one;
  EXPECT_TRUE(holds(one, "one_numa_node")) << one;
  put_cpus(4);
  put("/proc/cpuinfo", "processor\t: 0\nflags\t: fpu\n");
  put("/sys/devices/system/node/online", "0-1\n");
  const std::string four = outlook_text(facts());
  for (const char* word : {"overlap", "virtual machine", "one_numa_node"})
    EXPECT_FALSE(holds(four, word)) << four;
}

// Of a machine on which everything is wrong, and of every GPU's trouble.
TEST_F(Text, AFixIsOneLine) {
  put_cpus(4);
  put("/sys/devices/cpu_core/cpus", "0-1\n");
  put("/sys/devices/cpu_atom/cpus", "2-3\n");
  put("/proc/cpuinfo", "processor\t: 0\nvendor_id\t: VirtualApple\nflags\t: fpu\n");
  put("/proc/self/cgroup", "0::/job\n");
  put("/sys/fs/cgroup/job/cpu.max", "150000 100000\n");
  put("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave\n");
  put("/sys/class/thermal/thermal_zone0/temp", "99000\n");
  put("/sys/class/power_supply/BAT0/type", "Battery\n");
  put("/sys/class/power_supply/BAT0/status", "Discharging\n");
  put("/proc/loadavg", "3.50 1 1 1/100 4242\n");
  put("/proc/meminfo", "MemTotal: 800000 kB\nMemAvailable: 4000 kB\nSwapTotal: 1000 kB\nSwapFree: 10 kB\n");
  put("/sys/devices/system/node/online", "0-1\n");
  put("/sys/bus/pci/devices/a/vendor", "0x10de\n");
  put("/sys/bus/pci/devices/a/class", "0x030000\n");
  DoctorFacts seen = facts();
  seen.results.problem = "cannot use '/results' for results: it is full; free some space";
  seen.results.full = true;
  seen.tools = Tools{};
  seen.tools.charts.tried = "python3, /usr/bin/python3";
  seen.tools.numpy.identity = {.version = "1.24.2", .blas = "OpenBLAS", .blas_threads = 128};
  seen.tools.torch.absent = seen.tools.torch_cpp.absent = "not installed";
  seen.build.libraries = {{"nlohmann_json", "1.0"}, {"tomlplusplus", "1.0"}};
  std::size_t fixes = 0;
  for (int state = 0; state <= int(GpuProbe::State::hung); ++state) {
    seen.gpu.state = GpuProbe::State(state);
    for (const Judged& one : judge_all(seen)) {
      EXPECT_LE(one.finding.fix.size(), 70u) << one.check->id << ": " << one.finding.fix;
      fixes += !one.finding.fix.empty();
    }
    EXPECT_EQ(doctor_exit_code(seen, judge_all(seen)), 5);
  }
  EXPECT_GE(fixes, 8u * 18u);
}

// docs/troubleshooting.md: "### id" for every check, and no other.
TEST(Troubleshooting, HasAnEntryForEveryCheckAndNoOther) {
  std::set<std::string> entries;
  const std::string path = std::string(PERFLAB_SOURCE_DIR) + "/docs/troubleshooting.md";
  std::string entry;
  std::set<std::string> complete;
  for (const std::string& line : lines_of(read_file(path))) {
    if (line.starts_with("### ")) entries.insert(entry = line.substr(4));
    if (line.starts_with("- **Do:**")) complete.insert(entry);
  }
  EXPECT_EQ(entries, check_ids());
  EXPECT_EQ(complete, entries);  // each says what to do
}

}  // namespace perflab

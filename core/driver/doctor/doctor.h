#pragma once
// Doctor — rules over facts: a table of checks, each a pure function from what was found out about this
// machine to a status, a value and one line of advice.
//
// Facts are gathered once (facts.h) and no setting is ever changed. A value that cannot be read is
// UNKNOWN, which is not the same as fine. FAIL is kept for what no run can work with. Advice is only given
// where it can be followed: nobody inside a virtual machine is told to set a frequency. Every check's id is
// an entry of docs/troubleshooting.md.

#include <span>
#include <string>
#include <vector>

#include "driver/doctor/facts.h"

namespace perflab {

enum class Health { pass, warn, unknown, fail };
const char* health_text(Health health);  // PASS | WARN | UNKNOWN | FAIL

struct Finding {
  Health health = Health::pass;
  std::string value;   // what was found
  std::string fix{};   // what the user can do; empty where nothing helps
  std::string note{};  // what it means, where that is not plain
};

struct Check {
  const char* id;     // one word; shown, and looked up in docs/troubleshooting.md
  const char* group;  // checks of a group stand together
  Finding (*judge)(const DoctorFacts&);
};

std::span<const Check> doctor_checks();

struct Judged {
  const Check* check;
  Finding finding;
};
std::vector<Judged> judge_all(const DoctorFacts& facts);

// What can and cannot be told here, for somebody who is about to spend an hour on it.
struct Outlook {
  bool can;
  std::string text;
};
std::vector<Outlook> outlook(const DoctorFacts& facts);

// 0; 5 for a full disk, 6 for any other FAIL.
int doctor_exit_code(const DoctorFacts& facts, const std::vector<Judged>& judged);

std::string doctor_text(const DoctorFacts& facts, const std::vector<Judged>& judged);  // 100 columns, ASCII
Json doctor_json(const DoctorFacts& facts, const std::vector<Judged>& judged);

}  // namespace perflab

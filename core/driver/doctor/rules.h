#pragma once
// The rules, by subject; doctor.cpp puts them into one table. Private to the doctor.

#include <span>

#include "driver/doctor/doctor.h"

namespace perflab {

std::span<const Check> processor_checks();  // processor.cpp
std::span<const Check> machine_checks();    // machine.cpp: power, load, what kind of machine
std::span<const Check> memory_checks();     // memory.cpp: memory, clock, layout
std::span<const Check> folder_checks();     // folder.cpp: where results go
std::span<const Check> software_checks();   // software.cpp
std::span<const Check> gpu_checks();        // gpu.cpp

inline Finding pass(std::string value, std::string note = "") {
  return {Health::pass, std::move(value), "", std::move(note)};
}
// Something can be done about it.
inline Finding warn(std::string value, std::string fix, std::string note = "") {
  return {Health::warn, std::move(value), std::move(fix), std::move(note)};
}
// Nothing can be done about it here; the note says what it means.
inline Finding beware(std::string value, std::string note) {
  return {Health::warn, std::move(value), "", std::move(note)};
}
inline Finding unknown(std::string value, std::string note = "") {
  return {Health::unknown, std::move(value), "", std::move(note)};
}

std::string counted(double count, const char* what);  // "1 core", "2 cores"

}  // namespace perflab

#pragma once
// Labs — the lab programs beside this one, and how a user names them.
//
// build/labs/NN_name is a program, NN_name.json what its --describe printed when it was built. Nothing is
// linked: a lab can be added, removed or broken without the driver noticing.

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "bench/json.h"

namespace perflab {

struct Lab {
  std::string id;  // 04_hardware
  std::filesystem::path program;
  Json description;  // results/README.md: schema.json

  std::string name() const { return id.substr(3); }
};

std::filesystem::path labs_folder();  // labs/ beside this program
std::vector<Lab> find_labs(
    const std::filesystem::path& folder);  // by number; Error(data) for a lab that cannot describe itself
// Labs for "04", "4", "04_hardware", "hardware" or a glob, each once and by number; all for no word at all.
std::vector<Lab> choose_labs(const std::vector<Lab>& labs, const std::vector<std::string>& words);

// Over all its experiments, hidden ones too.
std::vector<std::string> axis_names(const Lab& lab);
std::vector<std::string> fault_texts(const Lab& lab);
std::string question_of(const Lab& lab);          // the first sentence of its question
std::string ceilings_experiment(const Lab& lab);  // "" if the lab has none

// Environment variables that a lab's process gets unless the user has set them.
std::vector<std::pair<std::string, std::string>> lab_variables();

}  // namespace perflab

#include "bench/ceilings_store.h"

#include "base/check.h"
#include "bench/ceilings.h"

namespace perflab {

std::filesystem::path stored_ceilings(const std::filesystem::path& run_folder, const Topology& machine) {
  return std::filesystem::absolute(run_folder / "x").parent_path().parent_path() / "ceilings" /
         (machine.fingerprint() + ".csv");
}

void take_ceilings(const std::filesystem::path& run_folder, const Topology& machine) {
  const Ceilings stored = Ceilings::read(stored_ceilings(run_folder, machine));
  Ceilings own = Ceilings::read(run_folder / "ceilings.csv");
  for (const Ceiling& ceiling : stored.rows()) own.raise(ceiling);
  if (!own.empty()) own.write(run_folder / "ceilings.csv");
}

void keep_ceilings(const std::filesystem::path& run_folder, const Topology& machine) {
  const std::filesystem::path store = stored_ceilings(run_folder, machine);
  Ceilings stored = Ceilings::read(store);
  bool rose = false;
  const Ceilings seen = Ceilings::read(run_folder / "ceilings.csv");
  for (const Ceiling& ceiling : seen.rows()) rose = stored.raise(ceiling) || rose;
  if (!rose) return;
  std::error_code error;
  std::filesystem::create_directories(store.parent_path(), error);
  if (error) fail(ErrorKind::io, "cannot make '{}': {}", store.parent_path().string(), error.message());
  stored.write(store);
}

void raise_stored_ceilings(const std::filesystem::path& run_folder, const Topology& machine) {
  std::error_code error;
  if (std::filesystem::is_regular_file(stored_ceilings(run_folder, machine), error))
    keep_ceilings(run_folder, machine);
}

}  // namespace perflab

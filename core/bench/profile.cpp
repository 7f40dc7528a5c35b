#include "bench/profile.h"

#include <toml++/toml.h>
#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "base/file.h"
#include "base/nearest.h"
#include "base/units.h"
#include "bench/build_info.h"

namespace perflab {
namespace {

using std::filesystem::path;

path experiments_folder() { return build_info().source_dir / "experiments"; }

// Reads the keys of one table, each at most once; whatever is left over is a mistake of the file's author.
class Table {
 public:
  Table(const toml::table& root, std::string name, const std::string& source)
      : name_(std::move(name)), source_(source) {
    if (const toml::table* table = root[name_].as_table()) left_ = *table;
  }
  ~Table() noexcept(false) {
    if (left_.empty() || std::uncaught_exceptions() > 0) return;
    fail(ErrorKind::usage, "{}: unknown key '{}' in [{}]; valid: {}", source_,
         std::string(left_.begin()->first.str()), name_, known_);
  }

  void read(const char* key, std::string& value) {
    read_as<std::string>(key, "a string", [&](const auto& v) { value = v; });
  }
  void read(const char* key, bool& value) {
    read_as<bool>(key, "true or false", [&](bool v) { value = v; });
  }
  void read(const char* key, int& value) {
    read_number(key, [&](double v) {
      if (v < 0 || v > 1e6 || v != std::floor(v)) bad(key, "a whole number from 0 to 1000000");
      value = int(v);
    });
  }
  void read(const char* key, double& value) {
    read_number(key, [&](double v) { value = v; });
  }
  void read_ns(const char* key, double unit_ns, std::int64_t& value) {
    read_number(key, [&](double v) {
      if (!(v >= 0) || v > 1e6) bad(key, "a number from 0 to 1000000");
      value = std::int64_t(v * unit_ns);
    });
  }
  // All keys of the table, for tables whose keys are the user's.
  std::map<std::string, std::vector<std::string>> all() {
    std::map<std::string, std::vector<std::string>> values;
    for (const auto& [key, node] : left_)
      values[std::string(key.str())] = texts_of(node, std::string(key.str()));
    left_.clear();
    return values;
  }

 private:
  void note(const char* key) { known_ += (known_.empty() ? "" : ", ") + std::string(key); }
  [[noreturn]] void bad(std::string_view key, std::string_view want) const {
    fail(ErrorKind::usage, "{}: [{}] {}: want {}", source_, name_, key, want);
  }
  template <typename T, typename Take>
  void read_as(const char* key, const char* want, Take&& take) {
    note(key);
    const toml::node* node = left_.get(key);
    if (node == nullptr) return;
    const std::optional<T> value = node->value_exact<T>();
    if (!value) bad(key, want);
    take(*value);
    left_.erase(key);
  }
  template <typename Take>
  void read_number(const char* key, Take&& take) {
    note(key);
    const toml::node* node = left_.get(key);
    if (node == nullptr) return;
    const std::optional<double> value = node->is_number() ? node->value<double>() : std::nullopt;
    if (!value || !std::isfinite(*value)) bad(key, "a number");
    take(*value);
    left_.erase(key);
  }
  std::vector<std::string> texts_of(const toml::node& node, std::string_view key) const {
    std::vector<std::string> values;
    const auto add = [&](const toml::node& element) {
      if (const auto text = element.value_exact<std::string>()) values.push_back(*text);
      else if (const auto integer = element.value_exact<std::int64_t>())
        values.push_back(fmt::format("{}", *integer));
      else if (const auto real = element.value_exact<double>()) values.push_back(format_number(*real));
      else bad(key, "a number, a string or a list of them");
    };
    if (const toml::array* array = node.as_array()) {
      for (const toml::node& element : *array) add(element);
    } else {
      add(node);
    }
    if (values.empty()) bad(key, "at least one value");
    return values;
  }

  std::string name_;
  const std::string& source_;
  std::string known_;
  toml::table left_;
};

void check(const Profile& profile, const std::string& source) {
  constexpr std::string_view sets[] = {"smoke", "quick", "article", "reproduce"};
  if (std::find(std::begin(sets), std::end(sets), profile.axis_values) == std::end(sets))
    fail(ErrorKind::usage, "{}: axis_values '{}'; want smoke, quick, article or reproduce", source,
         profile.axis_values);
  if (profile.launches < 1 || profile.launches > 100)
    fail(ErrorKind::usage, "{}: launches {}; want 1..100", source, profile.launches);
  if (profile.min_blocks < 6 || profile.max_blocks < profile.min_blocks || profile.max_blocks > 10000)
    fail(ErrorKind::usage, "{}: blocks {}..{}; want 6 <= min <= max <= 10000 (no interval exists below 6)",
         source, profile.min_blocks, profile.max_blocks);
  if (profile.target_half_width < 0 || profile.target_half_width >= 1)
    fail(ErrorKind::usage, "{}: target_half_width {}; want 0 (fixed blocks) or a share below 1", source,
         profile.target_half_width);
  if (profile.warmup_calls < 1)
    fail(ErrorKind::usage, "{}: warm-up calls 0; want at least 1: the first call is kept apart", source);
}

Profile parse(const toml::table& root, const std::string& name, const std::string& source) {
  Profile profile;
  profile.name = name;
  profile.axis_values = "quick";
  profile.warmup_until_steady = false;
  {
    Table run(root, "run", source);
    run.read("axis_values", profile.axis_values);
    run.read("launches", profile.launches);
  }
  {
    Table warmup(root, "warmup", source);
    warmup.read("calls", profile.warmup_calls);
    warmup.read_ns("min_ms", 1e6, profile.warmup_min_ns);
    warmup.read_ns("cap_s", 1e9, profile.warmup_cap_ns);
    warmup.read("until_steady", profile.warmup_until_steady);
  }
  {
    Table blocks(root, "blocks", source);
    blocks.read("min", profile.min_blocks);
    blocks.read("max", profile.max_blocks);
    profile.target_half_width = 0;
    blocks.read("target_half_width", profile.target_half_width);
  }
  {
    Table cap(root, "cap", source);
    cap.read_ns("case_s", 1e9, profile.case_cap_ns);
    cap.read_ns("lab_s", 1e9, profile.lab_cap_ns);
  }
  {
    Table verdicts(root, "verdicts", source);
    verdicts.read("decide", profile.verdicts);
  }
  constexpr std::string_view own[] = {"run", "warmup", "blocks", "cap", "verdicts"};
  for (const auto& [key, node] : root) {
    const std::string table_name(key.str());
    if (std::find(std::begin(own), std::end(own), table_name) != std::end(own)) continue;
    if (!node.is_table())
      fail(ErrorKind::usage,
           "{}: unknown key '{}'; want [run], [warmup], [blocks], [cap], [verdicts] or a lab's glob", source,
           table_name);
    profile.overrides[table_name] = Table(root, table_name, source).all();
  }
  check(profile, source);
  return profile;
}

path find_profile(std::string_view name_or_file) {
  if (name_or_file.ends_with(".toml")) return path(name_or_file);
  const std::vector<std::string> names = profile_names();
  if (std::find(names.begin(), names.end(), name_or_file) == names.end())
    fail(ErrorKind::usage, "{}; or name a file that ends in .toml",
         unknown_text("profile", name_or_file, names));
  return experiments_folder() / (std::string(name_or_file) + ".toml");
}

}  // namespace

std::vector<std::string> profile_names() {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(experiments_folder(), error))
    if (entry.path().extension() == ".toml") names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

Profile load_profile(std::string_view name_or_file) {
  const path file = find_profile(name_or_file);
  std::string text;
  try {
    text = read_file(file);
  } catch (const Error& error) {
    fail(ErrorKind::usage, "profile: {}", error.what());
  }
  try {
    return parse(toml::parse(text, file.string()), file.stem().string(), file.string());
  } catch (const toml::parse_error& error) {
    fail(ErrorKind::usage, "{}: line {}: {}", file.string(), error.source().begin.line, error.description());
  }
}

}  // namespace perflab

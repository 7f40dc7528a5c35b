#include "base/nearest.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace perflab {
namespace {

// Not std::tolower: it follows the locale.
std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result)
    if (c >= 'A' && c <= 'Z') c = char(c - 'A' + 'a');
  return result;
}

}  // namespace

int edit_distance(std::string_view a, std::string_view b) {
  const std::string x = lower(a), y = lower(b);
  std::vector<int> before(y.size() + 1), last(y.size() + 1), row(y.size() + 1);
  for (std::size_t j = 0; j <= y.size(); ++j) last[j] = int(j);
  for (std::size_t i = 1; i <= x.size(); ++i) {
    row[0] = int(i);
    for (std::size_t j = 1; j <= y.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (x[i - 1] == y[j - 1] ? 0 : 1)});
      const bool swapped = i > 1 && j > 1 && x[i - 1] == y[j - 2] && x[i - 2] == y[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before.swap(last);
    last.swap(row);
  }
  return last[y.size()];
}

std::vector<std::string> nearest(std::string_view given, const std::vector<std::string>& known,
                                 std::size_t at_most) {
  struct Candidate {
    int cost;
    const std::string* word;
  };
  const std::string wanted = lower(given);
  std::vector<Candidate> candidates;
  for (const std::string& word : known) {
    const std::string other = lower(word);
    const bool contained =
        !wanted.empty() && !other.empty() &&
        (other.find(wanted) != std::string::npos || wanted.find(other) != std::string::npos);
    candidates.push_back({contained ? 1 : edit_distance(wanted, other), &word});
  }
  std::stable_sort(candidates.begin(), candidates.end(), [](auto& a, auto& b) { return a.cost < b.cost; });
  std::vector<std::string> close, first;
  for (const Candidate& candidate : candidates) {
    // More than half of the letters wrong is another word, not a slip.
    const auto limit = int(std::max(given.size(), candidate.word->size()) + 1) / 2;
    if (candidate.cost <= limit && close.size() < at_most) close.push_back(*candidate.word);
  }
  for (std::size_t i = 0; i < std::min(at_most, known.size()); ++i) first.push_back(known[i]);
  return close.empty() ? first : close;
}

std::string unknown_text(std::string_view what, std::string_view given,
                         const std::vector<std::string>& known) {
  if (known.empty()) return fmt::format("unknown {} '{}'; there is no {} here", what, given, what);
  return fmt::format("unknown {} '{}'; did you mean {}?", what, given,
                     fmt::join(nearest(given, known), " or "));
}

}  // namespace perflab

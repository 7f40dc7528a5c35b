// Which verdicts a reader should see first: those that differ from what the article says, the farthest first.

#include <algorithm>
#include <array>
#include <cmath>

#include "bench/judge_parts.h"

namespace perflab {
namespace {

int surprise_class(Word word) {
  constexpr std::array order = {Word::contradicted, Word::direction_holds, Word::reproduced,
                                Word::model_agrees, Word::rejected,        Word::failed,
                                Word::inconclusive, Word::not_testable};
  return int(std::find(order.begin(), order.end(), word) - order.begin());
}

// How many times the observed number is away from the article's, either way; 0 where one of them is unknown.
double distance(const VerdictRow& row) {
  const Claim& claim = row.claim;
  double observed = 0;
  if (row.seen.estimate) observed = row.seen.estimate->median;
  else if (!row.seen.every_sample.empty()) observed = row.seen.every_sample.front();
  const double claimed = claim.claimed_value.value_or(claim.band_lo.value_or(claim.band_hi.value_or(0)));
  if (!(observed > 0) || !(claimed > 0)) return 0;
  return std::abs(std::log(observed / claimed));
}

}  // namespace

void rank_by_surprise(std::vector<VerdictRow>& rows) {
  std::vector<VerdictRow*> order;
  for (VerdictRow& row : rows) order.push_back(&row);
  std::stable_sort(order.begin(), order.end(), [](const VerdictRow* a, const VerdictRow* b) {
    const int class_a = surprise_class(a->decision.word), class_b = surprise_class(b->decision.word);
    return class_a != class_b ? class_a < class_b : distance(*a) > distance(*b);
  });
  for (std::size_t i = 0; i < order.size(); ++i) order[i]->surprise_rank = int(i + 1);
}

}  // namespace perflab

// The judge's part for predictions: each question's quantity observed as a claim's is, and the prediction
// beside its own number in summary.csv.

#include <algorithm>

#include "base/units.h"
#include "bench/judge_parts.h"

namespace perflab {
namespace {

// An absolute number of this very machine; nothing is decided by it, so its band stays open.
Claim as_claim(const Question& question) {
  Claim claim;
  claim.claim_id = question.question_id;
  claim.type = ClaimType::absolute;
  claim.experiment = question.experiment;
  claim.params = question.params;
  claim.quantity = question.quantity;
  claim.unit = question.unit;
  claim.smallest_interesting_effect = 1.25;  // nobody predicts to the last per cent
  claim.about = "hardware";
  claim.subject = "real";
  return claim;
}

// Where summary.csv holds the quantity; a ratio of two variants has no row of its own.
struct Place {
  std::string case_id, variant;
};
std::optional<Place> place_of(const Evidence& evidence, const Question& question) {
  if (pair_quantity(question.quantity)) return std::nullopt;
  if (const auto found = evidence.derived.find(question.experiment); found != evidence.derived.end())
    for (const DerivedRow& row : found->second.rows())
      if (row.metric == question.quantity) return Place{};
  Match match = parse_params(question.params);
  std::string variant;
  std::erase_if(match, [&](const auto& pair) {
    if (pair.first == "variant") variant = pair.second;
    return pair.first == "variant";
  });
  const std::vector<const Series*> any = evidence.results.find(question.experiment, match);
  if (variant.empty() && !any.empty()) variant = any.front()->info.baseline;
  const Series* series = evidence.results.only(question.experiment, match, variant);
  return series == nullptr ? std::nullopt : std::optional(Place{series->info.case_id, variant});
}

void put_beside(const Evidence& evidence, const PredictionRow& row, Judgement& judgement) {
  if (!row.prediction.value) return;
  const std::optional<Place> place = place_of(evidence, row.question);
  if (!place) return;
  const auto column = [&](const char* name) {
    const auto& header = judgement.summary_header;
    return std::size_t(std::find(header.begin(), header.end(), name) - header.begin());
  };
  for (std::vector<std::string>& cells : judgement.summary) {
    if (cells[column("experiment")] != row.question.experiment ||
        cells[column("case_id")] != place->case_id || cells[column("variant")] != place->variant ||
        cells[column("metric")] != row.question.quantity)
      continue;
    cells[column("predicted")] = format_number(*row.prediction.value);
    cells[column("predicted_lo")] = format_number(*row.prediction.lo);
    cells[column("predicted_hi")] = format_number(*row.prediction.hi);
  }
}

}  // namespace

void judge_predictions(const Evidence& evidence, Judgement& judgement) {
  for (const Question& question : evidence.input.questions) {
    const auto& all = evidence.input.predictions;
    const auto found = std::find_if(all.begin(), all.end(), [&](const Prediction& one) {
      return one.question_id == question.question_id;
    });
    if (found == all.end()) continue;  // not asked
    judgement.predictions.push_back(
        score_prediction(question, *found, observe(evidence, as_claim(question))));
    put_beside(evidence, judgement.predictions.back(), judgement);
  }
}

}  // namespace perflab

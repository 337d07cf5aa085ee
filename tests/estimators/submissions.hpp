// Claims, their responses and a first day, for tests of the estimator as a whole.
#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/domain/basics/bank_calendar.hpp"
#include "core/estimators/state.hpp"

namespace tideover::tests {

inline const domain::Date kFirstDay = *domain::parse_date("2025-03-03");

inline estimators::Submission submission_of(int number, domain::Date day, const char* payer = "P1",
                                            const char* code = "99213") {
  estimators::Submission claim;
  claim.claim_id = "C" + std::to_string(number);
  claim.submitted = claim.reviewed = day;
  claim.date_of_service = day.plus(-3);
  claim.payer_id = payer;
  claim.payer_class = estimators::PayerClass::commercial;
  claim.billing_npi = "1234567893";
  claim.servicer_npi = "1679576722";
  claim.facility = "F1";
  claim.chart = static_cast<std::uint64_t>(1'000 + number);
  claim.amount = domain::Money::cents(20'000);
  estimators::SubmittedLine line;
  line.code = code;
  line.amount = claim.amount;
  claim.lines.push_back(line);
  return claim;
}

inline estimators::Response response_to(const estimators::Submission& claim, domain::Date day, bool denied,
                                        const char* carc = "50", std::int64_t allowed = 9'000,
                                        std::int64_t patient = 1'000) {
  estimators::Response response;
  response.claim_id = claim.claim_id;
  response.responded = day;
  if (!denied) response.posted = domain::banking_day_on_or_after(day);
  auto& answer = response.remittance;
  answer.claim_identifier = claim.claim_id;
  answer.status = denied ? "4" : "1";
  answer.charge_amount = claim.amount;
  domain::RemittanceLine line;
  line.cpt = claim.lines.empty() ? "" : claim.lines.front().code;
  line.units = "1";
  line.charge_amount = claim.amount;
  if (denied) {
    line.adjustments = {{"CO", carc, claim.amount}};
  } else {
    line.allowed_amount = domain::Money::cents(allowed);
    line.paid_amount = domain::Money::cents(allowed - patient);
    line.adjustments = {{"CO", "45", claim.amount - domain::Money::cents(allowed)},
                        {"PR", "2", domain::Money::cents(patient)}};
  }
  answer.paid_amount = line.paid_amount;
  answer.lines.push_back(line);
  return response;
}

/// Claims a day, each answered `wait` days later; `denied(number)` says how.
template <class Denied>
int live(estimators::State& state, domain::Date from, int days, int a_day, int wait, const Denied& denied,
         int number = 0, const char* payer = "P1", const char* code = "99213") {
  std::vector<std::pair<domain::Date, estimators::Response>> coming;
  std::size_t next = 0;
  for (int i = 0; i < days + wait; ++i) {
    const domain::Date day = from.plus(i);
    for (int k = 0; i < days && k < a_day; ++k) {
      const auto claim = submission_of(number, day, payer, code);
      state.submitted(claim);
      coming.emplace_back(day.plus(wait), response_to(claim, day.plus(wait), denied(number)));
      ++number;
    }
    for (; next < coming.size() && coming[next].first <= day; ++next) state.responded(coming[next].second);
    state.close_day(day);
  }
  return number;
}

inline constexpr int kLater = 100'000;  // numbers of claims that are only predicted

}  // namespace tideover::tests

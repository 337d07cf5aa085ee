// Quotes every rail for an amount, or for the terms that an authorization would get (openapi.yaml:
// POST /v1/funding/quote). Stores nothing.
//
// Threads: thread-safe.
#pragma once
#include "core/ports/clock.hpp"
#include "core/usecases/funding/create_adjudication.hpp"

namespace tideover::usecases {

/// Exactly one of amount and authorization.
struct QuoteRequest {
  std::string authorization_id;  // empty: absent
  std::optional<domain::Money> amount;
  std::optional<domain::Date> desired_date;
};

struct RailQuote {
  ports::RailDescription rail;
  domain::Money amount;
  std::optional<domain::BoundedTerms> terms;       // with an authorization
  std::optional<domain::FundingPlan> plan;         // if the rail is available
  std::optional<domain::Timestamp> next_cutoff{};  // none: the rail has no cut-offs
  std::optional<domain::Error> refusal{};          // why the rail is not available
};

class QuoteFunding {
 public:
  QuoteFunding(CreateAdjudication& adjudication, ports::FundingRails& rails, const ports::BankTime& bank_time)
      : adjudication_(adjudication), rails_(rails), bank_time_(bank_time) {}

  /// In the order of the configured rails. Error: the refusal of an adjudication of this authorization;
  /// rules_unavailable when a terms rule fails.
  domain::Result<std::vector<RailQuote>> operator()(const RequestContext& context, const QuoteRequest& request) const;

 private:
  std::optional<domain::Timestamp> next_cutoff(const ports::RailDescription& rail, domain::Timestamp now) const;

  CreateAdjudication& adjudication_;
  ports::FundingRails& rails_;
  const ports::BankTime& bank_time_;
};

}  // namespace tideover::usecases

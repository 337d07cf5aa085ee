#include "core/usecases/quotes/quote_funding.hpp"

#include <algorithm>

#include "core/domain/basics/bank_calendar.hpp"
#include "core/usecases/rails/rail_checks.hpp"

namespace tideover::usecases {
namespace {

using domain::Error;
using domain::ErrorCode;

/// Minutes since midnight of "14:15"; nullopt for any other form.
std::optional<int> minute_of(const std::string& text) {
  const auto digit = [&](std::size_t at) { return text[at] >= '0' && text[at] <= '9'; };
  if (text.size() != 5 || text[2] != ':' || !digit(0) || !digit(1) || !digit(3) || !digit(4)) return std::nullopt;
  const auto number = [&](std::size_t at) { return (text[at] - '0') * 10 + (text[at + 1] - '0'); };
  return number(0) * 60 + number(3);
}

/// Why this rail cannot pay the advance if it is confirmed now; nullopt: it can.
std::optional<Error> refusal_of(const RailQuote& quote) {
  if (quote.terms && quote.terms->decision == domain::Decision::declined)
    return Error::of(ErrorCode::invalid_state, "The rules decline an advance over this rail.")
        .with_list("decision_reasons", quote.terms->reasons);
  if (auto refusal = refusal_of_rail(quote.rail, quote.amount)) return refusal;
  if (quote.terms && quote.terms->decision == domain::Decision::manual_review)
    return Error::of(ErrorCode::manual_review_pending,
                     "A reviewer decides on an advance over this rail. It can be confirmed after the approval.")
        .with_list("decision_reasons", quote.terms->reasons);
  if (quote.amount.is_zero()) return Error::of(ErrorCode::invalid_state, "There is nothing to pay over this rail.");
  return std::nullopt;
}

}  // namespace

std::optional<domain::Timestamp> QuoteFunding::next_cutoff(const ports::RailDescription& rail,
                                                           domain::Timestamp now) const {
  std::vector<int> minutes;
  for (const auto& text : rail.cutoffs)
    if (const auto minute = minute_of(text)) minutes.push_back(*minute);
  if (minutes.empty()) return std::nullopt;
  std::sort(minutes.begin(), minutes.end());
  // Cut-offs are in the zone of the rail; without one, in that of the bank.
  const auto zone = rail.time_zone.empty() ? nullptr : bank_time_.in_zone(rail.time_zone);
  const ports::BankTime& local = zone ? *zone : bank_time_;
  const auto today = local.date_at(now);
  const auto day = rail.business_days_only ? domain::banking_day_on_or_after(today) : today;
  if (day == today)
    for (const int minute : minutes)
      if (local.minute_of_day(now) < minute) return local.instant(today, minute);
  const auto tomorrow = today.plus(1);
  return local.instant(rail.business_days_only ? domain::banking_day_on_or_after(tomorrow) : tomorrow, minutes.front());
}

domain::Result<std::vector<RailQuote>> QuoteFunding::operator()(const RequestContext& context,
                                                                const QuoteRequest& request) const {
  std::vector<domain::BoundedTerms> terms;
  if (!request.amount) {
    auto offered = adjudication_.terms_by_rail(context, request.authorization_id);
    if (!offered) return offered.error();
    terms = std::move(*offered);
  }
  const bool strict = context.caller.profile == domain::ValidationProfile::strict;
  std::vector<RailQuote> quotes;
  for (std::size_t i = 0; auto* rail : rails_.all()) {
    RailQuote quote{rail->describe(), request.amount.value_or(domain::Money{}), std::nullopt, std::nullopt};
    if (!request.amount) {
      quote.terms = std::move(terms[i++]);
      quote.amount = quote.terms->terms.advance_amount;
    }
    quote.next_cutoff = next_cutoff(quote.rail, context.now);
    quote.refusal = refusal_of(quote);
    if (!quote.refusal) {
      auto plan = rail->plan(request.desired_date, context.now, strict);
      if (plan)
        quote.plan = std::move(*plan);
      else
        quote.refusal = plan.error();
    }
    quotes.push_back(std::move(quote));
  }
  return quotes;
}

}  // namespace tideover::usecases

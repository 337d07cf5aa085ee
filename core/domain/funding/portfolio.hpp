// The exposure of a tenant: what the portfolio guards check before another advance.
#pragma once
#include "core/domain/basics/money.hpp"

namespace tideover::domain {

/// The number of days, including today, whose advances and losses count.
inline constexpr int kPortfolioDays = 30;

/// The exposure around one claim.
struct Portfolio {
  Money payer_open;     // funded principal of its payer, neither paid back nor written off
  Money provider_open;  // the same of its billing provider
  Money advanced;       // by the tenant in the last kPortfolioDays, less returned advances
  Money lost;           // losses on receivables in those days
};

/// The change by one posting.
struct PortfolioChange {
  Money open;  // principal
  Money advanced;
  Money lost;
};

}  // namespace tideover::domain

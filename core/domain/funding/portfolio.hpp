// What a tenant's advances are worth together: what guards of the portfolio look at before there is one more.
#pragma once
#include "core/domain/basics/money.hpp"

namespace tideover::domain {

/// Days, today among them, of which what was advanced and lost counts.
inline constexpr int kPortfolioDays = 30;

/// Around one claim.
struct Portfolio {
  Money payer_open;     // funded principal that its payer has not paid back, nor was given up
  Money provider_open;  // of its billing provider
  Money advanced;       // by the tenant in the last kPortfolioDays; what came back unpaid less
  Money lost;           // on receivables in those days
};

/// What one booking changes.
struct PortfolioChange {
  Money open;  // principal
  Money advanced;
  Money lost;
};

}  // namespace tideover::domain

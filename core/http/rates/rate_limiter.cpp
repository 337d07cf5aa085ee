#include "core/http/rates/rate_limiter.hpp"

#include <algorithm>

namespace tideover::http {
namespace {

using domain::Error;
using domain::ErrorCode;

constexpr std::string_view kTenantPrefix = "tenant-";

int whole_seconds(std::chrono::nanoseconds time) {
  return static_cast<int>(std::chrono::ceil<std::chrono::seconds>(time).count());
}

void append(std::string& list, const std::string& item) {
  if (!list.empty()) list += ", ";
  list += item;
}

std::string policy_of(const std::string& name, const Rate& rate) {
  return '"' + name + "\";q=" + std::to_string(rate.per_second) + ";w=1";
}

std::array<KeyedBuckets, kRateClasses> buckets_of(const RateLimits& limits) {
  return {KeyedBuckets(limits.rates[0]), KeyedBuckets(limits.rates[1]), KeyedBuckets(limits.rates[2]),
          KeyedBuckets(limits.rates[3])};
}

Error too_many_in_flight(std::string_view whose) {
  return Error::of(ErrorCode::rate_limited,
                   "Too many requests of this " + std::string(whose) + " are in progress. Retry after 1 s.")
      .with("reason", "concurrency")
      .retry_after(1);
}

/// Adds the state of the bucket to the header. An error when it was empty.
domain::Status settle(const TokenBucket::Taken& taken, const std::string& name, std::string_view whose,
                      RateReport& report) {
  append(report.state, '"' + name + "\";r=" + std::to_string(taken.remaining) +
                           ";t=" + std::to_string(whole_seconds(taken.until_full)));
  if (taken.allowed) return {};
  const int wait_s = std::max(1, whole_seconds(taken.wait));
  return Error::of(ErrorCode::rate_limited, "Too many requests of this " + std::string(whose) + " (" + name +
                                                "). Retry after " + std::to_string(wait_s) + " s.")
      .with("reason", "rate")
      .retry_after(wait_s);
}

}  // namespace

std::string_view name_of(RateClass rate_class) {
  constexpr std::array<std::string_view, kRateClasses> kNames{"read", "write", "confirm", "token"};
  return kNames[static_cast<std::size_t>(rate_class)];
}

RateLimiter::RateLimiter(const RateLimits& client, const RateLimits& tenant)
    : of_clients_(buckets_of(client)),
      of_tenants_(buckets_of(tenant)),
      clients_in_flight_(client.in_flight),
      tenants_in_flight_(tenant.in_flight) {
  for (std::size_t i = 0; i < kRateClasses; ++i) {
    const std::string name(name_of(static_cast<RateClass>(i)));
    if (client.rates[i].limits()) append(policies_[i], policy_of(name, client.rates[i]));
    if (tenant.rates[i].limits()) append(policies_[i], policy_of(std::string(kTenantPrefix) + name, tenant.rates[i]));
  }
}

domain::Result<RateLimiter::Lease> RateLimiter::enter(const domain::Caller& caller) {
  if (!clients_in_flight_.enter(caller.client.text())) return too_many_in_flight("client");
  if (!tenants_in_flight_.enter(caller.tenant.text())) {
    clients_in_flight_.leave(caller.client.text());
    return too_many_in_flight("tenant");
  }
  return Lease(*this, caller);
}

void RateLimiter::leave(const std::string& client, const std::string& tenant) {
  clients_in_flight_.leave(client);
  tenants_in_flight_.leave(tenant);
}

domain::Status RateLimiter::take(RateClass rate_class, const domain::Caller& caller, TokenBucket::Time now,
                                 RateReport& report) {
  const auto index = static_cast<std::size_t>(rate_class);
  const std::string name(name_of(rate_class));
  report.policy = policies_[index];
  KeyedBuckets& own = of_clients_[index];
  if (own.rate().limits()) {
    auto status = settle(own.take(caller.client.text(), now), name, "client", report);
    if (!status) return status;
  }
  KeyedBuckets& shared = of_tenants_[index];
  if (!shared.rate().limits()) return {};
  auto status = settle(shared.take(caller.tenant.text(), now), std::string(kTenantPrefix) + name, "tenant", report);
  if (!status && own.rate().limits()) own.give_back(caller.client.text());
  return status;
}

domain::Status RateLimiter::take_token(const domain::ClientId& client, TokenBucket::Time now, RateReport& report) {
  const auto index = static_cast<std::size_t>(RateClass::token);
  report.policy = policies_[index];
  KeyedBuckets& buckets = of_clients_[index];
  if (!buckets.rate().limits()) return {};
  return settle(buckets.take(client.text(), now), std::string(name_of(RateClass::token)), "client", report);
}

}  // namespace tideover::http

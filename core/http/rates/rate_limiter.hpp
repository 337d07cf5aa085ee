// Limits the requests of each client and of each tenant: rates per class of request, and requests in flight. Counts the
// requests of this process only. Thread-safe.
#pragma once
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "core/domain/basics/result.hpp"
#include "core/domain/basics/tenant.hpp"
#include "core/http/rates/in_flight.hpp"
#include "core/http/rates/keyed_buckets.hpp"

namespace tideover::http {

enum class RateClass { read, write, confirm, token };
inline constexpr std::size_t kRateClasses = 4;
std::string_view name_of(RateClass rate_class);

struct RateLimits {
  std::array<Rate, kRateClasses> rates;  // by RateClass
  int in_flight = 0;                     // 0 = no limit
};

/// Values of the headers RateLimit-Policy and RateLimit (draft-ietf-httpapi-ratelimit-headers); empty: no header.
struct RateReport {
  std::string policy;
  std::string state;
};

class RateLimiter {
 public:
  RateLimiter(const RateLimits& client, const RateLimits& tenant);

  /// One request in flight, until it is destroyed. It must not outlive its limiter.
  class Lease {
   public:
    Lease() = default;
    Lease(RateLimiter& limiter, const domain::Caller& caller)
        : limiter_(&limiter), client_(caller.client.text()), tenant_(caller.tenant.text()) {}
    Lease(Lease&& other) noexcept { swap(other); }
    Lease& operator=(Lease&& other) noexcept {
      swap(other);
      return *this;
    }
    ~Lease() {
      if (limiter_) limiter_->leave(client_, tenant_);
    }

   private:
    void swap(Lease& other) noexcept {
      std::swap(limiter_, other.limiter_);
      client_.swap(other.client_);
      tenant_.swap(other.tenant_);
    }
    RateLimiter* limiter_ = nullptr;
    std::string client_, tenant_;
  };

  /// A place among the requests in flight. Error: rate_limited, with the reason `concurrency`.
  domain::Result<Lease> enter(const domain::Caller& caller);
  /// Takes a token of the caller and one of its tenant. Error: rate_limited, with the reason `rate`.
  domain::Status take(RateClass rate_class, const domain::Caller& caller, TokenBucket::Time now, RateReport& report);
  /// Takes a token of the class `token`, of a client that is authenticated: a stranger may know its id.
  domain::Status take_token(const domain::ClientId& client, TokenBucket::Time now, RateReport& report);
  /// Value of RateLimit-Policy.
  const std::string& policy(RateClass rate_class) const { return policies_[static_cast<std::size_t>(rate_class)]; }

 private:
  using Buckets = std::array<KeyedBuckets, kRateClasses>;
  void leave(const std::string& client, const std::string& tenant);

  Buckets of_clients_, of_tenants_;
  InFlight clients_in_flight_, tenants_in_flight_;
  std::array<std::string, kRateClasses> policies_;
};

}  // namespace tideover::http

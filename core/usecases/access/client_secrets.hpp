// The steps of changing a client's secret, for commands and for the API. Each works in the caller's transaction.
#pragma once
#include <cstdint>
#include <string>

#include "core/domain/basics/result.hpp"
#include "core/domain/basics/tenant.hpp"
#include "core/ports/credentials.hpp"
#include "core/ports/id_source.hpp"
#include "core/ports/store.hpp"

namespace tideover::usecases {

/// A secret is shown once: `plain` is stored nowhere.
struct NewSecret {
  domain::ClientSecret stored;
  std::string plain;
};

/// Not yet stored, and with the number 0.
NewSecret make_secret(const ports::Credentials& credentials, ports::IdSource& ids, domain::Environment environment,
                      domain::Timestamp now);

/// Stores `made` as the next secret of the client. The present one obtains tokens for `overlap_s` more seconds, or up
/// to its earlier expiry. Error invalid_state: two secrets are live.
domain::Status rotate_secret(ports::Records& records, const domain::ClientId& client, NewSecret& made,
                             domain::Timestamp now, std::int64_t overlap_s);

/// Ends a secret and the tokens that it obtained. A secret that is revoked already stays as it is. Error not_found.
domain::Result<domain::ClientSecret> revoke_secret(ports::Records& records, const domain::ClientId& client,
                                                   const std::string& secret_id, domain::Timestamp now);

inline constexpr std::int64_t kMostOverlapSeconds = 30 * 86'400;
inline constexpr std::int64_t kUsualOverlapSeconds = 86'400;

}  // namespace tideover::usecases

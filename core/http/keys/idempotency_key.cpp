#include "core/http/keys/idempotency_key.hpp"

#include <algorithm>

#include "core/crypto/primitives/encoding.hpp"
#include "core/crypto/primitives/sha256.hpp"

namespace tideover::http {

bool is_idempotency_key(std::string_view text) {
  return !text.empty() && text.size() <= 255 &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= 0x21 && c <= 0x7e; });
}

std::string key_scope(std::string_view method, std::string_view path, std::string_view key) {
  std::string operation(method);
  operation.append(1, ' ').append(path);
  // The path may be longer than the key column of the database.
  return crypto::hex_encode(crypto::sha256(operation)).substr(0, 32).append(1, ' ').append(key);
}

domain::Result<std::string> object_made_with(ports::Store& store, const domain::TenantId& tenant, domain::Timestamp now,
                                             std::string_view path, std::string_view key) {
  if (!is_idempotency_key(key)) {
    auto error = domain::Error::of(domain::ErrorCode::invalid_parameter,
                                   "idempotency_key is not valid. Use the Idempotency-Key of the request that made the "
                                   "object.");
    error.fields.push_back({"idempotency_key", "must be 1 to 255 visible ASCII characters without blanks"});
    return error;
  }
  const auto answer = fetch_one(store, [&](const ports::Records& records) {
    return records.answers().find(tenant, key_scope("POST", path, key));
  });
  if (!answer) return answer.error();
  return *answer && (*answer)->expires_at > now ? (*answer)->object_id : std::string();
}

}  // namespace tideover::http

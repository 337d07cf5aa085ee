// JSON of clients, their secrets and roles (openapi.yaml: Client, ClientRequest, ClientUpdate, RotateSecretRequest,
// Role).
#pragma once
#include <string>
#include <vector>

#include "core/http/wire/basics/cursor.hpp"
#include "core/http/wire/basics/object_reader.hpp"
#include "core/usecases/access/clients.hpp"

namespace tideover::wire {

/// Needs a name, and either a role or scopes.
usecases::ClientChange decode_new_client(const json::Value& body, Faults& faults, const domain::Roles& roles);
usecases::ClientChange decode_client_change(const json::Value& body, Faults& faults, const domain::Roles& roles);
/// The overlap in seconds.
std::int64_t decode_client_secret_rotation(const json::Value& body, Faults& faults);

std::string encode_client(const usecases::ClientWithSecrets& client);
std::string encode_clients(const std::vector<usecases::ClientWithSecrets>& clients, const PageFrame& page);
std::string encode_roles(const domain::Roles& roles);

}  // namespace tideover::wire

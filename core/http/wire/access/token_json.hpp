// JSON of the token endpoint: its answer (RFC 6749 section 5.1) and its request.
#pragma once
#include <string>

#include "core/http/wire/basics/object_reader.hpp"
#include "core/usecases/access/issue_token.hpp"

namespace tideover::wire {

usecases::TokenRequest decode_token_request(const json::Value& body, Faults& faults);
std::string encode_token(const usecases::IssuedToken& token);

}  // namespace tideover::wire

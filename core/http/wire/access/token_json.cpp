#include "core/http/wire/access/token_json.hpp"

#include "core/http/wire/json/writer.hpp"

namespace tideover::wire {

usecases::TokenRequest decode_token_request(const json::Value& body, Faults& faults) {
  ObjectReader in(body, "", faults);
  usecases::TokenRequest request{in.text("client_id").value_or(""), in.text("client_secret").value_or(""),
                                 in.text("grant_type").value_or(""), in.text("scope").value_or("")};
  in.finish();
  return request;
}

std::string encode_token(const usecases::IssuedToken& token) {
  std::string body;
  json::Writer out(body);
  out.begin_object();
  out.key("access_token").string(token.access_token);
  out.key("token_type").string("Bearer");
  out.key("expires_in").number(token.expires_in_s);
  out.key("scope").string(token.scopes.text());
  out.end_object();
  return body;
}

}  // namespace tideover::wire

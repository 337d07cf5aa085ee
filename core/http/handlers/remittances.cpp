// POST /v1/remittances: a file (format, payload) or one payment as JSON.
#include <vector>

#include "core/http/handlers/handlers.hpp"
#include "core/http/handlers/reading.hpp"
#include "core/http/wire/remittance_json.hpp"
#include "core/ports/memory_source.hpp"

namespace tideover::http {
namespace {

domain::Result<std::string> decoded_payload(const wire::FilePayload& file, ports::PayloadDecoder& decoder) {
  ports::MemorySource raw(file.payload);
  auto source = decoder.decode(file.encoding, raw);
  if (!source) return source.error();
  std::string bytes;
  std::vector<char> buffer(64 * 1024);
  while (true) {
    const auto n = (*source)->read(buffer.data(), buffer.size());
    if (!n) return n.error();
    if (*n == 0) return bytes;
    bytes.append(buffer.data(), *n);
  }
}

}  // namespace

void add_remittance_routes(RouteTable& routes, usecases::PostRemittance& post_remittance, ports::PayloadDecoder& decoder) {
  Route route{"POST", "/v1/remittances", domain::Scope::deposits_write, BodyKind::json, [&](Context& context) -> domain::Result<Reply> {
    if (!wire::is_file(*context.body)) {
      if (wire::has_too_many_claims(*context.body))
        return domain::Error::of(domain::ErrorCode::payload_too_large, "A remittance has at most 10000 claims; split it.");
      auto draft = read_body(context, wire::decode_remittance);
      if (!draft) return draft.error();
      return reply(post_remittance(context.act, {std::move(*draft)}, wire::encode_remittances));
    }
    const auto file = read_body(context, wire::decode_file);
    if (!file) return file.error();
    const auto bytes = decoded_payload(*file, decoder);
    if (!bytes) return bytes.error();
    return reply(post_remittance.file(context.act, file->format, *bytes, wire::encode_remittances));
  }};
  route.carries_file = true;
  routes.add(std::move(route));
}

}  // namespace tideover::http

#include "core/http/handlers/payload.hpp"

#include <vector>

#include "core/ports/plugins/memory_source.hpp"

namespace tideover::http {

domain::Result<std::string> decoded_payload(const wire::FilePayload& file, ports::PayloadDecoder& decoder) {
  ports::MemorySource raw(file.payload);
  auto source = decoder.decode(file.encoding, raw);
  if (!source) return source.error();
  std::string bytes;
  std::vector<char> buffer(std::size_t{64} * 1024);
  while (true) {
    const auto n = (*source)->read(buffer.data(), buffer.size());
    if (!n) return n.error();
    if (*n == 0) return bytes;
    bytes.append(buffer.data(), *n);
  }
}

}  // namespace tideover::http

// The content of a file in a request: decompressed within the decoder's limits, in memory as a whole.
#pragma once
#include <string>

#include "core/domain/basics/result.hpp"
#include "core/http/wire/basics/file_json.hpp"
#include "core/ports/plugins/payload_decoder.hpp"

namespace tideover::http {

domain::Result<std::string> decoded_payload(const wire::FilePayload& file, ports::PayloadDecoder& decoder);

}  // namespace tideover::http

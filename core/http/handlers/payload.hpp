// The bytes of a file that came in a request: unpacked, within the decoder's limits, read into memory whole.
#pragma once
#include <string>

#include "core/domain/result.hpp"
#include "core/http/wire/file_json.hpp"
#include "core/ports/payload_decoder.hpp"

namespace tideover::http {

domain::Result<std::string> decoded_payload(const wire::FilePayload& file, ports::PayloadDecoder& decoder);

}  // namespace tideover::http

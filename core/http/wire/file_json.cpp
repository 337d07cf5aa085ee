#include "core/http/wire/file_json.hpp"

#include "core/crypto/encoding.hpp"

namespace tideover::wire {

FilePayload decode_file(const json::Value& body, Faults& faults) {
  FilePayload file;
  ObjectReader in(body, "", faults);
  file.format = in.required(in.text("format"), "format");
  file.encoding = in.text("encoding").value_or("none");
  if (file.encoding != "none" && file.encoding != "gzip") in.fault("encoding", "must be gzip or none");
  const auto payload = in.text("payload");
  if (!payload) {
    in.require("payload");
  } else if (auto bytes = crypto::base64_decode(*payload)) {
    file.payload.assign(bytes->begin(), bytes->end());
    if (file.payload.empty()) in.fault("payload", "must not be empty");
  } else {
    in.fault("payload", "must be Base64 (RFC 4648 section 4, padded, without line breaks)");
  }
  in.finish();
  return file;
}

}  // namespace tideover::wire

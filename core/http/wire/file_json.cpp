#include "core/http/wire/file_json.hpp"

namespace tideover::wire {

FilePayload decode_file(const json::Value& body, Faults& faults) {
  FilePayload file;
  ObjectReader in(body, "", faults);
  file.format = in.required(in.text("format"), "format");
  file.encoding = in.text("encoding").value_or("none");
  if (file.encoding != "none" && file.encoding != "gzip") in.fault("encoding", "must be gzip or none");
  auto payload = in.bytes("payload");
  if (payload && payload->empty()) in.fault("payload", "must not be empty");
  file.payload = in.required(std::move(payload), "payload");
  in.finish();
  return file;
}

}  // namespace tideover::wire

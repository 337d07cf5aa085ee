#include "core/http/wire/basics/file_json.hpp"

#include "core/domain/basics/content_coding.hpp"

namespace tideover::wire {
namespace {

FilePayload read_file(ObjectReader& in) {
  FilePayload file;
  file.format = in.required(in.text("format"), "format");
  file.encoding = in.text("encoding").value_or("none");
  if (!domain::is_content_coding(file.encoding)) in.fault("encoding", "must be gzip, zstd or none");
  auto payload = in.bytes("payload");
  if (payload && payload->empty()) in.fault("payload", "must not be empty");
  file.payload = in.required(std::move(payload), "payload");
  return file;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> decode_mapping(ObjectReader& in) {
  std::vector<std::pair<std::string, std::string>> pairs;
  auto mapping = in.object("mapping");
  if (!mapping) return pairs;
  for (const auto& member : mapping->value().members()) {
    if (auto header = mapping->text(member.key))
      pairs.emplace_back(std::string(member.key), std::move(*header));
    else if (member.value.is_null())
      mapping->fault(member.key, "must be a string");
  }
  return pairs;
}

FilePayload decode_file(const json::Value& body, Faults& faults) {
  ObjectReader in(body, "", faults);
  FilePayload file = read_file(in);
  in.finish();
  return file;
}

FilePayload decode_mapped_file(const json::Value& body, Faults& faults) {
  ObjectReader in(body, "", faults);
  FilePayload file = read_file(in);
  file.mapping = decode_mapping(in);
  in.finish();
  return file;
}

}  // namespace tideover::wire

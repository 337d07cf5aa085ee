#include "core/http/wire/operations/pickup_json.hpp"

#include "core/http/wire/basics/list_json.hpp"

namespace tideover::wire {
namespace {

void put_text(json::Writer& out, const char* key, const std::string& text) {
  out.key(key);
  if (text.empty())
    out.null();
  else
    out.string(text);
}

void put_pickup_file(json::Writer& out, const domain::PickupFile& file) {
  const auto put_objects = [&](const char* key, domain::PickupKind kind) {
    out.key(key).begin_array();
    if (file.result.kind == kind)
      for (const auto& object : file.result.objects) out.string(object);
    out.end_array();
  };
  const bool is_import = file.result.kind == domain::PickupKind::claims && !file.result.objects.empty();
  out.begin_object();
  out.key("id").string(file.id.text());
  out.key("folder").string(file.folder);
  out.key("name").string(file.name);
  out.key("size_bytes").number(file.bytes);
  put_text(out, "sha256", file.sha256);
  out.key("kind").string(name_of(file.result.kind));
  put_text(out, "format", file.result.format);
  out.key("status").string(name_of(file.status));
  put_objects("remittance_ids", domain::PickupKind::remittance);
  put_objects("deposit_ids", domain::PickupKind::deposit);
  put_text(out, "import_id", is_import ? file.result.objects.front() : std::string());
  put_text(out, "duplicate_of", file.duplicate_of ? file.duplicate_of->text() : std::string());
  put_text(out, "error_code", file.error_code);
  put_text(out, "error", file.error);
  out.key("place").string(file.place);
  out.key("attempts").number(file.attempts);
  out.key("received_at").string(format_timestamp(file.received_at));
  const bool is_waiting = file.status == domain::PickupStatus::waiting;
  put_text(out, "next_attempt_at", is_waiting ? format_timestamp(file.next_attempt) : std::string());
  put_text(out, "finished_at", file.finished_at ? format_timestamp(*file.finished_at) : std::string());
  out.end_object();
}

}  // namespace

std::string encode_pickup_file(const domain::PickupFile& file) {
  std::string body;
  json::Writer out(body);
  put_pickup_file(out, file);
  return body;
}

std::string encode_pickup_files(const std::vector<domain::PickupFile>& files, const PageFrame& page) {
  return encode_list(files, page, put_pickup_file, [](const domain::PickupFile& file) { return file.id.text(); });
}

}  // namespace tideover::wire

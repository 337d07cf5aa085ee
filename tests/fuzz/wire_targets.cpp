// JSON bodies: the reader, its canonical form, and the decoder of every request.
#include "core/http/wire/access/token_json.hpp"
#include "core/http/wire/json/json.hpp"
#include "core/http/wire/operations/task_json.hpp"
#include "core/http/wire/operations/webhook_json.hpp"
#include "core/http/wire/reconciliation/deposit_json.hpp"
#include "core/http/wire/reconciliation/remittance_json.hpp"
#include "core/http/wire/reviews/adjudication_json.hpp"
#include "core/http/wire/reviews/claim_json.hpp"
#include "core/http/wire/reviews/import_json.hpp"
#include "tests/fuzz/target.hpp"

namespace tideover::fuzz {
namespace {

void json_text(std::string_view bytes) {
  json::Document document;
  if (const auto read = json::parse(bytes, document); !read) {
    must(read.error->offset <= bytes.size() && !read.error->message.empty(), "a refusal says where and why");
    return;
  }
  const auto digest = [](std::string_view) -> std::string { throw std::logic_error("no string is as long as that"); };
  // The canonical form is what an Idempotency-Key is compared by: it must be stable.
  const std::string canonical = json::canonical(document.root(), digest);
  json::Document again;
  json::Limits wider;
  wider.number_bytes *= 2;  // 128 digits get an exponent
  must(static_cast<bool>(json::parse(canonical, again, wider)), "the canonical form is JSON");
  must(json::canonical(again.root(), digest) == canonical, "the canonical form of the canonical form is itself");
}

template <auto decode>
void body(std::string_view bytes) {
  json::Document document;
  if (!json::parse(bytes, document) || document.root().kind() != json::Kind::object) return;
  wire::Faults faults;
  (void)decode(document.root(), faults);
  for (const auto& fault : faults.fields)
    must(!fault.path.empty() && !fault.problem.empty(), "a fault names its field and what is wrong");
}

usecases::StatusUpdate decode_status_update(const json::Value& value, wire::Faults& faults) {
  return wire::decode_status_update(value, faults, {});
}

}  // namespace

std::vector<Target> wire_targets() {
  return {{"json", json_text, {"api/rest/examples"}},
          {"claim", body<wire::decode_claim>, {}},
          {"status_update", body<decode_status_update>, {}},
          {"adjudication", body<wire::decode_adjudication>, {}},
          {"remittance", body<wire::decode_remittance>, {}},
          {"deposit", body<wire::decode_deposit>, {}},
          {"import_request", body<wire::decode_import>, {}},
          {"task_decision", body<wire::decode_task_decision>, {}},
          {"token_request", body<wire::decode_token_request>, {}},
          {"webhook_endpoint", body<wire::decode_webhook_endpoint>, {}},
          {"endpoint_changes", body<wire::decode_endpoint_changes>, {}},
          {"secret_rotation", body<wire::decode_secret_rotation>, {}}};
}

}  // namespace tideover::fuzz

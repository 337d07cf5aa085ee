#include "core/usecases/pickup/post_picked_file.hpp"

#include <algorithm>

#include "core/faults/crash_point.hpp"
#include "core/ports/plugins/memory_source.hpp"

namespace tideover::usecases {
namespace {

using domain::Error;
using domain::ErrorCode;
using domain::PickupKind;
using domain::PickupResult;

constexpr int kAnswerDays = 30;
/// A file of claims is recognized by a row that can be read among so many.
constexpr int kRowsToRecognize = 20;

/// Kind, format and ids, one per line: the stored answer of a posting.
std::string text_of_result(const PickupResult& result) {
  std::string text = std::string(name_of(result.kind)) + '\n' + result.format + '\n';
  for (const auto& object : result.objects) text += object + '\n';
  return text;
}

PickupResult result_of(std::string_view text) {
  const auto take_line = [&] {
    const auto end = std::min(text.find('\n'), text.size());
    std::string line(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    return line;
  };
  PickupResult result;
  result.kind = domain::pickup_kind_named(take_line()).value_or(PickupKind::automatic);
  result.format = take_line();
  while (!text.empty()) result.objects.push_back(take_line());
  return result;
}

std::string scope_of(const std::string& sha256) {
  return "PICKUP " + sha256;
}

/// The refusals of all readers as one error. A single reader speaks for itself.
Error no_reader(std::vector<std::pair<std::string, Error>> refusals) {
  if (refusals.size() == 1) return std::move(refusals.front().second);
  std::string message = "No format accepts the file.";
  for (const auto& [format, error] : refusals) message += ' ' + format + ": " + error.message;
  return Error::of(ErrorCode::invalid_payload, std::move(message));
}

Error no_plugin(const PickedFile& file) {
  return Error::of(ErrorCode::service_unavailable,
                   file.format.empty() ? "No plugin reads files of the kind " + std::string(name_of(file.kind)) +
                                             ". Add one to the setting plugins."
                                       : "The format " + file.format +
                                             " of the folder is not loaded. Add its plugin to the setting "
                                             "plugins, or correct the setting format of the folder.");
}

}  // namespace

bool is_fault_of_file(const domain::Error& error) {
  switch (error.code) {
    case ErrorCode::conflict:
    case ErrorCode::idempotency_in_progress:
    case ErrorCode::rate_limited:
    case ErrorCode::request_timeout:
    case ErrorCode::internal_error:
    case ErrorCode::service_unavailable:
    case ErrorCode::rules_unavailable:
    case ErrorCode::shutting_down:
      return false;
    default:
      return true;
  }
}

std::vector<PostPickedFile::Choice> PostPickedFile::candidates(const PickedFile& file) const {
  std::vector<Choice> found;
  const auto add = [&](PickupKind kind, const std::vector<std::string>& names) {
    if (file.kind != kind && file.kind != PickupKind::automatic) return;
    for (const auto& name : names)
      if (file.format.empty() || file.format == name) found.push_back({kind, name});
  };
  add(PickupKind::remittance, formats_.remittances.names());
  add(PickupKind::deposit, formats_.deposits.names());
  add(PickupKind::claims, formats_.imports.names());
  return found;
}

domain::Status PostPickedFile::recognize_claims(ports::ImportFormat& format, std::string_view bytes) {
  ports::MemorySource source(bytes);
  auto reader = format.open(source, {});
  if (!reader) return reader.error();
  std::string first_fault = "The file has no claim.";
  ports::ImportRow row;
  for (int i = 0; i < kRowsToRecognize; ++i) {
    const auto more = (*reader)->next(row);
    if (!more) return more.error();
    if (!*more) break;
    if (row.fault.empty()) return {};
    if (i == 0) first_fault = row.fault;
  }
  return Error::of(ErrorCode::invalid_payload, first_fault);
}

domain::Status PostPickedFile::recognize(const Choice& choice, std::string_view bytes) {
  if (choice.kind == PickupKind::remittance) {
    const auto read = formats_.remittances.find(choice.format)->parse(bytes, {});
    return read ? domain::Status() : read.error();
  }
  if (choice.kind == PickupKind::deposit) {
    const auto read = formats_.deposits.find(choice.format)->parse(bytes);
    if (!read) return read.error();
    if (read->items.empty() && read->statements.empty())
      return Error::of(ErrorCode::invalid_payload, "The file has no transaction of the format " + choice.format + ".");
    return {};
  }
  return recognize_claims(*formats_.imports.find(choice.format), bytes);
}

domain::Result<PostPickedFile::Choice> PostPickedFile::choose(const PickedFile& file) {
  if (file.bytes.empty()) return Error::of(ErrorCode::invalid_payload, "The file is empty.");
  auto choices = candidates(file);
  if (choices.empty()) return no_plugin(file);
  // A single reader refuses the file itself, with the text of the API.
  if (choices.size() == 1) return std::move(choices.front());
  std::vector<std::pair<std::string, Error>> refusals;
  std::optional<Error> later;
  for (auto& choice : choices) {
    auto recognized = recognize(choice, file.bytes);
    if (recognized) return std::move(choice);
    if (!later && !is_fault_of_file(recognized.error())) later = recognized.error();
    refusals.emplace_back(choice.format, std::move(recognized.error()));
  }
  // A reader that does not work now may be the one that accepts the file.
  if (later) return *later;
  return no_reader(std::move(refusals));
}

domain::Result<StoredResponse> PostPickedFile::post(const RequestContext& context, const Choice& choice,
                                                    const PickedFile& file) {
  PickupResult result{choice.kind, choice.format, {}};
  if (choice.kind == PickupKind::remittance)
    return remittances_.file(context, {choice.format, file.bytes}, [&](const PostedRemittanceFile& posted) {
      result.objects.clear();
      for (const auto& payment : posted.payments) result.objects.push_back(payment.remittance.id.text());
      return text_of_result(result);
    });
  if (choice.kind == PickupKind::deposit)
    return deposits_(context, choice.format, file.bytes, [&](const PostedDepositFile& posted) {
      result.objects.clear();
      for (const auto& item : posted.items)
        if (item.posted) result.objects.push_back(item.posted->deposit.id.text());
      return text_of_result(result);
    });
  ImportRequest request;
  request.format = choice.format;
  request.payload = file.bytes;
  request.external_id = "pickup-" + file.sha256;
  return imports_(context, request, [&](const domain::ImportJob& job) {
    result.objects = {job.id.text()};
    return text_of_result(result);
  });
}

domain::Result<std::optional<PickupResult>> PostPickedFile::posted(const domain::TenantId& tenant,
                                                                   const std::string& sha256) {
  const auto answer = fetch_one(
      store_, [&](const ports::Records& records) { return records.answers().find(tenant, scope_of(sha256)); });
  if (!answer) return answer.error();
  if (!*answer) return std::optional<PickupResult>();
  return std::optional(result_of((*answer)->body));
}

domain::Result<PickupResult> PostPickedFile::operator()(RequestContext context, const PickedFile& file) {
  auto before = posted(context.caller.tenant, file.sha256);
  if (!before) return before.error();
  if (*before) return std::move(**before);
  const auto choice = choose(file);
  if (!choice) return choice.error();
  context.idempotency = IdempotencyClaim{file.sha256, scope_of(file.sha256), file.sha256, kAnswerDays};
  const auto answer = post(context, *choice, file);
  faults::crash_point("pickup.posted");
  if (!answer) return answer.error();
  return result_of(answer->body);
}

}  // namespace tideover::usecases

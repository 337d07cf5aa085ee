#include "core/usecases/reconciliation/post_deposit_file.hpp"

#include <algorithm>
#include <map>

#include "core/faults/crash_point.hpp"
#include "core/usecases/request/file_format.hpp"

namespace tideover::usecases {
namespace {

using domain::DepositFile;
using domain::DepositFileItem;
using domain::Error;
using domain::ErrorCode;
using Result = PostedFileItem::Result;

/// Items per unit, so that other requests wait for one unit and not for the whole file.
constexpr std::size_t kItemsPerUnit = 100;

/// Refuses credits whose money is not received yet. The others of the file are accepted.
void refuse_future_dates(DepositFile& file, domain::Date today) {
  for (auto& item : file.items)
    if (item.kind == DepositFileItem::Kind::deposit && item.deposit.received_date > today.plus(kDepositDaysAhead)) {
      item.kind = DepositFileItem::Kind::refused;
      item.reason = "Its date is in the future: the money is not received. Send the file again on that day.";
    }
}

/// The error for a file in which every deposit is refused.
std::optional<Error> refusal_of(const DepositFile& file) {
  const DepositFileItem* first = nullptr;
  std::size_t refused = 0;
  for (const auto& item : file.items) {
    if (item.kind == DepositFileItem::Kind::deposit) return std::nullopt;
    if (item.kind != DepositFileItem::Kind::refused) continue;
    if (!first) first = &item;
    ++refused;
  }
  if (!first) return std::nullopt;
  return Error::of(ErrorCode::invalid_payload, "No deposit of the file was accepted (" + std::to_string(refused) +
                                                   " refused). Line " + std::to_string(first->line) + ": " +
                                                   first->reason)
      .with("line", std::to_string(first->line));
}

/// A later item may have completed the match of an earlier one.
void refresh(const ports::Records& records, const domain::TenantId& tenant, std::vector<PostedFileItem>& items) {
  for (auto& item : items)
    if (item.posted && item.posted->deposit.status != domain::MatchState::matched)
      item.posted->deposit = *records.deposits().find(tenant, item.posted->deposit.id);
}

}  // namespace

std::string_view name_of(PostedFileItem::Result result) {
  switch (result) {
    case Result::created:
      return "created";
    case Result::duplicate:
      return "duplicate";
    case Result::ignored:
      return "ignored";
    case Result::refused:
      return "refused";
  }
  return "";
}

domain::Status PostDepositFile::check_format(const std::string& format) const {
  return check_format_of(formats_, format);
}

domain::Result<StoredResponse> PostDepositFile::operator()(const RequestContext& context, const std::string& format,
                                                           std::string_view bytes,
                                                           const Render<PostedDepositFile>& render) {
  if (auto known = check_format(format); !known) return known.error();
  // Read the whole file before the first write: a damaged file changes nothing.
  auto file = formats_.find(format)->parse(bytes);
  if (!file) return file.error();
  refuse_future_dates(*file, context.now.utc_date());
  if (auto refusal = refusal_of(*file)) return *refusal;

  name_deposits(*file, context, format);

  const auto& tenant = context.caller.tenant;
  const bool has_statements = !file->statements.empty();
  PostedDepositFile posted{format, {}, file->warnings};
  std::string body;
  bool has_changed = false;
  for (std::size_t from = 0; from == 0 || from < file->items.size(); from += kItemsPerUnit) {
    const auto to = std::min(file->items.size(), from + kItemsPerUnit);
    const auto done = store_.commit([&](ports::Records& records) -> domain::Status {
      records.clients().guard_matching(tenant);
      // The unit may run more than once: drop the results of an earlier run.
      posted.items.resize(from);
      std::vector<std::string> changed;
      for (std::size_t i = from; i < to; ++i) {
        auto taken = take_item({records, tenant, context.now, ids_, rules_}, file->items[i]);
        if (!taken) return taken.error();
        if (taken->result == Result::created || (taken->posted && taken->posted->payer_learned))
          changed.push_back(taken->posted->deposit.id.text());
        posted.items.push_back(std::move(*taken));
      }
      // Only the last unit stores the response. After an interruption the client sends the file again, and the deposits
      // that are stored already count as duplicates.
      const bool is_last = to == file->items.size() && !has_statements;
      if (is_last) finish(records, context, posted, changed.empty() ? "" : changed.front(), render, body);
      // The trace of the response names the first change of the last unit. The others have audit rows of their own.
      for (std::size_t i = is_last ? 1 : 0; i < changed.size(); ++i)
        leave_audit_row(records, context, ids_, changed[i], "ok");
      faults::crash_point("deposit_file.traced");
      return {};
    });
    faults::crash_point("deposit_file.committed");
    if (!done) return done.error();
    has_changed |= post_long(context, posted, from);
  }
  if (has_statements) {
    if (auto taken = take_statements(context, *file, posted, render, body); !taken) return taken.error();
  } else if (has_changed) {  // the response was stored before the long remittances were posted
    const auto read = store_.read([&](const ports::Records& records) { refresh(records, tenant, posted.items); });
    if (!read) return StoredResponse{std::move(body)};
    if (auto whole = render(posted); replace_answer(store_, context, whole)) body = std::move(whole);
  }
  return StoredResponse{std::move(body)};
}

bool PostDepositFile::post_long(const RequestContext& context, PostedDepositFile& posted, std::size_t from) {
  const auto& tenant = context.caller.tenant;
  std::vector<PostedDeposit*> changed;
  for (auto item = posted.items.begin() + static_cast<std::ptrdiff_t>(from); item != posted.items.end(); ++item) {
    if (!item->posted || item->posted->posting.empty()) continue;
    changed.push_back(&*item->posted);
    std::erase_if(item->posted->posting, [&](const domain::RemittanceId& remittance) {
      return static_cast<bool>(post_in_chunks_(tenant, remittance, context.now));
    });
  }
  if (changed.empty()) return false;
  return static_cast<bool>(store_.read([&](const ports::Records& records) {
    for (auto* deposit : changed) read_again(records, tenant, *deposit);
  }));
}

void PostDepositFile::name_deposits(DepositFile& file, const RequestContext& context, const std::string& format) {
  std::map<std::string, int> seen;
  for (auto& item : file.items) {
    if (item.kind != DepositFileItem::Kind::deposit) continue;
    // Two equal credits of a file are two payments: the n-th one gets the same id whenever the file comes again.
    const int nth = ++seen[item.reference];
    item.deposit.external_id = format + ":" +
                               digests_.digest("deposit-reference-v1", context.caller.tenant.text() +
                                                                           std::to_string(nth) + ":" + item.reference);
    item.deposit.id = ids_.next<domain::DepositId>();
    item.deposit.created_at = context.now;
    item.deposit.channel = format;
  }
}

void PostDepositFile::finish(ports::Records& records, const RequestContext& context, const PostedDepositFile& posted,
                             std::string_view changed, const Render<PostedDepositFile>& render, std::string& body) {
  auto now_known = posted;  // a copy: the unit may run again
  refresh(records, context.caller.tenant, now_known.items);
  body = render(now_known);
  leave_trace(records, context, ids_, changed, body);
}

domain::Status PostDepositFile::take_statements(const RequestContext& context, const DepositFile& file,
                                                PostedDepositFile& posted, const Render<PostedDepositFile>& render,
                                                std::string& body) {
  std::vector<std::optional<domain::DepositId>> deposits;
  deposits.reserve(posted.items.size());
  for (const auto& item : posted.items)
    deposits.push_back(item.posted ? std::optional(item.posted->deposit.id) : std::nullopt);
  auto stored = statements_(context, posted.format, file.statements, deposits);
  if (!stored) return stored.error();
  posted.statements = std::move(*stored);
  return store_.commit([&](ports::Records& records) -> domain::Status {
    finish(records, context, posted, posted.statements.front().statement.id.text(), render, body);
    faults::crash_point("deposit_file.answered");
    return {};
  });
}

domain::Result<PostedFileItem> PostDepositFile::take_item(const UnitOfWork& unit, const DepositFileItem& item) {
  PostedFileItem result{
      item.line, item.kind == DepositFileItem::Kind::refused ? Result::refused : Result::ignored, item.reason, {}};
  if (item.kind != DepositFileItem::Kind::deposit) return result;
  auto taken = take_deposit(unit, item.deposit, post_in_chunks_.sizes().at_once);
  if (taken) {
    result.result = taken->seen_before ? Result::duplicate : Result::created;
    result.posted = std::move(*taken);
    // A refused item does not stop the others. Other errors concern the service, so the unit is rolled back.
  } else if (taken.error().code == ErrorCode::external_id_in_use) {
    result.result = Result::refused;
    result.reason = taken.error().message;
  } else {
    return taken.error();
  }
  return result;
}

}  // namespace tideover::usecases

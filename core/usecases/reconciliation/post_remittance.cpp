#include "core/usecases/reconciliation/post_remittance.hpp"

#include <algorithm>
#include <set>
#include <tuple>

#include "core/domain/claims/claim_number.hpp"
#include "core/faults/crash_point.hpp"
#include "core/usecases/claims/near_payer.hpp"
#include "core/usecases/matching/match_payments.hpp"
#include "core/usecases/matching/payer_names.hpp"
#include "core/usecases/reconciliation/remittance_money.hpp"
#include "core/usecases/request/file_format.hpp"
#include "core/usecases/request/tasks.hpp"

namespace tideover::usecases {
namespace {

using domain::Error;
using domain::ErrorCode;
using domain::Remittance;
using domain::RemittanceDraft;

/// Prefixes each field with its length, so that two different contents never have the same text.
void put(std::string& text, std::string_view field) {
  text += std::to_string(field.size());
  text += ':';
  text += field;
}
void put(std::string& text, domain::Money amount) {
  put(text, format_money(amount));
}
void put(std::string& text, std::optional<domain::Money> amount) {
  put(text, amount ? format_money(*amount) : std::string());
}
void put(std::string& text, std::optional<domain::Date> date) {
  put(text, date ? format_date(*date) : std::string());
}
void put(std::string& text, const std::vector<domain::Adjustment>& adjustments) {
  for (const auto& adjustment : adjustments) {
    put(text, adjustment.group);
    put(text, adjustment.code);
    put(text, adjustment.amount);
  }
  // Ends the list: the next field cannot be read as one more adjustment.
  put(text, "adjustments");
}
template <class... Fields>
void put_all(std::string& text, const Fields&... fields) {
  (put(text, fields), ...);
}

/// The content of the remittance without its payer as one unambiguous text: the trace number and everything that is
/// paid, with reasons. The form of the file (delimiters, envelope, control numbers) is not part of it. Neither are the
/// providers: a remittance that was stored without them is the same when it comes again with them.
std::string content_of(const RemittanceDraft& draft) {
  std::string text;
  put_all(text, draft.trace_number, draft.originator_id, draft.payment_date, draft.payment_amount);
  for (const auto& claim : draft.claims) {
    put_all(text, claim.claim_identifier, claim.status, claim.charge_amount, claim.paid_amount,
            claim.patient_responsibility, claim.payer_claim_number, claim.date_of_service, claim.adjustments);
    for (const auto& line : claim.lines)
      put_all(text, line.cpt, line.modifier, line.units, line.submitted_cpt, line.submitted_modifier,
              line.date_of_service, line.charge_amount, line.allowed_amount, line.paid_amount, line.adjustments);
    put(text, "claim");
  }
  for (const auto& plb : draft.provider_adjustments) put_all(text, plb.code, plb.reference, plb.amount);
  return text;
}

/// Adds a warning with the payer that an unknown payer id probably means.
void name_near_payer(ports::PayerDirectory& payers, RemittanceDraft& draft) {
  for (std::size_t from = 0; from < draft.payer_said.size();) {
    const auto end = std::min(draft.payer_said.find('\n', from), draft.payer_said.size());
    if (const auto near = near_payer_id(payers, std::string_view(draft.payer_said).substr(from, end - from));
        !near.empty()) {
      draft.warnings.push_back("the directory has no payer with the id of the remittance; did you mean " + near + '?');
      return;
    }
    from = end + 1;
  }
}

/// The ids by which the sender names the payer: the lines behind the name, or the id alone.
std::vector<std::string> ids_of_payer(const RemittanceDraft& draft) {
  const auto& said = draft.payer_said;
  const auto name_end = said.find('\n');
  if (name_end == std::string::npos) return said == draft.payer_name ? std::vector<std::string>() : std::vector{said};
  std::vector<std::string> ids;
  for (std::size_t from = name_end + 1; from < said.size();) {
    const auto end = std::min(said.find('\n', from), said.size());
    if (end > from) ids.push_back(said.substr(from, end - from));
    from = end + 1;
  }
  return ids;
}

/// The error for a file in which every payment has a row that cannot be accepted.
Error nothing_to_take(const domain::RemittanceFile& file) {
  if (file.left_out.empty()) return Error::of(ErrorCode::invalid_payload, "The file has no payment.");
  const auto& first = file.left_out.front();
  auto error = Error::of(ErrorCode::invalid_payload, "No payment of the file was accepted. Line " +
                                                         std::to_string(first.line) + ": " + first.reason)
                   .with("line", std::to_string(first.line));
  for (const auto& row : file.left_out) error.fields.push_back({"line " + std::to_string(row.line), row.reason});
  return error;
}

/// Whether both move the same amounts beside their claims, for the same reasons. A sender may leave out a reference or
/// write it in another form; another one means another balance or claim.
bool have_same_adjustments(const RemittanceDraft& one, const RemittanceDraft& other) {
  const auto in_order = [](std::vector<domain::ProviderAdjustment> adjustments) {
    for (auto& adjustment : adjustments) adjustment.reference = domain::normal_number(adjustment.reference);
    std::sort(adjustments.begin(), adjustments.end(), [](const auto& a, const auto& b) {
      return std::tie(a.code, a.amount, a.reference) < std::tie(b.code, b.amount, b.reference);
    });
    return adjustments;
  };
  const auto ones = in_order(one.provider_adjustments), others = in_order(other.provider_adjustments);
  return std::equal(ones.begin(), ones.end(), others.begin(), others.end(), [](const auto& a, const auto& b) {
    return a.code == b.code && a.amount == b.amount &&
           (a.reference == b.reference || a.reference.empty() || b.reference.empty());
  });
}

/// A remittance may come again over another sender, who names the payer in another way or leaves out details. The trace
/// number, day, amount, claims and provider adjustments of a posted one are its own.
std::optional<Remittance> posted_before(const ports::Records& records, const domain::TenantId& tenant,
                                        const Remittance& given) {
  constexpr std::size_t kMostCompared = 10;
  if (given.draft.trace_number.empty() || !given.draft.payment_date) return std::nullopt;
  const auto claims_of = [](const Remittance& remittance) {
    std::multiset<std::string> claims;
    for (const auto& [index, claim, state, settlement, record] : remittance.claims) {
      std::string text;
      put_all(text, domain::normal_number(claim.claim_identifier), claim.status, claim.charge_amount,
              claim.paid_amount);
      claims.insert(std::move(text));
    }
    return claims;
  };
  for (auto& known : records.remittances().paid_like(tenant, given, kMostCompared))
    if (have_same_adjustments(known.draft, given.draft) && claims_of(known) == claims_of(given))
      return std::move(known);
  return std::nullopt;
}

/// Test payments move no money: production refuses a call that contains one.
domain::Status refuse_tests(const domain::Caller& caller, const std::vector<RemittanceDraft>& drafts) {
  if (caller.environment != domain::Environment::production) return {};
  for (std::size_t i = 0; i < drafts.size(); ++i)
    if (drafts[i].is_test)
      return Error::of(ErrorCode::invalid_payload, "Payment " + std::to_string(i + 1) +
                                                       " is from a test interchange (ISA15 is T). Production "
                                                       "accepts none. Send the file to the sandbox, or without it.");
  return {};
}

}  // namespace

domain::Status PostRemittance::check_format(const std::string& format) const {
  return check_format_of(formats_, format);
}

domain::Result<StoredResponse> PostRemittance::file(const RequestContext& context, const FileToPost& file,
                                                    const Render<PostedRemittanceFile>& render) {
  if (auto known = check_format(file.format); !known) return known.error();
  auto read = formats_.find(file.format)->parse(file.bytes, file.mapping);
  if (!read) return read.error();
  // A file with at least one complete payment is accepted. The response lists the refused rows.
  if (read->payments.empty()) return nothing_to_take(*read);
  return (*this)(context, std::move(read->payments), [&](const std::vector<PostedRemittance>& posted) {
    return render({posted, read->left_out});
  });
}

domain::Result<PostRemittance::Arriving> PostRemittance::identified(const RequestContext& context,
                                                                    RemittanceDraft draft) {
  Arriving arriving;
  if (draft.payer_said.empty()) draft.payer_said = domain::plain_payer_id(draft.payer_id);
  bool is_known = false;
  if (!draft.payer_id.empty()) {
    const auto payer = payers_.get(draft.payer_id);
    if (!payer) return payer.error();
    // An id that the directory does not have is no error: a reviewer may assign the payer later.
    is_known = payer->has_value();
    draft.payer_id = is_known ? (*payer)->payer_id : domain::plain_payer_id(draft.payer_id);
  }
  if (!is_known && !draft.originator_id.empty()) {
    const auto payer = payers_.get(draft.originator_id);
    if (!payer) return payer.error();
    is_known = payer->has_value();
    if (is_known) draft.payer_id = (*payer)->payer_id;
  }
  if (!is_known) {
    name_near_payer(payers_, draft);
    arriving.unknown_ids = ids_of_payer(draft);
  }
  arriving.is_known = is_known;
  auto& remittance = arriving.remittance;
  remittance.id = ids_.next<domain::RemittanceId>();
  // Two digests: the same content under another payer name is found as well, and then treated as the same remittance.
  std::string content = context.caller.tenant.text() + content_of(draft);
  remittance.payerless_sha256 = digests_.digest("remittance-notice-v2", content);
  put(content, draft.payer_said);
  remittance.content_sha256 = digests_.digest("remittance-content-v2", content);
  remittance.created_at = context.now;
  for (std::size_t i = 0; i < draft.claims.size(); ++i) {
    domain::RemittanceClaimRecord record;
    record.index = static_cast<int>(i);
    record.claim = draft.claims[i];
    remittance.claims.push_back(std::move(record));
  }
  remittance.draft = std::move(draft);
  return arriving;
}

domain::Status PostRemittance::make_deposit(ports::Records& records, const RequestContext& context,
                                            PostedRemittance& posted) {
  const auto money =
      post_remittance_money(records, context, ids_, posted.remittance, rules_, post_in_chunks_.sizes().at_once);
  if (!money) return money.error();
  // No deposit was made: the remittance waits for its money.
  if (!*money) return {};
  posted.records.insert(posted.records.end(), (*money)->records.begin(), (*money)->records.end());
  posted.started.insert(posted.started.end(), (*money)->posting.begin(), (*money)->posting.end());
  posted.remittance = *records.remittances().find(context.caller.tenant, posted.remittance.id);
  return {};
}

domain::Result<PostedRemittance> PostRemittance::post_repeat(ports::Records& records, const RequestContext& context,
                                                             const Remittance& given, Remittance known, bool is_first) {
  const auto& tenant = context.caller.tenant;
  PostedRemittance result;
  result.remittance = std::move(known);
  const auto& payer = given.draft.payer_id;
  // A repeat changes nothing, unless it names the payer that was unknown before.
  result.seen_before = payer.empty() || !result.remittance.draft.payer_id.empty();
  if (result.seen_before) return result;
  const auto& id = result.remittance.id;
  close_tasks({records, tenant, context.now, ids_}, domain::kMatchAmbiguous, id.text(), domain::kCorrected);
  MatchPayments matching({records, tenant, context.now, ids_, rules_}, post_in_chunks_.sizes().at_once);
  matching.payer_assigned(result.remittance, payer);
  if (matching.collided())
    return Error::of(ErrorCode::conflict, "A claim changed at the same time. Send the request again.");
  result.remittance = *records.remittances().find(tenant, id);
  result.records = matching.posted();
  result.started = matching.started();
  if (auto made = make_deposit(records, context, result); !made) return made.error();
  if (!is_first) leave_audit_row(records, context, ids_, id.text(), "ok");
  return result;
}

domain::Result<PostedRemittance> PostRemittance::post_new(ports::Records& records, const RequestContext& context,
                                                          const Remittance& given, bool is_first) {
  const auto& tenant = context.caller.tenant;
  PostedRemittance result;
  result.remittance = given;
  // Store the remittance before the matching: trail and claims refer to its row.
  records.remittances().insert(tenant, given);
  faults::crash_point("remittance.recorded");
  MatchPayments matching({records, tenant, context.now, ids_, rules_}, post_in_chunks_.sizes().at_once);
  matching.remittance_arrived(result.remittance);
  faults::crash_point("remittance.matched");
  if (matching.collided())
    return Error::of(ErrorCode::conflict, "A claim changed at the same time. Send the request again.");
  // Matching may have re-evaluated this remittance in the store.
  if (matching.has_reevaluated()) result.remittance = *records.remittances().find(tenant, given.id);
  result.records = matching.posted();
  result.started = matching.started();
  if (auto made = make_deposit(records, context, result); !made) return made.error();
  records.events().append(tenant, {ids_.next<domain::EventId>(), context.now,
                                   domain::RemittanceReceived{given.id, given.draft.payment_amount,
                                                              static_cast<int>(given.claims.size())}});
  if (!is_first) leave_audit_row(records, context, ids_, given.id.text(), "ok");
  return result;
}

domain::Result<StoredResponse> PostRemittance::operator()(const RequestContext& context,
                                                          std::vector<RemittanceDraft> drafts,
                                                          const Render<std::vector<PostedRemittance>>& render) {
  if (auto live = refuse_tests(context.caller, drafts); !live) return live.error();
  const auto& tenant = context.caller.tenant;
  std::vector<Arriving> arriving;
  for (auto& draft : drafts) {
    auto one = identified(context, std::move(draft));
    if (!one) return one.error();
    arriving.push_back(std::move(*one));
  }

  std::string body;
  std::vector<PostedRemittance> results;
  const auto done = store_.commit([&](ports::Records& records) -> domain::Status {
    records.clients().guard_matching(tenant);
    results.clear();
    for (const auto& [remittance, is_known, unknown_ids] : arriving) {
      const bool is_first = results.empty();
      auto given = remittance;
      if (!is_known) name_payer({records, tenant, context.now, ids_}, given, unknown_ids);
      // The same remittance again must not post its payments again.
      auto known = records.remittances().find_same(tenant, given);
      if (!known) known = posted_before(records, tenant, given);
      auto posted = known ? post_repeat(records, context, given, std::move(*known), is_first)
                          : post_new(records, context, given, is_first);
      if (!posted) return posted.error();
      results.push_back(std::move(*posted));
    }
    if (results.size() > 1)  // a later payment may have changed earlier ones
      for (auto& result : results) result.remittance = *records.remittances().find(tenant, result.remittance.id);
    for (auto& result : results) {
      result.is_posting = records.postings().find(tenant, result.remittance.id).has_value();
      if (result.is_posting && result.seen_before) result.started.push_back(result.remittance.id);
    }
    body = render(results);
    leave_trace(records, context, ids_, results.front().remittance.id.text(), body);
    faults::crash_point("remittance.traced");
    return {};
  });
  faults::crash_point("remittance.committed");
  if (!done) return done.error();
  if (std::any_of(results.begin(), results.end(), [](const auto& result) { return !result.started.empty(); }))
    finish(context, std::move(results), render, body);
  return StoredResponse{std::move(body)};
}

void PostRemittance::finish(const RequestContext& context, std::vector<PostedRemittance> results,
                            const Render<std::vector<PostedRemittance>>& render, std::string& body) {
  const auto& tenant = context.caller.tenant;
  for (const auto& result : results)
    for (const auto& remittance : result.started)
      if (!post_in_chunks_(tenant, remittance, context.now)) return;
  const auto read = store_.read([&](const ports::Records& records) {
    for (auto& result : results) {
      if (!result.is_posting) continue;
      result.remittance = *records.remittances().find(tenant, result.remittance.id);
      if (result.remittance.deposit && !result.seen_before)
        result.records = records.reconciliations().of_deposit(tenant, *result.remittance.deposit);
    }
  });
  if (!read) return;
  for (auto& result : results) result.is_posting = false;
  auto whole = render(results);
  if (replace_answer(store_, context, whole)) body = std::move(whole);
}

}  // namespace tideover::usecases

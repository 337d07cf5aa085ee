#include "tests/store/records/support/shown.hpp"

namespace tideover::tests {

std::string shown(const ServiceLine& line) {
  const auto& [cpt, modifier, units, amount, revenue] = line;
  return shown_fields(cpt, modifier, units, amount, revenue);
}

std::string shown(const OccurrenceCode& code) {
  const auto& [name, date] = code;
  return shown_fields(name, date);
}

std::string shown(const OccurrenceSpan& span) {
  const auto& [name, from, through] = span;
  return shown_fields(name, from, through);
}

std::string shown(const ValueCode& code) {
  const auto& [name, amount] = code;
  return shown_fields(name, amount);
}

std::string shown(const InstitutionalDetails& details) {
  const auto& [bill, from, through, admitted, discharged, type, source, status, attending, operating, drg, present,
               conditions, occurrences, spans, values] = details;
  return shown_fields(bill, from, through, admitted, discharged, type, source, status, attending, operating, drg,
                      present, conditions, occurrences, spans, values);
}

std::string shown(const AgeBand& band) {
  const auto& [from, to] = band;
  return shown_fields(from, to);
}

std::string shown(const ClaimDetails& details) {
  const auto& [diagnoses, place, age, sex, authorization, frequency, sequence, others, patient, assigned, accepts,
               encounter, test, plan, institutional] = details;
  return shown_fields(diagnoses, place, age, sex, authorization, frequency, sequence, others, patient, assigned,
                      accepts, encounter, test, plan, institutional);
}

std::string shown(const ClaimDraft& draft) {
  const auto& [facility, identifier, chart, service, submission, servicer, billing, payer, amount, lines, details] =
      draft;
  return shown_fields(facility, identifier, chart, service, submission, servicer, billing, payer, amount, lines,
                      details);
}

std::string shown(const Claim& claim) {
  const auto& [id, draft, key] = claim;
  return shown_fields(id, draft, key);
}

std::string shown(const ClaimStatusRecord& record) {
  const auto& [claim, identifier, status, previous, version, source, reason, note, effective, updated] = record;
  return shown_fields(claim, identifier, status, previous, version, source, reason, note, effective, updated);
}

std::string shown(const ports::StoredClaim& stored) {
  const auto& [claim, status, revision, created] = stored;
  return shown_fields(claim, status, revision, created);
}

std::string shown(const Finding& finding) {
  // What the weights need is kept with the rules that fired, not here.
  const auto& [effect, rule, code, group, family, field, description, fix, probability, cap, carc, weight, strength,
               locked, severity, line, risk] = finding;
  return shown_fields(effect, rule, code, group, family, field, description, fix, probability, cap, line, risk);
}

std::string shown(const RulesStamp& rules) {
  const auto& [version, sha256] = rules;
  return shown_fields(version, sha256);
}

std::string shown(const RuleFault& fault) {
  const auto& [rule, problem] = fault;
  return shown_fields(rule, problem);
}

std::string shown(const Forecast& forecast) {
  const auto& [probability, predicted, allowed, expected, date, confidence] = forecast;
  return shown_fields(probability, predicted, allowed, expected, date, confidence);
}

std::string shown(const FiredRule& fired) {
  const auto& [rule, family, carc, line, weight, strength, locked, shadow, hard] = fired;
  return shown_fields(rule, family, carc, line, weight, strength, locked, shadow, hard);
}

std::string shown(const LearnedForecast& learned) {
  const auto& [low, high, q10, q50, q90, evidence, weight, remembered] = learned;
  return shown_fields(low, high, q10, q50, q90, evidence, weight, remembered);
}

std::string shown(const CashOdds& odds) {
  const auto& [nonpayment, below] = odds;
  return shown_fields(nonpayment, std::vector<int>(below.begin(), below.end()));
}

std::string shown(const ListedFee& line) {
  const auto& [fee, days, contract] = line;
  return shown_fields(fee, days, contract);
}

std::string shown(const ReviewBasis& basis) {
  const auto& [revision, edition, profile, duplicates, threshold, quantile, snapshot, fired, features, fees, near] =
      basis;
  return shown_fields(revision, edition, profile, duplicates, threshold, quantile, snapshot, fired, features, fees,
                      near);
}

std::string shown(const Review& review) {
  const auto& [id, authorization, claim, identifier, forecast, reasons, warnings, faults, rules, amount, payer, known,
               created, expires, learned, basis, cash] = review;
  return shown_fields(id, authorization, claim, identifier, forecast, reasons, warnings, faults, rules, amount, payer,
                      known, created, expires, learned, basis, cash);
}

std::string shown(const Terms& terms) {
  const auto& [advance_bps, advance, fee_bps, fee, steps, hold_days, reserve_bps, reserve_days] = terms;
  std::string fees;
  for (const auto& [day, amount] : steps) fees += shown_fields(day, amount);
  return shown_fields(advance_bps, advance, fee_bps, fee, fees, hold_days, reserve_bps, reserve_days);
}

std::string shown(const FundingPlan& plan) {
  const auto& [rail, desired, effective, adjusted, expected] = plan;
  return shown_fields(rail, desired, effective, adjusted, expected);
}

std::string shown(const Settlement& settlement) {
  const auto& [id, claim, identifier, payer, authorization, review, decision, reasons, status, cancel, terms, expected,
               payment_date, funding, fallback, funding_status, payout_status, token, rules, funded, funded_at, version,
               created, expires, billed] = settlement;
  return shown_fields(id, claim, identifier, payer, authorization, review, decision, reasons, status, cancel, terms,
                      expected, payment_date, funding, fallback, funding_status, payout_status, token, rules, funded,
                      funded_at, version, created, expires, billed.charge, billed.date_of_service, billed.service_lines,
                      billed.billing_npi, billed.statement_through);
}

std::string shown(const ports::StoredSettlement& stored) {
  const auto& [settlement, key] = stored;
  return shown_fields(settlement, key);
}

std::string shown(const DisbursementAttempt& attempt) {
  const auto& [id, subject, purpose, number, state, rail, key, amount, effective, request_key, sent_by, epoch,
               reference, code, reason, pending, tries, next, in_progress, created, updated] = attempt;
  return shown_fields(id, subject.text(), purpose, number, state, rail, key, amount, effective, request_key, sent_by,
                      epoch, reference, code, reason, pending, tries, next, in_progress, created, updated);
}

std::string shown(const LedgerEntry& entry) {
  const auto& [account, amount, party] = entry;
  return shown_fields(account, amount, party.payer_id, party.payee_npi);
}

std::string shown(const LedgerTransaction& transaction) {
  const auto& [id, phase, resolves, kind, cause, settlement, at, effective_on, occurred_on, entries] = transaction;
  return shown_fields(id, phase, resolves, kind, cause, settlement, at, effective_on, occurred_on, entries);
}

std::string shown(const AccountBalance& balance) {
  const auto& [account, posted, pending] = balance;
  return shown_fields(account, posted, pending);
}

std::string shown(const Deposit& deposit) {
  const auto& [id, payer, amount, received, effective, trace, external, addenda, originator, status, matched, created,
               payer_said, channel, released, pooled_into, returned, return_reason] = deposit;
  return shown_fields(id, payer, amount, received, effective, trace, external, addenda, originator, status, matched,
                      created, payer_said, channel, released, pooled_into, returned, return_reason);
}

std::string shown(const Adjustment& adjustment) {
  const auto& [group, code, amount] = adjustment;
  return shown_fields(group, code, amount);
}

std::string shown(const RemittanceLine& line) {
  const auto& [cpt, modifier, units, submitted, submitted_modifier, charge, allowed, paid, date, adjustments] = line;
  return shown_fields(cpt, modifier, units, submitted, submitted_modifier, charge, allowed, paid, date, adjustments);
}

std::string shown(const RemittanceClaim& claim) {
  const auto& [identifier, status, charge, paid, patient, number, service, received, adjustments, lines, npi] = claim;
  return shown_fields(identifier, status, charge, paid, patient, number, service, received, adjustments, lines, npi);
}

std::string shown(const ProviderAdjustment& adjustment) {
  const auto& [code, reference, amount, npi, provider_id] = adjustment;
  return shown_fields(code, reference, amount, npi, provider_id);
}

std::string shown(const RemittanceDraft& draft) {
  const auto& [payer, name, trace, originator, date, amount, method, claims, adjustments, warnings, payee, tax_id,
               assigned_id, payer_said, claims_total, is_test] = draft;
  return shown_fields(payer, name, trace, originator, date, amount, method, claims, adjustments, warnings, payee,
                      tax_id, assigned_id);
}

std::string shown(const RemittanceClaimRecord& record) {
  const auto& [index, claim, state, settlement, reconciliation] = record;
  return shown_fields(index, claim, state, settlement, reconciliation);
}

std::string shown(const Remittance& remittance) {
  const auto& [id, draft, sha256, payerless_sha256, deposit, carried, paid_to_provider, withheld, created, claims] =
      remittance;
  return shown_fields(id, draft, sha256, payerless_sha256, deposit, carried, paid_to_provider, withheld, created,
                      claims);
}

std::string shown(const Allocation& split) {
  const auto& [recovered, fee, residual, absorbed, principal_loss, residual_loss, status] = split;
  return shown_fields(recovered, fee, residual, absorbed, principal_loss, residual_loss, status);
}

std::string shown(const ReconciliationRecord& record) {
  const auto& [id, settlement, number, payment, charge, split, matched_by, deposit, remittance, trace, posted] = record;
  return shown_fields(id, settlement, number, payment, charge, split, matched_by, deposit, remittance, trace, posted);
}

std::string shown(const MatchCandidate& candidate) {
  const auto& [id, subject, claim, step, other, verdict, reasons, at] = candidate;
  return shown_fields(id, subject, claim, step, other, verdict, reasons, at);
}

std::string shown(const ImportFault& fault) {
  const auto& [row, line, field, identifier, code, message] = fault;
  return shown_fields(row, line, field, identifier, code, message);
}

std::string shown(const ImportedRow& row) {
  const auto& [number, line, outcome, claim, authorization] = row;
  return shown_fields(number, line, outcome, claim, authorization);
}

std::string shown(const ImportJob& job) {
  const auto& [id, status, format, encoding, mapping, abort, review, dry_run, digest, external, content, payload,
               bytes_read, total, accepted, rejected, duplicate, errors, truncated, submitted, started, finished,
               canceled] = job;
  return shown_fields(id, status, format, encoding, mapping, abort, review, dry_run, digest, external, content, payload,
                      bytes_read, total, accepted, rejected, duplicate, errors, truncated, submitted, started, finished,
                      canceled);
}

std::string shown(const ports::ImportClaim& claim) {
  const auto& [tenant, client, job, rows, epoch, advanced] = claim;
  return shown_fields(tenant, client, job, rows, epoch, advanced);
}

std::string shown(const ports::StoredAnswer& answer) {
  const auto& [fingerprint, outcome, body, expires, object] = answer;
  return shown_fields(fingerprint, outcome, body, expires, object);
}

std::string shown(const ports::OutboxRow& row) {
  const auto& [tenant, id, kind, data, created, version] = row;
  return shown_fields(tenant, id, kind, data, created, version);
}

std::string shown(const ports::PublishedEvent& event) {
  const auto& [tenant, id, kind, sequence, body, created] = event;
  return shown_fields(tenant, id, kind, sequence, body, created);
}

std::string shown(const ports::Delivery& delivery) {
  const auto& [tenant, event, endpoint, attempts, state, next, status, error, manual, last, in_progress, kind,
               revision] = delivery;
  return shown_fields(tenant, event, endpoint, attempts, state, next, status, error, manual, last, in_progress, kind,
                      revision);
}

std::string shown(const PreviousSecret& previous) {
  const auto& [secret, until] = previous;
  return shown_fields(secret, until);
}

std::string shown(const EndpointHealth& health) {
  const auto& [failing_since, gone_answers, gone_since, last_failure_at] = health;
  return shown_fields(failing_since, gone_answers, gone_since, last_failure_at);
}

std::string shown(const WebhookEndpoint& endpoint) {
  const auto& [id, url, events, description, secret, previous, fault, enabled, reason, disabled, health, revision,
               created] = endpoint;
  return shown_fields(id, url, events, description, secret, previous, fault, enabled, reason, disabled, health,
                      revision, created);
}

std::string shown(const Tenant& tenant) {
  const auto& [id, name, profile, post_on] = tenant;
  return shown_fields(id, name, profile, post_on);
}

std::string shown(const Client& client) {
  const auto& [id, tenant, name, environment, scopes, epoch, enabled, created, expires, locked, version] = client;
  return shown_fields(id, tenant, name, environment, scopes, epoch, enabled, created, expires, locked, version);
}

std::string shown(const ClientSecret& secret) {
  const auto& [id, number, key, digest, created, expires, used, revoked] = secret;
  return shown_fields(id, number, key, digest, created, expires, used, revoked);
}

std::string shown(const domain::Task& task) {
  const auto& [id, kind, object, note, opened, opened_by, status, decision, closed, votes, finding] = task;
  std::string said;
  for (const auto& [client, word, reason, at] : votes) said += shown_fields(client, word, reason, at);
  return shown_fields(id, kind, object, note, opened, opened_by, std::string(name_of(status)), decision, closed, said,
                      finding);
}

}  // namespace tideover::tests

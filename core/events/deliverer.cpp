#include "core/events/deliverer.hpp"

#include <algorithm>
#include <exception>
#include <iterator>

#include "core/events/webhook_url.hpp"
#include "core/faults/crash_point.hpp"

namespace tideover::events {
namespace {

constexpr std::size_t kPage = 128;
constexpr int kPagesPerRound = 16;
constexpr int kLeaseMarginMs = 30'000;  // time to record the outcome after the attempt itself has timed out
constexpr int kKeyPauseMs = 15'000;     // another node may have the missing key
constexpr int kGone = 410;

using Outcome = DeliveryReport::Outcome;

DeliveryReport report_of(const ports::Delivery& delivery) {
  DeliveryReport report;
  report.tenant = delivery.tenant;
  report.event = delivery.event;
  report.endpoint = delivery.endpoint;
  report.kind = delivery.kind;
  report.attempt = delivery.attempts;
  report.status = delivery.last_status;
  report.problem = delivery.last_error;
  return report;
}

Sender::Message signed_message(const ports::PublishedEvent& event, const domain::WebhookEndpoint& endpoint,
                               std::span<const crypto::WebhookSecret> secrets, const ports::Delivery& delivery,
                               std::int64_t now_s) {
  Sender::Message message;
  message.url = endpoint.url;
  message.body = event.body;
  message.headers = {
      "Content-Type: application/json",
      "User-Agent: Tideover-Webhooks/1",
      "Service-Signature: " + crypto::service_signature(secrets, now_s, event.body),
      "webhook-id: " + event.id.text(),
      "webhook-timestamp: " + std::to_string(now_s),
      "webhook-signature: " + crypto::standard_signature(secrets, event.id.text(), now_s, event.body),
      "attempt-number: " + std::to_string(delivery.attempts),
      delivery.manual ? "attempt-type: manual" : "attempt-type: automatic",
      "Expect:",  // no 100-continue round trip
  };
  return message;
}

/// The secrets that sign now, newest first; none when the current one cannot be read.
std::vector<crypto::WebhookSecret> signing_secrets(const domain::WebhookEndpoint& endpoint, domain::Timestamp now) {
  std::vector<crypto::WebhookSecret> secrets;
  auto current = crypto::WebhookSecret::parse(endpoint.secret.reveal());
  if (!current) return secrets;
  secrets.push_back(*std::move(current));
  for (const auto& previous : endpoint.previous_secrets) {
    if (previous.until <= now) continue;
    if (auto secret = crypto::WebhookSecret::parse(previous.secret.reveal())) secrets.push_back(*std::move(secret));
  }
  return secrets;
}

template <class Record>
std::shared_ptr<const Record> shared(std::optional<Record>&& found) {
  return found ? std::make_shared<const Record>(*std::move(found)) : nullptr;
}

}  // namespace

Deliverer::Deliverer(ports::Store& store, const ports::Clock& clock, ports::IdSource& ids,
                     const DispatcherOptions& options, const DispatcherObserver& observer)
    : store_(store),
      clock_(clock),
      ids_(ids),
      options_(options),
      observer_(observer),
      sender_(options.egress, options.timeout_ms),
      lanes_(options.parallel_per_endpoint),
      random_(std::random_device{}()) {}

void Deliverer::round(std::chrono::milliseconds wait) {
  bool more = true;
  for (int page = 0; more && page < kPagesPerRound; ++page) more = start_due();
  // Outcomes that the store refused are recorded again soon, also when no receiver answers.
  take(sender_.wait(more ? std::chrono::milliseconds(0) : wait));
}

void Deliverer::finish(std::chrono::milliseconds grace) {
  const auto deadline = std::chrono::steady_clock::now() + grace;
  while (!under_way_.empty()) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    if (left.count() <= 0) break;  // the leases will expire and the deliveries be repeated
    take(sender_.wait(left));
  }
  std::vector<Change> none;
  record(none);
}

/// Handles one page of due deliveries; true when more may be started at once. The outcomes of earlier attempts are
/// written by the same commit, so an endpoint with a full lane costs one sync per turn of its lane, not two.
bool Deliverer::start_due() {
  const auto parallel = static_cast<std::size_t>(options_.parallel);
  const std::size_t limit = std::min(kPage, parallel - std::min(parallel, under_way_.size()));
  std::vector<Change> changes;
  bool full_page = false;
  if (limit > 0) {
    auto candidates = look(limit);
    if (!candidates) {
      if (observer_.trouble) observer_.trouble(candidates.error());
      return false;
    }
    std::map<domain::WebhookEndpointId, int> behind;
    for (auto& candidate : *candidates)
      if (is_due_here(candidate.delivery)) changes.push_back(plan(std::move(candidate), behind));
    full_page = candidates->size() == limit && !changes.empty();
  }
  const bool committed = record(changes);
  faults::crash_point("delivery.leased");
  for (auto& change : changes) {
    if (change.next != Change::Next::send) continue;
    if (committed && change.held)
      send(std::move(change));
    else
      lanes_.cancel(change.after.endpoint);
  }
  return committed && full_page;
}

domain::Result<std::vector<Deliverer::Candidate>> Deliverer::look(std::size_t limit) {
  return fetch(store_, [&](const ports::Records& records) {
    std::vector<Candidate> candidates;
    // One event goes to many endpoints, and one endpoint may have many deliveries: each is read once per page.
    std::map<domain::EventId, std::shared_ptr<const ports::EventToSend>> events;
    std::map<domain::WebhookEndpointId, std::shared_ptr<const domain::WebhookEndpoint>> endpoints;
    for (auto& delivery : records.events().due(clock_.now(), limit)) {
      const auto [event, new_event] = events.try_emplace(delivery.event);
      if (new_event) event->second = shared(records.events().find_to_send(delivery.tenant, delivery.event));
      const auto [endpoint, new_endpoint] = endpoints.try_emplace(delivery.endpoint);
      if (new_endpoint) endpoint->second = shared(records.webhooks().find(delivery.tenant, delivery.endpoint));
      candidates.push_back({std::move(delivery), event->second, endpoint->second});
    }
    return candidates;
  });
}

bool Deliverer::is_due_here(const ports::Delivery& delivery) const {
  return delivery.in_progress || delivery.next_try_at <= now_of(clock_, delivery.tenant);
}

std::string Deliverer::end_without_try(const Candidate& candidate) const {
  const auto& [delivery, event, endpoint] = candidate;
  if (!event) return "the event has expired";
  if (event->fault == domain::DecryptionFault::damaged) return "the stored event cannot be decrypted";
  if (!endpoint) return "the endpoint was removed";
  if (!endpoint->enabled) return "the endpoint is disabled";
  if (endpoint->secret_fault == domain::DecryptionFault::damaged)
    return "the endpoint's secret cannot be decrypted; rotate it, then retry the delivery";
  if (delivery.attempts < options_.retries.tries()) return "";
  // The schedule may have had more attempts when this delivery started.
  return delivery.in_progress ? "the last attempt was interrupted; its outcome is unknown"
                              : "the retry schedule has no further attempt";
}

Deliverer::Change Deliverer::plan(Candidate&& candidate, std::map<domain::WebhookEndpointId, int>& behind) {
  if (auto why = end_without_try(candidate); !why.empty()) {
    Change change;
    change.after = std::move(candidate.delivery);
    change.after.state = ports::Delivery::State::dead;
    change.after.in_progress = false;
    change.after.last_error = std::move(why);
    change.next = Change::Next::report;
    change.report = report_of(change.after);
    change.report.outcome = Outcome::dead;
    return change;
  }
  const auto now = now_of(clock_, candidate.delivery.tenant);
  if (candidate.event->fault || candidate.endpoint->secret_fault) {
    // No attempt of the receiver: it must neither use up the schedule nor count against the endpoint.
    Change change;
    change.after = std::move(candidate.delivery);
    change.after.next_try_at = now.plus_ms(kKeyPauseMs);
    change.after.in_progress = false;
    change.after.last_error = "a key of the service is missing; the delivery waits for it";
    return change;
  }
  const auto fail_unsent = [&](std::string why) {
    ports::Delivery tried = std::move(candidate.delivery);
    ++tried.attempts;
    tried.last_try_at = now;
    Sender::Answer answer;
    answer.problem = std::move(why);
    return failed(std::move(tried), answer);
  };
  if (const auto fine = check_webhook_url(candidate.endpoint->url, options_.egress); !fine)
    return fail_unsent(fine.error().message);
  const auto secrets = signing_secrets(*candidate.endpoint, now);
  if (secrets.empty()) return fail_unsent("the endpoint's secret cannot be read; rotate it");
  return claim(std::move(candidate), secrets, behind);
}

Deliverer::Change Deliverer::claim(Candidate&& candidate, std::span<const crypto::WebhookSecret> secrets,
                                   std::map<domain::WebhookEndpointId, int>& behind) {
  const auto now = now_of(clock_, candidate.delivery.tenant);
  const auto instant = std::chrono::steady_clock::now();
  Change change;
  change.after = std::move(candidate.delivery);
  if (!lanes_.begin(change.after.endpoint, instant)) {
    const int position = behind[change.after.endpoint]++;
    change.after.next_try_at = now.plus_ms(lanes_.pause_ms(change.after.endpoint, position, instant));
    change.after.in_progress = false;
    return change;
  }
  ++change.after.attempts;
  change.after.last_try_at = now;
  change.after.in_progress = true;
  change.after.next_try_at = real_now(clock_).plus_ms(lease_ms());
  change.next = Change::Next::send;
  // Receivers compare the time of the signature with their own clock.
  const auto signed_at_s = clock_.now().seconds();
  change.message = signed_message(candidate.event->event, *candidate.endpoint, secrets, change.after, signed_at_s);
  return change;
}

std::int64_t Deliverer::lease_ms() const {
  return std::int64_t{options_.timeout_ms} + options_.stop_grace_ms + kLeaseMarginMs;
}

/// Writes the changes in one unit of work and reports the written ones to the observer. False when the store refused
/// them.
bool Deliverer::commit(std::vector<Change>& changes) {
  if (changes.empty()) return true;
  const auto done = store_.commit(
      [&](ports::Records& records) -> domain::Status {
        for (auto& change : changes) change.held = records.events().update_delivery(change.after);
        judge_endpoints(records, changes);
        return {};
      },
      ports::Priority::background);
  if (!done) {
    if (observer_.trouble) observer_.trouble(done.error());
    return false;
  }
  for (const auto& change : changes)
    if (change.held && change.next == Change::Next::report && observer_.tried) observer_.tried(change.report);
  return true;
}

void Deliverer::judge_endpoints(ports::Records& records, std::vector<Change>& changes) {
  const auto policy = disable_policy();
  std::map<domain::WebhookEndpointId, std::vector<Change*>> by_endpoint;
  for (auto& change : changes) {
    change.report.endpoint_disabled = false;
    if (change.held && change.result) by_endpoint[change.after.endpoint].push_back(&change);
  }
  for (const auto& [endpoint, outcomes] : by_endpoint) {
    const auto& tenant = outcomes.front()->after.tenant;
    const auto now = now_of(clock_, tenant);
    const auto before = records.webhooks().health(tenant, endpoint);
    if (!before) continue;  // removed meanwhile
    auto health = *before;
    for (const auto* outcome : outcomes) health = domain::health_after(health, *outcome->result, now, policy);
    // Most outcomes are successes of an endpoint that works: they write nothing. Another node may have judged its own
    // outcomes since the read: its judgement stands, and these outcomes show nothing more.
    if (health != *before && !records.webhooks().set_health(tenant, endpoint, *before, health)) continue;
    const auto reason = reason_to_disable(tenant, health, now);
    if (!reason || !records.webhooks().disable(tenant, endpoint, health, *reason, now)) continue;
    const auto disabled = records.webhooks().find(tenant, endpoint);
    records.events().append(tenant, {ids_.next<domain::EventId>(), now,
                                     domain::EndpointDisabled{endpoint, *reason, now, disabled->revision}});
    outcomes.back()->report.endpoint_disabled = true;
  }
}

domain::DisablePolicy Deliverer::disable_policy() const {
  domain::DisablePolicy policy;
  policy.failing_ms = options_.disable_after_s * 1000;
  policy.gone_spread_ms = options_.retries.first_pause_ms();
  policy.longest_gap_ms = std::max(options_.retries.longest_pause_ms(), options_.least_gap_ms) + lease_ms();
  return policy;
}

std::optional<domain::DisabledReason> Deliverer::reason_to_disable(const domain::TenantId& tenant,
                                                                   const domain::EndpointHealth& health,
                                                                   domain::Timestamp now) const {
  const auto reason = domain::reason_to_disable(health, now, disable_policy());
  const bool by_age = reason == domain::DisabledReason::failing;
  const bool is_trusted = !options_.clock_is_trusted || options_.clock_is_trusted();
  if (by_age && !is_among(is_trusted ? ports::Tenants::all : ports::Tenants::moved, clock_, tenant))
    return std::nullopt;
  return reason;
}

void Deliverer::send(Change&& change) {
  const std::uint64_t ticket = next_ticket_++;
  ++change.after.revision;  // by its claim
  under_way_.emplace(ticket, std::move(change.after));
  try {
    sender_.start(ticket, std::move(change.message));
    faults::crash_point("delivery.started");
  } catch (const std::exception& problem) {
    Sender::Answer answer;
    answer.ticket = ticket;
    answer.problem = problem.what();
    take({answer});
  }
}

void Deliverer::take(const std::vector<Sender::Answer>& answers) {
  if (!answers.empty()) faults::crash_point("delivery.answered");
  for (const auto& answer : answers) {
    const auto tried = under_way_.extract(answer.ticket);
    lanes_.end(tried.mapped().endpoint, answer.took_ms);
    unrecorded_.push_back(outcome(tried.mapped(), answer));
  }
}

bool Deliverer::record(std::vector<Change>& changes) {
  const auto outcomes = static_cast<std::ptrdiff_t>(unrecorded_.size());
  std::move(changes.begin(), changes.end(), std::back_inserter(unrecorded_));
  const bool committed = commit(unrecorded_);
  changes.assign(std::move_iterator(unrecorded_.begin() + outcomes), std::move_iterator(unrecorded_.end()));
  unrecorded_.resize(committed ? 0 : static_cast<std::size_t>(outcomes));
  if (committed && outcomes > 0) faults::crash_point("delivery.marked");
  return committed;
}

Deliverer::Change Deliverer::outcome(const ports::Delivery& tried, const Sender::Answer& answer) {
  if (answer.status < 200 || answer.status > 299) return failed(tried, answer);
  Change change;
  change.after = tried;
  change.after.state = ports::Delivery::State::delivered;
  change.after.in_progress = false;
  change.result = domain::AttemptResult::delivered;
  change.after.last_status = answer.status;
  change.after.last_error.clear();
  change.next = Change::Next::report;
  change.report = report_of(change.after);
  change.report.took_ms = answer.took_ms;
  return change;
}

Deliverer::Change Deliverer::failed(ports::Delivery tried, const Sender::Answer& answer) {
  Change change;
  change.after = std::move(tried);
  change.after.last_status = answer.status;
  change.after.last_error = answer.status == 0 ? answer.problem : "HTTP " + std::to_string(answer.status);
  change.after.in_progress = false;
  change.result = answer.status == kGone ? domain::AttemptResult::gone : domain::AttemptResult::failed;

  const bool asked_to_wait = answer.status == 429 || answer.status == 503;
  const double chance = std::generate_canonical<double, 32>(random_);
  const auto delay_ms =
      next_delay_ms(options_.retries, change.after.attempts, chance, asked_to_wait ? answer.retry_after_s : 0);
  const bool again = delay_ms.has_value();
  if (again)
    change.after.next_try_at = now_of(clock_, change.after.tenant).plus_ms(*delay_ms);
  else
    change.after.state = ports::Delivery::State::dead;

  change.next = Change::Next::report;
  change.report = report_of(change.after);
  change.report.took_ms = answer.took_ms;
  change.report.outcome = again ? Outcome::retry_later : Outcome::dead;
  return change;
}

}  // namespace tideover::events

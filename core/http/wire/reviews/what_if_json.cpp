#include "core/http/wire/reviews/what_if_json.hpp"

#include <algorithm>

#include "core/http/wire/json/writer.hpp"
#include "core/http/wire/reviews/adjudication_json.hpp"
#include "core/http/wire/reviews/claim_json.hpp"
#include "core/http/wire/reviews/review_json.hpp"

namespace tideover::wire {
namespace {

constexpr std::string_view kLabel = "label";

/// A claim and everything that is wrong with it.
struct Accepted {
  domain::ClaimDraft draft;
  std::vector<domain::FieldFault> faults;
  std::vector<std::string> ignored;
};

Accepted accepted_claim(domain::ClaimInput input, domain::Date today, std::vector<std::string> ignored) {
  Accepted accepted;
  accepted.ignored = std::move(ignored);
  auto draft = domain::accept_claim(input, today);
  if (draft)
    accepted.draft = std::move(*draft);
  else
    accepted.faults = std::move(draft.error().fields);
  return accepted;
}

Accepted patched_claim(const json::Value& claim, const json::Value& patch, domain::Date today) {
  Faults faults;
  ObjectReader in(claim, "", faults);
  auto input = read_claim(in.patched_by(patch), faults);
  in.finish();
  return accepted_claim(std::move(input), today, std::move(faults.ignored));
}

bool has_fault(const std::vector<domain::FieldFault>& faults, const domain::FieldFault& wanted) {
  return std::any_of(faults.begin(), faults.end(), [&](const domain::FieldFault& fault) {
    return fault.path == wanted.path && fault.problem == wanted.problem;
  });
}

/// The claim with the patch at `path` ("patches[2]."). Adds the faults that the claim has not without it.
usecases::ChangedClaim read_patch(const json::Value& claim, const Accepted& base, ObjectReader& patch,
                                  domain::Date today, Faults& faults) {
  usecases::ChangedClaim change;
  change.path = patch.path("");
  change.label = patch.short_text(kLabel, 64).value_or("");
  auto accepted = patched_claim(claim, patch.value(), today);
  for (auto& fault : accepted.faults)
    if (!has_fault(base.faults, fault)) faults.add(change.path + fault.path, std::move(fault.problem));
  for (const auto& name : accepted.ignored)
    if (name != kLabel && std::find(base.ignored.begin(), base.ignored.end(), name) == base.ignored.end())
      faults.ignore(change.path + name);
  change.claim = std::move(accepted.draft);
  return change;
}

void put_outcome(json::Writer& out, const usecases::ReviewOutcome& outcome) {
  out.key("decision").string(name_of(outcome.terms.decision));
  out.key("decision_reasons").begin_array();
  for (const auto& reason : outcome.terms.reasons) out.string(reason);
  out.end_array();
  if (outcome.terms.decision != domain::Decision::declined) put_advance_terms(out, outcome.terms.terms);
  put_forecast(out, outcome.review);
  put_grounds(out, outcome.review);
}

/// The money of terms; none for a declined claim.
domain::Money offered(const usecases::ReviewOutcome& outcome, domain::Money domain::Terms::*amount) {
  return outcome.terms.decision == domain::Decision::declined ? domain::Money{} : outcome.terms.terms.*amount;
}

void put_difference(json::Writer& out, const usecases::ReviewOutcome& base, const usecases::ReviewOutcome& changed) {
  const auto& before = base.review.forecast;
  const auto& after = changed.review.forecast;
  const auto money = [&](const char* name, domain::Money from, domain::Money to) {
    out.key(name).cents(to.cents() - from.cents());
  };
  out.key("difference").begin_object();
  money("expected", before.expected, after.expected);
  money("allowed", before.allowed, after.allowed);
  out.key("denial_probability").decimal4(after.denial_probability_bps - before.denial_probability_bps);
  out.key("confidence").decimal4(after.confidence_bps - before.confidence_bps);
  out.key("payment_days").number(days_between(before.payment_date, after.payment_date));
  for (const auto& [name, amount] : {std::pair{"advance_amount", &domain::Terms::advance_amount},
                                     std::pair{"fees_estimate", &domain::Terms::fee_estimate}})
    money(name, offered(base, amount), offered(changed, amount));
  out.end_object();
}

}  // namespace

usecases::ComparisonRequest decode_what_if(const json::Value& body, domain::Date today, Faults& faults) {
  usecases::ComparisonRequest request;
  Faults of_claim;
  ObjectReader in(body, "", of_claim);
  auto input = read_claim(in, of_claim);
  of_claim.fields.clear();  // accepted_claim() reports them together with its own
  if (auto funding = in.object("funding")) {
    request.rail = funding->text("rail").value_or("");
    funding->finish();
  }
  const auto patches = in.array("patches");
  in.finish();
  auto base = accepted_claim(std::move(input), today, std::move(of_claim.ignored));
  for (const auto& fault : base.faults) faults.add(fault.path, fault.problem);
  for (const auto& fault : of_claim.fields) faults.add(fault.path, fault.problem);
  faults.ignored = base.ignored;
  if (patches && patches->size() > kMostPatches)
    faults.add("patches", "must have at most " + std::to_string(kMostPatches) + " entries");
  else if (patches) {
    std::size_t index = 0;
    for (const json::Value item : patches->items()) {
      const std::string at = "patches[" + std::to_string(index) + ']';
      if (item.kind() == json::Kind::object) {
        ObjectReader patch(item, at + '.', faults);
        auto& change = request.changes.emplace_back(read_patch(body, base, patch, today, faults));
        change.index = index;
      } else {
        faults.add(at, "must be an object");
      }
      ++index;
    }
  }
  request.claim = std::move(base.draft);
  return request;
}

std::string encode_what_if(const usecases::ReviewComparison& compared) {
  std::string body;
  json::Writer out(body);
  out.begin_object();
  out.key("rail").string(compared.rail);
  out.key("base").begin_object();
  put_outcome(out, compared.base);
  out.end_object();
  out.key("patches").begin_array();
  for (const auto& change : compared.changes) {
    out.begin_object();
    out.key("index").number(static_cast<std::int64_t>(change.index));
    if (!change.label.empty()) out.key("label").string(change.label);
    put_difference(out, compared.base, change.outcome);
    put_outcome(out, change.outcome);
    out.end_object();
  }
  out.end_array();
  out.end_object();
  return body;
}

}  // namespace tideover::wire

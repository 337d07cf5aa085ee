#include "payments.hpp"

#include <algorithm>

#include "tideover/date.hpp"
#include "tideover/money.hpp"

namespace remittance_csv {
namespace {

namespace sdk = tideover::sdk;

constexpr int kPaymentDaysAhead = 31;  // a payment may be announced in advance
constexpr int kDaysAhead = 1;          // for past events; a payer east of UTC may be a day ahead
constexpr std::size_t kLongestTrace = 50, kLongestId = 80, kLongestIdentifier = 64, kLongestShort = 50;
constexpr std::size_t kMostLines = 999;
constexpr std::string_view kReversal = "22";
constexpr std::array<std::string_view, 10> kStatuses{"1", "2", "3", "4", "19", "20", "21", "22", "23", "25"};  // CLP02

tideover_adjustment lent(const Cells::Adjustment& adjustment) {
  return {sizeof(tideover_adjustment), 0, sdk::lend(adjustment.group), sdk::lend(adjustment.code), adjustment.amount};
}

/// Reports a field in which the rows of one payment or claim differ.
template <class Value>
void agree(Cells& cells, const char* field, const Value& known, const Value& given) {
  if (!(known == given))
    cells.note(std::string("the rows of one payment or claim have different values of '") + field + "'");
}

std::int32_t day_of(tideover_date date) {
  return sdk::is_none(date) ? 0 : sdk::to_days(date);
}

}  // namespace

void Payments::take(const csv::CsvRecord& row, const csv::Columns& columns) {
  if (const auto broken = columns.fault_of(row); !broken.empty()) return misplaced(row.line, broken);
  Cells cells(row, columns, today_);
  auto payer_id = cells.required("payer_id", kLongestId), trace_number = cells.required("trace_number", kLongestTrace);
  if (payer_id.empty() || trace_number.empty()) return misplaced(row.line, cells.fault());
  Payment& payment = payment_of(cells, {std::move(payer_id), std::move(trace_number)});
  if (!cells.text("claim_identifier", kLongestIdentifier).empty())
    take_claim(cells, payment);
  else
    take_provider_adjustment(cells, payment);
  if (cells.fault().empty()) return;
  payment.is_spoiled = true;
  left_out_.emplace_back(row.line, cells.fault());
}

/// A row whose payment is unknown: it may belong to the payment before or after it.
void Payments::misplaced(std::int64_t line, const std::string& fault) {
  if (latest_) payments_[*latest_].is_spoiled = true;
  spoils_next_ = true;
  left_out_.emplace_back(line, fault);
}

Payments::Payment& Payments::payment_of(Cells& cells, Key key) {
  Payment given;
  given.payer_id = key.first;
  given.trace_number = key.second;
  given.payer_name = cells.text("payer_name", kLongestId);
  given.originator_id = cells.text("originator_id", kLongestShort);
  given.method = cells.text("payment_method", kLongestShort);
  given.date = cells.date("payment_date", kPaymentDaysAhead);
  if (sdk::is_none(given.date)) cells.note("'payment_date' is empty");
  given.amount = cells.required_amount("payment_amount", false);
  if (const auto currency = cells.text("currency", kLongestShort); !currency.empty() && !sdk::is_us_dollars(currency))
    cells.note("'currency' must be USD; amounts in other currencies are not accepted");

  const auto [at, is_new] = index_.emplace(std::move(key), payments_.size());
  latest_ = at->second;
  given.is_spoiled = std::exchange(spoils_next_, false);
  if (is_new) return payments_.emplace_back(std::move(given));
  Payment& known = payments_[at->second];
  known.is_spoiled = known.is_spoiled || given.is_spoiled;
  if (known.is_spoiled) return known;
  agree(cells, "payer_name", known.payer_name, given.payer_name);
  agree(cells, "originator_id", known.originator_id, given.originator_id);
  agree(cells, "payment_method", known.method, given.method);
  agree(cells, "payment_date", day_of(known.date), day_of(given.date));
  agree(cells, "payment_amount", known.amount, given.amount);
  return known;
}

void Payments::take_claim(Cells& cells, Payment& payment) {
  Claim claim;
  claim.identifier = cells.text("claim_identifier", kLongestIdentifier);
  claim.status = cells.required("status", 2);
  if (std::find(kStatuses.begin(), kStatuses.end(), claim.status) == kStatuses.end())
    cells.note("'status' must be one of 1, 2, 3, 4, 19, 20, 21, 22, 23, 25");
  const bool is_reversal = claim.status == kReversal;
  claim.charge = cells.required_amount("charge_amount", is_reversal);
  claim.paid = cells.required_amount("paid_amount", is_reversal);
  claim.patient_responsibility = cells.amount("patient_responsibility", is_reversal);
  claim.payer_claim_number = cells.text("payer_claim_number", kLongestShort);
  claim.date_of_service = cells.date("date_of_service", kDaysAhead);
  claim.received_date = cells.date("received_date", kDaysAhead);

  Line line;
  line.cpt = cells.text("cpt", 10);
  line.modifier = cells.text("modifier", 20);
  line.units = cells.text("units", 20);
  const auto charge = cells.amount("line_charge_amount", is_reversal),
             paid = cells.amount("line_paid_amount", is_reversal);
  line.allowed = cells.amount("line_allowed_amount", is_reversal);
  line.date_of_service = cells.date("line_date_of_service", kDaysAhead);
  const bool is_line = !line.cpt.empty();
  if (is_line && (!charge || !paid)) cells.note("a service line needs 'line_charge_amount' and 'line_paid_amount'");
  if (!is_line && (charge || paid || line.allowed)) cells.note("amounts of a service line need its 'cpt'");
  line.charge = charge.value_or(0);
  line.paid = paid.value_or(0);
  auto adjustments = cells.adjustments();

  // A further row of the claim before, if both rows have service lines of it.
  Claim* known = payment.claims.empty() ? nullptr : &payment.claims.back();
  const bool continues = is_line && known && !known->lines.empty() && known->identifier == claim.identifier &&
                         known->status == claim.status;
  if (!continues) {
    known = &payment.claims.emplace_back(std::move(claim));
  } else {
    agree(cells, "charge_amount", known->charge, claim.charge);
    agree(cells, "paid_amount", known->paid, claim.paid);
    agree(cells, "patient_responsibility", known->patient_responsibility, claim.patient_responsibility);
    agree(cells, "payer_claim_number", known->payer_claim_number, claim.payer_claim_number);
    agree(cells, "date_of_service", day_of(known->date_of_service), day_of(claim.date_of_service));
    agree(cells, "received_date", day_of(known->received_date), day_of(claim.received_date));
  }
  if (!is_line) {
    known->adjustments = std::move(adjustments);
  } else if (known->lines.size() == kMostLines) {
    cells.note("the claim has more than 999 service lines");
  } else {
    line.adjustments = std::move(adjustments);
    known->lines.push_back(std::move(line));
  }
}

void Payments::take_provider_adjustment(Cells& cells, Payment& payment) {
  ProviderAdjustment adjustment;
  adjustment.code = cells.text("provider_adjustment_code", 2);
  adjustment.reference = cells.text("provider_adjustment_reference", kLongestShort);
  const auto amount = cells.amount("provider_adjustment_amount", true);
  if (adjustment.code.empty() || !amount)
    cells.note(
        "the row has neither a 'claim_identifier' nor 'provider_adjustment_code' with 'provider_adjustment_amount'");
  adjustment.amount = amount.value_or(0);
  payment.adjustments.push_back(std::move(adjustment));
}

void Payments::give(sdk::RemittanceSink& sink) const {
  for (const auto& payment : payments_)
    if (!payment.is_spoiled) give(payment, sink);
  for (const auto& [line, reason] : left_out_) sink.left_out(line, reason);
}

void Payments::give(const Payment& payment, sdk::RemittanceSink& sink) {
  const std::vector<std::string> ids{payment.payer_id};
  const sdk::LentList lent_ids(ids);
  tideover_payment head{};
  head.size = sizeof head;
  head.payer_name = sdk::lend(payment.payer_name);
  head.payer_ids = lent_ids.list();
  head.trace_number = sdk::lend(payment.trace_number);
  head.originator_id = sdk::lend(payment.originator_id);
  head.payment_date = payment.date;
  head.payment_method = sdk::lend(payment.method);
  head.payment_amount = payment.amount;
  head.currency = sdk::lend("USD");
  sink.payment(head);
  for (const auto& claim : payment.claims) {
    sink.claim({sizeof(tideover_remittance_claim),
                0,
                sdk::lend(claim.identifier),
                sdk::lend(claim.status),
                claim.charge,
                claim.paid,
                claim.patient_responsibility.value_or(TIDEOVER_NO_AMOUNT),
                sdk::lend(claim.payer_claim_number),
                claim.date_of_service,
                claim.received_date,
                {}});
    for (const auto& adjustment : claim.adjustments) sink.claim_adjustment(lent(adjustment));
    for (const auto& line : claim.lines) {
      sink.line({sizeof(tideover_remittance_line),
                 0,
                 sdk::lend(line.cpt),
                 sdk::lend(line.modifier),
                 sdk::lend(line.units),
                 line.charge,
                 line.allowed.value_or(TIDEOVER_NO_AMOUNT),
                 line.paid,
                 line.date_of_service,
                 {},
                 {}});
      for (const auto& adjustment : line.adjustments) sink.line_adjustment(lent(adjustment));
    }
  }
  for (const auto& adjustment : payment.adjustments)
    sink.provider_adjustment({sizeof(tideover_provider_adjustment),
                              0,
                              sdk::lend(adjustment.code),
                              sdk::lend(adjustment.reference),
                              adjustment.amount,
                              {},
                              {}});
}

}  // namespace remittance_csv

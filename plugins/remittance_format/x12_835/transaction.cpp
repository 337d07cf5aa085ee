#include "transaction.hpp"

#include <algorithm>
#include <array>

#include "tideover/money.hpp"

namespace x12_835 {
namespace {

namespace sdk = tideover::sdk;

constexpr std::size_t kMostLines = 999;        // of a claim; the limit of the guide
constexpr std::size_t kMostAdjustments = 594;  // of a claim or line: 99 CAS of six
constexpr std::size_t kMostPayerIds = 8;
constexpr std::size_t kMostWarnings = 100;   // of the header
constexpr std::size_t kLongestElement = 80;  // of emitted values; longer ones do not exist in X12
constexpr std::size_t kLongestTrace = 50;
constexpr std::size_t kModifiers = 4;
constexpr std::string_view kNpi = "XX";    // the qualifier of an NPI (N103, NM108)
constexpr std::string_view kTaxId = "FI";  // of a tax id (N103)
constexpr std::int32_t kDaysAhead = 31;    // a payment announced for a later date is doubtful

constexpr std::array<std::string_view, 17> kStatuses{"1",  "2",  "3",  "4",  "5",  "10", "13", "15", "16",
                                                     "17", "19", "20", "21", "22", "23", "25", "27"};  // 4010 and 5010
constexpr std::array<std::string_view, 5> kGroups{"CO", "PR", "OA", "PI", "CR"};                       // CR: 4010

bool is_separator(char c) {
  return !((c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == ' ');
}

/// "CLP04"
std::string name_of(const Segment& segment, std::size_t position) {
  return printable(segment.id().substr(0, 3)) + (position < 10 ? "0" : "") + std::to_string(position);
}

template <class Struct>
Struct sized() {
  Struct made{};
  made.size = sizeof made;
  return made;
}

}  // namespace

void Transaction::take(const Segment& segment, char component) {
  const auto id = segment.id();
  // The payer is loop 1000A; it ends at the next party, an LX or a claim.
  if (id == "N1" || id == "LX" || id == "CLP") {
    is_payer_loop_ = id == "N1" && segment.at(1) == "PR";
    is_payee_loop_ = id == "N1" && segment.at(1) == "PE" && !claim_ && !is_emitted_;
  }
  if (id == "BPR") {
    take_payment(segment);
  } else if (id == "TRN" && !is_emitted_ && !claim_) {
    take_trace(segment);
  } else if (id == "N1" && is_payer_loop_) {
    take_party(segment);
  } else if ((id == "N1" || id == "REF") && is_payee_loop_) {
    take_payee(segment);
  } else if (id == "TS3" && !claim_) {
    header_npi_ = sdk::view(npi(segment, 1));
  } else if (id == "NM1" && segment.at(1) == "82" && claim_) {
    if (segment.at(8) == kNpi) claim_->lent.billing_npi = npi(segment, 9);
  } else if (id == "REF" && is_payer_loop_ && segment.at(1) == "2U" && !segment.at(2).empty()) {
    if (payer_ids_.size() < kMostPayerIds)
      payer_ids_.insert(payer_ids_.begin(), printable(segment.at(2).substr(0, kLongestElement)));
  } else if (id == "DTM") {
    take_date(segment);
  } else if (id == "CLP") {
    take_claim(segment);
  } else if (id == "SVC") {
    take_line(segment, component);
  } else if (id == "CAS") {
    take_adjustments(segment);
  } else if (id == "AMT" && segment.at(1) == "B6" && claim_ && !claim_->lines.empty()) {
    claim_->lines.back().lent.allowed_amount = informative_amount(segment, 2);
  } else if (id == "LX") {
    emit_claim();  // before its practice is cleared: the claim lends it
    header_npi_.clear();
  } else if (id == "PLB") {
    take_provider_adjustments(segment, component);
  }
}

void Transaction::take_payment(const Segment& bpr) {
  if (has_payment_) throw fault_at(bpr, "a second BPR in one transaction");
  has_payment_ = true;
  bpr_ = bpr.position();
  const auto sign = bpr.at(3);
  if (sign != "C" && sign != "D") throw fault_at(bpr, "BPR03 must be C (credit) or D (debit)");
  const std::int64_t cents = amount(bpr, 2);
  if (cents < 0) warn(bpr_, "BPR02 is negative, although BPR03 gives the direction of the payment");
  payment_.payment_amount = sign == "D" ? -cents : cents;
  payment_.payment_method = text(bpr, 4);
  payment_.payment_date = date(bpr, 16);
  is_information_only_ = bpr.at(1) == "H";
}

void Transaction::take_trace(const Segment& trn) {
  if (payment_.trace_number.len != 0) return warn(trn.position(), "a second TRN in one transaction is ignored");
  if (trn.at(2).size() > kLongestTrace)
    throw fault_at(trn, "TRN02 (trace number) is longer than " + std::to_string(kLongestTrace) + " bytes");
  payment_.trace_number = text(trn, 2);
  payment_.originator_id = text(trn, 3);
}

void Transaction::take_party(const Segment& n1) {
  if (has_party_) return warn(n1.position(), "a second payer (N1*PR) in one transaction is ignored");
  has_party_ = true;
  payment_.payer_name = text(n1, 2);
  if (!n1.at(4).empty()) payer_ids_.push_back(printable(n1.at(4).substr(0, kLongestElement)));
}

/// N1*PE and its REF. The first id of each kind counts.
void Transaction::take_payee(const Segment& segment) {
  const bool is_name = segment.id() == "N1";
  const auto qualifier = segment.at(is_name ? 3 : 1);
  const std::size_t position = is_name ? 4 : 2;
  if (is_name && qualifier == kNpi && payment_.payee_npi.len == 0) payment_.payee_npi = npi(segment, position);
  if (qualifier == (is_name ? kTaxId : "TJ") && payment_.payee_tax_id.len == 0)
    payment_.payee_tax_id = payee_id(segment, position);
  if (!is_name && qualifier == "PQ" && payment_.payee_assigned_id.len == 0)
    payment_.payee_assigned_id = payee_id(segment, position);
}

void Transaction::take_claim(const Segment& clp) {
  emit_claim();
  if (!has_payment_) throw fault_at(clp, "a claim is before the BPR (payment) segment of its transaction");
  Claim claim;
  claim.position = clp.position();
  claim.lent = sized<tideover_remittance_claim>();
  claim.lent.claim_identifier = text(clp, 1);
  if (claim.lent.claim_identifier.len == 0) throw fault_at(clp, "CLP01 (claim identifier) is empty");
  claim.lent.status = text(clp, 2);
  if (claim.lent.status.len == 0) throw fault_at(clp, "CLP02 (claim status) is empty");
  if (std::find(kStatuses.begin(), kStatuses.end(), sdk::view(claim.lent.status)) == kStatuses.end())
    warn(clp.position(), "CLP02 is not a claim status of an 835");
  claim.lent.charge_amount = amount(clp, 3);
  claim.lent.paid_amount = amount(clp, 4);
  claim.lent.patient_responsibility = clp.at(5).empty() ? TIDEOVER_NO_AMOUNT : amount(clp, 5);
  claim.lent.payer_claim_number = text(clp, 7);
  claim.lent.billing_npi = sdk::lend(header_npi_);
  claim_ = std::move(claim);
}

void Transaction::take_line(const Segment& svc, char component) {
  if (!claim_) throw fault_at(svc, "SVC outside a claim");
  if (claim_->lines.size() == kMostLines)
    throw fault_at(svc, "a claim has more than " + std::to_string(kMostLines) + " service lines", TIDEOVER_FAULT_LIMIT);
  // SVC01 and SVC06 are qualifier, code, modifiers.
  const auto decided = composite(svc, 1, component), submitted = composite(svc, 6, component);
  Line line;
  line.position = svc.position();
  line.lent = sized<tideover_remittance_line>();
  if (decided.size() > 1) line.lent.cpt = text(svc, 1, decided[1]);
  if (line.lent.cpt.len == 0) warn(svc.position(), "SVC01 has no procedure");
  if (submitted.size() > 1) line.lent.submitted_cpt = text(svc, 6, submitted[1]);
  line.modifier = modifiers(svc, 1, decided);
  line.submitted_modifier = modifiers(svc, 6, submitted);
  line.lent.charge_amount = amount(svc, 2);
  line.lent.paid_amount = amount(svc, 3);
  line.lent.allowed_amount = TIDEOVER_NO_AMOUNT;
  line.lent.units = text(svc, 5);
  claim_->lines.push_back(std::move(line));
}

void Transaction::take_adjustments(const Segment& cas) {
  if (!claim_) throw fault_at(cas, "CAS outside a claim");
  auto& adjustments = claim_->lines.empty() ? claim_->adjustments : claim_->lines.back().adjustments;
  const auto group = text(cas, 1);
  if (std::find(kGroups.begin(), kGroups.end(), sdk::view(group)) == kGroups.end())
    warn(cas.position(), "CAS01 is not an adjustment group of an 835");
  // Triplets of reason, amount, quantity.
  for (std::size_t at = 2; at < cas.size(); at += 3) {
    auto adjustment = sized<tideover_adjustment>();
    adjustment.group = group;
    adjustment.code = text(cas, at);
    if (adjustment.code.len == 0) {
      if (!cas.at(at + 1).empty()) warn(cas.position(), name_of(cas, at) + " is empty; its amount is ignored");
      continue;
    }
    if (adjustments.size() == kMostAdjustments)
      throw fault_at(cas, "more than " + std::to_string(kMostAdjustments) + " adjustments of one claim or line",
                     TIDEOVER_FAULT_LIMIT);
    adjustment.amount = amount(cas, at + 1);
    adjustments.push_back(adjustment);
  }
}

void Transaction::take_date(const Segment& dtm) {
  const auto qualifier = dtm.at(1);
  if (!claim_) {
    if (qualifier == "405") payment_.production_date = date(dtm, 2);
    return;
  }
  if (qualifier == "050") {
    claim_->lent.received_date = date(dtm, 2);
    return;
  }
  const int rank = service_date_rank(qualifier);
  if (rank == 0) return;
  const auto take = [&](tideover_date& into, int& best) {
    if (best != 0 && best <= rank) return;
    const auto found = date(dtm, 2);
    if (sdk::is_none(found)) return;
    into = found;
    best = rank;
  };
  if (claim_->lines.empty())
    take(claim_->lent.date_of_service, claim_->date_rank);
  else
    take(claim_->lines.back().lent.date_of_service, claim_->lines.back().date_rank);
}

void Transaction::take_provider_adjustments(const Segment& plb, char component) {
  emit_claim();
  if (!has_payment_) throw fault_at(plb, "a PLB is before the BPR (payment) segment of its transaction");
  if (!is_emitted_) emit_payment();
  const auto provider = npi(plb, 1);
  const auto provider_id = provider.len == 0 ? payee_id(plb, 1) : tideover_str{};
  // Pairs of reason with reference, and amount.
  for (std::size_t at = 3; at < plb.size(); at += 2) {
    if (plb.at(at).empty() && plb.at(at + 1).empty()) continue;
    const auto parts = composite(plb, at, component);
    auto adjustment = sized<tideover_provider_adjustment>();
    adjustment.code = text(plb, at, parts[0]);
    if (adjustment.code.len == 0) warn(plb.position(), name_of(plb, at) + " has no reason; its amount counts");
    if (parts.size() > 1) adjustment.reference = text(plb, at, parts[1]);
    adjustment.amount = amount(plb, at + 1);
    adjustment.npi = provider;
    adjustment.provider_id = provider_id;
    sink_.provider_adjustment(adjustment);
  }
  texts_.clear();
}

void Transaction::finish(const Segment& end) {
  emit_claim();
  if (!has_payment_) throw fault_at(end, "the transaction has no BPR (payment) segment");
  if (!is_emitted_) emit_payment();
}

void Transaction::emit_payment() {
  is_emitted_ = true;
  const sdk::LentList ids(payer_ids_);
  payment_.size = sizeof payment_;
  payment_.payer_ids = ids.list();
  payment_.currency = sdk::lend("USD");
  sink_.payment(payment_);
  for (const auto& warning : warnings_) sink_.warning(warning);
  warnings_.clear();
  if (payment_.trace_number.len == 0) warn(bpr_, "the transaction has no trace number (TRN02)");
  if (!has_party_) warn(st_.position(), "the transaction has no payer (N1*PR)");
  const auto& paid = payment_.payment_date;
  if (sdk::is_none(paid) && sdk::is_none(payment_.production_date))
    warn(bpr_, "the transaction has no date (BPR16, DTM*405)");
  if (!sdk::is_none(paid) && sdk::to_days(paid) > sdk::to_days(today_) + kDaysAhead)
    warn(bpr_, "BPR16 is more than " + std::to_string(kDaysAhead) + " days in the future");
  if (is_information_only_ && payment_.payment_amount != 0)
    warn(bpr_, "BPR01 says that no money moves, but BPR02 has an amount");
}

void Transaction::emit_claim() {
  if (!claim_) return;
  if (!is_emitted_) emit_payment();
  doubt(*claim_, {today_, payment_.payment_date},
        [this](const Position& position, const std::string& problem) { warn(position, problem); });
  date_by_lines(*claim_);
  sink_.claim(claim_->lent);
  for (const auto& adjustment : claim_->adjustments) sink_.claim_adjustment(adjustment);
  for (auto& line : claim_->lines) {
    line.lent.modifier = sdk::lend(line.modifier);
    line.lent.submitted_modifier = sdk::lend(line.submitted_modifier);
    sink_.line(line.lent);
    for (const auto& adjustment : line.adjustments) sink_.line_adjustment(adjustment);
  }
  claim_.reset();
  texts_.clear();
}

void Transaction::warn(const Position& position, const std::string& problem) {
  if (is_emitted_)
    sink_.warning(message_at(position, problem));
  else if (warnings_.size() < kMostWarnings)
    warnings_.push_back(message_at(position, problem));
}

/// The components of an element, at least one. Some payers use another separator than ISA16 declares. The first
/// component (a qualifier, a PLB reason) has two characters, so the third character shows the separator.
std::vector<std::string_view> Transaction::composite(const Segment& segment, std::size_t position, char component) {
  const auto element = segment.at(position);
  if (element.find(component) == std::string_view::npos && element.size() > 3 && is_separator(element[2])) {
    warn(segment.position(), "the component separator differs from ISA16");
    component = element[2];
  }
  return x12::split(element, component);
}

tideover_str Transaction::text(const Segment& segment, std::size_t position) {
  return text(segment, position, segment.at(position));
}

/// Lends `part` of an element without surrounding blanks, with non-printable bytes replaced.
tideover_str Transaction::text(const Segment& segment, std::size_t position, std::string_view part) {
  part = trim(part);
  if (part.size() > kLongestElement)
    throw fault_at(segment,
                   name_of(segment, position) + " is longer than " + std::to_string(kLongestElement) + " bytes");
  if (!x12::is_printable(part))
    warn(segment.position(), name_of(segment, position) + " is not plain ASCII; other characters are replaced by ?");
  return sdk::lend(texts_.emplace_back(printable(part)));
}

/// The element if it is an NPI. Older payers write numbers of their own there, which say nothing to the host.
tideover_str Transaction::npi(const Segment& segment, std::size_t position) {
  const auto number = trim(segment.at(position));
  const bool is_npi =
      number.size() == 10 && std::all_of(number.begin(), number.end(), [](char c) { return c >= '0' && c <= '9'; });
  return is_npi ? text(segment, position) : tideover_str{};
}

/// The element, unless it is longer than any id.
tideover_str Transaction::payee_id(const Segment& segment, std::size_t position) {
  return trim(segment.at(position)).size() > kLongestElement ? tideover_str{} : text(segment, position);
}

/// Joined by ":".
std::string Transaction::modifiers(const Segment& segment, std::size_t position,
                                   const std::vector<std::string_view>& parts) {
  std::string joined;
  for (std::size_t i = 2; i < parts.size() && i < 2 + kModifiers; ++i)
    if (const auto modifier = sdk::view(text(segment, position, parts[i])); !modifier.empty())
      joined += (joined.empty() ? "" : ":") + std::string(modifier);
  return joined;
}

/// A missing amount counts as zero, with a warning; an unreadable amount refuses the file.
std::int64_t Transaction::amount(const Segment& segment, std::size_t position) {
  const auto text = segment.at(position);
  if (text.empty()) {
    warn(segment.position(), name_of(segment, position) + " is empty and counts as zero");
    return 0;
  }
  const auto cents = sdk::parse_cents(text);
  if (!cents)
    throw fault_at(segment, name_of(segment, position) + " is not an amount in dollars and cents below 100 million");
  return *cents;
}

/// An informational amount: an unreadable one is ignored, with a warning.
std::int64_t Transaction::informative_amount(const Segment& segment, std::size_t position) {
  const auto cents = sdk::parse_cents(segment.at(position));
  if (!cents)
    warn(segment.position(), name_of(segment, position) + " is not an amount in dollars and cents and is ignored");
  return cents.value_or(TIDEOVER_NO_AMOUNT);
}

tideover_date Transaction::date(const Segment& segment, std::size_t position) {
  const auto text = segment.at(position);
  if (text.empty()) return {};
  const auto found = sdk::parse_compact_date(text);
  if (!found) warn(segment.position(), name_of(segment, position) + " is not CCYYMMDD and is ignored");
  return found.value_or(tideover_date{});
}

}  // namespace x12_835

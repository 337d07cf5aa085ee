#include "transaction.hpp"

#include "elements.hpp"

namespace x12_835 {
namespace {

namespace sdk = tideover::sdk;

constexpr std::size_t kCasTriplets = 6;
constexpr std::size_t kPlbPairs = 6;
constexpr std::size_t kModifiers = 4;

/// Which date says best when a service was rendered; the lowest rank wins. DTM01 qualifiers.
int service_date_rank(std::string_view qualifier) {
  if (qualifier == "472") return 1;                       // service
  if (qualifier == "150" || qualifier == "232") return 2;  // begin
  if (qualifier == "151" || qualifier == "233") return 3;  // end
  return 0;
}

bool is_separator(char c) {
  return !((c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == ' ');
}

template <class Struct>
Struct sized() {
  Struct made{};
  made.size = sizeof made;
  return made;
}

}  // namespace

void Transaction::take(const Segment& segment, char component) {
  ++segments_;
  const auto id = segment.id();
  // The payer is loop 1000A; the next party, an LX or a claim ends it.
  if (id == "N1" || id == "LX" || id == "CLP") is_payer_loop_ = id == "N1" && segment.at(1) == "PR";
  if (id == "BPR") {
    take_payment(segment);
  } else if (id == "TRN" && !claim_) {
    payment_.trace_number = text(segment.at(2));
    payment_.originator_id = text(segment.at(3));
  } else if (id == "N1" && is_payer_loop_) {
    take_party(segment);
  } else if (id == "REF" && is_payer_loop_ && segment.at(1) == "2U" && !trim(segment.at(2)).empty()) {
    payer_ids_.insert(payer_ids_.begin(), printable(trim(segment.at(2))));
  } else if (id == "DTM") {
    take_date(segment);
  } else if (id == "CLP") {
    take_claim(segment);
  } else if (id == "SVC") {
    take_line(segment, component);
  } else if (id == "CAS") {
    take_adjustments(segment);
  } else if (id == "AMT" && segment.at(1) == "B6" && claim_ && !claim_->lines.empty()) {
    claim_->lines.back().lent.allowed_amount = amount(segment, 2, "AMT02");
  } else if (id == "LX") {
    emit_claim();
  } else if (id == "PLB") {
    take_provider_adjustments(segment, component);
  }
}

void Transaction::take_payment(const Segment& bpr) {
  if (has_payment_) throw fault_at(bpr, "a second BPR in one transaction");
  has_payment_ = true;
  const auto sign = bpr.at(3);
  if (sign != "C" && sign != "D") throw fault_at(bpr, "BPR03 must be C (credit) or D (debit)");
  const std::int64_t cents = amount(bpr, 2, "BPR02");
  payment_.payment_amount = sign == "D" ? -cents : cents;
  payment_.payment_method = text(bpr.at(4));
  payment_.payment_date = date(bpr, 16);
}

void Transaction::take_party(const Segment& n1) {
  payment_.payer_name = text(n1.at(2));
  if (!trim(n1.at(4)).empty()) payer_ids_.push_back(printable(trim(n1.at(4))));
}

void Transaction::take_claim(const Segment& clp) {
  emit_claim();
  Claim claim;
  claim.lent = sized<tideover_remittance_claim>();
  claim.lent.claim_identifier = text(clp.at(1));
  if (claim.lent.claim_identifier.len == 0) throw fault_at(clp, "CLP01 (claim identifier) is empty");
  claim.lent.status = text(clp.at(2));
  if (claim.lent.status.len == 0) throw fault_at(clp, "CLP02 (claim status) is empty");
  claim.lent.charge_amount = amount(clp, 3, "CLP03");
  claim.lent.paid_amount = amount(clp, 4, "CLP04");
  claim.lent.patient_responsibility = trim(clp.at(5)).empty() ? TIDEOVER_NO_AMOUNT : amount(clp, 5, "CLP05");
  claim.lent.payer_claim_number = text(clp.at(7));
  claim_ = std::move(claim);
}

void Transaction::take_line(const Segment& svc, char component) {
  if (!claim_) throw fault_at(svc, "SVC outside a claim");
  // SVC01 is qualifier, code, modifiers. Some payers write another component separator than their ISA16 declares; the
  // qualifier has two characters, so the third one shows it.
  const auto composite = svc.at(1);
  if (composite.find(component) == std::string_view::npos && composite.size() > 3 && is_separator(composite[2])) {
    warn(svc, "the component separator is not the one of the ISA");
    component = composite[2];
  }
  const auto parts = split(composite, component);
  Line line;
  line.lent = sized<tideover_remittance_line>();
  if (parts.size() > 1) line.lent.cpt = text(parts[1]);
  if (line.lent.cpt.len == 0) warn(svc, "SVC01 names no procedure");
  for (std::size_t i = 2; i < parts.size() && i < 2 + kModifiers; ++i)
    if (!trim(parts[i]).empty()) line.modifier += (line.modifier.empty() ? "" : ":") + printable(trim(parts[i]));
  line.lent.charge_amount = amount(svc, 2, "SVC02");
  line.lent.paid_amount = amount(svc, 3, "SVC03");
  line.lent.allowed_amount = TIDEOVER_NO_AMOUNT;
  line.lent.units = text(svc.at(5));
  claim_->lines.push_back(std::move(line));
}

void Transaction::take_adjustments(const Segment& cas) {
  if (!claim_) throw fault_at(cas, "CAS outside a claim");
  auto& adjustments = claim_->lines.empty() ? claim_->adjustments : claim_->lines.back().adjustments;
  for (std::size_t triplet = 0; triplet < kCasTriplets; ++triplet) {
    const std::size_t code = 2 + 3 * triplet;
    if (trim(cas.at(code)).empty()) continue;
    auto adjustment = sized<tideover_adjustment>();
    adjustment.group = text(cas.at(1));
    adjustment.code = text(cas.at(code));
    adjustment.amount = amount(cas, code + 1, "the amount of CAS");
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
  if (!is_emitted_) emit_payment();
  for (std::size_t pair = 0; pair < kPlbPairs; ++pair) {
    const std::size_t at = 3 + 2 * pair;
    if (trim(plb.at(at)).empty()) continue;
    const auto parts = split(plb.at(at), component);
    auto adjustment = sized<tideover_provider_adjustment>();
    adjustment.code = text(parts[0]);
    if (parts.size() > 1) adjustment.reference = text(parts[1]);
    adjustment.amount = amount(plb, at + 1, "the amount of PLB");
    sink_.provider_adjustment(adjustment);
  }
}

void Transaction::finish(const Segment& se) {
  ++segments_;
  emit_claim();
  if (!has_payment_) throw fault_at(se, "the transaction has no BPR (payment) segment");
  if (!is_emitted_) emit_payment();
  if (!same_control_number(se.at(2), st_.at(2)))
    warn(se, "SE02 is not the control number of its ST02");
  if (const auto count = parse_count(se.at(1)); count != segments_)
    warn(se, "SE01 counts " + printable(trim(se.at(1))) + " segments, the transaction has " +
                 std::to_string(segments_));
}

void Transaction::emit_payment() {
  is_emitted_ = true;
  const sdk::LentList ids(payer_ids_);
  payment_.size = sizeof payment_;
  payment_.payer_ids = ids.list();
  payment_.currency = sdk::lend("USD");
  sink_.payment(payment_);
  for (const auto& warning : warnings_) sink_.warning(warning);
  if (payment_.trace_number.len == 0) sink_.warning("the transaction has no trace number (TRN02)");
}

void Transaction::emit_claim() {
  if (!claim_) return;
  if (!has_payment_) throw fault_at(st_, "a claim stands before the BPR (payment) segment of its transaction");
  if (!is_emitted_) emit_payment();
  sink_.claim(claim_->lent);
  for (const auto& adjustment : claim_->adjustments) sink_.claim_adjustment(adjustment);
  for (auto& line : claim_->lines) {
    line.lent.modifier = sdk::lend(line.modifier);
    sink_.line(line.lent);
    for (const auto& adjustment : line.adjustments) sink_.line_adjustment(adjustment);
  }
  claim_.reset();
}

void Transaction::warn(const Segment& segment, const std::string& problem) {
  const std::string message = problem + " (segment " + std::to_string(segment.number) + " " + printable(segment.id().substr(0, 3)) +
                              ", byte " + std::to_string(segment.byte) + ")";
  if (is_emitted_)
    sink_.warning(message);
  else
    warnings_.push_back(message);
}

/// Lends an element without surrounding blanks, cleaned where it is not printable.
tideover_str Transaction::text(std::string_view element) {
  element = trim(element);
  return sdk::lend(is_printable(element) ? element : cleaned_.emplace_back(printable(element)));
}

/// A missing amount counts as zero, with a warning; one that cannot be read fails the file.
std::int64_t Transaction::amount(const Segment& segment, std::size_t position, const char* name) {
  const auto text = trim(segment.at(position));
  if (text.empty()) {
    warn(segment, std::string(name) + " is empty and counts as zero");
    return 0;
  }
  const auto cents = parse_cents(text);
  if (!cents) throw fault_at(segment, std::string(name) + " is not an amount in dollars and cents");
  return *cents;
}

tideover_date Transaction::date(const Segment& segment, std::size_t position) {
  const auto text = trim(segment.at(position));
  if (text.empty()) return {};
  const auto found = sdk::parse_compact_date(text);
  if (!found) warn(segment, "a date is not CCYYMMDD and is left out");
  return found.value_or(tideover_date{});
}

}  // namespace x12_835

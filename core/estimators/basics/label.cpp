#include "core/estimators/basics/label.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "core/domain/basics/within.hpp"
#include "core/domain/reconciliation/answer.hpp"

namespace tideover::estimators {
namespace {

using domain::Adjustment;
using domain::Money;
using Kind = domain::AnswerKind;

template <std::size_t N>
bool listed(const std::array<std::string_view, N>& list, std::string_view carc) {
  return std::find(list.begin(), list.end(), carc) != list.end();
}

// Shares of the patient: they reduce the payment, not the allowed amount.
constexpr std::array<std::string_view, 12> kPatientShare{"1",   "2",   "3",   "66",  "126", "127",
                                                         "142", "178", "187", "241", "247", "248"};
// Reductions after pricing: likewise.
constexpr std::array<std::string_view, 9> kAfterPricing{"253", "104", "105", "143", "144", "225", "237", "245", "23"};
// Reductions by contract, statute or schedule, and notes about money: the claim was priced, not refused.
constexpr std::array<std::string_view, 44> kPricing{
    "24",  "42",  "44",  "45",  "59",  "69",  "70",  "74",  "75",  "76",  "78",  "85",  "90",  "91",  "94",
    "100", "101", "102", "103", "108", "118", "121", "122", "130", "131", "132", "134", "137", "139", "161",
    "169", "172", "186", "194", "203", "205", "217", "235", "271", "295", "A2",  "P5",  "P12", "P24"};

struct Listed {
  CarcGroup group;
  std::string_view carcs;  // between spaces
};
constexpr std::array<Listed, 11> kGroups{{
    {CarcGroup::format, " 16 110 125 129 135 146 175 176 182 181 199 207 206 230 239 240 267 268 282 306 A1 A8 "},
    {CarcGroup::eligibility, " 26 27 28 31 32 33 34 109 140 141 166 177 179 180 200 224 238 258 B9 "},
    {CarcGroup::duplicate, " 18 B13 "},
    {CarcGroup::timely, " 29 138 286 285 B4 "},
    {CarcGroup::coding, " 4 5 6 7 9 10 97 107 128 151 189 190 222 231 234 236 246 249 261 B10 B14 B15 B16 P14 "},
    {CarcGroup::authorization, " 39 95 165 197 198 210 243 284 287 288 296 302 P17 "},
    {CarcGroup::necessity, " 11 49 50 55 56 58 114 150 152 153 154 167 188 216 272 273 B22 P15 "},
    {CarcGroup::coverage,
     " 35 40 51 53 54 96 111 112 113 116 117 119 149 155 157 158 159 160 173 174 202 204 233 256 269 274 B1 B5 B8 "},
    {CarcGroup::coordination,
     " 19 20 21 22 136 191 196 201 215 254 270 275 276 280 289 290 291 292 297 298 300 301 304 305 B11 P2 "},
    {CarcGroup::documents, " 148 163 164 226 227 250 251 252 "},
    {CarcGroup::provider, " 8 12 52 147 170 171 183 184 185 208 242 279 283 299 B7 B20 B23 P16 "},
}};

std::optional<std::int64_t> units_milli_of(std::string_view text) {
  if (text.empty()) return std::nullopt;
  std::int64_t whole = 0, thousandths = 0;
  int decimals = -1;
  for (const char c : text) {
    if (c == '.' && decimals < 0) {
      decimals = 0;
    } else if (c < '0' || c > '9' || whole > 99'999'999) {
      return std::nullopt;
    } else if (decimals < 0) {
      whole = whole * 10 + (c - '0');
    } else if (decimals < 3) {
      thousandths = thousandths * 10 + (c - '0');
      ++decimals;
    }
  }
  for (; decimals >= 0 && decimals < 3; ++decimals) thousandths *= 10;
  return whole * 1000 + thousandths;
}

/// The denial with the largest amount, if any. A denial of nothing does not count.
const Adjustment* refusal_in(const std::vector<Adjustment>& adjustments) {
  const Adjustment* largest = nullptr;
  for (const auto& adjustment : adjustments)
    if (adjustment.amount > Money{} && is_denial_carc(adjustment.code) &&
        (!largest || adjustment.amount > largest->amount))
      largest = &adjustment;
  return largest;
}

/// The adjustments that reduce the payment of an allowed amount.
Money taken_from_allowed(const std::vector<Adjustment>& adjustments) {
  Money taken;
  for (const auto& adjustment : adjustments)
    if (listed(kPatientShare, adjustment.code) || listed(kAfterPricing, adjustment.code)) taken += adjustment.amount;
  return taken;
}

/// Whether payment and own adjustments do not account for the whole charge of the line.
bool leaves_open(const LineLabel& line, const std::vector<Adjustment>& own) {
  Money accounted = line.paid;
  for (const auto& adjustment : own) accounted += adjustment.amount;
  return accounted < line.charge;
}

LineLabel label_of_line(LineLabel line, std::optional<Money> reported_allowed, const std::vector<Adjustment>& own,
                        const std::vector<Adjustment>* of_claim) {
  line.allowed = reported_allowed
                     ? *reported_allowed
                     : domain::within(line.paid + taken_from_allowed(own), Money{}, std::max(line.charge, line.paid));
  const Adjustment* refusal = refusal_in(own);
  // A denial on the claim concerns what the own adjustments of a line leave open. A contractual reduction next to it
  // does not hide it.
  if (!refusal && of_claim && (own.empty() || (line.allowed.is_zero() && leaves_open(line, own))))
    refusal = refusal_in(*of_claim);
  // Some payers report the allowed amount that a denied line would have had. A line with nothing paid and the whole
  // charge denied is denied.
  const bool all_refused = refusal && refusal->amount >= line.charge;
  line.denied = line.paid <= Money{} && refusal && (line.allowed.is_zero() || all_refused);
  if (line.denied) {
    line.carc = refusal->code;
    line.allowed = {};
  }
  return line;
}

}  // namespace

CarcGroup group_of_carc(std::string_view carc) {
  static const auto groups = [] {
    std::vector<CarcGroup> by_packed(std::size_t{1} << 16, CarcGroup::other);
    for (const auto& group : kGroups)
      for (std::size_t from = 1, to; (to = group.carcs.find(' ', from)) != std::string_view::npos; from = to + 1)
        by_packed[packed_carc(group.carcs.substr(from, to - from))] = group.group;
    return by_packed;
  }();
  return groups[packed_carc(carc)];
}

bool is_denial_carc(std::string_view carc) {
  return !carc.empty() && !listed(kPatientShare, carc) && !listed(kAfterPricing, carc) && !listed(kPricing, carc);
}

std::uint16_t packed_carc(std::string_view carc) {
  unsigned letter = 0, number = 0;
  for (std::size_t i = 0; i < carc.size(); ++i) {
    const char c = carc[i];
    if (i == 0 && c >= 'A' && c <= 'Z')
      letter = static_cast<unsigned>(c - 'A' + 1);
    else if (c >= '0' && c <= '9' && i < 4)
      number = number * 10 + static_cast<unsigned>(c - '0');
    else
      return 0;
  }
  return static_cast<std::uint16_t>(letter * 2000 + (number < 2000 ? number : 0));
}

std::string unpacked_carc(std::uint16_t carc) {
  if (carc == 0) return {};
  std::string text;
  if (carc >= 2000) text += static_cast<char>('A' + carc / 2000 - 1);
  return text + std::to_string(carc % 2000);
}

Label label_of(const domain::RemittanceClaim& claim) {
  Label label;
  if (!domain::not_learnable(claim).empty()) return label;
  const auto answer = domain::answer_of(claim);
  if (answer.kind == Kind::predetermined || answer.kind == Kind::undecided) return label;
  label.charge = answer.charge;
  label.paid = answer.paid;
  if (answer.kind == Kind::taken_back) {
    label.outcome = Outcome::reversal;
    return label;
  }

  if (claim.lines.empty()) {
    LineLabel whole;
    whole.charge = claim.charge_amount;
    whole.paid = claim.paid_amount;
    label.lines.push_back(label_of_line(std::move(whole), std::nullopt, claim.adjustments, nullptr));
  }
  for (const auto& line : claim.lines) {
    LineLabel seen;
    seen.code = line.submitted_cpt.empty() ? line.cpt : line.submitted_cpt;
    seen.modifiers = line.submitted_cpt.empty() ? line.modifier : line.submitted_modifier;
    seen.units_milli = units_milli_of(line.units).value_or(1000);
    seen.charge = line.charge_amount;
    seen.paid = line.paid_amount;
    label.lines.push_back(label_of_line(std::move(seen), line.allowed_amount, line.adjustments, &claim.adjustments));
  }

  Money charges, denied_charges, largest;
  std::size_t denied_lines = 0;
  for (const auto& line : label.lines) {
    charges += line.charge;
    label.allowed += line.allowed;
    if (!line.denied) continue;
    ++denied_lines;
    denied_charges += line.charge;
    if (label.carc.empty() || line.charge > largest) {
      label.carc = line.carc;
      largest = line.charge;
    }
  }
  const bool nothing_paid = answer.paid.is_zero();
  if (denied_lines == 0 && nothing_paid && answer.kind != Kind::processed && label.allowed.is_zero()) {
    // Denied as a whole without a line that says why, or forwarded to another payer.
    denied_lines = label.lines.size();
    denied_charges = charges;
    if (const Adjustment* refusal = refusal_in(claim.adjustments))
      label.carc = refusal->code;
    else if (answer.kind == Kind::forwarded)
      label.carc = "109";
    for (auto& line : label.lines) {
      line.denied = true;
      line.carc = label.carc;
    }
  }
  label.group = label.carc.empty() ? CarcGroup::other : group_of_carc(label.carc);
  if (denied_lines > 0) {
    label.denied_share_bps =
        charges > Money{} ? static_cast<int>(domain::within<std::int64_t>(
                                denied_charges.cents() * domain::kOneInBps / charges.cents(), 0, domain::kOneInBps))
                          : domain::kOneInBps;
    label.outcome = denied_lines == label.lines.size() ? Outcome::denied_full : Outcome::denied_partial;
  } else {
    label.outcome = nothing_paid ? Outcome::zero : Outcome::paid;
  }
  return label;
}

}  // namespace tideover::estimators

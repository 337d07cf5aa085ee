// Situations of remittances as a table: what came, whether the notices add up, what was posted to each advance, what the accounts hold
// in the end, and what is left for a person. A bill of 1000.00 expects 800.00: 640.00 are advanced for 12.80. Debits are positive:
// `suspense_unmatched -210.00` is money that waits, `carried_balances -790.00` what payers have yet to withhold.
#include <variant>

#include "tests/usecases/matching/ladder_world.hpp"

using namespace tideover;
using tests::LadderWorld;
using tests::Cash;
using tests::Notice;

namespace {

struct Situation {
  const char* what;
  std::vector<tests::Advance> advances;
  std::vector<std::variant<Cash, Notice>> arrivals;
  const char* balance;   // of each notice: what its claims and adjustments exceed the payment by
  const char* postings;
  const char* holdings;
  const char* ends;      // deposits and tasks
};

/// A notice without frills.
Notice pays(const char* name, const char* trace, std::vector<tests::PaidClaim> claims, std::vector<tests::Plb> adjustments = {}) {
  Notice notice{name, trace, std::move(claims)};
  notice.adjustments = std::move(adjustments);
  return notice;
}
tests::PaidClaim back(const char* name, std::int64_t cents, std::int64_t charge = 100'000) { return {name, -cents, -charge, std::nullopt, "22"}; }
tests::PaidClaim denied(const char* name) { return {name, 0, 100'000, std::nullopt, "4"}; }

const std::vector<Situation> kSituations{
    // --- what payers pay ---
    {"paid less than expected, more than advanced", {{"A"}}, {Cash{"D1", 79'000, "T1"}, pays("N1", "T1", {{"A", 79'000}})},
     "N1 balanced", "A 790.00 settled", "fee_income -12.80; provider_payable -137.20", "D1 matched"},
    {"paid more than expected", {{"A"}}, {Cash{"D1", 100'000, "T1"}, pays("N1", "T1", {{"A", 100'000}})},
     "N1 balanced", "A 1000.00 settled_over", "fee_income -12.80; provider_payable -347.20", "D1 matched"},
    {"one of two falls short", {{"A"}, {"B"}}, {Cash{"D1", 139'000, "T1"}, pays("N1", "T1", {{"A", 79'000}, {"B", 60'000}})},
     "N1 balanced", "A 790.00 settled; B 600.00 settled_short", "fee_income -12.80; loss_on_receivable 40.00; provider_payable -137.20", "D1 matched"},
    {"denied", {{"A"}}, {pays("N1", "", {denied("A")})}, "N1 balanced", "A 0.00 denied", "loss_on_receivable 640.00", ""},
    {"denied, paid on appeal", {{"A"}}, {pays("N1", "", {denied("A")}), pays("N2", "T2", {{"A", 79'000}}), Cash{"D2", 79'000, "T2"}},
     "N1 balanced; N2 balanced", "A 0.00 denied, 790.00 settled", "fee_income -12.80; provider_payable -137.20", "D2 matched"},
    {"all of it is the patient's", {{"A"}}, {pays("N1", "", {{"A", 0}})}, "N1 balanced", "A 0.00 settled_short", "loss_on_receivable 640.00", ""},
    {"processed as primary and forwarded (19)", {{"A"}}, {Cash{"D1", 79'000, "T1"}, pays("N1", "T1", {{"A", 79'000, 100'000, std::nullopt, "19"}})},
     "N1 balanced", "A 790.00 settled", "fee_income -12.80; provider_payable -137.20", "D1 matched"},
    {"not its claim, forwarded (23)", {{"A"}}, {pays("N1", "", {{"A", 0, 100'000, std::nullopt, "23"}})},
     "N1 balanced", "A -", "receivable A 640.00", ""},
    {"a reversal of nothing (22), a predetermination (25)", {{"A"}, {"B"}},
     {pays("N1", "", {{"A", 0, -100'000, std::nullopt, "22"}, {"B", 0, 100'000, std::nullopt, "25"}})},
     "N1 balanced", "A -; B -", "receivable A 640.00; receivable B 640.00", ""},
    {"a secondary payer's part (2) is the provider's", {{"A"}}, {Cash{"D1", 4'000, "T1", 0, "OTHER"}, Notice{"N1", "T1", {{"A", 4'000, 100'000, std::nullopt, "2"}}, 0, "OTHER"}},
     "N1 balanced", "A -", "provider_payable -40.00; receivable A 640.00", "D1 matched"},
    {"parts of a tertiary payer (3), of a secondary one that forwards (20), of a tertiary one that does (21)", {{"A"}},
     {Cash{"D1", 6'000, "T1", 0, "OTHER"}, Notice{"N1", "T1", {{"A", 1'000, 100'000, std::nullopt, "3"}, {"A", 2'000, 100'000, std::nullopt, "20"}, {"A", 3'000, 100'000, std::nullopt, "21"}}, 0, "OTHER"}},
     "N1 balanced", "A -", "provider_payable -60.00; receivable A 640.00", "D1 matched"},
    {"a secondary payer's part, of another charge", {{"A"}}, {Cash{"D1", 4'000, "T1", 0, "OTHER"}, Notice{"N1", "T1", {{"A", 4'000, 20'000, std::nullopt, "2"}}, 0, "OTHER"}},
     "N1 balanced", "A -", "receivable A 640.00; suspense_unmatched -40.00", "D1 partly_matched; match_ambiguous about N1"},
    {"the secondary payer is the one that was expected to pay", {{"A"}}, {Cash{"D1", 79'000, "T1"}, pays("N1", "T1", {{"A", 79'000, 100'000, std::nullopt, "2"}})},
     "N1 balanced", "A 790.00 settled", "fee_income -12.80; provider_payable -137.20", "D1 matched"},
    {"forwarded by the first payer (19), which pays; then the second pays the rest (2)", {{"A"}},
     {Cash{"D1", 79'000, "T1"}, pays("N1", "T1", {{"A", 79'000, 100'000, std::nullopt, "19"}}), Cash{"D2", 4'000, "T2", 0, "OTHER"},
      Notice{"N2", "T2", {{"A", 4'000, 100'000, std::nullopt, "2"}}, 0, "OTHER"}},
     "N1 balanced; N2 balanced", "A 790.00 settled", "fee_income -12.80; provider_payable -177.20", "D1 matched; D2 matched"},
    {"money without a word", {{"A"}}, {Cash{"D1", 80'000, ""}}, "", "A 800.00 settled", "fee_income -12.80; provider_payable -147.20", "D1 matched"},
    {"a stranger's claim beside ours", {{"A"}}, {Cash{"D1", 100'000, "T1"}, pays("N1", "T1", {{"A", 79'000}, {"STRANGER", 21'000, 120'000}})},
     "N1 balanced", "A 790.00 settled", "fee_income -12.80; provider_payable -347.20", "D1 matched"},
    {"a notice that does not add up", {{"A"}}, {Cash{"D1", 79'100, "T1"}, Notice{"N1", "T1", {{"A", 79'000}}, 0, "PAYER", "", 0, "ACH", 100}},
     "N1 off by -1.00", "A -", "receivable A 640.00; suspense_unmatched -791.00", "D1 unmatched; remittance_unbalanced about N1"},

    // --- beside claims ---
    {"interest (L6) is the provider's", {{"A"}}, {Cash{"D1", 79'250, "T1"}, pays("N1", "T1", {{"A", 79'000}}, {{"L6", -250}})},
     "N1 balanced", "A 790.00 settled", "fee_income -12.80; provider_payable -139.70", "D1 matched"},
    {"interest on a claim that is denied", {{"A"}}, {Cash{"D1", 250, "T1"}, pays("N1", "T1", {denied("A")}, {{"L6", -250}})},
     "N1 balanced", "A 0.00 denied", "loss_on_receivable 640.00; provider_payable -2.50", "D1 matched"},
    {"capitation (CT) without claims", {}, {Cash{"D1", 500'000, "T1"}, pays("N1", "T1", {}, {{"CT", -500'000}})},
     "N1 balanced", "", "provider_payable -5000.00", "D1 matched"},
    {"capitation, and an encounter paid by it", {{"A"}}, {Cash{"D1", 500'000, "T1"}, pays("N1", "T1", {{"A", 0}}, {{"CT", -500'000}})},
     "N1 balanced", "A 0.00 settled_short", "loss_on_receivable 640.00; provider_payable -5000.00", "D1 matched"},
    {"a levy (LE) is missing for the claim", {{"A"}}, {Cash{"D1", 70'000, "T1"}, pays("N1", "T1", {{"A", 79'000}}, {{"LE", 9'000}})},
     "N1 balanced", "A -", "receivable A 640.00; suspense_unmatched -700.00", "D1 partly_matched; match_ambiguous about N1"},
    {"an adjustment (CS) that another offsets", {{"A"}}, {Cash{"D1", 79'000, "T1"}, pays("N1", "T1", {{"A", 79'000}}, {{"CS", 5'000}, {"CS", -5'000}})},
     "N1 balanced", "A 790.00 settled", "fee_income -12.80; provider_payable -137.20", "D1 matched"},
    {"a refund that the provider sent is acknowledged (72)", {{"A"}},
     {Cash{"D1", 79'000, "T1"}, pays("N1", "T1", {{"A", 79'000}}), pays("N2", "T2", {back("A", 79'000)}, {{"72", -79'000}})},
     "N1 balanced; N2 balanced", "A 790.00 settled, -790.00 reversed", "loss_on_receivable 640.00; provider_payable -790.00", "D1 matched"},

    // --- takebacks ---
    {"a forward balance (FB): taken back with no payment at all", {{"A"}},
     {Cash{"D1", 79'000, "T1"}, pays("N1", "T1", {{"A", 79'000}}), pays("N2", "T2", {back("A", 79'000)}, {{"FB", -79'000}})},
     "N1 balanced; N2 balanced", "A 790.00 settled, -790.00 reversed", "carried_balances -790.00; loss_on_receivable 640.00", "D1 matched"},
    {"the payer says that it debits the account (BPR03 = D)", {{"A"}},
     {Cash{"D1", 79'000, "T1"}, pays("N1", "T1", {{"A", 79'000}}), pays("N2", "T2", {back("A", 79'000)})},
     "N1 balanced; N2 balanced", "A 790.00 settled, -790.00 reversed", "carried_balances -790.00; loss_on_receivable 640.00", "D1 matched"},
    {"money without a word is taken back", {{"A"}}, {Cash{"D1", 80'000, ""}, pays("N1", "T1", {back("A", 80'000)}, {{"WO", -80'000}})},
     "N1 balanced", "A 800.00 settled, -800.00 reversed", "carried_balances -800.00; loss_on_receivable 640.00", "D1 matched"},
    {"the balance is withheld from a payment of nothing", {{"A"}, {"B"}},
     {Cash{"D1", 79'000, "T1"}, pays("N1", "T1", {{"A", 79'000}}), pays("N2", "T2", {back("A", 79'000)}, {{"FB", -79'000}}),
      pays("N3", "T3", {{"B", 79'000}}, {{"FB", 79'000}})},
     "N1 balanced; N2 balanced; N3 balanced", "A 790.00 settled, -790.00 reversed; B 790.00 settled",
     "fee_income -12.80; loss_on_receivable 640.00; provider_payable -137.20", "D1 matched"},
    {"a part of it is withheld (WO)", {{"A"}, {"B"}},
     {Cash{"D1", 79'000, "T1"}, pays("N1", "T1", {{"A", 79'000}}), pays("N2", "T2", {back("A", 79'000)}, {{"WO", -79'000}}),
      pays("N3", "T3", {{"B", 79'000}}, {{"WO", 50'000}}), Cash{"D3", 29'000, "T3"}},
     "N1 balanced; N2 balanced; N3 balanced", "A 790.00 settled, -790.00 reversed; B 790.00 settled",
     "carried_balances -290.00; fee_income -12.80; loss_on_receivable 640.00; provider_payable -137.20", "D1 matched; D3 matched"},
    {"what a debit (BPR03 = D) left open is withheld after all", {{"A"}, {"B"}},
     {Cash{"D1", 79'000, "T1"}, pays("N1", "T1", {{"A", 79'000}}), pays("N2", "T2", {back("A", 79'000)}), pays("N3", "T3", {{"B", 79'000}}, {{"WO", 79'000}})},
     "N1 balanced; N2 balanced; N3 balanced", "A 790.00 settled, -790.00 reversed; B 790.00 settled",
     "fee_income -12.80; loss_on_receivable 640.00; provider_payable -137.20", "D1 matched"},
    {"it is withheld before it is announced", {{"A"}, {"B"}},
     {Cash{"D1", 79'000, "T1"}, pays("N1", "T1", {{"A", 79'000}}), pays("N3", "T3", {{"B", 79'000}}, {{"WO", 50'000}}), Cash{"D3", 29'000, "T3"},
      pays("N2", "T2", {back("A", 79'000)}, {{"WO", -79'000}})},
     "N1 balanced; N2 balanced; N3 balanced", "A 790.00 settled, -790.00 reversed; B 790.00 settled",
     "carried_balances -290.00; fee_income -12.80; loss_on_receivable 640.00; provider_payable -137.20", "D1 matched; D3 matched"},
    {"it is withheld twice", {{"A"}, {"B"}, {"C"}},
     {Cash{"D1", 79'000, "T1"}, pays("N1", "T1", {{"A", 79'000}}), pays("N2", "T2", {back("A", 79'000)}, {{"FB", -79'000}}),
      pays("N3", "T3", {{"B", 79'000}}, {{"FB", 79'000}}), pays("N4", "T4", {{"C", 79'000}}, {{"FB", 79'000}})},
     "N1 balanced; N2 balanced; N3 balanced; N4 balanced", "A 790.00 settled, -790.00 reversed; B 790.00 settled; C -",
     "fee_income -12.80; loss_on_receivable 640.00; provider_payable -137.20; receivable C 640.00", "D1 matched; match_ambiguous about N4"},
    {"a balance of ours that names its notice is withheld from a stranger, who is paid whole", {{"A"}},
     {Cash{"D1", 79'000, "T1"}, pays("N1", "T1", {{"A", 79'000}}), pays("N2", "T2", {back("A", 79'000)}, {{"FB", -79'000}}),
      pays("N3", "T3", {{"STRANGER", 30'000, 120'000}}, {{"FB", 10'000, "T2"}}), Cash{"D3", 20'000, "T3"}},
     "N1 balanced; N2 balanced; N3 balanced", "A 790.00 settled, -790.00 reversed",
     "carried_balances -690.00; loss_on_receivable 640.00; provider_payable -300.00", "D1 matched; D3 matched"},
    {"the same, told by the claim that was taken back", {{"A"}},
     {Cash{"D1", 79'000, "T1"}, pays("N1", "T1", {{"A", 79'000}}), pays("N2", "T2", {{"A", -79'000, -100'000, std::nullopt, "22", "ICN-7"}}, {{"FB", -79'000}}),
      pays("N3", "T3", {{"STRANGER", 30'000, 120'000}}, {{"WO", 10'000, "ICN-7 A"}}), Cash{"D3", 20'000, "T3"}},
     "N1 balanced; N2 balanced; N3 balanced", "A 790.00 settled, -790.00 reversed",
     "carried_balances -690.00; loss_on_receivable 640.00; provider_payable -300.00", "D1 matched; D3 matched"},
    {"what a stranger gives back is the stranger's, and leaves the balance for ours", {{"A"}, {"B"}},
     {Cash{"D1", 79'000, "T1"}, pays("N1", "T1", {{"A", 79'000}}), pays("N2", "T2", {back("A", 79'000)}, {{"FB", -79'000, "T2"}}),
      pays("N3", "T3", {{"STRANGER", 30'000, 120'000}}, {{"WO", 10'000, "ICN-STRANGER"}}), Cash{"D3", 20'000, "T3"}, pays("N4", "T4", {{"B", 79'000}}, {{"FB", 79'000, "T2"}})},
     "N1 balanced; N2 balanced; N3 balanced; N4 balanced", "A 790.00 settled, -790.00 reversed; B 790.00 settled",
     "fee_income -12.80; loss_on_receivable 640.00; provider_payable -337.20", "D1 matched; D3 matched"},
    {"what is withheld from ours under a name that nothing carries is of the balance, where there is one", {{"A"}, {"B"}},
     {Cash{"D1", 79'000, "T1"}, pays("N1", "T1", {{"A", 79'000}}), pays("N2", "T2", {back("A", 79'000)}, {{"FB", -79'000, "T2"}}),
      pays("N3", "T3", {{"B", 79'000}, {"STRANGER", 30'000, 120'000}}, {{"WO", 109'000, "2026-44"}})},
     "N1 balanced; N2 balanced; N3 balanced", "A 790.00 settled, -790.00 reversed; B 790.00 settled",
     "fee_income -12.80; loss_on_receivable 640.00; provider_payable -137.20", "D1 matched"},
    {"a carrier's balance was the provider's for the most part: no more than ours of it is taken under its name", {{"A"}, {"B"}, {"C"}},
     {Cash{"D1", 158'000, "T1"}, pays("N1", "T1", {{"A", 79'000}, {"B", 79'000}}),
      pays("N2", "T2", {back("A", 79'000), {"A", 69'000}, back("STRANGER", 40'000, 120'000)}, {{"FB", -50'000}}), pays("N4", "T4", {back("B", 79'000), {"B", 39'000}}, {{"FB", -40'000}}),
      pays("N3", "T3", {{"STRANGER", 100'000, 120'000}}, {{"WO", 50'000, "T2"}}), Cash{"D3", 50'000, "T3"},
      pays("N5", "T5", {{"C", 79'000}}, {{"WO", 40'000, "T4"}}), Cash{"D5", 39'000, "T5"}},
     "N1 balanced; N2 balanced; N3 balanced; N4 balanced; N5 balanced",
     "A 790.00 settled, -790.00 reversed, 690.00 settled; B 790.00 settled, -790.00 reversed, 390.00 settled_short; C 790.00 settled", "fee_income -25.60; loss_on_receivable 250.00; provider_payable -774.40", "D1 matched; D3 matched; D5 matched"},
    {"the same in another order", {{"A"}, {"B"}, {"C"}},
     {Cash{"D1", 158'000, "T1"}, pays("N1", "T1", {{"A", 79'000}, {"B", 79'000}}),
      pays("N5", "T5", {{"C", 79'000}}, {{"WO", 40'000, "T4"}}), Cash{"D5", 39'000, "T5"},
      pays("N3", "T3", {{"STRANGER", 100'000, 120'000}}, {{"WO", 50'000, "T2"}}), Cash{"D3", 50'000, "T3"}, pays("N4", "T4", {back("B", 79'000), {"B", 39'000}}, {{"FB", -40'000}}),
      pays("N2", "T2", {back("A", 79'000), {"A", 69'000}, back("STRANGER", 40'000, 120'000)}, {{"FB", -50'000}})},
     "N1 balanced; N2 balanced; N3 balanced; N4 balanced; N5 balanced",
     "A 790.00 settled, -790.00 reversed, 690.00 settled; B 790.00 settled, -790.00 reversed, 390.00 settled_short; C 790.00 settled", "fee_income -25.60; loss_on_receivable 250.00; provider_payable -774.40", "D1 matched; D3 matched; D5 matched"},
    {"what one has taken under a name no other takes under it", {{"A"}, {"B"}},
     {Cash{"D1", 158'000, "T1"}, pays("N1", "T1", {{"A", 79'000}, {"B", 79'000}}),
      pays("N2", "T2", {back("A", 79'000), {"A", 69'000}}, {{"FB", -10'000}}), pays("N4", "T4", {back("B", 79'000), {"B", 39'000}}, {{"FB", -40'000}}),
      pays("N3", "T3", {{"STRANGER", 30'000, 120'000}}, {{"WO", 10'000, "T2"}}), Cash{"D3", 20'000, "T3"}, pays("N5", "T5", {{"STRANGER", 30'000, 120'000}}, {{"WO", 10'000, "T2"}}), Cash{"D5", 20'000, "T5"}},
     "N1 balanced; N2 balanced; N3 balanced; N4 balanced; N5 balanced", "A 790.00 settled, -790.00 reversed, 690.00 settled; B 790.00 settled, -790.00 reversed, 390.00 settled_short",
     "carried_balances -400.00; fee_income -12.80; loss_on_receivable 250.00; provider_payable -537.20", "D1 matched; D3 matched; D5 matched"},
    {"what was put off is put off again, with more, under a new name", {{"A"}, {"B"}},
     {Cash{"D1", 158'000, "T1"}, pays("N1", "T1", {{"A", 79'000}, {"B", 79'000}}),
      pays("N2", "T2", {back("A", 79'000), {"A", 69'000}}, {{"FB", -10'000}}),
      pays("N4", "T4", {back("B", 79'000), {"B", 74'000}}, {{"FB", 10'000, "T2"}, {"FB", -15'000}}),
      pays("N3", "T3", {{"STRANGER", 15'000, 120'000}}, {{"WO", 15'000, "T4"}})},
     "N1 balanced; N2 balanced; N3 balanced; N4 balanced", "A 790.00 settled, -790.00 reversed, 690.00 settled; B 790.00 settled, -790.00 reversed, 740.00 settled",
     "fee_income -25.60; provider_payable -274.40", "D1 matched"},
    {"a claim's number has a blank in it", {{"A 1"}},
     {Cash{"D1", 79'000, "T1"}, pays("N1", "T1", {{"A 1", 79'000}}), pays("N2", "T2", {back("A 1", 79'000)}, {{"FB", -79'000}}),
      pays("N3", "T3", {{"STRANGER", 30'000, 120'000}}, {{"WO", 10'000, " A  1"}}), Cash{"D3", 20'000, "T3"}},
     "N1 balanced; N2 balanced; N3 balanced", "A 1 790.00 settled, -790.00 reversed", "carried_balances -690.00; loss_on_receivable 640.00; provider_payable -300.00", "D1 matched; D3 matched"},
    {"a word that many references have names nothing", {{"A"}},
     {Cash{"D1", 79'000, "T1"}, pays("N1", "T1", {{"A", 79'000}}), pays("N2", "T2", {back("A", 79'000)}, {{"FB", -79'000, "OVERPAYMENT 4711"}}),
      pays("N3", "T3", {{"STRANGER", 30'000, 120'000}}, {{"WO", 10'000, "OVERPAYMENT 0815"}}), Cash{"D3", 20'000, "T3"}},
     "N1 balanced; N2 balanced; N3 balanced", "A 790.00 settled, -790.00 reversed", "carried_balances -790.00; loss_on_receivable 640.00; provider_payable -200.00", "D1 matched; D3 matched"},
    {"withheld for something that nobody announced", {{"A"}}, {Cash{"D1", 69'000, "T1"}, pays("N1", "T1", {{"A", 79'000}}, {{"WO", 10'000}})},
     "N1 balanced", "A -", "receivable A 640.00; suspense_unmatched -690.00", "D1 partly_matched; match_ambiguous about N1"},
    {"withheld for others, out of what others are paid", {{"A"}},
     {Cash{"D1", 99'000, "T1"}, pays("N1", "T1", {{"A", 79'000}, {"STRANGER", 30'000, 120'000}}, {{"WO", 10'000}})},
     "N1 balanced", "A 790.00 settled", "fee_income -12.80; provider_payable -337.20", "D1 matched"},
    {"the same, and what was withheld is announced behind it", {{"A"}},
     {Cash{"D1", 99'000, "T1"}, pays("N1", "T1", {{"A", 79'000}, {"STRANGER", 30'000, 120'000}}, {{"WO", 10'000}}), pays("N2", "T2", {back("A", 79'000), {"A", 69'000}}, {{"WO", -10'000}})},
     "N1 balanced; N2 balanced", "A 790.00 settled, -790.00 reversed, 690.00 settled", "fee_income -12.80; provider_payable -337.20", "D1 matched"},
    {"a stranger's takeback is missing for ours", {{"A"}}, {Cash{"D1", 69'000, "T1"}, pays("N1", "T1", {{"A", 79'000}, back("STRANGER", 10'000, 120'000)})},
     "N1 balanced", "A -", "receivable A 640.00; suspense_unmatched -690.00", "D1 partly_matched; match_ambiguous about N1"},
    {"ours and a stranger's are put off together", {{"A"}},
     {Cash{"D1", 79'000, "T1"}, pays("N1", "T1", {{"A", 79'000}}), pays("N2", "T2", {back("A", 79'000), back("STRANGER", 10'000, 120'000)}, {{"FB", -89'000}})},
     "N1 balanced; N2 balanced", "A 790.00 settled, -790.00 reversed", "carried_balances -790.00; loss_on_receivable 640.00", "D1 matched"},
    {"ours pays for a stranger's", {{"A"}},
     {Cash{"D1", 79'000, "T1"}, pays("N1", "T1", {{"A", 79'000}}), pays("N2", "T2", {back("A", 79'000), {"STRANGER", 79'000, 120'000}})},
     "N1 balanced; N2 balanced", "A 790.00 settled, -790.00 reversed", "loss_on_receivable 640.00; provider_payable -790.00", "D1 matched"},
    {"ours pays for another of ours", {{"A"}, {"B"}},
     {Cash{"D1", 79'000, "T1"}, pays("N1", "T1", {{"A", 79'000}}), pays("N2", "T2", {back("A", 79'000), {"B", 79'000}})},
     "N1 balanced; N2 balanced", "A 790.00 settled, -790.00 reversed; B 790.00 settled",
     "fee_income -12.80; loss_on_receivable 640.00; provider_payable -137.20", "D1 matched"},
    {"more is taken back than was paid", {{"A"}},
     {Cash{"D1", 79'000, "T1"}, pays("N1", "T1", {{"A", 79'000}}), pays("N2", "T2", {back("A", 90'000)}, {{"FB", -90'000}})},
     "N1 balanced; N2 balanced", "A 790.00 settled", "fee_income -12.80; provider_payable -137.20", "D1 matched; match_ambiguous about N2"},

    // --- corrections: 22 and 1 in one notice ---
    {"corrected upwards", {{"A"}},
     {Cash{"D1", 79'000, "T1"}, pays("N1", "T1", {{"A", 79'000}}), pays("N2", "T2", {back("A", 79'000), {"A", 80'000}}), Cash{"D2", 1'000, "T2"}},
     "N1 balanced; N2 balanced", "A 790.00 settled, -790.00 reversed, 800.00 settled", "fee_income -12.80; provider_payable -147.20", "D1 matched; D2 matched"},
    {"corrected upwards, the correction first", {{"A"}},
     {pays("N2", "T2", {back("A", 79'000), {"A", 80'000}}), Cash{"D2", 1'000, "T2"}, Cash{"D1", 79'000, "T1"}, pays("N1", "T1", {{"A", 79'000}})},
     "N1 balanced; N2 balanced", "A 790.00 settled, -790.00 reversed, 800.00 settled", "fee_income -12.80; provider_payable -147.20", "D1 matched; D2 matched"},
    {"corrected downwards and put off in full, the correction first", {{"A"}},
     {pays("N2", "T2", {back("A", 79'000), {"A", 30'000}}, {{"FB", -79'000}}), Cash{"D2", 30'000, "T2"}, Cash{"D1", 79'000, "T1"}, pays("N1", "T1", {{"A", 79'000}})},
     "N1 balanced; N2 balanced", "A 790.00 settled, -790.00 reversed, 300.00 settled_short",
     "carried_balances -790.00; loss_on_receivable 340.00", "D1 matched; D2 matched"},
    {"an overpayment corrected downwards, the difference put off", {{"A"}},
     {Cash{"D1", 90'000, "T1"}, pays("N1", "T1", {{"A", 90'000}}), pays("N2", "T2", {back("A", 90'000), {"A", 79'000}}, {{"FB", -11'000}})},
     "N1 balanced; N2 balanced", "A 900.00 settled_over, -900.00 reversed, 790.00 settled",
     "carried_balances -110.00; fee_income -12.80; provider_payable -137.20", "D1 matched"},

    // --- the same again ---
    {"the same notice twice", {{"A"}}, {Cash{"D1", 79'000, "T1"}, pays("N1", "T1", {{"A", 79'000}}), pays("N1", "T1", {{"A", 79'000}})},
     "N1 balanced", "A 790.00 settled", "fee_income -12.80; provider_payable -137.20", "D1 matched"},
    {"the same under another number, without money", {{"A"}}, {Cash{"D1", 79'000, "T1"}, pays("N1", "T1", {{"A", 79'000}}), pays("N2", "T2", {{"A", 79'000}})},
     "N1 balanced; N2 balanced", "A 790.00 settled", "fee_income -12.80; provider_payable -137.20", "D1 matched"},
    {"the same paid twice", {{"A"}},
     {Cash{"D1", 79'000, "T1"}, pays("N1", "T1", {{"A", 79'000}}), Cash{"D2", 79'000, "T2"}, pays("N2", "T2", {{"A", 79'000}})},
     "N1 balanced; N2 balanced", "A 790.00 settled", "fee_income -12.80; provider_payable -137.20; suspense_unmatched -790.00",
     "D1 matched; D2 partly_matched; match_ambiguous about N2"},
    {"the same paid twice, and one of them taken back", {{"A"}},
     {Cash{"D1", 79'000, "T1"}, pays("N1", "T1", {{"A", 79'000}}), Cash{"D2", 79'000, "T2"}, pays("N2", "T2", {{"A", 79'000}}),
      pays("N3", "T3", {back("A", 79'000)}, {{"FB", -79'000}})},
     "N1 balanced; N2 balanced; N3 balanced", "A 790.00 settled, -790.00 reversed, 790.00 settled",
     "carried_balances -790.00; fee_income -12.80; provider_payable -137.20", "D1 matched; D2 matched"},

    // --- one and many ---
    {"one deposit for two notices", {{"A"}, {"B"}}, {Cash{"D1", 159'000, "T1"}, pays("N1", "T1", {{"A", 79'000}}), pays("N2", "T1", {{"B", 80'000}})},
     "N1 balanced; N2 balanced", "A 790.00 settled; B 800.00 settled", "fee_income -25.60; provider_payable -284.40", "D1 matched; trace_reused about N2"},
    {"two deposits for one notice", {{"A"}}, {Cash{"D1", 50'000, ""}, Cash{"D2", 29'000, ""}, pays("N1", "T1", {{"A", 79'000}})},
     "N1 balanced", "A 790.00 settled", "fee_income -12.80; provider_payable -137.20", "D1 matched; D2 matched"},
    {"two deposits of the notice's number, behind it", {{"A"}}, {pays("N1", "T1", {{"A", 79'000}}), Cash{"D1", 50'000, "T1"}, Cash{"D2", 29'000, "T1"}},
     "N1 balanced", "A 790.00 settled", "fee_income -12.80; provider_payable -137.20", "D1 matched; D2 matched"},
    {"two deposits, of which a stranger gets a part", {{"A"}},
     {Cash{"D1", 60'000, "T1"}, Cash{"D2", 40'000, "T1"}, pays("N1", "T1", {{"A", 79'000}, {"STRANGER", 21'000, 120'000}})},
     "N1 balanced", "A 790.00 settled", "fee_income -12.80; provider_payable -347.20", "D1 matched; D2 matched"},
    {"three deposits that make two sums", {{"A"}},
     {Cash{"D1", 50'000, ""}, Cash{"D2", 29'000, ""}, Cash{"D3", 29'000, "", 1}, pays("N1", "T1", {{"A", 79'000}})},
     "N1 balanced", "A -", "receivable A 640.00; suspense_unmatched -1080.00",
     "D1 unmatched; D2 unmatched; D3 unmatched; deposit_unmatched about D1; deposit_unmatched about D2; deposit_unmatched about D3; match_ambiguous about N1"},
    {"a sum that fits two notices", {{"A"}, {"B"}},
     {pays("N1", "", {{"A", 79'000}}), pays("N2", "", {{"B", 79'000}}), Cash{"D1", 50'000, ""}, Cash{"D2", 29'000, ""}},
     "N1 balanced; N2 balanced", "A -; B -", "receivable A 640.00; receivable B 640.00; suspense_unmatched -790.00",
     "D1 unmatched; D2 unmatched; deposit_unmatched about D1; match_ambiguous about D2"},
    {"a sum whose notice was held, and came again corrected", {{"A"}},
     {Cash{"D1", 50'000, ""}, Cash{"D2", 29'100, ""}, Notice{"N1", "T1", {{"A", 79'000}}, 0, "PAYER", "", 0, "ACH", 100}, pays("N2", "T1", {{"A", 79'000}}, {{"L6", -100}})},
     "N1 off by -1.00; N2 balanced", "A 790.00 settled", "fee_income -12.80; provider_payable -138.20", "D1 matched; D2 matched"},
    {"a part that carries another number", {{"A"}}, {Cash{"D1", 50'000, "T1"}, Cash{"D2", 29'000, "T9"}, pays("N1", "T1", {{"A", 79'000}})},
     "N1 balanced", "A -", "receivable A 640.00; suspense_unmatched -790.00", "D1 unmatched; D2 unmatched; deposit_unmatched about D1"},
    {"a part of another day", {{"A"}}, {Cash{"D1", 50'000, ""}, Cash{"D2", 29'000, "", 30}, pays("N1", "T1", {{"A", 79'000}})},
     "N1 balanced", "A -", "receivable A 640.00; suspense_unmatched -790.00", "D1 unmatched; D2 unmatched; deposit_unmatched about D1; deposit_unmatched about D2"},
    {"parts that are a cent short", {{"A"}}, {Cash{"D1", 50'000, ""}, Cash{"D2", 28'999, ""}, pays("N1", "T1", {{"A", 79'000}})},
     "N1 balanced", "A -", "receivable A 640.00; suspense_unmatched -789.99", "D1 unmatched; D2 unmatched; deposit_unmatched about D1; deposit_unmatched about D2"},
};

struct SituationWorld : LadderWorld {
  std::string verdicts() {
    std::vector<std::string> lines;
    for (const auto& [name, id] : notices) {
      const auto stored = seen([&, notice = id](const ports::Records& records) { return records.remittances().find(caller.tenant, notice); });
      lines.push_back(name + ' ' + (balance_of(stored->draft).balanced() ? "balanced" : "off by " + format_money(balance_of(stored->draft).difference)));
    }
    return joined(lines);
  }
  std::string rest() {
    std::vector<std::string> lines;
    for (const auto& [name, id] : deposits)
      lines.push_back(name + ' ' + std::string(name_of(seen([&, deposit = id](const ports::Records& records) { return records.deposits().find(caller.tenant, deposit); })->status)));
    for (const auto& task : tasks()) lines.push_back(task.kind + " about " + names[task.object_id]);
    return joined(lines);
  }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(situations)

BOOST_AUTO_TEST_CASE(every_situation_ends_as_its_row_says) {
  for (const auto& row : kSituations)
    BOOST_TEST_CONTEXT(row.what) {
      SituationWorld world;
      for (const auto& advance : row.advances) world.fund(advance);
      for (const auto& arrival : row.arrivals) std::visit([&](const auto& what) { world.arrives(what); }, arrival);
      BOOST_TEST(world.verdicts() == row.balance);
      BOOST_TEST(world.postings() == row.postings);
      BOOST_TEST(world.holdings() == row.holdings);
      BOOST_TEST(world.rest() == row.ends);
      world.teardown();
    }
}

BOOST_AUTO_TEST_SUITE_END()

// The advice as JSON and as CSV (declared in advice_document.hpp).
#include "core/http/wire/ledger/table.hpp"
#include "core/http/wire/payouts/advice_document.hpp"
#include "core/http/wire/reconciliation/payout_json.hpp"

namespace tideover::wire {
namespace {

const std::vector<std::string_view> kAdviceColumns{"kind",
                                                   "claim_identifier",
                                                   "payer_claim_number",
                                                   "settlement_id",
                                                   "payer_id",
                                                   "remittance_id",
                                                   "trace_number",
                                                   "code",
                                                   "reference",
                                                   "effective_on",
                                                   "payer_payment",
                                                   "advance_recovered",
                                                   "fee",
                                                   "adjustment",
                                                   "amount"};

Cell text_or_nothing(const std::string& text) {
  return text.empty() ? Cell{} : Cell{text};
}

std::vector<Cell> cells_of(const domain::AdviceLine& line) {
  return {std::string(name_of(line.kind)),
          text_or_nothing(line.claim_identifier),
          line.claim ? text_or_nothing(line.claim->payer_claim_number) : Cell{},
          line.settlement ? Cell{line.settlement->text()} : Cell{},
          text_or_nothing(line.payer_id),
          line.remittance ? Cell{line.remittance->text()} : Cell{},
          text_or_nothing(line.trace_number),
          text_or_nothing(line.code),
          text_or_nothing(line.reference),
          format_date(line.effective),
          line.payer_payment,
          line.advance_recovered,
          line.fee,
          line.adjustment,
          line.amount()};
}

class JsonAdvice final : public AdviceDocument {
 public:
  explicit JsonAdvice(const AdviceHead& head) : out_(body_) {
    out_.begin_object();
    put_payout(out_, head.payout, head.is_simulated);
    out_.key("payer_name").string(head.payer.name);
    out_.key("lines").begin_array();
  }
  void add(const domain::AdviceLine& line) override {
    put_row(out_, kAdviceColumns, cells_of(line));
    totals_.add(line);
  }
  std::string finish() override {
    out_.end_array();
    out_.key("totals").begin_object();
    out_.key("payer_payment").cents(totals_.payer_payment.cents());
    out_.key("advance_recovered").cents(totals_.advance_recovered.cents());
    out_.key("fee").cents(totals_.fee.cents());
    out_.key("adjustment").cents(totals_.adjustment.cents());
    out_.key("amount").cents(totals_.amount.cents());
    out_.end_object();
    out_.end_object();
    return std::move(body_);
  }

 private:
  std::string body_;
  json::Writer out_;
  domain::AdviceTotals totals_;
};

class CsvAdvice final : public AdviceDocument {
 public:
  CsvAdvice() { put_csv_header(text_, kAdviceColumns); }
  void add(const domain::AdviceLine& line) override { put_csv_row(text_, cells_of(line)); }
  std::string finish() override { return std::move(text_); }

 private:
  std::string text_;
};

}  // namespace

std::unique_ptr<AdviceDocument> json_advice(const AdviceHead& head) {
  return std::make_unique<JsonAdvice>(head);
}

std::unique_ptr<AdviceDocument> csv_advice() {
  return std::make_unique<CsvAdvice>();
}

}  // namespace tideover::wire

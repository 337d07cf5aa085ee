#include "core/http/wire/operations/event_json.hpp"

#include "core/http/wire/json/writer.hpp"

namespace tideover::wire {
namespace {

struct Put {
  json::Writer& out;

  void operator()(const domain::ReviewCompleted& data) const {
    out.key("id").string(data.review.text());
    out.key("authorization_id").string(data.authorization.text());
    out.key("claim_identifier").string(data.claim_identifier);
    out.key("denial_predicted").boolean(data.denial_predicted);
  }
  void operator()(const domain::AdjudicationCreated& data) const {
    out.key("settlement_id").string(data.settlement.text());
    out.key("decision").string(name_of(data.decision));
    out.key("status").string(name_of(data.status));
  }
  void operator()(const domain::AdjudicationDecided& data) const {
    out.key("settlement_id").string(data.settlement.text());
    out.key("decision").string(name_of(data.decision));
    out.key("status").string(name_of(data.status));
  }
  void operator()(const domain::ReviewRequired& data) const {
    out.key("settlement_id").string(data.settlement.text());
    out.key("task_id").string(data.task.text());
  }
  void operator()(const domain::SettlementFunded& data) const {
    transfer(data.settlement, data.transfer, data.rail);
    out.key("funded_amount").cents(data.amount.cents());
  }
  void operator()(const domain::FundingSubmitted& data) const {
    transfer(data.settlement, data.transfer, data.rail);
    out.key("effective_date").string(format_date(data.effective_date));
  }
  void operator()(const domain::FundingUnclear& data) const { transfer(data.settlement, data.transfer, data.rail); }
  void operator()(const domain::FundingRejected& data) const {
    transfer(data.settlement, data.transfer, data.rail);
    out.key("code").string(data.code);
  }
  void operator()(const domain::FundingSettled& data) const { transfer(data.settlement, data.transfer, data.rail); }
  void operator()(const domain::FundingReturned& data) const {
    transfer(data.settlement, data.transfer, data.rail);
    out.key("code").string(data.code);
    out.key("returned_amount").cents(data.amount.cents());
  }
  void operator()(const domain::PayoutMoved& data) const {
    if (data.subject.settlement.empty()) {
      out.key("payee_npi").string(data.subject.payee_npi);
      sent(data.transfer, data.rail);
    } else {
      transfer(data.subject.settlement, data.transfer, data.rail);
    }
    out.key("amount").cents(data.amount.cents());
    if (!data.code.empty()) out.key("code").string(data.code);
  }
  void operator()(const domain::ClaimStatusChanged& data) const {
    out.key("claim_id").string(data.claim_identifier);
    out.key("status").string(name_of(data.status));
    out.key("previous_status").string(name_of(data.previous));
  }
  void operator()(const domain::DepositReceived& data) const {
    out.key("deposit_id").string(data.deposit.text());
    out.key("amount").cents(data.amount.cents());
    out.key("status").string(name_of(data.status));
  }
  void operator()(const domain::DepositUnmatched& data) const {
    out.key("deposit_id").string(data.deposit.text());
    out.key("task_id").string(data.task.text());
  }
  void operator()(const domain::RemittanceReceived& data) const {
    out.key("remittance_id").string(data.remittance.text());
    out.key("payment_amount").cents(data.amount.cents());
    out.key("claims").number(data.claims);
  }
  void operator()(const domain::ReconciliationPosted& data) const {
    out.key("id").string(data.id.text());
    out.key("settlement_id").string(data.settlement.text());
    out.key("number").number(data.number);
    out.key("payer_payment").cents(data.payer_payment.cents());
    out.key("fee_collected").cents(data.fee_collected.cents());
    out.key("final_status").string(name_of(data.status));
  }
  void operator()(const domain::ImportFinished& data) const {
    out.key("job_id").string(data.job.text());
    out.key("status").string(name_of(data.status));
    out.key("accepted_rows").number(data.accepted_rows);
    out.key("rejected_rows").number(data.rejected_rows);
  }
  void operator()(const domain::SettlementCanceled& data) const {
    out.key("settlement_id").string(data.settlement.text());
    out.key("cancel_reason").string(data.reason);
  }
  void operator()(const domain::TaskOpened& data) const { task(data.task, data.kind, data.object_id); }
  void operator()(const domain::TaskClosed& data) const {
    task(data.task, data.kind, data.object_id);
    out.key("decision").string(data.decision);
  }
  void operator()(const domain::RulesSwitched& data) const {
    out.key("version").string(data.version);
    out.key("sha256").string(data.sha256);
    out.key("previous_sha256").string(data.previous_sha256);
  }
  void operator()(const domain::Ping& data) const { out.key("endpoint_id").string(data.endpoint.text()); }
  void operator()(const domain::EndpointDisabled& data) const {
    out.key("endpoint_id").string(data.endpoint.text());
    out.key("reason").string(name_of(data.reason));
    out.key("disabled_at").string(format_timestamp(data.disabled_at));
  }

  void task(const domain::TaskId& id, const std::string& kind, const std::string& object_id) const {
    out.key("task_id").string(id.text());
    out.key("kind").string(kind);
    out.key("object_id").string(object_id);
  }
  void transfer(const domain::SettlementId& settlement, const domain::TransferId& transfer_id,
                const std::string& rail) const {
    out.key("settlement_id").string(settlement.text());
    sent(transfer_id, rail);
  }
  void sent(const domain::TransferId& transfer_id, const std::string& rail) const {
    out.key("transfer_id").string(transfer_id.text());
    out.key("rail").string(rail);
  }
};

}  // namespace

std::string EventJson::encode_data(const domain::EventData& data) const {
  std::string body;
  json::Writer out(body);
  out.begin_object();
  std::visit(Put{out}, data);
  out.end_object();
  return body;
}

}  // namespace tideover::wire

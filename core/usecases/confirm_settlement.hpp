// Confirms a settlement, which funds it (spec: POST /v1/settlements/{settlement_id}/confirm). The one use case that
// moves money out.
#pragma once
#include "core/usecases/disburse.hpp"

namespace tideover::usecases {

/// The spec's confirmation result, and what is known of the transfer.
struct Confirmation {
  domain::Settlement settlement;
  domain::TransferId transfer;
};

class ConfirmSettlement {
 public:
  ConfirmSettlement(ports::Store& store, Disburse& disburse, ports::IdSource& ids)
      : store_(store), disburse_(disburse), ids_(ids) {}
  /// `render_refusal` writes the body of a refusal that is final and therefore kept under the key (rail_rejected).
  domain::Result<Answer> operator()(const Act& act, const std::string& settlement_id, const Render<Confirmation>& render,
                                    const Render<domain::Error>& render_refusal);

 private:
  ports::Store& store_;
  Disburse& disburse_;
  ports::IdSource& ids_;
};

}  // namespace tideover::usecases

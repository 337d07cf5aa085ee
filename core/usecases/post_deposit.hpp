// Takes a bank deposit in, books it, and matches it (contract section 7: POST /v1/deposits).
#pragma once
#include "core/ports/payer_directory.hpp"
#include "core/usecases/act.hpp"

namespace tideover::usecases {

struct PostedDeposit {
  domain::Deposit deposit;
  std::vector<domain::ReconciliationRecord> records;
};

class PostDeposit {
 public:
  PostDeposit(ports::Store& store, ports::PayerDirectory& payers, ports::IdSource& ids) : store_(store), payers_(payers), ids_(ids) {}
  /// The same external_id again answers the first deposit when the content agrees, and is refused when it does not.
  domain::Result<Answer> operator()(const Act& act, domain::Deposit deposit, const Render<PostedDeposit>& render);

 private:
  ports::Store& store_;
  ports::PayerDirectory& payers_;
  ports::IdSource& ids_;
};

}  // namespace tideover::usecases

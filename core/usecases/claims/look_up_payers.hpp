// Searches the payer directory, and reads one payer (openapi.yaml: GET /v1/metadata/payers).
#pragma once
#include "core/ports/plugins/payer_directory.hpp"

namespace tideover::usecases {

struct PayerQuery {
  std::string text;                 // q, at most 200 characters
  std::string system = "internal";  // identifier system of the search and of the result
  std::string after;                // cursor
  std::size_t limit = 25;
};

class LookUpPayers {
 public:
  explicit LookUpPayers(ports::PayerDirectory& payers) : payers_(payers) {}
  domain::Result<domain::PayerMatches> operator()(const PayerQuery& query) const;
  /// `payer_id`: an id, alias or identifier of any system. Error not_found.
  domain::Result<domain::Payer> one(const std::string& payer_id) const;

 private:
  ports::PayerDirectory& payers_;
};

}  // namespace tideover::usecases

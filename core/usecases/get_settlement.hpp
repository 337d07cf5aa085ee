// A settlement as it stands.
#pragma once
#include <string>

#include "core/ports/store.hpp"

namespace tideover::usecases {

class GetSettlement {
 public:
  explicit GetSettlement(ports::Store& store) : store_(store) {}
  domain::Result<domain::Settlement> operator()(const domain::TenantId& tenant, const std::string& settlement_id) const;

 private:
  ports::Store& store_;
};

}  // namespace tideover::usecases

// The text of a verification for the operator: one line when it passed, else every breach.
#pragma once
#include <string_view>

#include "core/admin/admin_context.hpp"
#include "core/domain/basics/result.hpp"
#include "core/usecases/audit/verification.hpp"

namespace tideover::admin {

AdminReply reply_of(std::string_view what, const domain::Result<usecases::Verification>& result, domain::Timestamp now);

}  // namespace tideover::admin

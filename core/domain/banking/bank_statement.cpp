#include "core/domain/banking/bank_statement.hpp"

#include <array>
#include <utility>

namespace tideover::domain {
namespace {

constexpr std::array<std::pair<BankExceptionKind, std::string_view>, 11> kExceptionNames{
    {{BankExceptionKind::credit_without_deposit, "credit_without_deposit"},
     {BankExceptionKind::credit_held, "credit_held"},
     {BankExceptionKind::ambiguous_credit, "ambiguous_credit"},
     {BankExceptionKind::debit_without_payment, "debit_without_payment"},
     {BankExceptionKind::ambiguous_debit, "ambiguous_debit"},
     {BankExceptionKind::amount_differs, "amount_differs"},
     {BankExceptionKind::deposit_not_on_statement, "deposit_not_on_statement"},
     {BankExceptionKind::return_not_on_statement, "return_not_on_statement"},
     {BankExceptionKind::payment_not_on_statement, "payment_not_on_statement"},
     {BankExceptionKind::statement_does_not_close, "statement_does_not_close"},
     {BankExceptionKind::statement_missing, "statement_missing"}}};

}  // namespace

std::string_view name_of(BankExceptionKind kind) {
  for (const auto& [known, name] : kExceptionNames)
    if (known == kind) return name;
  return "statement_missing";
}

std::optional<BankExceptionKind> bank_exception_kind_named(std::string_view name) {
  for (const auto& [kind, known] : kExceptionNames)
    if (known == name) return kind;
  return std::nullopt;
}

}  // namespace tideover::domain

// Walks the statements of a file: account and balances first, then each entry as soon as it ends.
#pragma once
#include <optional>
#include <set>
#include <string>

#include "document.hpp"
#include "movements.hpp"

namespace camt053 {

class StatementWalk final : public Handler {
 public:
  StatementWalk(const std::set<std::string>& transaction_codes, tideover::sdk::DepositSink& sink)
      : transaction_codes_(transaction_codes), sink_(sink) {}
  void begin(std::string_view path, std::string_view currency, std::int64_t line) override;
  void end(std::string_view path, const std::string& text, std::int64_t line) override;
  bool found_statement() const { return statements_ > 0; }

 private:
  struct Balance {
    std::string code, amount, currency, direction, day;
  };
  struct Head {
    std::int64_t line = 0;
    std::string iban, other_id, currency, from_to, page, last_page;
    std::string credit_sum, credit_count, debit_sum, debit_count;
    std::optional<std::int64_t> opening, earlier_closing, closing;
    std::optional<tideover_date> closing_day;
    std::string balance_currency;
  };

  void open_statement(std::int64_t line);
  void take_balance(std::int64_t line);
  void give_head();
  std::string* field_of(std::string_view path);
  std::string* field_of_head(std::string_view path);
  std::string* field_of_entry(std::string_view path);
  std::string* field_of_detail(std::string_view path);

  const std::set<std::string>& transaction_codes_;
  tideover::sdk::DepositSink& sink_;
  std::int64_t statements_ = 0;
  Head head_;
  Balance balance_;
  Account account_;
  Entry entry_;
  bool is_head_given_ = false;
};

}  // namespace camt053
